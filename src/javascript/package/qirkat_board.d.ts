import type { Board, Color, Move, MoveInput, Outcome, Variant } from './index.js';

/** What the events of a {@link QirkatBoard} tell. */
export interface QirkatBoardEvents {
    /** The user has made a move, and it stands on the board. */
    move: CustomEvent<Move>;
    /** The user has tried a way that no legal move goes. */
    refused: CustomEvent<{ points: string[]; reason: string }>;
    /** The rules have ended the game. */
    gameover: CustomEvent<Outcome>;
    /** A FEN, a move or an attribute was wrong, or the rules could not be fetched. */
    error: ErrorEvent;
}

/**
 * `<qirkat-board>`: the board of any of the games.
 *
 * Attributes: `fen`, `variant`, `orientation` (`white` or `black`), `playable` (empty for both
 * sides, `white` or `black`), `last-move` (such as `e2e4`), `theme` (`slate`, `meadow` or
 * `night`), `animation` (milliseconds).
 */
export class QirkatBoard extends HTMLElement {
    /** Resolves when the rules have been fetched and the position stands on the board. */
    readonly ready: Promise<QirkatBoard>;
    /** The game on the board. After a change of it, `update()` shows it. Null until it is ready. */
    readonly game: Board | null;
    /** The position, or `''` for the start. */
    fen: string;
    variant: Variant;
    orientation: 'white' | 'black';
    playable: '' | 'white' | 'black' | null;

    /** Makes a move and shows it. */
    move(move: MoveInput): Move;
    /** Takes the last move back. */
    undo(): Move | null;
    /** Shows the game as it is. */
    update(): void;
    /** Turns the board round. */
    flip(): void;
    /** Draws arrows and circles over the pieces; an empty list takes them away. */
    draw(shapes: Array<{ from: string; to?: string; brush?: 'green' | 'red' | 'blue' | 'yellow' | 'grey' }>): void;

    addEventListener<K extends keyof QirkatBoardEvents>(
        type: K,
        listener: (this: QirkatBoard, event: QirkatBoardEvents[K]) => void,
        options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener(
        type: string,
        listener: EventListenerOrEventListenerObject,
        options?: boolean | AddEventListenerOptions,
    ): void;
}

declare global {
    interface HTMLElementTagNameMap {
        'qirkat-board': QirkatBoard;
    }
}

export type { Board, Color, Move, Outcome, Variant };
