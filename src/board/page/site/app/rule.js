// The rule of a piece on its point, in a box over the moves: when it is taken in hand, when one of
// the other side is clicked, and by a key. The session makes the words and the ways.

import { byId } from './elements.js';

/** Shows rules of pieces. Returns `expect(point)` and `hide()`. */
export function showRules(store, connection, board) {
    const box = byId('rule');
    let wanted = null;
    const hide = () => {
        wanted = null;
        box.hidden = true;
        board.showWays([]);
    };
    /** Shows the answer about a point, when it comes. */
    const expect = (point) => {
        hide();
        wanted = { point, node: store.state?.node };
    };
    connection.addEventListener('say', ({ detail: said }) => {
        if (said.say !== 'point' || said.point !== wanted?.point || said.node !== wanted.node) return;
        wanted = null;
        if (!said.rule) return;
        box.textContent = said.rule.text;
        box.hidden = false;
        board.showWays(said.rule.ways);
    });
    board.addEventListener('take', ({ detail: { name, leads } }) => {
        const isDone = leads || board.selection.from === name;
        if (!board.state.pieces.has(name) || isDone || !store.state || !store.preferences.rules || document.body.classList.contains('lost')) {
            hide();
            return;
        }
        expect(name);
        connection.send({ do: 'point', node: store.state.node, point: name });
    });
    for (const event of ['move', 'refused']) board.addEventListener(event, hide);
    let shown = null;
    store.addEventListener('state', () => {
        const { id, node } = store.state;
        if (shown !== `${id} ${node}`) hide();
        shown = `${id} ${node}`;
    });
    return { expect, hide };
}
