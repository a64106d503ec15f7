// Buttons beside the board, and what they and the keys do.

import { confirmed } from './confirmed.js';
import { button, byId, make } from './elements.js';

/** Milliseconds after which a step that was not answered does not count. */
const STEP_TIME = 1000;

export function makeActions(store, connection, { newGame, help }) {
    // Where the last step leads. Keys come faster than answers: each goes on from there.
    let aim = { node: null, time: 0 };
    const step = (by) => {
        const line = store.shownLine;
        const place = (id) => line.findIndex((node) => node.id === id);
        const aimed = performance.now() - aim.time < STEP_TIME ? place(aim.node) : -1;
        const here = aimed >= 0 ? aimed : place(store.state?.node);
        const there = line[Math.min(line.length - 1, Math.max(0, here + by))];
        if (!there || there === line[here]) return;
        aim = { node: there.id, time: performance.now() };
        connection.send({ do: 'goto', node: there.id });
    };
    store.addEventListener('state', () => {
        if (store.state.node === aim.node) aim = { node: null, time: 0 };
    });
    store.addEventListener('tree', () => { aim = { node: null, time: 0 }; });
    const analyse = (on, threat = false) => connection.send({ do: 'analyse', on, threat });
    const actions = {
        back: () => step(-1),
        on: () => step(1),
        start: () => step(-10_000),
        end: () => step(10_000),
        flip: () => store.change('view', { flipped: !store.flipped }),
        analyse: () => analyse(!store.state?.analysing),
        threat: () => analyse(true, !store.state?.threat),
        values: () => {
            if (store.state?.game === 'chesquerque') store.change('values', { showsValues: !store.showsValues });
        },
        hint: () => connection.send({ do: 'hint' }),
        takeBack: () => connection.send({ do: 'take-back' }),
        pause: () => connection.send({ do: 'pause', on: !store.state.play.paused }),
        newGame,
        help,
    };

    const takeBack = button('Take back', actions.takeBack, { id: 'take-back' });
    const hint = button('Hint', actions.hint, { id: 'hint' });
    const draw = button('Offer a draw', () => connection.send({ do: 'offer-draw' }), { id: 'offer-draw' });
    const resign = button('Resign', () => confirmed(resign, () => connection.send({ do: 'resign' })), { id: 'resign' });
    const pause = button('Pause', actions.pause, { id: 'pause' });
    const breakOff = button('End & analyse', () => confirmed(breakOff, () => {
        connection.send({ do: 'break-off' });
        analyse(true);
    }), { id: 'break-off' });
    byId('play-actions').append(takeBack, hint, draw, resign, pause, breakOff);

    const study = button('Analyse', actions.analyse, { id: 'analyse' });
    const threat = button('Show threat', actions.threat, { id: 'threat' });
    const values = button('Piece values', actions.values, {
        id: 'values', title: 'What the network thinks each piece is worth here (V)',
    });
    const sweep = button('Evaluate the game', () => connection.send({ do: 'sweep' }), { id: 'sweep' });
    const progress = make('progress', { id: 'sweep-progress', max: 1, value: 0, hidden: true, 'aria-label': 'Positions evaluated' });
    const again = button('Take back', actions.takeBack, { id: 'take-back-ended' });
    byId('study-actions').append(study, threat, values, sweep, progress, again);

    byId('navigation').append(
        button('|◀', actions.start, { 'aria-label': 'To the start', title: 'To the start (↑)' }),
        button('◀', actions.back, { 'aria-label': 'One move back', title: 'One move back (←)' }),
        button('▶', actions.on, { 'aria-label': 'One move on', title: 'One move on (→)' }),
        button('▶|', actions.end, { 'aria-label': 'To the end', title: 'To the end (↓)' }),
        button('⇅', actions.flip, { 'aria-label': 'Turn the board round', title: 'Turn the board round (F)' }),
    );

    const show = () => {
        const { state } = store;
        if (!state) return;
        const { play } = state;
        byId('play-actions').hidden = !store.playing;
        byId('study-actions').hidden = store.playing;
        pause.hidden = !play?.left && !play?.paused;
        pause.textContent = play?.paused ? 'Go on' : 'Pause';
        hint.disabled = Boolean(play?.thinking);
        takeBack.disabled = store.nodes.get(play?.last)?.parent === null;
        study.setAttribute('aria-pressed', String(state.analysing));
        study.textContent = state.analysing ? 'Stop analysing' : 'Analyse';
        threat.setAttribute('aria-pressed', String(state.threat));
        threat.disabled = !state.analysing;
        values.hidden = state.game !== 'chesquerque';
        values.setAttribute('aria-pressed', String(store.showsValues));
        sweep.disabled = store.mainLine.length < 2;
        again.hidden = !play || play.result === '*';
        progress.hidden = !store.sweep;
        if (store.sweep) [progress.value, progress.max] = store.sweep;
    };
    for (const event of ['state', 'tree', 'verdict', 'values']) store.addEventListener(event, show);
    return actions;
}
