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

/** A file by what is stored under its key: its name, its text, and when it was written. */
function fileOf(key, stored) {
    const [time, ...lines] = stored.split('\n');
    return { name: key.slice(PREFIX.length), time: Math.max(0, Math.floor(Number(time))) || 0, text: lines.join('\n') };
}

/** All files. */
export function keptFiles() {
    const store = storage();
    const keys = store ? Object.keys(store).filter((key) => key.startsWith(PREFIX)) : [];
    return keys.map((key) => fileOf(key, store.getItem(key)));
}

/** Calls back with each file that another tab keeps, and each that it has removed: then the text is null. */
export function followOtherTabs(changed) {
    window.addEventListener('storage', ({ key, newValue }) => {
        if (!key?.startsWith(PREFIX)) return;
        changed(newValue === null ? { name: key.slice(PREFIX.length), time: 0, text: null } : fileOf(key, newValue));
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
