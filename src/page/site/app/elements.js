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

/** Marks that turn the direction of writing: those of `is_layout` in src/game/text.rs. */
const TURNS = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Somebody's name: in whatever direction it is written, what stands beside it is not turned. */
export const isolated = (name) => make('bdi', {}, name.replace(TURNS, ''));

/** The same within a text. */
export const isolatedText = (name) => `\u2068${name.replace(TURNS, '')}\u2069`;

/** Hands the user a file. */
export function saveFile(name, text) {
    const link = make('a', { href: URL.createObjectURL(new Blob([text])), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
}

/** Milliseconds that a message stays. */
const MESSAGE_TIME = 6000;
/** Messages shown at once, beside those that stay. */
const MOST_MESSAGES = 3;

/** Shows a message for a while. */
export function message(text, kind = 'note') {
    const box = byId('messages');
    const shown = make('div', { class: `message ${kind}` }, text);
    for (const old of box.children) {
        if (old.textContent === text) old.remove();
    }
    box.append(shown);
    raise(box);
    const passing = [...box.children].filter((old) => !old.classList.contains('staying'));
    for (const old of passing.slice(0, -MOST_MESSAGES)) old.remove();
    setTimeout(() => shown.remove(), MESSAGE_TIME);
}

/** A message that stays until it is dismissed as `staying`, with a button if that has a label. */
export function showStaying(text, label, action) {
    dismiss('staying');
    const box = byId('messages');
    box.append(make('div', { class: 'message error staying' }, `${text} `, label ? button(label, action) : null));
    raise(box);
}

/** Lays the messages above a dialog that is open. */
function raise(box) {
    if (!box.showPopover) return;
    box.popover = 'manual';
    if (box.matches(':popover-open')) box.hidePopover();
    box.showPopover();
}

/** Takes messages of a kind away that are of no use any more. */
export function dismiss(kind) {
    for (const shown of [...byId('messages').children]) {
        if (shown.classList.contains(kind)) shown.remove();
    }
}
