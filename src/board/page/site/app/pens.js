// Colours to draw with, for whoever has no right button: while one is chosen, what points at the board
// draws on it.

import { button, byId, make } from './elements.js';

const COLOURS = ['green', 'red', 'blue', 'yellow'];

/** Offers them above the notes, with which drawings are kept. */
export function offerPens(store, board) {
    const pens = COLOURS.map((colour) => button('', () => choose(board.pen === colour ? null : colour), {
        class: `pen ${colour}`, 'aria-label': `Draw in ${colour}`, title: `Draw in ${colour}: drag an arrow, or touch a point for a circle`,
    }));
    const choose = (colour) => {
        board.pen = colour;
        for (const [at, pen] of pens.entries()) pen.setAttribute('aria-pressed', String(COLOURS[at] === colour));
    };
    choose(null);
    byId('panel-notes').prepend(make('div', { class: 'actions pens', role: 'group', 'aria-label': 'Draw on the board' }, make('span', {}, 'Draw'), ...pens));
    store.addEventListener('panel', () => {
        if (store.panel !== 'notes') choose(null);
    });
}
