// Endings to practise against the tables: a ladder for each game. The defender holds out as long
// as it can. After every move the user is told what it was worth.

import { allow, button, counted, make } from '../app/elements.js';
import { sentence } from '../app/sentence.js';
import { BOARDS } from '../board/boards.js';
import { truthInWords } from '../tables/words.js';
import { Exercise } from './exercise.js';

/** Wins without help after which an ending is mastered. */
const MASTERED = 3;

const winsOf = (store, { id }) => store.preferences.endings?.[id] ?? 0;
const isMastered = (store, ending) => winsOf(store, ending) >= MASTERED;

/** How many endings are mastered, in words. */
export function endingsInWords(store) {
    const mastered = Object.values(store.preferences.endings ?? {}).filter((wins) => wins >= MASTERED).length;
    return mastered > 0 ? `${mastered} mastered` : 'from a queen that mates to a pawn that has to become one, against the tables';
}

/** Shows the endings, from the first on that was not mastered yet. */
export function openEndings(store, connection, remember) {
    let endings = [];
    let ending = null;
    let fen = null;
    let moves = [];
    let told = null;
    let helped = false;
    let hints = 0;
    let made = 0;
    /** Moves that the win needs. */
    let fewest = 0;
    let asked = 0;

    const game = make('select', { 'aria-label': 'Game', id: 'ending-game', onchange: () => begin(firstOf(game.value)) });
    const chosen = make('select', { 'aria-label': 'Ending', id: 'ending', onchange: () => begin(endings.find(({ id }) => id === chosen.value)) });
    const exercise = new Exercise(store, connection, 'Endings', {
        above: [make('div', { class: 'actions exercise-choice' }, game, chosen)],
        onclose: () => connection.removeEventListener('say', hear),
    });
    const ofGame = (name) => endings.filter((known) => known.game === name);
    const firstOf = (name) => ofGame(name).find((known) => !isMastered(store, known)) ?? ofGame(name)[0];
    const next = () => {
        const ladder = ofGame(ending.game);
        return ladder[(ladder.indexOf(ending) + 1) % ladder.length];
    };

    const fill = () => {
        const games = [...new Set(endings.map((known) => known.game))];
        game.replaceChildren(...games.map((name) => {
            const done = ofGame(name).filter((known) => isMastered(store, known)).length;
            return make('option', { value: name, selected: name === ending.game }, `${BOARDS[name].title} ${done}/${ofGame(name).length}`);
        }));
        chosen.replaceChildren(...ofGame(ending.game).map((known, at) => {
            const { title, moves: { start, end } } = known;
            return make('option', { value: known.id, selected: known === ending },
                `${at + 1}. ${title}, ${start}–${end} moves${isMastered(store, known) ? ' ✓' : ''}`);
        }));
    };
    const begin = (wanted) => {
        ending = wanted;
        if (!ending) return;
        fill();
        fen = null;
        moves = [];
        helped = false;
        made = 0;
        exercise.setTask('');
        exercise.setActions([]);
        requestPosition();
    };
    const requestPosition = () => {
        asked += 1;
        connection.send({ do: 'exercise', what: 'new-ending', number: asked, ending: ending.id });
    };
    const task = () => ({ kind: 'ending', game: ending.game, fen, moves });
    const ask = () => {
        hints = 0;
        exercise.ask(task(), { game: ending.game });
    };
    const takeBack = () => {
        moves = moves.slice(0, -2);
        made = Math.max(0, made - 1);
        helped = true;
        exercise.say('');
        ask();
    };
    const another = (label, properties) => button(label, () => begin(ending), { id: 'ending-another', ...properties });

    const hear = ({ detail: said }) => {
        if (said.say === 'endings' && endings.length === 0) {
            endings = said.endings;
            begin(firstOf(store.preferences.game) ?? endings[0]);
        } else if (said.say === 'ending-position' && said.number === asked) {
            fen = said.fen;
            ask();
        } else if (said.say === 'ending-answer') {
            told = said;
        } else if (said.say === 'ending-hint' && said.number === asked) {
            exercise.hint(hints, said.text, said.san);
        } else if (said.say === 'hello' && endings.length === 0) {
            connection.send({ do: 'exercise', what: 'endings' });
        } else if (said.say === 'hello' && ending && !fen) {
            requestPosition();
        }
    };
    connection.addEventListener('say', hear);
    connection.send({ do: 'exercise', what: 'endings' });

    const words = (truth) => truthInWords(truth, ending.game);
    exercise.addEventListener('ready', () => {
        const { truth } = told;
        if (moves.length === 0) fewest = truth.moves;
        const side = exercise.position.turn === 'white' ? 'White' : 'Black';
        exercise.task.textContent = ending.game === 'alquerque' ? `${side} to move and win ${words(truth)}` : `${side} to move and ${words(truth)}`;
        const wins = winsOf(store, ending);
        exercise.rule.textContent = wins >= MASTERED ? 'Mastered: once more for pleasure.'
            : `Win against the longest defence. Mastered after ${MASTERED} wins without help: ${wins} so far.`;
        const back = button('Take back', takeBack, { id: 'ending-back' });
        allow(back, moves.length === 0 ? 'No move has been made yet.' : '');
        exercise.setActions([
            button('Hint', () => {
                helped = true;
                hints = Math.min(2, hints + 1);
                asked += 1;
                connection.send({ do: 'exercise', what: 'best', number: asked, task: task() });
            }, { id: 'exercise-hint' }),
            back,
            another('Another position'),
        ]);
    });

    /** What a move that wins was worth beside the best. */
    const worth = (said) => {
        const { truth, best } = told;
        return truth.moves === best.moves ? `${said.text} is best, ${words(truth)}.`
            : `${said.text} still wins, ${words(truth)}; the best was ${words(best)}.`;
    };
    const goOn = (said) => {
        const { answer } = said;
        moves = [...moves, said.move, answer.texts[0]];
        made += 1;
        const side = said.position.turn === 'white' ? 'White' : 'Black';
        exercise.say(`${worth(said)} ${side} plays ${answer.san[0]}.`, told.truth.moves === told.best.moves ? 'good' : '');
        exercise.setActions([]);
        exercise.showAnswer(answer, ask);
    };
    const finish = (said) => {
        made += 1;
        const way = made > fewest ? `in ${counted(made, 'move')}, ${fewest} would have done` : `in ${counted(made, 'move')}, which is best`;
        let text = `${said.text}: won ${way}.`;
        if (!helped) {
            const wins = winsOf(store, ending) + 1;
            remember({ endings: { ...store.preferences.endings, [ending.id]: wins } });
            text += wins === MASTERED ? ' You have mastered this ending.' : wins < MASTERED ? ` ${wins} of ${MASTERED} wins.` : '';
        } else {
            text += ' With help it does not count.';
        }
        exercise.say(text, 'good');
        fill();
        const on = button('Next ending', () => begin(next()), { id: 'ending-next' });
        const more = another('Another position');
        const first = isMastered(store, ending) ? on : more;
        first.classList.add('primary');
        exercise.setActions([first, first === on ? more : on], first);
    };
    const giveAway = (said) => {
        const { truth, best } = told;
        const { outcome } = said.position;
        const why = outcome ? outcome.replace(/^draw/, '') : words(truth) ? `: ${words(truth)}` : '';
        const now = truth.result === 'loss' ? 'lost' : 'drawn';
        exercise.say(`${said.text}: now ${now}${why}. It was won, ${words(best)}.`, 'bad');
        helped = true;
        const back = button('Take back', () => {
            exercise.say('');
            ask();
        }, { class: 'primary', id: 'ending-back' });
        exercise.setActions([back, another('Another position')], back);
    };
    exercise.addEventListener('tried', ({ detail: said }) => {
        if (said.judgement === 'refused') exercise.say(sentence(said.text), 'bad');
        else if (said.judgement === 'solved') finish(said);
        else if (said.judgement === 'right') goOn(said);
        else giveAway(said);
    });
}
