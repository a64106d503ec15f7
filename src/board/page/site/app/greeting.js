// What a first visitor is asked: to learn the rules, to play an easy game, or to choose.

import { BOARDS, GAME_CHOICES } from '../board/boards.js';
import { LESSONS } from '../training/lessons.js';
import { choice, field, openDialog } from './dialogs.js';
import { make } from './elements.js';
import { FIRST_ELO } from './store.js';

/** `learn`, `play` and `choose` are told the game. */
export function greet({ learn, play, choose }) {
    const kind = choice('game', GAME_CHOICES);
    const card = (id, title, text, act) => make('button', {
        type: 'button', id, class: 'training-choice', autofocus: act === learn,
        onclick: () => {
            close();
            act(kind.value);
        },
    }, make('strong', {}, title), make('span', {}, text));
    const rules = make('span');
    const tell = () => {
        const { name, title } = BOARDS[kind.value];
        rules.textContent = `The rules of ${title} in ${LESSONS[name].length} short lessons, each with a move to make.`;
    };
    kind.addEventListener('change', tell);
    tell();
    const { close } = openDialog('Welcome to Qirkat', [
        field('Game', kind),
        make('div', { class: 'training-menu' },
            card('greeting-learn', 'Learn', rules, learn),
            card('greeting-play', 'An easy game', `You have White, the engine plays like a beginner of ${FIRST_ELO} Elo, and there is no clock.`, play),
            card('greeting-choose', 'Choose', 'Your colour, how strong the engine is, how much time you have; or a board to analyse.', choose)),
    ]);
}
