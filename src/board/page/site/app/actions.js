// Buttons beside the board, and what they and the keys do.

import { onSecondClick } from './confirmed.js';
import { allow, button, byId, make, message, redraw, relabel } from './elements.js';
import { inviteFriend } from './friend.js';
import { icon } from './icons.js';
import { playAgain } from './new_game.js';

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
        hint: () => {
            if (store.state?.analysing) message('The lines of the analysis show what is good here.', 'hint');
            else connection.send({ do: 'hint' });
        },
        takeBack: () => connection.send({ do: 'take-back' }),
        pause: () => connection.send({ do: 'pause', on: !store.state.play.paused }),
        newGame,
        help,
    };

    const takeBack = button('Take back', actions.takeBack, { id: 'take-back', icon: 'takeBack', title: 'Take back (U)' });
    const backToGame = button('Back to the game', () => connection.send({ do: 'goto', node: store.state.play.last }), {
        id: 'back-to-game', icon: 'end', title: 'To the position that is played (↓)',
    });
    const hint = button('Hint', actions.hint, { id: 'hint', icon: 'hint', title: 'A good move (H)' });
    const offerDraw = () => connection.send({ do: 'offer-draw' });
    const draw = button('Offer a draw', () => {
        // Between two people at one board the offer ends the game.
        if (store.ownSide === 'both') onSecondClick(draw, offerDraw);
        else offerDraw();
    }, { id: 'offer-draw', icon: 'draw' });
    const resign = button('Resign', () => onSecondClick(resign, () => connection.send({ do: 'resign' })), { id: 'resign', icon: 'flag' });
    const pause = button('Pause', actions.pause, { id: 'pause', icon: 'pause' });
    const breakOff = button('End & analyse', () => onSecondClick(breakOff, () => {
        connection.send({ do: 'break-off' });
        analyse(true);
    }), { id: 'break-off', icon: 'analyse', title: 'End the game without a result, and analyse it' });
    const invite = button('Invite', () => inviteFriend(store, connection), {
        id: 'invite', icon: 'friend', title: 'A friend on another device plays or looks on',
    });
    byId('play-actions').append(takeBack, backToGame, hint, draw, resign, pause, breakOff, invite);

    const study = button('Analyse', actions.analyse, { id: 'analyse', icon: 'analyse', title: 'Analyse, or stop (A)' });
    const threat = button('Show threat', actions.threat, {
        id: 'threat', icon: 'threat', title: 'What the other side threatens (T)',
    });
    const values = button('Piece values', actions.values, {
        id: 'values', icon: 'values', title: 'What the network thinks each piece is worth here (V)',
    });
    byId('study-actions').append(study, threat, values);

    const sweep = button('Evaluate the game', () => connection.send({ do: 'sweep' }), {
        id: 'sweep', icon: 'graph', title: 'A short look at every position, for the graph',
    });
    const progress = make('progress', { id: 'sweep-progress', max: 1, value: 0, hidden: true, 'aria-label': 'Positions evaluated' });
    byId('sweep-actions').append(sweep, progress);

    const takeBackEnded = button('Take back', actions.takeBack, { id: 'take-back-ended', icon: 'takeBack', title: 'Take back, and play on (U)' });
    const rematch = button('Rematch', () => playAgain(store, connection, { swapped: false }), {
        id: 'rematch', icon: 'again', title: 'The same once more',
    });
    const swap = button('New colours', () => playAgain(store, connection, { swapped: true }), {
        id: 'swap-colours', icon: 'flip', title: 'Once more, with the colours exchanged',
    });
    byId('ended-actions').append(rematch, swap, takeBackEnded);

    const stepper = (name, action, text) => make('button', { type: 'button', 'aria-label': text.replace(/ \(.*/, ''), title: text, onclick: action }, icon(name));
    byId('navigation').append(
        stepper('start', actions.start, 'To the start (↑)'),
        stepper('back', actions.back, 'One move back (←)'),
        stepper('on', actions.on, 'One move on (→)'),
        stepper('end', actions.end, 'To the end (↓)'),
        stepper('flip', actions.flip, 'Turn the board round (F)'),
    );

    const show = () => {
        const { state } = store;
        if (!state) return;
        const { play } = state;
        const { seat, withFriend } = store;
        byId('play-actions').hidden = !store.playing || seat === 'watch';
        byId('ended-actions').hidden = !play || seat !== null || store.playing || play.result === '*';
        // One stands in the place of the other.
        backToGame.hidden = !store.isLookingBack;
        hint.hidden = store.isLookingBack || withFriend;
        takeBackEnded.hidden = withFriend;
        breakOff.hidden = seat !== null;
        invite.hidden = !store.hello?.invites || !play?.people.every(Boolean);
        swap.hidden = !play || play.people[0] === play.people[1];
        const paused = Boolean(play?.paused);
        pause.hidden = seat !== null || !paused && (withFriend || !play?.left);
        if (pause.dataset.paused !== String(paused)) {
            pause.dataset.paused = paused;
            relabel(pause, paused ? 'Go on' : 'Pause');
            redraw(pause, paused ? 'on' : 'pause');
        }
        allow(hint, play?.thinking ? 'The engine is thinking: a hint can be had when it is your turn.' : '');
        allow(takeBack, store.nodes.get(play?.last)?.parent === null ? 'There is no move to take back yet.' : '');
        study.setAttribute('aria-pressed', String(state.analysing));
        relabel(study, state.analysing ? 'Stop analysing' : 'Analyse');
        threat.setAttribute('aria-pressed', String(state.threat));
        values.hidden = state.game !== 'chesquerque';
        values.setAttribute('aria-pressed', String(store.showsValues));
        byId('new-game').classList.toggle('primary', !store.playing && store.mainLine.length < 2);
        // A review has evaluated it already.
        sweep.hidden = Boolean(store.review?.isWhole);
        progress.hidden = !store.sweep;
        if (store.sweep) [progress.value, progress.max] = store.sweep;
    };
    for (const event of ['state', 'tree', 'verdict', 'values', 'review']) store.addEventListener(event, show);
    return actions;
}
