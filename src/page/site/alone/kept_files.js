// The games of a page without a server, kept by the browser (`localStorage`).

const PREFIX = 'qirkat/';

/** The storage; none where the browser does not let a page keep anything. */
function storage() {
    try {
        return window.localStorage;
    } catch {
        return null;
    }
}

/** Whether the browser keeps anything. */
export const canKeep = () => storage() !== null;

/** All files: their names, texts, and when they were written. */
export function keptFiles() {
    const store = storage();
    const names = store ? Object.keys(store).filter((name) => name.startsWith(PREFIX)) : [];
    return names.map((name) => {
        const [time, ...lines] = store.getItem(name).split('\n');
        return { name: name.slice(PREFIX.length), time: Math.max(0, Math.floor(Number(time))) || 0, text: lines.join('\n') };
    });
}

/** Keeps a file, or removes it where there is no text; false where there is no room. */
export function keepFile({ name, text }) {
    try {
        if (text === null) storage()?.removeItem(PREFIX + name);
        else storage()?.setItem(PREFIX + name, `${Date.now()}\n${text}`);
        return true;
    } catch {
        return false;
    }
}
