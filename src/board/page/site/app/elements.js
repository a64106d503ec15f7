// Making elements of the page, and messages in passing. Text is always set as
// text: nothing that comes from a game is ever read as HTML.

import { icon } from './icons.js';

/** An element with properties, listeners (`onclick`) and children. */
export function make(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (key === 'class') element.className = value;
        else if (key in element && !key.includes('-')) element[key] = value;
        else if (value !== false) element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

/** A number of things, such as `1 game` or `12 games`. */
export const counted = (number, thing) => `${number.toLocaleString()} ${thing}${number === 1 ? '' : 's'}`;

/** The element of an id. */
export const byId = (id) => document.getElementById(id);

/** A button that does something; `icon` names what is drawn before its text. */
export function button(text, onclick, { icon: name, ...properties } = {}) {
    const made = make('button', {
        type: 'button',
        onclick: (event) => {
            const why = made.dataset.why;
            if (why) message(why, 'hint');
            else onclick(event);
        },
        ...properties,
    }, name ? icon(name) : null, make('span', { class: 'label' }, text));
    made.dataset.title = made.title;
    return made;
}

/** Writes another text on a button. */
export function relabel(target, text) {
    const label = target.querySelector('.label');
    if (label.textContent !== text) label.textContent = text;
}

/** Draws another icon on a button. */
export const redraw = (target, name) => target.querySelector('.icon').replaceWith(icon(name));

/** Enables a button, or disables it with a reason, which it tells when it is pressed. */
export function allow(target, why = '') {
    target.dataset.why = why;
    target.title = why || target.dataset.title;
    if (why) target.setAttribute('aria-disabled', 'true');
    else target.removeAttribute('aria-disabled');
}

/**
 * Returns a function that draws the parts of a box anew, but not between press and release in it: a
 * click is lost if its button is replaced.
 */
export function drawBetweenClicks(box, draw) {
    let pressed = false;
    box.addEventListener('pointerdown', () => { pressed = true; });
    for (const event of ['pointerup', 'pointercancel']) {
        window.addEventListener(event, () => {
            if (!pressed) return;
            pressed = false;
            // After the click.
            setTimeout(draw);
        });
    }
    return () => { if (!pressed) draw(); };
}

/** A button with which a file is chosen. */
export function fileButton(text, onchoose, properties = {}) {
    const input = make('input', {
        type: 'file', class: 'hidden-text', ...properties,
        onchange: () => {
            const [chosen] = input.files;
            input.value = '';
            if (chosen) onchoose(chosen);
        },
    });
    return make('label', { class: 'file-button' }, icon('file'), make('span', { class: 'label' }, text), input);
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
const MAX_MESSAGES = 3;

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
    for (const old of passing.slice(0, -MAX_MESSAGES)) old.remove();
    setTimeout(() => shown.remove(), MESSAGE_TIME);
}

/** A message that stays until `dismiss('staying')`, with a button if there is a `label`. */
export function showStaying(text, label, action, kind = 'error') {
    dismiss('staying');
    const box = byId('messages');
    box.append(make('div', { class: `message ${kind} staying` }, `${text} `, label ? button(label, action) : null));
    raise(box);
}

/** Pixels between the messages and the edge of the board. */
const GAP = 6;

/** Pixels below the board where messages find room, as on a phone that is held upright. */
const ROOM = 200;

/**
 * Lays the messages below the board, or over its lower edge where there is no room. While a dialog is open,
 * they lie in front of it, over the lower edge of its board or its own.
 */
function raise(box) {
    const dialog = document.querySelector('dialog[open]:not(.promotion)');
    const near = dialog?.querySelector('.board') ?? dialog ?? byId('board');
    const { left, width, bottom } = near.getBoundingClientRect();
    box.style.left = `${left + GAP}px`;
    box.style.width = `${width - 2 * GAP}px`;
    const isBelow = !dialog && window.innerHeight - bottom > ROOM;
    box.style.top = isBelow ? `${bottom + GAP}px` : 'auto';
    box.style.bottom = isBelow ? 'auto' : `${Math.max(GAP, window.innerHeight - bottom + GAP)}px`;
    if (!box.showPopover) return;
    box.popover = 'manual';
    if (box.matches(':popover-open')) box.hidePopover();
    box.showPopover();
}

/** Puts a text into the clipboard. */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        message('Copied.');
    } catch {
        message('The browser does not let the page copy: select the text and copy it yourself.', 'error');
    }
}

/** Takes messages of a kind away that are of no use any more. */
export function dismiss(kind) {
    for (const shown of [...byId('messages').children]) {
        if (shown.classList.contains(kind)) shown.remove();
    }
}
