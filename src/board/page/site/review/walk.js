// The walk through a reviewed game, from one turning point to the next. Each can be tried again
// before it is told what would have been better.

import { allow, button, byId, make } from '../app/elements.js';
import { chancesOf, noteOf, numbered, signOf } from './words.js';

/** Shows the walk in a box, and its stations in a list. Returns the actions for the keys. */
export function showWalk(store, connection, { box, list, learn }) {
    /** The mistake that was asked for, until it is shown: keys come faster than answers. */
    let aim = null;
    const mistakes = () => store.mainLine.filter((node) => store.review?.of(node)?.mark);
    /** The index of the position shown: on a variation, at the move that it leaves the game from. */
    const here = () => {
        const line = store.mainLine;
        let node = store.nodes.get(aim) ?? store.node;
        while (node && !line.includes(node)) node = store.nodes.get(node.parent);
        return line.indexOf(node);
    };
    const beyond = (way) => {
        const at = here();
        const found = mistakes().filter((node) => way * (store.mainLine.indexOf(node) - at) > 0);
        return way > 0 ? found[0] : found[found.length - 1];
    };
    const goTo = (node) => {
        if (node && connection.send({ do: 'goto', node: node.id })) aim = node.id;
    };
    const shown = () => {
        const move = store.review?.of(store.node);
        return move?.mark ? move : null;
    };
    const actions = {
        previous: () => goTo(beyond(-1)),
        next: () => goTo(beyond(1)),
        again: () => {
            if (shown()) learn([shown()]);
        },
    };
    const previous = button('Mistake', actions.previous, { id: 'previous-mistake', icon: 'back', 'aria-label': 'Previous mistake', title: 'The mistake before this position (K)' });
    const next = button('Mistake', actions.next, { id: 'next-mistake', icon: 'on', 'aria-label': 'Next mistake', title: 'The next mistake (J)' });
    const again = button('Try again', actions.again, { id: 'try-again', icon: 'again', title: 'Look for the better move (R)' });
    const said = make('div', { class: 'turning-said' });
    box.append(make('div', { class: 'actions walk', role: 'group', 'aria-label': 'Mistakes' }, previous, next, again), said);
    const rows = make('ol', { class: 'turning-points' });
    list.append(make('h2', { class: 'panel-head' }, 'Turning points'), rows);

    const row = (node) => {
        const move = store.review.of(node);
        const [before, after] = chancesOf(move);
        return make('li', {}, make('button', {
            type: 'button', class: 'turning-point', 'data-node': node.id, 'aria-current': node === store.node && 'true',
            onclick: () => connection.send({ do: 'goto', node: node.id }),
        },
            make('span', { class: `dot ${move.color}` }), numbered(move), make('span', { class: `review-mark ${move.mark}` }, signOf(move)),
            make('span', { class: 'quiet' }, `${before} → ${after} %`)));
    };
    /** What is said of the mistake that is shown. */
    const words = (move) => {
        const { review, state } = store;
        const isKeptBack = review.isKeptBack(move, state.play);
        const better = button('Show what was better', () => {
            review.told.add(move.ply);
            store.change('review', {});
            again.focus();
        }, { id: 'show-better', icon: 'hint' });
        return [make('p', {}, make('strong', {}, numbered(move)), ` ${noteOf(move, isKeptBack)}`), ...(isKeptBack ? [better] : [])];
    };
    const draw = () => {
        const all = mistakes();
        for (const part of [box, list]) part.hidden = all.length === 0;
        if (box.hidden) return;
        const move = shown();
        allow(previous, beyond(-1) ? '' : 'There is no mistake before this position.');
        allow(next, beyond(1) ? '' : 'There is no mistake after this position.');
        allow(again, move ? '' : 'Go to a mistake first.');
        said.className = `turning-said ${move?.mark ?? ''}`;
        said.replaceChildren(...(move ? words(move) : []));
        const held = rows.contains(document.activeElement) && document.activeElement.dataset.node;
        rows.replaceChildren(...all.map(row));
        if (held) rows.querySelector(`[data-node="${held}"]`)?.focus({ preventScroll: true });
    };
    store.addEventListener('state', () => {
        const hasArrived = aim === store.state.node;
        aim = null;
        draw();
        // Who goes from mistake to mistake sees what is said of them.
        if (hasArrived && !byId('panel-review').hidden) said.scrollIntoView({ block: 'nearest' });
    });
    for (const event of ['tree', 'review']) store.addEventListener(event, draw);
    return actions;
}
