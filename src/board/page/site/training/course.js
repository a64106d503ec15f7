// The course of the rules: one piece after the other, each on each kind of point.
// The piece is in hand and the board shows where it may go; a move has to be made
// with it, and what is not legal is refused with the rule.

import { button, make } from '../app/elements.js';
import { playFirst } from '../app/new_game.js';
import { sentence } from '../app/sentence.js';
import { arrow } from '../board/arrow_layer.js';
import { BOARDS } from '../board/boards.js';
import { pointsOf } from '../review/words.js';
import { Exercise } from './exercise.js';
import { LESSONS } from './lessons.js';

/** Lessons done, by game, as they are kept with the preferences. */
export const lessonsDone = (store, game) => store.preferences.course?.[game] ?? 0;

/** Shows the course of a game, from the first lesson that was not done. */
export function openCourse(store, connection, remember, game) {
    const lessons = LESSONS[game];
    const known = lessonsDone(store, game);
    let at = known < lessons.length ? known : 0;
    const chosen = make('select', {
        id: 'lesson', 'aria-label': 'Lesson',
        onchange: () => {
            at = Number(chosen.value);
            ask();
        },
    });
    const exercise = new Exercise(store, connection, `The rules of ${BOARDS[game].title}`, {
        above: [make('div', { class: 'actions exercise-choice' }, chosen)],
    });

    exercise.board.keepsHold = true;

    const fill = () => {
        const done = lessonsDone(store, game);
        chosen.replaceChildren(...lessons.map((lesson, index) => make('option', {
            value: index, selected: index === at,
        }, `${index + 1}. ${lesson.title}${index < done ? ' ✓' : ''}`)));
    };
    const ask = () => {
        const lesson = lessons[at];
        fill();
        exercise.setTask(lesson.task, lesson.text);
        exercise.setActions([]);
        exercise.ask({ kind: 'position', game, fen: lesson.fen }, { game });
    };
    exercise.addEventListener('ready', () => {
        exercise.board.press(lessons[at].from);
        exercise.setActions([
            button('Show the move', show, { id: 'exercise-reveal' }),
            ...(at + 1 < lessons.length ? [button('Skip', next, { id: 'exercise-skip' })] : []),
        ]);
    });
    const next = () => {
        at += 1;
        ask();
    };
    const show = () => {
        const { from, to } = lessons[at];
        const { legal } = exercise.position;
        const move = legal.find(({ points }) => points[0] === from && (!to || to.includes(points[points.length - 1])));
        exercise.board.setShapes([arrow(move.points, 'blue')]);
    };

    const isDone = (said) => {
        const { from, to } = lessons[at];
        const points = pointsOf(said.move);
        return points[0] === from && (!to || to.includes(points[points.length - 1]));
    };
    const praise = (said) => {
        const { outcome } = said.position;
        // Only a win is told: diagrams have few pieces, so a capture may well end in a draw.
        const won = outcome && !/^draw/.test(outcome) ? ` ${sentence(outcome)}` : '';
        exercise.say(`Right: ${said.text}.${won}`, 'good');
        const course = { ...store.preferences.course, [game]: Math.max(lessonsDone(store, game), at + 1) };
        remember({ course });
        fill();
        if (at + 1 < lessons.length) {
            const onward = button('Next lesson', next, { class: 'primary', id: 'exercise-next' });
            exercise.setActions([onward], onward);
        } else {
            const play = button('Play your first game', () => {
                exercise.close();
                playFirst(store, connection, remember, game);
            }, { class: 'primary', id: 'first-game', icon: 'on' });
            exercise.setActions([play, button('Close', () => exercise.close(), { id: 'exercise-close' })], play);
        }
    };
    exercise.addEventListener('tried', ({ detail: said }) => {
        if (said.judgement === 'refused') {
            exercise.say(sentence(said.text), 'bad');
            exercise.board.press(lessons[at].from);
        } else if (isDone(said)) {
            praise(said);
        } else {
            exercise.say(`${said.text} is legal, but the task is another.`, 'bad');
            const again = button('Try again', ask, { class: 'primary', id: 'exercise-again' });
            exercise.setActions([again], again);
        }
    });
    ask();
}
