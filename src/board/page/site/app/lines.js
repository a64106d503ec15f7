// What a search finds: the evaluation bar, its lines, and its arrows.

import { button, byId, drawBetweenClicks, make } from './elements.js';
import { expected, scoreText } from './store.js';
import { arrow } from '../board/arrow_layer.js';
import { certainScore, hasKnownMoves, valueInWords } from '../tables/words.js';

const thousands = (number) => (number >= 1e6 ? `${(number / 1e6).toFixed(1)} M` : `${Math.round(number / 1000)} k`);

/** The least share of each side in the bar, unless there is a mate. */
const LEAST_SHARE = 0.02;
/** From this many pawns on, scores have no tenths. */
const WHOLE_PAWNS = 10;

/** A score in the few letters that fit the bar: `0.4`, `-12`, `#3`. */
export function shortScore({ cp, mate }) {
    if (mate !== undefined) return `#${mate}`;
    const pawns = cp / 100;
    const text = pawns.toFixed(Math.abs(pawns) < WHOLE_PAWNS - 0.05 ? 1 : 0);
    return Number(text) === 0 ? '0.0' : text;
}

/** The bar beside the board: how much of it is White's. */
export function showBar(store) {
    const bar = byId('evaluation-bar');
    const draw = () => {
        const shown = shownBy(verdictHere(store), store.state?.position);
        // Its place is kept while there is nothing to tell, so that the board stays where it is.
        bar.hidden = !store.preferences.bar;
        bar.classList.toggle('idle', store.playing || !shown);
        if (!shown || store.playing) return;
        const share = 100 * shown.share;
        bar.style.setProperty('--share', `${store.flipped ? 100 - share : share}%`);
        bar.classList.toggle('flipped', store.flipped);
        bar.lastElementChild.textContent = shown.text;
        bar.lastElementChild.className = share >= 50 === !store.flipped ? 'low' : 'high';
        bar.setAttribute('aria-label', `Evaluation ${shown.told}`);
    };
    for (const event of ['state', 'lines', 'known', 'verdict', 'view', 'preferences', 'review']) store.addEventListener(event, draw);
}

/** White's share of the bar and the words for it: how the game has ended, or a score. */
function shownBy(verdict, position) {
    if (position?.outcome) {
        // Whoever is to move when the rules end a game has lost it, unless it is drawn.
        const [share, text] = /^draw/.test(position.outcome) ? [0.5, '½'] : position.turn === 'white' ? [0, '0-1'] : [1, '1-0'];
        return { share, text, told: position.outcome };
    }
    if (!verdict) return null;
    const least = verdict.mate === undefined ? LEAST_SHARE : 0;
    const share = Math.min(1 - least, Math.max(least, expected(verdict)));
    return { share, text: shortScore(verdict), told: scoreText(verdict) };
}

function verdictHere(store) {
    const { lines, state } = store;
    const certain = hasKnownMoves(store) && certainScore(store.known, state);
    if (certain) return certain;
    if (lines && !lines.threat && lines.node === state?.node && lines.lines[0]) return lines.lines[0];
    return store.scoreOf(store.node);
}

/** Rows of lines for which a place is kept. */
const MAX_ROWS = 5;

/**
 * The lines below each other; the board shows a line's position under the pointer. `listKnown`
 * shows all moves where something is known of them for certain.
 */
