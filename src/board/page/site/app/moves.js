// The moves with their variations, and what may be said of them.

import { kindOf, noteOf, signOf } from '../review/words.js';
import { cancelConfirmation, onSecondClick } from './confirmed.js';
import { allow, byId, button, drawBetweenClicks, make } from './elements.js';
import { scoreText } from './store.js';

const NAGS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

/** Marks of a move as people write them. */
const marks = (node) => (node.nags ?? []).map((nag) => NAGS[nag] ?? ` $${nag}`).join('');

function numberOf(node, always) {
    const number = Math.ceil(node.ply / 2);
    if (node.ply % 2 === 1) return `${number}.`;
    return always ? `${number}…` : '';
}

/** What is noted of a move besides words; nothing of most. */
function notedOf(node) {
    const parts = [...(node?.notes ?? [])];
    if (node?.clock) parts.unshift(`clock ${node.clock}`);
    return parts.length > 0 ? parts.join(' · ') : null;
}

export function showMoves(store, connection) {
    const box = byId('moves');

    const move = (node) => make('button', {
        type: 'button',
        class: `move${store.state?.node === node.id ? ' current' : ''}`,
        'data-node': node.id,
        title: notedOf(node),
        'aria-current': store.state?.node === node.id ? 'true' : null,
        tabIndex: -1,
        onclick: () => connection.send({ do: 'goto', node: node.id }),
    }, node.san + marks(node), reviewMark(node));

    // What the review says: a sign after the move, unless it has that already, and
    // the reason below.
    const reviewMark = (node) => {
        const reviewed = store.review?.of(node);
        const sign = reviewed ? signOf(reviewed) : '';
        if (!sign || marks(node) === sign) return null;
        return make('span', { class: `review-mark ${kindOf(reviewed)}` }, sign);
    };
    const reviewNote = (node) => {
        const reviewed = store.review?.of(node);
        const text = reviewed ? noteOf(reviewed, store.review.isKeptBack(reviewed, store.state.play)) : '';
        if (!text) return null;
        // The move above is the button; the words lead there too, for whoever points at them.
        const onclick = () => connection.send({ do: 'goto', node: node.id });
        return make('div', { class: `review-note ${kindOf(reviewed) ?? ''}`, onclick }, text);
    };

    const scoreOf = (node) => {
        const score = store.scoreOf(node);
        return make('span', { class: 'score' }, score ? scoreText(score) : '');
    };

    // Text that runs on: a variation with those inside it.
    const variation = (first) => {
        const parts = [];
        let fresh = true;
        for (let node = first; node; node = store.nodes.get(node.children[0])) {
            const number = numberOf(node, fresh);
            if (number) parts.push(make('span', { class: 'number' }, number));
            parts.push(move(node));
            fresh = false;
            if (node.comment) {
                parts.push(make('span', { class: 'comment' }, node.comment));
                fresh = true;
            }
            for (const side of siblings(node, node === first)) {
                parts.push(make('div', { class: 'variation' }, ...variation(side)));
                fresh = true;
            }
        }
        return parts;
    };

    // Other moves than this one in the same place, if it is the first of them.
    const siblings = (node, isFirst) => {
        const parent = store.nodes.get(node.parent);
        if (isFirst || !parent || parent.children[0] !== node.id) return [];
        return parent.children.slice(1).map((id) => store.nodes.get(id)).filter(Boolean);
    };

    const draw = drawBetweenClicks(box, () => {
        const parts = [];
        const root = store.nodes.get(0);
        if (root?.comment) parts.push(make('div', { class: 'comment' }, root.comment));
        let row = null;
        for (const node of store.mainLine.slice(1)) {
            const white = node.ply % 2 === 1;
            if (white || row === null) {
                row = make('div', { class: 'row' }, make('span', { class: 'number' }, `${Math.ceil(node.ply / 2)}.`));
                if (!white) row.append(make('span', { class: 'move-cell' }, '…'));
                parts.push(row);
            }
            row.append(make('span', { class: 'move-cell' }, move(node), scoreOf(node)));
            const asides = [reviewNote(node)].filter(Boolean);
            if (node.comment) asides.push(make('div', { class: 'comment' }, node.comment));
            for (const side of siblings(node, false)) {
                asides.push(make('div', { class: 'variation' }, ...variation(side)));
            }
            if (asides.length > 0) {
                parts.push(...asides);
                row = null;
            } else if (!white) {
                row = null;
            }
        }
        if (parts.length === 0) parts.push(make('p', { class: 'empty' }, 'No moves yet.'));
        if (store.ending) {
            const { result, reason } = store.ending;
            parts.push(make('div', { class: 'result' }, [result === '*' ? '' : result, reason].filter(Boolean).join(' ')));
        }
        box.replaceChildren(...parts);
        const current = box.querySelector('.current');
        const note = current?.closest('.row')?.nextElementSibling;
        if (note?.classList.contains('review-note')) bringIntoView(box, note);
        if (current) bringIntoView(box, current);
    });
    for (const event of ['state', 'review', 'verdict', 'panel']) store.addEventListener(event, () => requestDraw());

    let requested = false;
    function requestDraw() {
        if (requested) return;
        requested = true;
        requestAnimationFrame(() => {
            requested = false;
            draw();
        });
    }
}

