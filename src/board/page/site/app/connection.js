// The WebSocket to the server. It is opened again when it breaks.

/** Milliseconds before the first new attempt; each further one waits longer. */
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

const LOST = 'No connection: the game is kept, and the page goes on trying.'
    + ' Is “qirkat board” still running?';
const MOVED = '“qirkat board” has a new address: open the one that it has printed.'
    + ' The game is kept.';

const LOST_BY_GUEST = 'No connection: the page goes on trying.';
const ENDED = 'This link has ended: your friend has ended it, or the board was started anew. Ask for another.';
/** What a link allows: `GuestRequest` of the server. */
const ALLOWED_TO_GUESTS = ['goto', 'point', 'move', 'take-back', 'offer-draw', 'resign', 'answer'];

/**
 * Events: `open`, `lost` (detail: the `text` to tell the user and, where there is something
 * to do, its `label` and `action`), `unsent` (a request came to nothing), and `say` (detail:
 * the message) for each message.
 */
export class Connection extends EventTarget {
    #socket = null;
    #wait = FIRST_WAIT;
    #ended = false;
    #timer = null;
    /** Whether the page was opened by the link of a friend. */
    isGuest = false;

    start() {
        clearTimeout(this.#timer);
        const url = new URL('socket', location.href);
        url.protocol = 'ws:';
        url.hash = '';
        const socket = new WebSocket(url);
        this.#socket = socket;
        let greeted = false;
        socket.addEventListener('message', (event) => {
            // A server that lets a socket in and closes it at once has no room for it.
            if (!greeted) {
                greeted = true;
                this.#wait = FIRST_WAIT;
                this.dispatchEvent(new Event('open'));
            }
            this.dispatchEvent(new CustomEvent('say', { detail: JSON.parse(event.data) }));
        });
        socket.addEventListener('close', async () => {
            if (this.#ended) return;
            const detail = { text: this.isGuest ? LOST_BY_GUEST : LOST, label: 'Try now', action: () => this.hurry() };
            this.dispatchEvent(new CustomEvent('lost', { detail }));
            this.#timer = setTimeout(() => this.start(), this.#wait);
            this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
            if (!(await isRefused()) || this.#socket !== socket) return;
            clearTimeout(this.#timer);
            this.end();
            this.dispatchEvent(new CustomEvent('lost', { detail: { text: this.isGuest ? ENDED : MOVED } }));
        });
    }

    /** Tries again at once, where it waits for the next attempt. */
    hurry() {
        if (this.#socket?.readyState === WebSocket.CLOSED && !this.#ended) this.start();
    }

    /** The address for links to positions. None here: the address holds the secret token of the board. */
    link = null;

    /** Sends a request; false while there is no connection. */
    send(request) {
        if (this.isGuest && !ALLOWED_TO_GUESTS.includes(request.do)) return true;
        if (this.#socket?.readyState !== WebSocket.OPEN) {
            this.dispatchEvent(new Event('unsent'));
            return false;
        }
        this.#socket.send(JSON.stringify(request));
        return true;
    }

    /** Ends it for good. */
    end() {
        this.#ended = true;
        this.#socket?.close();
    }
}

/** Whether there is a server that does not know the token in the address, and never will. */
async function isRefused() {
    const answer = await fetch(new URL('.', location.href), { method: 'HEAD' }).catch(() => null);
    return answer?.status === 403;
}
