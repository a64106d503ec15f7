// Puzzles: the positions of `qirkat suite`. A mate is played to its end against the
// best defence; a wrong move is answered by its refutation.

import { button, make } from '../app/elements.js';
import { sentence } from '../app/sentence.js';
import { Exercise } from './exercise.js';

const CLASSES = { win: 'Win material' };

const titleOf = (name) => CLASSES[name] ?? name.replace(/^mate-(\d+)$/, 'Mate in $1');

/** Shows puzzles, from the first on that was not solved yet. */
export function openPuzzles(store, connection, remember) {
    let puzzles = [];
    let puzzle = null;
    let moves = [];
    let expected = null;
    let helped = false;
    let hints = 0;
    const solvedIds = () => new Set(store.preferences.puzzles ?? []);

    const kind = make('select', { 'aria-label': 'Kind of puzzle', id: 'puzzle-kind', onchange: () => begin(firstOf(kind.value)) });
    const chosen = make('select', { 'aria-label': 'Puzzle', id: 'puzzle-number', onchange: () => begin(byName(chosen.value)) });
    const exercise = new Exercise(store, connection, 'Puzzles', {
        above: [make('div', { class: 'actions exercise-choice' }, kind, chosen)],
        onclose: () => connection.removeEventListener('say', hear),
    });
    const hear = ({ detail: said }) => {
        if (said.say !== 'puzzles' || puzzles.length > 0) return;
        puzzles = said.puzzles;
        const solved = solvedIds();
        begin(puzzles.find((known) => !solved.has(known.id)) ?? puzzles[0]);
    };
    connection.addEventListener('say', hear);
    connection.send({ do: 'exercise', what: 'puzzles' });

    const inClass = (name) => puzzles.filter((known) => known.class === name);
    const byName = (id) => puzzles.find((known) => known.id === id);
    const firstOf = (name) => inClass(name).find((known) => !solvedIds().has(known.id)) ?? inClass(name)[0];
    const fill = () => {
        const solved = solvedIds();
        const classes = [...new Set(puzzles.map((known) => known.class))];
        kind.replaceChildren(...classes.map((name) => {
            const all = inClass(name);
            const done = all.filter((known) => solved.has(known.id)).length;
            return make('option', { value: name, selected: name === puzzle.class }, `${titleOf(name)} (${done} of ${all.length})`);
        }));
        chosen.replaceChildren(...inClass(puzzle.class).map((known, at) => make('option', {
            value: known.id, selected: known === puzzle,
        }, `${at + 1}${solved.has(known.id) ? ' ✓' : ''}`)));
    };

    const begin = (next) => {
        puzzle = next;
        if (!puzzle) return;
        moves = [];
        helped = false;
        expected = puzzle.best[0];
        fill();
        exercise.setTask('');
        ask();
    };
    const ask = () => {
        hints = 0;
        exercise.ask({ kind: 'puzzle', id: puzzle.id, moves }, { flipped: exercise.board.flipped });
    };
    const goal = (turn) => {
        const side = turn === 'white' ? 'White' : 'Black';
        const left = puzzle.mate === null ? null : puzzle.mate - moves.length / 2;
        return left === null ? `${side} to move and win material` : `${side} to move and mate in ${left}`;
    };
    exercise.addEventListener('ready', () => {
        const { turn } = exercise.position;
        exercise.board.flip(turn === 'black');
        exercise.task.textContent = goal(turn);
        exercise.setActions(openActions());
    });
    // Where the line of the search ends before the mate, nothing can be shown.
    const openActions = () => [
        button('Hint', () => {
            helped = true;
            hints = Math.min(2, hints + 1);
            exercise.hint(hints, expected.text, expected.san);
        }, { id: 'exercise-hint', disabled: !expected }),
        button('Show the move', () => {
            helped = true;
            exercise.tryMove(expected.text);
        }, { id: 'exercise-reveal', disabled: !expected }),
        button('Next puzzle', () => begin(following()), { id: 'exercise-skip' }),
    ];
    const following = () => puzzles[(puzzles.indexOf(puzzle) + 1) % puzzles.length];

    const goOn = (said) => {
        const { answer } = said;
        moves = [...moves, said.move, answer.texts[0]];
        expected = answer.texts[1] ? { text: answer.texts[1], san: answer.san[1] } : null;
        exercise.say(`Right: ${said.text}. The defence is ${answer.san[0]}.`, 'good');
        exercise.setActions([]);
        exercise.showAnswer(answer, ask);
    };
    const finish = (said) => {
        const line = said.answer.san.length > 0 ? ` It goes on ${said.answer.san.slice(0, 6).join(' ')}.` : '';
        const done = puzzle.comment ? ` ${sentence(puzzle.comment)}` : '';
        exercise.say(`${helped ? 'The solution' : 'Solved'}: ${said.text}.${done}${line}`, 'good');
        if (!helped) remember({ puzzles: [...solvedIds().add(puzzle.id)] });
        fill();
        const next = button('Next puzzle', () => begin(following()), { class: 'primary', id: 'exercise-next' });
        exercise.setActions([next], next);
    };
    const refute = (said) => {
        const { san } = said.answer;
        const line = san.slice(0, 5).join(' ');
        let text;
        if (said.judgement === 'not-enough') {
            const what = said.mate > 0 ? `mates too, but only in ${said.mate}` : 'is good, but there is more';
            text = `${said.text} ${what}.`;
        } else if (said.mate !== null && said.mate < 0) {
            text = `${said.text} is answered by ${line}, and loses by force.`;
        } else {
            text = san.length > 0 ? `${said.text} is answered by ${line}.` : `${said.text} does not win.`;
        }
        exercise.say(text, 'bad');
        if (san.length > 0) exercise.showAnswer(said.answer);
        exercise.offerAgain(openActions().slice(1));
    };
    exercise.addEventListener('tried', ({ detail: said }) => {
        if (said.judgement === 'refused') exercise.say(sentence(said.text), 'bad');
        else if (said.judgement === 'solved') finish(said);
        else if (said.judgement === 'right') goOn(said);
        else refute(said);
    });
}
