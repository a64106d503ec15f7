import type { Board, Color, Move, MoveInput, Outcome, Variant } from './index.js';

/** The events of a {@link QirkatBoard}. */
export interface QirkatBoardEvents {
    /** The user has made a move, which is now on the board. */
    move: CustomEvent<Move>;
    /** The user has tried an illegal move. */
    refused: CustomEvent<{ points: string[]; reason: string }>;
    /** The game has ended by the rules. */
    gameover: CustomEvent<Outcome>;
    /** A FEN, a move or an attribute was wrong, or the rules could not be fetched. */
    error: ErrorEvent;
}

/**
 * `<qirkat-board>`: the board of any variant.
 *
 * Attributes: `fen`, `variant`, `orientation` (`white` or `black`), `playable` (empty for both
 * sides, `white` or `black`), `last-move` (such as `e2e4`), `theme` (`slate`, `meadow` or
 * `night`), `animation` (milliseconds).
 */
export class QirkatBoard extends HTMLElement {
    /** Resolves when the rules are loaded and the position is on the board. */
    readonly ready: Promise<QirkatBoard>;
    /** The game on the board; null until ready. Call `update()` after changing it. */
    readonly game: Board | null;
    /** The position, or `''` for the start. */
    fen: string;
    variant: Variant;
    orientation: 'white' | 'black';
    playable: '' | 'white' | 'black' | null;

    /** Makes a move and shows it. */
    move(move: MoveInput): Move;
    /** Takes back the last move. */
    undo(): Move | null;
    /** Redraws the game. */
    update(): void;
    /** Flips the board. */
    flip(): void;
    /** Draws arrows and circles over the pieces; an empty list removes them. */
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
