// Training: positions that the trainer poses one after the other. What goes wrong comes again
// on other days; the session knows when.

import { button } from '../app/elements.js';
import { Exercise } from './exercise.js';
import { poseMistake } from './learn.js';
import { posePuzzle } from './puzzles.js';
import { grader, inDays, train } from './schedule.js';

const POSES = { puzzle: posePuzzle, mistake: poseMistake };

const itemOf = ({ kind, puzzle, id, move }) => (kind === 'puzzle'
    ? { kind, game: puzzle.game, id: puzzle.id }
    : { kind, id, ply: move.ply });

/**
 * Opens a dialog that poses what is wanted: `want()` says what, `nothing` the heading and the words
 * when there is no more, `counts` whether it is told how many are left. With `onfailed`, a puzzle
 * can be tried only once and without help. Returns the `exercise`, and `next`, which poses the next.
 */
export function openTrainer(store, connection, title, {
    want, nothing, counts = true, above = [], onhear = () => {}, onsolved = () => {}, onfailed = null,
}) {
    let item = null;
    /** What was posed last: its `begin`, `ready` and `tried`. */
    let current = null;
    /** What is noted below the buttons: of the position, when it comes again, and how many are left. */
    let notes = {};
    const exercise = new Exercise(store, connection, title, {
        above, onclose: () => connection.removeEventListener('say', hear),
    });
    const next = () => train(connection, 'next', { want: want(), after: item });
    const note = (changes) => {
        notes = { ...notes, ...changes };
        const left = counts && notes.left > 0 ? `${notes.left.toLocaleString()} left.` : '';
        exercise.note([notes.about, notes.again, left].filter(Boolean).join(' '));
    };
    const hear = ({ detail: said }) => {
        if (said.say === 'posed') pose(said);
        else if (said.say === 'graded') tell(said);
        else if (said.say === 'hello' && !current) next();
        onhear(said);
    };
    const pose = (said) => {
        const { posed, left } = said;
        if (posed.kind === 'nothing') {
            current = null;
            exercise.dialog.dataset.item = '';
            finish();
            return;
        }
        item = itemOf(posed);
        exercise.dialog.dataset.item = `${item.id} ${item.ply ?? item.game}`;
        note({ about: '', again: '', left });
        current = POSES[posed.kind](exercise, posed, {
            went: grader(connection, item),
            skip: () => button('Skip', next, { id: 'exercise-skip' }),
            solved: (about = '') => {
                onsolved();
                note({ about, left: left - 1 });
                const onward = button('Next', next, { class: 'primary', id: 'exercise-next' });
                exercise.setActions([onward], onward);
            },
            failed: onfailed && (() => {
                current = null;
                onfailed();
            }),
        });
        current.begin();
    };
    const tell = ({ next: day }) => note({ again: day === null ? '' : `It comes again ${inDays(day)}.` });
    const finish = () => {
        const [task, words] = nothing;
        exercise.setTask(task);
        exercise.say(words, 'good');
        exercise.note('');
        const close = button('Close', () => exercise.close(), { class: 'primary', id: 'exercise-close' });
        exercise.setActions([close], close);
    };
    exercise.addEventListener('ready', () => current?.ready());
    exercise.addEventListener('tried', ({ detail }) => current?.tried(detail));
    connection.addEventListener('say', hear);
    next();
    return { exercise, next };
}

/** Trains what is due today. */
export function openDue(store, connection) {
    openTrainer(store, connection, 'Due today', {
        want: () => ({ kind: 'due' }),
        nothing: ['Done', 'That was all for today.'],
    });
}
