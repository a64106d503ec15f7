// The players with their clocks. The server keeps the time; the page counts on
// from what it was told last.

import { byId, isolated, isolatedText, make } from './elements.js';

const TENTHS_BELOW = 20_000;

/** A time as clocks show it: `1:02:03`, or `0:09.8`. */
export function timeText(milliseconds) {
    const left = Math.max(0, milliseconds);
    const seconds = Math.floor(left / 1000);
    const two = (number) => String(number).padStart(2, '0');
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const start = hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`;
    const tenths = left < TENTHS_BELOW ? `.${Math.floor(left / 100) % 10}` : '';
    return `${start}:${two(seconds % 60)}${tenths}`;
}

function nameOf(store, side) {
    const index = side === 'white' ? 0 : 1;
    const { play, players } = store.state;
    if (play) {
        const both = play.people[0] && play.people[1];
        if (play.people[index]) return both ? (side === 'white' ? 'White' : 'Black') : 'You';
        return play.elo ? `Qirkat (${play.elo})` : 'Qirkat';
    }
    return players[index] || (side === 'white' ? 'White' : 'Black');
}

/** Shows names and clocks above and below the board. */
export function showPlayers(store) {
    let told = 0;

    const draw = () => {
        if (!store.state) return;
        const { play, position } = store.state;
        for (const [id, isTop] of [['player-top', true], ['player-bottom', false]]) {
            const side = isTop === store.flipped ? 'white' : 'black';
            const parts = [
                make('span', { class: `dot ${side}`, 'aria-hidden': 'true' }),
                make('span', { class: 'name', title: isolatedText(nameOf(store, side)) }, isolated(nameOf(store, side))),
            ];
            const turn = store.playing && !position.outcome && turnOf(store) === side;
            if (play?.thinking && turn) parts.push(make('span', { class: 'thinking' }, 'is thinking'));
            if (play?.pondering && store.playing && !turn) parts.push(make('span', { class: 'thinking' }, 'thinks along'));
            if (play?.left) {
                const left = play.left[side === 'white' ? 0 : 1];
                const ran = play.running === side ? performance.now() - told : 0;
                parts.push(make('span', {
                    class: `clock${play.running === side ? ' running' : ''}`, role: 'timer', 'data-side': side,
                    'aria-label': `Clock of ${side}`,
                }, timeText(left - ran)));
            } else {
                const noted = notedClock(store, side);
                if (noted) parts.push(make('span', { class: 'clock', role: 'timer', 'aria-label': `Clock of ${side}` }, noted));
            }
            byId(id).replaceChildren(...parts);
            byId(id).classList.toggle('to-move', Boolean(turn));
        }
    };
    store.addEventListener('state', () => {
        told = performance.now();
        draw();
    });
    for (const event of ['view', 'tree']) store.addEventListener(event, draw);
    setInterval(() => {
        if (store.state?.play?.running) draw();
    }, 100);
}

/** What the clock of a side showed where one looks, if the game came with clocks. */
function notedClock(store, side) {
    const parity = side === 'white' ? 1 : 0;
    for (let { node } = store; node; node = store.nodes.get(node.parent)) {
        if (node.id !== 0 && node.ply % 2 === parity) return node.clock;
    }
    return undefined;
}

/** Whose turn it is where the game is played. */
function turnOf(store) {
    const { play, node, position } = store.state;
    if (node === play.last) return position.turn;
    const last = store.nodes.get(play.last);
    return last && last.ply % 2 === 1 ? 'black' : 'white';
}
