// What there is to learn and to train: what is due, the rules of each game, puzzles, one's own
// mistakes, endings, and the results.

import { openDialog } from '../app/dialogs.js';
import { counted, make } from '../app/elements.js';
import { sentence } from '../app/sentence.js';
import { BOARDS } from '../board/boards.js';
import { lessonsDone, openCourse } from './course.js';
import { endingsInWords, openEndings } from './endings.js';
import { LESSONS } from './lessons.js';
import { openMistakes } from './mistakes.js';
import { openPuzzles } from './puzzle_choice.js';
import { openResults } from './results.js';
import { dueIn, dueInWords, inDays, train } from './schedule.js';
import { openStreak, streaksInWords } from './streak.js';
import { openDue } from './trainer.js';

/** Asks what to learn. */
export function openTraining(store, connection, remember) {
    let games = Object.keys(BOARDS);
    const choice = (id, title, text, open, kind = '') => {
        const told = make('span', {}, text);
        const made = make('button', {
            type: 'button', id, class: `training-choice ${kind}`,
            onclick: () => {
                close();
                open();
            },
        }, make('strong', {}, title), told);
        return { made, tell: (words) => { told.textContent = words; } };
    };
    const courses = Object.values(BOARDS).map(({ name, title }) => {
        const done = lessonsDone(store, name);
        const count = LESSONS[name].length;
        const text = done > 0 ? `${done} of ${count} lessons done` : `${count} short lessons, each with a move to make`;
        return choice(`course-${name}`, `The rules of ${title}`, text, () => openCourse(store, connection, remember, name)).made;
    });
    const due = choice('due', `Due today: ${dueIn(store)}`, dueIn(store) > 0 ? `${dueInWords(store.due)} to try once more` : '',
        () => openDue(store, connection), 'primary');
    due.made.hidden = dueIn(store) === 0;
    const puzzles = choice('puzzles', 'Puzzles', 'mates, wins of material and more, as hard as fits you',
        () => openPuzzles(store, connection, remember, games));
    const streak = choice('streak', 'Puzzle streak', streaksInWords(store), () => openStreak(store, connection, remember, games));
    const results = choice('results', 'Your results', 'your rating against the engine, and how it changed', () => openResults(store, connection));
    const mistakes = choice('mistakes', 'Your mistakes', 'from all your reviewed games',
        () => openMistakes(store, connection, remember));
    const endings = choice('endings', 'Endings', endingsInWords(store), () => openEndings(store, connection, remember));
    const later = make('p', { class: 'quiet training-later', role: 'status' });
    const fill = (said) => {
        const sets = Object.entries(said.puzzles);
        games = Object.keys(BOARDS).filter((name) => said.puzzles[name]);
        const all = sets.reduce((sum, [, found]) => sum + found.all, 0);
        const solved = sets.reduce((sum, [, found]) => sum + found.solved, 0);
        puzzles.tell(`${solved.toLocaleString()} of ${all.toLocaleString()} solved`);
        const again = said.next === null ? '' : `What you got wrong comes again ${inDays(said.next)}.`;
        later.textContent = said.fault ? sentence(said.fault) : again;
        const found = `${counted(said.mistakes, 'position')}, ${said.fresh.toLocaleString()} of them not trained yet`;
        mistakes.tell(said.mistakes > 0 ? found : 'from all your reviewed games: there are none yet');
        if (said.left > 0) ask();
        store.change('due', { due: said.due });
    };
    const ask = () => train(connection, 'overview', { others: Boolean(store.preferences.mistakesOfOthers) });
    const hear = ({ detail: said }) => {
        if (said.say === 'training') fill(said);
        else if (said.say === 'hello') ask();
    };
    connection.addEventListener('say', hear);
    const { close } = openDialog('Learn', [
        make('div', { class: 'training-menu' }, due.made, ...courses, puzzles.made, streak.made, mistakes.made, endings.made, results.made),
        later,
    ], { onclose: () => connection.removeEventListener('say', hear) });
    ask();
}

/** Keeps `store.due` up to date, and shows it on the button that leads to the training. */
export function showDue(store, connection, host) {
    const badge = make('span', { class: 'badge', hidden: true });
    host.append(badge);
    const { title } = host;
    store.addEventListener('due', () => {
        const count = dueIn(store);
        badge.hidden = count === 0;
        badge.replaceChildren(String(count), make('span', { class: 'hidden-text' }, ' due today'));
        host.title = count > 0 ? `${title}: ${count} due today` : title;
    });
    const ask = () => train(connection, 'due');
    store.addEventListener('hello', ask);
    // On another day other positions are due.
    document.addEventListener('visibilitychange', () => {
        if (!document.hidden && store.hello && !document.body.classList.contains('lost')) ask();
    });
    connection.addEventListener('say', ({ detail: said }) => {
        if (said.say === 'due') store.change('due', { due: { puzzles: said.puzzles, mistakes: said.mistakes } });
        else if (said.say === 'graded') store.change('due', { due: said.due });
    });
}