export function showLines(store, connection, preview, listKnown) {
    const box = byId('lines');
    const boards = new WeakMap();
    // One listener for the whole box: its parts are replaced all the time, and an element
    // that is removed under the pointer gets no `mouseleave`.
    box.addEventListener('mouseover', ({ target }) => {
        const shown = boards.get(target.closest('.line-move'));
        if (shown) preview.show(shown);
        else preview.hide();
    });
    box.addEventListener('mouseleave', () => preview.hide());
    const draw = drawBetweenClicks(box, () => {
        const { state, lines } = store;
        // The lines keep their place, too, as long as there are any.
        box.style.setProperty('--lines', Math.min(store.preferences.lines, MAX_ROWS));
        if (!state?.analysing) {
            preview.hide();
            box.replaceChildren();
            return;
        }
        const known = lines && lines.node === state.node && lines.threat === state.threat ? lines : null;
        const head = known
            ? `depth ${known.depth[0]}/${known.depth[1]} · ${thousands(known.nodes)} nodes · ${thousands(known.nps)}/s`
                + ` · hash ${Math.round(known.hashfull / 10)} %`
            : state.position.outcome ? `The game is over: ${state.position.outcome}` : 'searching…';
        const parts = [state.threat || !hasKnownMoves(store) ? make('div', { class: 'lines-head' }, state.threat ? `Threat · ${head}` : head) : knownHead()];
        const [best] = known?.lines ?? [];
        if (best && !state.threat) parts.push(chances(best, 9));
        for (const line of known?.lines ?? []) parts.push(row(line, state, known));
        box.replaceChildren(...parts);
    });

    const knownHead = () => make('div', { class: 'lines-head' },
        valueInWords(store.known, store.state) ?? 'Some moves are known',
        button('All moves', listKnown, { class: 'line-move', id: 'list-known' }));

    const row = (line, state, known) => {
        const first = store.node;
        let ply = (first?.ply ?? 0) + (known.threat ? 1 : 0);
        const moves = line.san.map((san, at) => {
            ply += 1;
            const number = ply % 2 === 1 ? `${(ply + 1) / 2}. ` : at === 0 ? `${ply / 2}… ` : '';
            return make('button', {
                type: 'button', class: 'line-move', tabIndex: -1,
                onclick: () => play(state.node, line.san.slice(0, at + 1), known.threat),
            }, `${number}${san}`);
        });
        moves.forEach((move, at) => boards.set(move, line.boards[at]));
        const score = make('span', { class: `line-score ${expected(line) >= 0.5 ? 'white' : 'black'}` }, scoreText(line));
        return make('div', { class: 'line', 'data-rank': line.rank }, score, ...moves);
    };

    // Plays a line up to the move that was clicked: each move once the one before it stands.
    let awaited = [];
    const play = (node, sans, threat) => {
        preview.hide();
        if (threat) return;
        awaited = sans;
        connection.send({ do: 'move', node, text: sans[0] });
    };
    store.addEventListener('state', () => {
        if (awaited.length === 0 || store.node?.san !== awaited[0]) return;
        awaited = awaited.slice(1);
        if (awaited.length > 0) connection.send({ do: 'move', node: store.state.node, text: awaited[0] });
    });
    const stop = () => { awaited = []; };
    for (const event of ['lost', 'unsent']) connection.addEventListener(event, stop);
    connection.addEventListener('say', ({ detail: { say } }) => {
        if (say === 'refused') stop();
    });
    for (const event of ['state', 'lines', 'known', 'preferences']) store.addEventListener(event, draw);
}

/** Percentages without fractions that add up to 100, by the largest remainders; none is rounded up to 100. */
function wholePercents(percents) {
    const whole = percents.map(Math.floor);
    const order = percents.map((_, at) => at).sort((a, b) => (percents[b] % 1) - (percents[a] % 1));
    let missing = 100 - whole.reduce((sum, part) => sum + part, 0);
    for (const at of order) {
        if (missing === 0 || whole[at] === 99) continue;
        whole[at] += 1;
        missing -= 1;
    }
    return whole;
}

/** Wins of White, draws and wins of Black as a bar, with the percentages from `least` on written in it. */
export function shareBar(counts, words, least) {
    const bar = make('div', { class: 'chances', role: 'img', 'aria-label': words, title: words });
    const all = counts.reduce((sum, count) => sum + count);
    const percents = counts.map((count) => 100 * count / all);
    const whole = wholePercents(percents);
    for (const [at, kind] of ['white', 'draw', 'black'].entries()) {
        const part = make('div', { class: kind }, percents[at] >= least ? `${whole[at]} %` : '');
        part.style.width = `${percents[at]}%`;
        bar.append(part);
    }
    return bar;
}

/** The chances of a score as a bar. */
export function chances({ wdl }, least) {
    const [win, draw, loss] = wdl.map((permille) => permille / 10);
    return shareBar(wdl, `White wins ${win} %, draw ${draw} %, Black wins ${loss} %`, least);
}

/**
 * The arrows and circles of the position shown: those that are kept with it, a hint, and the first
 * moves of the lines, the best one widest.
 */
export function arrowsOf(store) {
    const { lines, state, hint, preferences } = store;
    const shapes = (store.node?.shapes ?? []).map((shape) => ({ ...shape, weight: 0.6 }));
    if (hint && hint.node === state?.node) shapes.push(arrow(hint.points, 'blue', 1));
    if (!preferences.arrows || !state?.analysing || lines?.node !== state.node) return shapes;
    if (lines.threat !== state.threat) return shapes;
    const best = lines.lines[0];
    for (const line of lines.lines.slice(0, 4)) {
        if (line.points.length === 0) continue;
        const loss = best ? Math.abs(expected(best) - expected(line)) : 0;
        const weight = line.rank === 1 ? 1 : Math.max(0.1, 0.7 - 4 * loss);
        const brush = state.threat ? 'red' : line.rank === 1 ? 'blue' : 'grey';
        shapes.push(arrow(line.points, brush, weight));
    }
    return shapes.reverse();
}
