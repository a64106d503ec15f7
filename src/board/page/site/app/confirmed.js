// What cannot be undone is done at the second click.

import { relabel } from './elements.js';

/** Milliseconds in which a second click confirms the first. */
const CONFIRM_TIME = 4000;

/** What waits for its second click: the button with its text and timer. */
const asked = new WeakMap();

/** Does something at the second click only. */
export function onSecondClick(clicked, action) {
    const first = asked.get(clicked);
    if (first) {
        reset(clicked, first);
        action();
        return;
    }
    const text = clicked.textContent;
    relabel(clicked, 'Sure?');
    clicked.classList.add('asked');
    const timer = setTimeout(() => cancelConfirmation(clicked), CONFIRM_TIME);
    asked.set(clicked, { text, timer });
}

/** What a first click has asked for is not wanted any more. */
export function cancelConfirmation(clicked) {
    const first = asked.get(clicked);
    if (first) reset(clicked, first);
}

function reset(clicked, { text, timer }) {
    clearTimeout(timer);
    asked.delete(clicked);
    relabel(clicked, text);
    clicked.classList.remove('asked');
}
