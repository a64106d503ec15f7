// Networks in about a third of their bytes. A weight is much like that of the same piece on the
// point before and on the point below, and in another king bucket: what differs mostly fits into a
// byte, and gzip shortens these. Nothing is lost, which the checksum of the network confirms.

const MAGIC = new TextEncoder().encode('QIRKPCK\0');
/** Bytes of a network before its weights. */
const HEADER = 16;
/** Bytes that a packed network has more: the files of the board, and the features of a king bucket. */
const LAYOUT = 4;
/** The byte of a difference that does not fit into one; it follows after all bytes. */
const LARGE = 255;

const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** What stands before a place, on the point before it and on the point below. */
function near(weights, at, hidden, file) {
    return (at >= hidden ? weights[at - hidden] : 0) + (at >= file ? weights[at - file] : 0);
}

/** The weight at a place, from those before it. `file` and `bucket` are distances in weights. */
function predicted(weights, at, hidden, file, bucket) {
    const here = near(weights, at, hidden, file);
    if (at < bucket) return Math.round(0.45 * here);
    const above = at - bucket;
    return weights[above] + Math.round(0.4 * (here - near(weights, above, hidden, file)));
}

/** Packs a network whose board has so many files, with so many features for each king bucket. */
export async function pack(network, files, featuresOfBucket) {
    const header = view(network);
    const hidden = header.getUint16(12, true);
    const weights = new Int16Array(network.slice(HEADER, HEADER + 2 * header.getUint16(10, true) * hidden).buffer);
    const large = [];
    const small = weights.map((weight, at) => {
        const difference = ((weight - predicted(weights, at, hidden, files * hidden, featuresOfBucket * hidden)) << 16) >> 16;
        const zigzag = (difference << 1) ^ (difference >> 15);
        const number = zigzag & 0xffff;
        if (number < LARGE) return number;
        large.push(number & 0xff, number >> 8);
        return LARGE;
    });
    const layout = new Uint16Array([files, featuresOfBucket]);
    const parts = [
        MAGIC, network.slice(MAGIC.length, HEADER), new Uint8Array(layout.buffer), Uint8Array.from(small), Uint8Array.from(large),
        network.slice(HEADER + weights.byteLength),
    ];
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The network that was packed, or bytes that were not, as they are. */
function unpack(packed) {
    if (!MAGIC.every((byte, at) => packed[at] === byte)) return packed;
    const header = view(packed);
    const [features, hidden, files, featuresOfBucket] = [10, 12, HEADER, HEADER + 2].map((at) => header.getUint16(at, true));
    const start = HEADER + LAYOUT;
    const count = features * hidden;
    const small = packed.subarray(start, start + count);
    if (small.length < count) throw new Error('the network is cut off');
    const weights = new Int16Array(count);
    let next = start + count;
    for (let at = 0; at < count; at += 1) {
        let number = small[at];
        if (number === LARGE) {
            number = header.getUint16(next, true);
            next += 2;
        }
        weights[at] = predicted(weights, at, hidden, files * hidden, featuresOfBucket * hidden) + ((number >> 1) ^ -(number & 1));
    }
    const network = new Uint8Array(HEADER + weights.byteLength + packed.length - next);
    network.set(new TextEncoder().encode('QIRKNET\0'));
    network.set(packed.subarray(MAGIC.length, HEADER), MAGIC.length);
    network.set(new Uint8Array(weights.buffer), HEADER);
    network.set(packed.subarray(next), HEADER + weights.byteLength);
    return network;
}

/** A network from the bytes of its file, packed or not. */
export async function networkOf(bytes) {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (!isGzip) return unpack(bytes);
    const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const packed = await new Response(unzipped).arrayBuffer().catch((cause) => {
        throw new Error('the network is damaged', { cause });
    });
    return unpack(new Uint8Array(packed));
}
