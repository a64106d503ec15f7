// The WebSocket to the server. It is opened again when it breaks.

/** Milliseconds before the first new attempt; each further one waits longer. */
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

const LOST = 'No connection. Is `qirkat board` still running? The game is kept.';

/**
 * Events: `open`, `lost` (detail: what to tell the user), and `say` (detail: the message)
 * for each message.
 */
export class Connection extends EventTarget {
    #socket = null;
    #wait = FIRST_WAIT;
    #ended = false;

    start() {
        const place = new URL('socket', location.href);
        place.protocol = 'ws:';
        place.hash = '';
        this.#socket = new WebSocket(place);
        this.#socket.addEventListener('open', () => {
            this.#wait = FIRST_WAIT;
            this.dispatchEvent(new Event('open'));
        });
        this.#socket.addEventListener('message', (event) => {
            this.dispatchEvent(new CustomEvent('say', { detail: JSON.parse(event.data) }));
        });
        this.#socket.addEventListener('close', () => {
            if (this.#ended) return;
            this.dispatchEvent(new CustomEvent('lost', { detail: LOST }));
            setTimeout(() => this.start(), this.#wait);
            this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
        });
    }

    /** Sends a request; false while there is no connection. */
    send(request) {
        if (this.#socket?.readyState !== WebSocket.OPEN) return false;
        this.#socket.send(JSON.stringify(request));
        return true;
    }

    /** Ends it for good. */
    end() {
        this.#ended = true;
        this.#socket?.close();
    }
}
