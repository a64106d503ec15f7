// One game that is being played elsewhere: its board, its players and their clocks.

import { Board } from '../board/board.js';
import { BOARDS } from '../board/boards.js';
import { timeText } from '../app/clocks.js';
import { button, byId, isolated, isolatedText, make } from '../app/elements.js';

const SIDES = ['white', 'black'];

export class LiveGame {
    #plies = -1;
    #game = null;
    /** When the last move was told. */
    #told = 0;

    constructor(game, open) {
        const title = `Game ${game.number}`;
        this.players = game.names.map((name, index) => new Player(name, SIDES[index]));
        const host = make('div', { 'data-board': byId('board').dataset.board });
        this.board = new Board(host, BOARDS[game.game]);
        // It is looked at, not played on.
        const picture = this.board.svg;
        for (const name of ['tabindex', 'aria-roledescription']) picture.removeAttribute(name);
        picture.setAttribute('role', 'img');
        picture.setAttribute('aria-label', `${title}: the board, which is told in words behind it`);
        this.moves = make('p', { class: 'live-moves' });
        const [white, black] = this.players;
        this.element = make('section', { class: 'live-game', 'aria-label': `${title}: ${game.names.map(isolatedText).join(' and ')}`, 'data-number': game.number },
            make('div', { class: 'live-head' }, make('h3', {}, title),
                button('Open', () => open({ running: game.number }), { 'aria-label': `Open ${title} to look through it` })),
            black.element, host, white.element, this.moves);
    }

    show(game) {
        this.#game = game;
        if (game.plies === this.#plies) return;
        const first = this.#plies < 0;
        this.#plies = game.plies;
        this.#told = performance.now();
        this.board.set({ pieces: game.pieces, last: game.last, check: game.check, movable: null, instant: first });
        this.moves.textContent = game.moves;
        this.players.forEach((player, index) => player.think(game.thoughts[index]));
        this.tick();
    }

    /** Lets the clock of the side to move run on from what was told last. */
    tick() {
        if (!this.#game) return;
        const ran = performance.now() - this.#told;
        this.players.forEach((player, index) => {
            const left = this.#game.left[index];
            const toMove = this.#game.turn === player.side;
            player.time(left === null ? null : left - (toMove ? ran : 0), toMove);
        });
    }
}

/** A player's name, what it thinks, and its clock. */
class Player {
    constructor(name, side) {
        this.side = side;
        this.thought = make('span', { class: 'thinking' });
        this.clock = make('span', { class: 'clock', hidden: true });
        this.element = make('div', { class: 'player' },
            make('span', { class: `dot ${side}`, 'aria-hidden': 'true' }), make('span', { class: 'name' }, isolated(name)),
            this.thought, this.clock);
    }

    think(text) {
        this.thought.textContent = text ?? '';
    }

    time(left, runs) {
        this.clock.hidden = left === null;
        this.clock.classList.toggle('running', runs);
        if (left !== null) this.clock.textContent = timeText(left);
    }
}
