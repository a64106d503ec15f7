// The connection to a session in a worker of the page itself, in place of
// `app/connection.js` where there is no server (`scripts/build-web`).

import { message } from '../app/elements.js';
import { canKeep, followOtherTabs, keepFile, keptFiles } from '../alone/kept_files.js';
import { keepOffline } from '../alone/offline.js';

/** Milliseconds before the first new attempt; each further one waits longer. */
const FIRST_WAIT = 400;
/** Attempts in a row before the page gives up. */
const MAX_ATTEMPTS = 5;
/** Milliseconds after which a session counts as sound. */
const STABLE_AFTER = 30_000;
/** Milliseconds before the browser is asked again whether it has room. */
const RETRY = 5000;
/** The most UTF-16 units of a request; imported games make the longest. */
const LONGEST_REQUEST = 4 << 20;

/**
 * Events: `open`, `lost` (detail: the `text` to tell the user and, where there is something
 * to do, its `label` and `action`), `unsent` (a request came to nothing), and `say` (detail:
 * the message) for each message.
 */
export class Connection extends EventTarget {
    #worker = null;
    #isOpen = false;
    #attempts = 0;
    #started = 0;
    #restart = null;
    #game = null;
    #tabs = new BroadcastChannel('qirkat');
    /** Files for which the browser had no room, by their names. */
    #unsaved = new Map();
    #retry = null;
    #trouble = null;

    /** The address of the page, for links to it. */
    get link() {
        return location.href.split('#')[0];
    }

    start() {
        this.#started = performance.now();
        this.#worker = new Worker(new URL('../alone/session.js', import.meta.url), { type: 'module' });
        this.#worker.onmessage = ({ data }) => this.#hear(data);
        this.#worker.onerror = (event) => {
            event.preventDefault();
            this.#lose(event.message || 'it cannot be loaded');
        };
        // What the browser had no room for is here all the same.
        const unsaved = [...this.#unsaved.values()].filter(({ text }) => text !== null);
        const kept = keptFiles().filter(({ name }) => !this.#unsaved.has(name));
        this.#worker.postMessage({ files: [...kept, ...unsaved.map((file) => ({ ...file, time: Date.now() }))] });
        this.#tabs.onmessage = ({ data }) => {
            if (data.opened && data.opened === this.#game) this.#say({ say: 'taken-over' });
        };
        if (!canKeep()) message('This browser keeps no games: a reload will lose them.');
        if (this.#attempts === 0) {
            keepOffline();
            followOtherTabs((file) => {
                if (!this.#unsaved.has(file.name)) this.#worker.postMessage({ file });
            });
        }
    }

    #hear({ open, reply, keep, failed }) {
        if (open) {
            this.#isOpen = true;
            this.dispatchEvent(new Event('open'));
        } else if (reply) {
            this.#say(JSON.parse(reply));
        } else if (keep) {
            const file = JSON.parse(keep);
            this.#unsaved.set(file.name, file);
            this.#save();
        } else {
            this.#lose(failed);
        }
    }

    /** Keeps what waits to be kept, and tells how that stands. */
    #save(asked = false) {
        clearTimeout(this.#retry);
        this.#retry = null;
        // What is removed makes room.
        const files = [...this.#unsaved.values()].sort((a, b) => Number(a.text !== null) - Number(b.text !== null));
        for (const file of files) if (keepFile(file)) this.#unsaved.delete(file.name);
        const waiting = [...this.#unsaved.keys()];
        const isGame = (name) => name.endsWith('.json') && !name.endsWith('.review.json') && !['preferences.json', 'training.json'].includes(name);
        const trouble = waiting.length > 0
            ? { games: waiting.filter(isGame).length, reason: 'the browser has no room, delete other games' }
            : null;
        if (trouble) this.#retry = setTimeout(() => this.#save(), RETRY);
        if (asked || trouble?.games !== this.#trouble?.games) this.#say({ say: 'unsaved', trouble });
        this.#trouble = trouble;
    }

    #say(said) {
        // A game is open in one tab at a time.
        if (said.say === 'state' && said.id !== this.#game) {
            this.#game = said.id;
            this.#tabs.postMessage({ opened: said.id });
        }
        this.dispatchEvent(new CustomEvent('say', { detail: said }));
        // At each `hello` the page hides its banner (`app/unsaved.js`): it is told again what is not saved.
        if (said.say === 'hello' && this.#unsaved.size > 0) this.#save(true);
    }

    /** The session has crashed: another takes its place, with the games that are kept. */
    #lose(why) {
        console.info(`the engine has crashed: ${why}`);
        this.#worker.terminate();
        this.#isOpen = false;
        if (performance.now() - this.#started > STABLE_AFTER) this.#attempts = 0;
        this.#attempts += 1;
        const again = this.#attempts <= MAX_ATTEMPTS;
        const then = again ? 'It starts anew; the game is kept.' : 'Reload the page to try again.';
        const detail = { text: `The engine has crashed (${why}). ${then}` };
        if (!again) Object.assign(detail, { label: 'Reload', action: () => location.reload() });
        this.dispatchEvent(new CustomEvent('lost', { detail }));
        if (again) this.#restart = setTimeout(() => this.start(), FIRST_WAIT * 2 ** (this.#attempts - 1));
    }

    /** There is nothing to hurry: each attempt follows soon. */
    hurry() {}

    /** Sends a request; false while there is no connection. */
    send(request) {
        if (!this.#isOpen) {
            this.dispatchEvent(new Event('unsent'));
            return false;
        }
        if (request.do === 'save') {
            this.#save(true);
            return true;
        }
        const text = JSON.stringify(request);
        if (text.length > LONGEST_REQUEST) message('This is too much at once.', 'error');
        else this.#worker.postMessage({ request: text });
        return true;
    }

    /** Ends it for good. */
    end() {
        this.#isOpen = false;
        clearTimeout(this.#restart);
        this.#tabs.close();
        this.#worker?.terminate();
    }
}
