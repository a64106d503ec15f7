// The dialog for a new game.

import { GAME_CHOICES } from '../board/boards.js';
import { check, choice, field, number, openDialog } from './dialogs.js';
import { button, make } from './elements.js';
import { icon } from './icons.js';
import { FIRST_ELO } from './store.js';
import { dueIn, dueInWords } from '../training/schedule.js';
import { openDue } from '../training/trainer.js';

/** Names of strengths, each with the Elo from which on it holds. */
const LEVELS = [[500, 'beginner'], [1000, 'novice'], [1500, 'club player'], [2000, 'strong']];

const levelName = (elo) => LEVELS.filter(([least]) => elo >= least).pop()?.[1] ?? '';

/** Times that many play: minutes, and seconds a move; none without clocks. */
const TIMES = [[1, 0], [3, 2], [5, 3], [10, 5], [15, 10], null];

/** Asks how to play; `fen` is where the game starts, if not as usual. `learn` shows the rules of a game. */
export function askNewGame(store, connection, remember, { game, fen } = {}, learn = null) {
    const due = learn && !fen ? dueIn(store) : 0;
    const { preferences, hello } = store;
    const [least, most] = hello?.elo ?? [500, 2550];
    const kind = choice('game', GAME_CHOICES, game ?? preferences.game);
    kind.disabled = Boolean(fen);
    const side = choice('side', [
        ['white', 'White, I begin'], ['black', 'Black'], ['random', 'either, by chance'], ['both', 'both: two players'],
        ['none', 'neither: the engine alone'],
    ], preferences.side);
    const full = check('full', 'Full strength', preferences.strength === 'full');
    const elo = make('input', { type: 'range', name: 'elo', min: least, max: most, step: 20, value: preferences.elo });
    const eloText = make('output', { class: 'elo' });
    const think = number('think', preferences.think, 0.1, 600, 0.1);
    const clock = check('clock', 'Play with clocks', preferences.clock);
    const minutes = number('minutes', preferences.minutes, 0.1, 600, 0.1);
    const increment = number('increment', preferences.increment, 0, 600, 0.1);
    const clockFields = make('div', { class: 'fields' }, field('Minutes', minutes), field('Increment in seconds', increment));
    const presets = TIMES.map((time) => button(time ? time.join('+') : 'no clock', () => {
        clock.firstChild.checked = time !== null;
        if (time) [minutes.value, increment.value] = time;
        show();
    }, { 'data-time': time?.join('+') ?? 'none' }));
    const thinkField = field('Seconds the engine thinks', think);
    const eloField = field('Elo', make('div', { class: 'elo-row' }, elo, eloText));
    const engine = make('fieldset', {}, make('legend', {}, 'The engine'), full, eloField, thinkField);
    const show = () => {
        eloText.textContent = `${elo.value}, ${levelName(Number(elo.value))}`;
        const withClock = clock.firstChild.checked;
        const isFull = full.firstChild.checked;
        engine.hidden = side.value === 'both';
        eloField.hidden = isFull;
        // What is not seen must not keep the form from being sent.
        clockFields.hidden = minutes.disabled = increment.disabled = !withClock;
        thinkField.hidden = think.disabled = withClock || !isFull || engine.hidden;
        const time = withClock ? `${Number(minutes.value)}+${Number(increment.value)}` : 'none';
        for (const preset of presets) preset.setAttribute('aria-pressed', String(preset.dataset.time === time));
    };
    const form = make('form', {
        oninput: show,
        onsubmit: (event) => {
            event.preventDefault();
            start();
        },
    },
        due > 0 ? make('p', { class: 'due-row' }, make('span', {}, `${dueInWords(store.due)} to try once more today.`), button('Train', () => {
            close();
            openDue(store, connection);
        }, { id: 'train-due', icon: 'learn' })) : '',
        field('Game', kind),
        learn && !fen ? make('div', { class: 'actions learn-row' }, button('How is it played?', () => {
            close();
            learn(kind.value);
        }, { id: 'learn-rules', icon: 'learn', title: 'The rules, move by move, on a board' })) : '',
        field('You play', side), engine,
        make('fieldset', {}, make('legend', {}, 'Time'), make('div', { class: 'actions presets' }, ...presets), clock, clockFields),
        make('div', { class: 'dialog-actions' },
            button('Analyse instead', () => analyse(), { id: 'analyse-instead', icon: 'analyse' }),
            make('button', { type: 'submit', class: 'primary', id: 'start-game', autofocus: true }, icon('on'), 'Play')),
    );
    const { close } = openDialog(fen ? 'Play from this position' : 'New game', [form]);
    show();

    /** What was chosen in a field; as before where it cannot be seen. */
    const chosen = ({ name, value, disabled }) => (disabled ? preferences[name] : Number(value));
    const start = () => {
        const wanted = side.value === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side.value;
        const strength = full.firstChild.checked ? 'full' : 'elo';
        const withClock = clock.firstChild.checked;
        remember({
            game: kind.value, side: side.value, strength, elo: Number(elo.value), think: chosen(think),
            clock: withClock, minutes: chosen(minutes), increment: chosen(increment),
        });
        begin(store, connection, {
            game: kind.value,
            fen: fen ?? null,
            people: [['white', 'both'].includes(wanted), ['black', 'both'].includes(wanted)],
            elo: strength === 'full' ? null : Number(elo.value),
        });
        close();
    };
    const analyse = () => {
        remember({ game: kind.value });
        connection.send({ do: 'new', game: kind.value, fen: fen ?? null });
        connection.send({ do: 'analyse', on: true });
        close();
    };
}

/** Begins a game, with the times that are preferred unless it has its own. */
function begin(store, connection, game) {
    const { think, clock, minutes, increment } = store.preferences;
    connection.send({
        do: 'new',
        think: Math.round(think * 1000),
        clock: clock ? { base: Math.round(minutes * 60_000), increment: Math.round(increment * 1000) } : null,
        ...game,
    });
    store.change('view', { flipped: game.people[1] && !game.people[0] });
}

/** Begins a first game: with White, against an easy opponent, without a clock. */
export function playFirst(store, connection, remember, game) {
    remember({ game });
    begin(store, connection, { game, fen: null, people: [true, false], elo: FIRST_ELO, clock: null });
}

/** Begins the game that has ended once more, with the same colours or with new ones. */
export function playAgain(store, connection, { swapped }) {
    const { game, start, play: { people, elo } } = store.state;
    begin(store, connection, { game, fen: start, people: swapped ? [people[1], people[0]] : people, elo });
}
