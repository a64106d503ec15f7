// The players with their clocks. The server keeps the time; the page counts on
// from what it was told last.

import { byId, isolated, isolatedText, make } from './elements.js';
import { nameOf } from './names.js';
import { BOARDS } from '../board/boards.js';
import { pieceIcon } from '../board/pieces.js';

const TENTHS_BELOW = 10_000;
/** Below this many milliseconds a clock is low. */
export const LOW_TIME = 20_000;

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

/** Milliseconds of a time that a game notes, such as `0:09:58`; any other text is returned as it is. */
function millisecondsOf(text) {
    const parts = /^(\d+):([0-5]?\d):([0-5]?\d(?:\.\d+)?)$/.exec(text);
    return parts ? 1000 * (3600 * Number(parts[1]) + 60 * Number(parts[2]) + Number(parts[3])) : text;
}

/** When the times were told. */
let toldAt = 0;

/** Milliseconds that a side has left now, or the text that its game notes; nothing without clocks. */
export function timeLeft(store, side) {
    const { play } = store.state ?? {};
    if (!play?.left) return notedClock(store, side) ?? null;
    return play.left[side === 'white' ? 0 : 1] - (play.running === side ? performance.now() - toldAt : 0);
}

/** Shows names and clocks above and below the board. */
export function showPlayers(store) {

    const draw = () => {
        if (!store.state) return;
        const { play, position } = store.state;
        for (const [id, isTop] of [['player-top', true], ['player-bottom', false]]) {
            const side = isTop === store.flipped ? 'white' : 'black';
            const parts = [
                make('span', { class: `dot ${side}`, 'aria-hidden': 'true' }),
                make('span', { class: 'name', title: isolatedText(nameOf(store, side)) }, isolated(nameOf(store, side))),
            ];
            parts.push(...capturedBy(store, side));
            const turn = store.playing && !position.outcome && turnOf(store) === side;
            if (play?.thinking && turn) parts.push(make('span', { class: 'thinking' }, 'is thinking'));
            if (play?.pondering && store.playing && !turn) parts.push(make('span', { class: 'thinking' }, 'thinks along'));
            if (store.playing && play.friends[side === 'white' ? 0 : 1] === false) parts.push(make('span', { class: 'thinking' }, 'is not here'));
            const left = timeLeft(store, side);
            if (left !== null) {
                const runs = play?.running === side;
                parts.push(make('span', {
                    class: `clock${runs ? ' running' : ''}${play?.left && left < LOW_TIME ? ' low' : ''}`, role: 'timer', 'data-side': play?.left ? side : null,
                    'aria-label': `Clock of ${side}`,
                }, typeof left === 'string' ? left : timeText(left)));
            }
            byId(id).replaceChildren(...parts);
            byId(id).classList.toggle('to-move', Boolean(turn));
        }
    };
    store.addEventListener('state', () => {
        toldAt = performance.now();
        draw();
    });
    for (const event of ['view', 'tree']) store.addEventListener(event, draw);
    // Only the text, and only where it changes: once a second while there is time.
    setInterval(() => {
        const running = store.state?.play?.running;
        const clock = running && document.querySelector(`.player .clock[data-side="${running}"]`);
        if (!clock) return;
        const left = timeLeft(store, running);
        const text = timeText(left);
        if (clock.textContent === text) return;
        clock.textContent = text;
        clock.classList.toggle('low', left < LOW_TIME);
    }, 100);
}

/** Pieces from the heaviest down, as captured ones stand beside a player. */
const BY_WEIGHT = 'qarbnpm';

/** What a side has captured at the position shown, and by how much its material is ahead. */
function capturedBy(store, side) {
    const { game, position, start } = store.state;
    const ahead = Math.round((side === 'white' ? position.material : -position.material) / 100);
    const theirs = side === 'white' ? (letter) => letter : (letter) => letter.toUpperCase();
    const count = (placement, letter) => placement.split('').filter((here) => here === letter).length;
    const now = position.fen.split(' ')[0];
    const before = start.split(' ')[0];
    const missing = (letter) => count(before, letter) - count(now, letter);
    const letters = BY_WEIGHT.split('').map(theirs);
    // A pawn that has become another piece was not captured.
    const promoted = letters.reduce((sum, letter) => sum + Math.max(0, -missing(letter)), 0);
    const captured = letters
        .map((letter) => [letter, missing(letter) - (letter === theirs('p') ? promoted : 0)])
        .filter(([, lost]) => lost > 0);
    if (captured.length === 0 && ahead <= 0) return [];
    const plural = (name) => (name === 'man' ? 'men' : `${name}s`);
    const named = (letter, lost) => (lost === 1 ? String : plural)(BOARDS[game].pieces[letter.toLowerCase()]);
    const words = captured.map(([letter, lost]) => `${lost} ${named(letter, lost)}`).join(', ');
    const icons = captured.map(([letter, lost]) => make('span', {}, pieceIcon(letter), lost > 1 ? String(lost) : ''));
    return [make('span', {
        class: 'captured', role: 'img', 'aria-label': `Captured: ${words || 'nothing'}${ahead > 0 ? `, ahead by ${ahead}` : ''}`, title: `Captured: ${words || 'nothing'}`,
    }, ...icons, ahead > 0 ? make('strong', {}, `+${ahead}`) : '')];
}

/** What the clock of a side showed at the position shown, if the game came with clocks. */
function notedClock(store, side) {
    const parity = side === 'white' ? 1 : 0;
    for (let { node } = store; node; node = store.nodes.get(node.parent)) {
        if (node.id !== 0 && node.ply % 2 === parity) return node.clock && millisecondsOf(node.clock);
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