/** Scrolls a list as far as a part of it needs to be seen; the page stays where it is. */
function bringIntoView(list, part) {
    const whole = list.getBoundingClientRect();
    const { top, bottom } = part.getBoundingClientRect();
    if (top < whole.top) list.scrollTop -= whole.top - top;
    else if (bottom > whole.bottom) list.scrollTop += bottom - whole.bottom;
}

/** Milliseconds after the last key before a comment is sent. */
const TYPING_TIME = 500;

/** Why the position before the first move has no marks and cannot be deleted or promoted. */
const NO_MOVE = 'Choose a move first: this is the position before the first one.';

/** Comments and marks of the move that is looked at. */
export function showAnnotation(store, connection) {
    const box = byId('annotation');
    const text = make('textarea', {
        id: 'comment', rows: 2, maxLength: 4000, placeholder: 'A comment on this position',
    });
    /** The game and the node whose comment stands in the field. */
    let shown = { id: null, node: null };
    let typing = null;
    const send = () => {
        clearTimeout(typing);
        typing = null;
        const node = store.nodes.get(shown.node);
        if (!node || text.value === (node.comment ?? '')) return;
        if (connection.send({ do: 'comment', node: node.id, text: text.value })) node.comment = text.value;
    };
    text.addEventListener('change', send);
    // Kept while one types: a page may be left at any moment.
    text.addEventListener('input', () => {
        clearTimeout(typing);
        typing = setTimeout(send, TYPING_TIME);
    });
    window.addEventListener('pagehide', send);
    const toggle = (nag) => {
        const node = store.node;
        const others = (node.nags ?? []).filter((known) => known > 6);
        const nags = (node.nags ?? []).includes(nag) ? others : [nag, ...others];
        connection.send({ do: 'mark', node: node.id, nags });
    };
    const nagButtons = Object.entries(NAGS).map(([nag, sign]) => button(sign, () => toggle(Number(nag)), {
        'data-nag': nag, 'aria-label': `Mark the move ${sign}`,
    }));
    const promote = button('Make main line', () => connection.send({ do: 'promote', node: store.state.node }), { icon: 'openings' });
    const remove = button('Delete from here', () => {
        onSecondClick(remove, () => connection.send({ do: 'remove', node: store.state.node }));
    }, { id: 'delete-from-here', icon: 'bin' });
    const noted = make('p', { class: 'quiet noted' });
    box.append(
        make('label', { for: 'comment' }, 'Comment'), text, noted,
        make('div', { class: 'actions marks' }, ...nagButtons), make('div', { class: 'actions' }, promote, remove),
    );
    const draw = () => {
        const node = store.node;
        if (!node) return;
        const { id } = store.state;
        const isOther = id !== shown.id || node.id !== shown.node;
        if (isOther) {
            // What was typed last belongs to the position before.
            if (typing !== null && id === shown.id) send();
            shown = { id, node: node.id };
            cancelConfirmation(remove);
        }
        if (isOther || document.activeElement !== text) text.value = node.comment ?? '';
        noted.textContent = notedOf(node) ?? '';
        noted.hidden = !noted.textContent;
        const isMove = node.id !== 0;
        for (const nag of nagButtons) {
            allow(nag, isMove ? '' : NO_MOVE);
            nag.setAttribute('aria-pressed', String((node.nags ?? []).includes(Number(nag.dataset.nag))));
        }
        allow(promote, !isMove ? NO_MOVE : store.mainLine.includes(node) ? 'This is the main line.' : '');
        allow(remove, isMove ? '' : NO_MOVE);
    };
    store.addEventListener('state', draw);
}
