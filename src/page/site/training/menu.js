// What there is to learn: the rules of each game, and puzzles.

import { openDialog } from '../app/dialogs.js';
import { make } from '../app/elements.js';
import { BOARDS } from '../board/boards.js';
import { lessonsDone, openCourse } from './course.js';
import { LESSONS } from './lessons.js';
import { openPuzzles } from './puzzles.js';

/** Asks what to learn. */
export function openTraining(store, connection, remember) {
    const choice = (id, title, text, open) => make('button', {
        type: 'button', id, class: 'training-choice',
        onclick: () => {
            close();
            open();
        },
    }, make('strong', {}, title), make('span', {}, text));
    const courses = Object.values(BOARDS).map(({ name, title }) => {
        const done = lessonsDone(store, name);
        const count = LESSONS[name].length;
        const text = done > 0 ? `${done} of ${count} lessons done` : `${count} short lessons, each with a move to make`;
        return choice(`course-${name}`, `The rules of ${title}`, text, () => openCourse(store, connection, remember, name));
    });
    const solved = (store.preferences.puzzles ?? []).length;
    const puzzles = choice('puzzles', 'Puzzles of Chesquerque',
        solved > 0 ? `mates and wins of material: ${solved} solved` : 'mates and wins of material, from games of the engine',
        () => openPuzzles(store, connection, remember));
    const { close } = openDialog('Learn', [make('div', { class: 'training-menu' }, ...courses, puzzles)]);
}
