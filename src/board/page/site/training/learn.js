// Learning from one's mistakes: the positions before them, and the question what
// would have been better.

import { button } from '../app/elements.js';
import { sentence } from '../app/sentence.js';
import { arrow } from '../board/arrow_layer.js';
import { lineText, numbered, plyOf, pointsOf, signOf } from '../review/words.js';
import { Exercise } from './exercise.js';
import { grader } from './schedule.js';

/** Plies of a line that are shown. */
const SHOWN = 8;

/**
 * Poses a mistake, a move as the review has it. `went` is told how it went, `solved` that there
 * is no more to do; `skip()` makes the Skip button. `title` stands before the move, `own` says
 * whether the user made it.
 */
export function poseMistake(exercise, { game, id, move, own = false, title = '' }, { went, skip, solved }) {
    const { pv, san } = move.best;
    const side = own ? 'You' : move.color === 'white' ? 'White' : 'Black';
    let hints = 0;
    let isShown = false;

    const begin = () => {
        exercise.setTask(`${title}${numbered(move)}${signOf(move)}`, `${side} played ${move.san} here. Find a better move.`);
        exercise.ask({ kind: 'mistake', id, ply: move.ply }, { game, flipped: move.color === 'black' });
    };
    const openActions = () => [
        button('Hint', () => {
            hints = Math.min(2, hints + 1);
            exercise.hint(hints, pv[0], san[0]);
        }, { id: 'exercise-hint' }),
        button('Show the move', () => {
            isShown = true;
            went('failed');
            exercise.tryMove(pv[0]);
        }, { id: 'exercise-reveal' }),
        skip(),
    ];
    const ready = () => {
        exercise.board.setShapes([arrow(pointsOf(move.move), 'red', 0.6)]);
        exercise.setActions(openActions());
    };

    const praise = (said) => {
        const isBest = said.text === san[0];
        const line = lineText(san.slice(0, SHOWN), plyOf(move));
        // What the move of the game allowed, and what is better about the best.
        const { harm, better = `Better was ${san[0]}.` } = /^(?<harm>.*?)(?<better>Better was .*)?$/.exec(move.reason ?? '').groups;
        const found = isShown ? `${harm} ${better}` : isBest ? better.replace('Better was', 'Right:') : `Right: ${said.text}.`;
        const best = isBest ? san.length > 1 ? `It goes on ${line}.` : '' : `The engine likes ${line}.`;
        exercise.say(`${found} ${best}`.replace(/ +/g, ' ').trim(), 'good');
        went(hints > 0 ? 'helped' : 'solved');
        solved();
    };
    const blame = (said) => {
        const same = said.text === move.san ? 'That is the move of the game.' : `${said.text} is not good enough.`;
        const reply = said.answer.san[0] ? `The answer is ${said.answer.san[0]}.` : '';
        const cost = said.mate !== null && said.mate < 0
            ? `It loses by force in ${-said.mate}.` : `It gives away ${said.loss} % of a win.`;
        went('failed');
        exercise.say(`${same} ${reply} ${cost}`.replace(/ +/g, ' '), 'bad');
        if (said.answer.san.length > 0) exercise.showAnswer(said.answer);
        exercise.offerAgain(openActions().slice(1));
    };
    const tried = (said) => {
        if (said.judgement === 'refused') exercise.say(sentence(said.text), 'bad');
        // The engine does not take back what it has said was best.
        else if (said.judgement === 'solved' || said.text === san[0]) praise(said);
        else blame(said);
    };
    return { begin, ready, tried };
}

/** Goes through mistakes of a side in the game that is open, as the review has found them. */
export function learnFrom(store, connection, mistakes) {
    const { review, state: { game, id, play } } = store;
    const [{ color }] = mistakes;
    const own = Boolean(play) && play.people[color === 'white' ? 0 : 1] && !(play.people[0] && play.people[1]);
    let at = 0;
    let alone = 0;
    /** What was posed last: its `begin`, `ready` and `tried`. */
    let current = null;
    const whose = own ? 'your' : color === 'white' ? 'White’s' : 'Black’s';
    const exercise = new Exercise(store, connection, `Learn from ${whose} mistakes`);
    const goOn = () => {
        at += 1;
        if (at < mistakes.length) pose();
        else finish();
    };
    const onward = (text, properties) => button(at + 1 === mistakes.length ? 'Finish' : text, goOn, properties);
    const pose = () => {
        const move = mistakes[at];
        const note = grader(connection, { kind: 'mistake', id, ply: move.ply });
        let first = null;
        current = poseMistake(exercise, { game, id, move, own, title: `${at + 1} of ${mistakes.length}: ` }, {
            went: (grade) => {
                first ??= grade;
                note(grade);
            },
            skip: () => onward('Skip', { id: 'exercise-skip' }),
            solved: () => {
                if (first === 'solved') alone += 1;
                review.told.add(move.ply);
                if (store.review === review) store.change('review', {});
                const next = onward('Next', { class: 'primary', id: 'exercise-next' });
                exercise.setActions([next], next);
            },
        });
        current.begin();
    };
    const finish = () => {
        exercise.setTask('Done');
        exercise.say(`You found ${alone} of ${mistakes.length} better moves without help.`, 'good');
        const close = button('Close', () => exercise.close(), { class: 'primary', id: 'exercise-close' });
        const again = button('Once more', () => {
            at = 0;
            alone = 0;
            pose();
        });
        exercise.setActions([close, again], close);
    };
    exercise.addEventListener('ready', () => current.ready());
    exercise.addEventListener('tried', ({ detail }) => current.tried(detail));
    pose();
}
