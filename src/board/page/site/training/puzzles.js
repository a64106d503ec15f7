// A puzzle: a mate is played to its end against the best defence; a wrong move is answered by
// its refutation.

import { button } from '../app/elements.js';
import { sentence } from '../app/sentence.js';

/** What is to be done, by the first theme. */
const GOALS = { win: 'and win', defence: 'and save the game', 'last-safe-step': 'and find the one safe step' };

/** A theme in words. */
export function titleOf(theme) {
    const words = theme.replace(/^mate-(\d+)$/, 'mate in $1').replaceAll('-', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Poses a puzzle. `went` is told how it went, `solved` that there is no more to do; `skip()` makes
 * the Skip button. Where there is `failed`, it is told of the first wrong move, and there is no help.
 */
export function posePuzzle(exercise, { puzzle, again }, { went, skip, solved, failed }) {
    const { game, id } = puzzle;
    let moves = [];
    let expected = puzzle.best[0];
    let hints = 0;
    let isHelped = false;
    let isShown = false;

    const begin = () => {
        exercise.setTask('');
        ask();
    };
    const ask = () => {
        hints = 0;
        exercise.ask({ kind: 'puzzle', game, id, moves }, { game, flipped: exercise.board.flipped });
    };
    const goal = (turn) => {
        const side = turn === 'white' ? 'White' : 'Black';
        if (puzzle.mate !== null) return `${side} to move and mate in ${puzzle.mate - moves.length / 2}`;
        return `${side} to move ${GOALS[puzzle.themes[0]] ?? 'and find the best move'}`;
    };
    const ready = () => {
        const { turn } = exercise.position;
        exercise.board.flip(turn === 'black');
        exercise.task.textContent = goal(turn);
        exercise.rule.textContent = again ? 'You have solved it before.' : '';
        exercise.setActions(openActions());
    };
    // Where the line of the search ends before the mate, nothing can be shown.
    const openActions = () => failed ? [] : [
        button('Hint', () => {
            isHelped = true;
            hints = Math.min(2, hints + 1);
            exercise.hint(hints, expected.text, expected.san);
        }, { id: 'exercise-hint', disabled: !expected }),
        button('Show the move', () => {
            isShown = true;
            went('failed');
            exercise.tryMove(expected.text);
        }, { id: 'exercise-reveal', disabled: !expected }),
        skip(),
    ];

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
        exercise.say(`${isShown ? 'The solution' : 'Solved'}: ${said.text}.${done}${line}`, 'good');
        const themes = puzzle.themes.map(titleOf).join(', ');
        went(isHelped ? 'helped' : 'solved');
        solved(`${themes}${puzzle.level === null ? '' : `, level ${puzzle.level} of 20`}.`);
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
        went('failed');
        exercise.say(failed && expected ? `${text} The move was ${expected.san}.` : text, 'bad');
        if (san.length > 0) exercise.showAnswer(said.answer);
        if (failed) failed();
        else exercise.offerAgain(openActions().slice(1));
    };
    const tried = (said) => {
        if (said.judgement === 'refused') exercise.say(sentence(said.text), 'bad');
        else if (said.judgement === 'solved') finish(said);
        else if (said.judgement === 'right') goOn(said);
        else refute(said);
    };
    return { begin, ready, tried };
}
