// Learning from one's mistakes: the positions before them, and the question what
// would have been better.

import { button } from '../app/elements.js';
import { sentence } from '../app/sentence.js';
import { lineText, numbered, plyOf, pointsOf, signOf } from '../review/words.js';
import { Exercise } from './exercise.js';

/** Plies of a line that are shown. */
const SHOWN = 8;

/** Goes through the mistakes of a side, as the review has found them. */
export function learnFrom(store, connection, color) {
    const mistakes = store.review?.mistakesOf(color) ?? [];
    if (mistakes.length === 0) return;
    const { game } = store.state;
    const side = color === 'white' ? 'White' : 'Black';
    let at = 0;
    let solved = 0;
    let helped = false;
    let revealed = false;
    let hints = 0;
    const exercise = new Exercise(store, connection, 'Learn from your mistakes');

    const ask = () => {
        helped = false;
        revealed = false;
        hints = 0;
        const move = mistakes[at];
        exercise.setTask(
            `${at + 1} of ${mistakes.length}: ${numbered(move)}${signOf(move)}`,
            `${side} played ${move.san} here. Find a better move.`,
        );
        exercise.ask({ kind: 'mistake', ply: move.ply }, { game, flipped: color === 'black' });
    };
    const solution = () => mistakes[at].best;
    const goOn = () => {
        at += 1;
        if (at < mistakes.length) ask();
        else finish();
    };
    const isLast = () => at + 1 === mistakes.length;
    const openActions = () => [
        button('Hint', () => {
            helped = true;
            hints = Math.min(2, hints + 1);
            exercise.hint(hints, solution().pv[0], solution().san[0]);
        }, { id: 'exercise-hint' }),
        button('Show the move', () => {
            helped = true;
            revealed = true;
            exercise.tryMove(solution().pv[0]);
        }, { id: 'exercise-reveal' }),
        button(isLast() ? 'Finish' : 'Skip', goOn, { id: 'exercise-skip' }),
    ];
    exercise.addEventListener('ready', () => {
        const points = pointsOf(mistakes[at].move);
        exercise.board.setShapes([{
            from: points[0], to: points[points.length - 1], via: points.slice(1, -1), brush: 'red', weight: 0.6,
        }]);
        exercise.setActions(openActions());
    });

    const praise = (said) => {
        const move = mistakes[at];
        const isBest = said.text === solution().san[0];
        const line = lineText(solution().san.slice(0, SHOWN), plyOf(move));
        if (!helped) solved += 1;
        const found = revealed ? `Better was ${solution().san[0]}.` : `Right: ${said.text}.`;
        const best = isBest ? `It goes on ${line}.` : `The engine likes ${line}.`;
        exercise.say(`${found} ${move.reason ?? ''} ${best}`.replace(/ +/g, ' '), 'good');
        const next = button(isLast() ? 'Finish' : 'Next', goOn, { class: 'primary', id: 'exercise-next' });
        exercise.setActions([next], next);
    };
    const blame = (said) => {
        const move = mistakes[at];
        const same = said.text === move.san ? 'That is the move of the game.' : `${said.text} is not good enough.`;
        const reply = said.answer.san[0] ? `The answer is ${said.answer.san[0]}.` : '';
        const cost = said.mate !== null && said.mate < 0
            ? `It loses by force in ${-said.mate}.` : `It gives away ${said.loss} % of a win.`;
        exercise.say(`${same} ${reply} ${cost}`.replace(/ +/g, ' '), 'bad');
        if (said.answer.san.length > 0) exercise.showAnswer(said.answer);
        exercise.offerAgain(openActions().slice(1));
    };
    exercise.addEventListener('tried', ({ detail: said }) => {
        if (said.judgement === 'refused') exercise.say(sentence(said.text), 'bad');
        // The engine does not take back what it has said was best.
        else if (said.judgement === 'solved' || said.text === solution().san[0]) praise(said);
        else blame(said);
    });

    const finish = () => {
        exercise.setTask('Done');
        exercise.say(`You found ${solved} of ${mistakes.length} better moves without help.`, 'good');
        const close = button('Close', () => exercise.close(), { class: 'primary', id: 'exercise-close' });
        const again = button('Once more', () => {
            at = 0;
            solved = 0;
            ask();
        });
        exercise.setActions([close, again], close);
    };
    ask();
}
