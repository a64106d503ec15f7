// Making elements of the page, and messages in passing. Text is always set as
// text: nothing that comes from a game is ever read as HTML.

/** An element with properties, listeners (`onclick`) and children. */
export function make(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (key === 'class') element.className = value;
        else if (key in element && !key.includes('-')) element[key] = value;
        else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

/** The element of an id. */
export const byId = (id) => document.getElementById(id);

/** A button that does something. */
export function button(text, onclick, properties = {}) {
    return make('button', { type: 'button', onclick, ...properties }, text);
}

/** Milliseconds that a message stays. */
const MESSAGE_TIME = 6000;

/** Shows a message for a while. */
export function message(text, kind = 'note') {
    const box = byId('messages');
    const shown = make('div', { class: `message ${kind}` }, text);
    for (const old of box.children) {
        if (old.textContent === text) old.remove();
    }
    box.append(shown);
    while (box.children.length > 3) box.firstChild.remove();
    setTimeout(() => shown.remove(), MESSAGE_TIME);
}

/** Takes messages of a kind away that are of no use any more. */
export function dismiss(kind) {
    for (const shown of [...byId('messages').children]) {
        if (shown.classList.contains(kind)) shown.remove();
    }
}
