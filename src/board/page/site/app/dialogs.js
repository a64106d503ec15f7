// Dialogs: opened, closed, and thrown away.

import { holdBack, releaseBack } from './back.js';
import { make } from './elements.js';

/** Opens a dialog with a heading; closed, it is gone. */
export function openDialog(title, content, { wide = false, onclose } = {}) {
    const heading = make('h2', {}, title);
    const dialog = make('dialog', { class: wide ? 'wide' : '', 'aria-label': title });
    const close = () => dialog.close();
    dialog.append(
        make('div', { class: 'dialog-head' }, heading, make('button', { type: 'button', class: 'close', 'aria-label': 'Close', title: 'Close (Escape)', onclick: close }, '✕')),
        ...content,
    );
    dialog.addEventListener('close', () => {
        dialog.remove();
        onclose?.();
        releaseBack();
    });
    dialog.addEventListener('mousedown', (event) => {
        // Beside it, not on its margin: there somebody has missed a button or a piece.
        const { left, right, top, bottom } = dialog.getBoundingClientRect();
        const inside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
        if (event.target === dialog && !inside) close();
    });
    document.body.append(dialog);
    dialog.showModal();
    holdBack();
    return { dialog, close };
}

/** A labelled field of a form. */
export function field(label, control) {
    return make('label', { class: 'field' }, make('span', {}, label), control);
}

/** A list to choose from: `choices` are [value, text]. */
export function choice(name, choices, value) {
    const select = make('select', { name });
    for (const [key, text] of choices) {
        select.append(make('option', { value: key, selected: String(key) === String(value) }, text));
    }
    return select;
}

/** A number within bounds. */
export function number(name, value, min, max, step = 1) {
    return make('input', { type: 'number', name, min, max, step, value, required: true });
}

/** Something that is on or off. */
export function check(name, label, checked) {
    return make('label', { class: 'check' }, make('input', { type: 'checkbox', name, checked }), label);
}
