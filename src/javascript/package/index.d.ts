/// <reference lib="esnext.disposable" />

/** The games that are played here. */
export type Variant = 'chesquerque' | 'masonic' | 'alquerque';

/** White or Black. */
export type Color = 'w' | 'b';

/** All games, the default first. */
export const VARIANTS: readonly Variant[];

/** A piece: its letter in FEN, small, and its side. The men of Alquerque are `m`. */
export interface Piece {
    type: string;
    color: Color;
}

/** A move with all that is to be told of it. */
export interface Move {
    /** Who makes it. */
    color: Color;
    /** The letter of the piece that moves. */
    piece: string;
    from: string;
    to: string;
    /** All points that it visits: more than two in a series of jumps. */
    points: string[];
    /** The letter of what it captures: of the first man in a series of jumps. */
    captured: string | null;
    /** The letter of what a pawn becomes. */
    promotion: string | null;
    /** In algebraic notation; in Alquerque by its points. */
    san: string;
    /** By its points, as UCI writes it: `e2e4`, `a8a9q`. */
    lan: string;
    /** The FEN of the position behind it. */
    after: string;
}

/** A move as it may be given: a text (`e4`, `e2e4`), a {@link Move}, or its points. */
export type MoveInput =
    | string
    | { lan: string }
    | { san: string }
    | { from: string; to: string; promotion?: string | null }
    | { points: string[]; promotion?: string | null };

export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

/** How a game has ended. */
export interface Outcome {
    result: Result;
    /** Who has won; null after a draw. */
    winner: Color | null;
    reason:
        | 'checkmate'
        | 'blocked'
        | 'no-pieces'
        | 'stalemate'
        | 'repetition'
        | 'hundred-plies'
        | 'insufficient-material';
    /** In words, such as `White mates`. */
    text: string;
}

/** What the tables tell of a position, or of a move for the side that makes it. */
export interface TableValue {
    result: 'win' | 'cursed-win' | 'draw' | 'blessed-loss' | 'loss';
    /** Plies to mate; in Alquerque to the end. */
    dtm: number | null;
    /** Plies to the next capture, pawn move or mate. */
    dtz: number | null;
}

export interface Probe extends TableValue {
    /** The legal moves, the best first. */
    moves: Array<TableValue & { san: string; lan: string }>;
}

/** Tags of PGN, such as `White`. */
export type Tags = Record<string, string>;

/**
 * A game in progress.
 *
 * What is wrong is thrown as an `Error` that says so in one line: a FEN that is none, a move
 * that is not legal (and why), a board that has been freed.
 */
export class Board {
    /**
     * A board with the position of a FEN; without one it is the start.
     *
     * @throws when the FEN is none of this game
     */
    constructor(fen?: string | null, options?: { variant?: Variant });

    /** Which game it is. */
    readonly variant: Variant;
    /** What had to be corrected in the FEN that was loaded, such as impossible castling. */
    readonly notice: string | null;
    /** Tags for {@link Board.pgn}, as {@link Board.loadPgn} has found them. */
    tags: Tags;

    /** Puts a position on the board, of the same game unless another is named. */
    load(fen?: string | null, options?: { variant?: Variant }): void;
    /** Back to the start of its game. */
    reset(): void;
    fen(): string;
    turn(): Color;

    /** The legal moves, none once the game is over; of one piece where `from` names its point. */
    moves(options?: { verbose?: false; from?: string }): string[];
    moves(options: { verbose: true; from?: string }): Move[];
    /**
     * Makes a move.
     *
     * @throws when it is not legal, with the reason, or the game is over
     */
    move(move: MoveInput): Move;
    /** Takes the last move back; null at the start. */
    undo(): Move | null;
    /** A legal move in algebraic notation. */
    san(move: MoveInput): string;
    /** A legal move by its points. */
    lan(move: MoveInput): string;
    isLegal(move: MoveInput): boolean;
    /** Why a move is not legal; null if it is. */
    whyIllegal(move: MoveInput): string | null;
    /** The moves so far. */
    history(options?: { verbose?: false }): string[];
    history(options: { verbose: true }): Move[];

    isCheck(): boolean;
    /** The point of the king that is in check. */
    checkedKing(): string | null;
    isCheckmate(): boolean;
    isDraw(): boolean;
    isGameOver(): boolean;
    /** How the game has ended; null while it goes on. */
    outcome(): Outcome | null;

    /** The piece on a point, if one stands there. */
    get(point: string): Piece | undefined;
    /** The points of the pieces that attack a point, of one side or both. */
    attackers(point: string, color?: Color): string[];
    /** The board drawn with letters and lines. */
    ascii(): string;
    toString(): string;
    /** What the tables know of the position; null where they know nothing. */
    probe(): Probe | null;

    /** The game in PGN. Where no result is given, it is as far as the moves tell. */
    pgn(options?: { tags?: Tags; comment?: string | null; result?: Result | null }): string;
    /** Puts the first game of a PGN on the board behind its last move, and tells it. */
    loadPgn(pgn: string): PgnGame;

    /** Another board with the same game. */
    copy(): Board;
    /** Frees its memory now. Boards that are not freed are when they are collected. */
    free(): void;
    [Symbol.dispose](): void;
}

/** A move of a game in PGN. */
export interface PgnMove {
    san: string;
    lan: string;
    /** Numeric annotation glyphs: 1 for `!`, 2 for `?`. */
    nags: number[];
    comment: string | null;
    /** Lines that could have been played in its place. */
    variations: PgnMove[][];
}

/** A game in PGN. */
export interface PgnGame {
    variant: Variant;
    /** The position at the start. */
    fen: string;
    tags: Tags;
    /** What is said before the first move. */
    comment: string | null;
    moves: PgnMove[];
    result: Result;
    /** Variations that could not be read, in words; they stay as comments. */
    unread: string[];
}

/** A move of a game to be written. */
export type PgnMoveInput =
    | string
    | (Exclude<MoveInput, string> & { nags?: number[]; comment?: string | null; variations?: PgnMoveInput[][] });

/** A game to be written. */
export interface PgnGameInput {
    variant?: Variant;
    fen?: string | null;
    tags?: Tags;
    comment?: string | null;
    moves?: PgnMoveInput[];
    result?: Result | null;
}

/**
 * The games of a PGN, read one by one as they are asked for. A game that cannot be read is
 * thrown as an error; with `onError` that hears of it, and the games behind it follow.
 */
export function readPgn(pgn: string, options?: { onError?: (error: Error) => void }): IterableIterator<PgnGame>;

/** A game in PGN. */
export function writePgn(game: PgnGameInput): string;

/** When a search ends; the first limit that is reached ends it. */
export interface Limits {
    /** Plies, from 1 to 127. */
    depth?: number;
    /** Positions, at least 1. */
    nodes?: number;
    /** Milliseconds, from 1 to 2 ** 32. */
    time?: number;
    /** So many lines at once, from 1 to 500. */
    multipv?: number;
    /** Plays about as strong as this, from 500 to 2550, and so looks at few positions. */
    elo?: number;
    /** Ends the search when it is aborted, and throws its reason. */
    signal?: AbortSignal;
}

/** A score for the side to move: centipawns, or moves to mate (negative when it is mated). */
export interface Score {
    cp: number | null;
    mate: number | null;
}

/** A line of play that a search has found. */
export interface Line extends Score {
    /** Its place among several, from 1. */
    multipv: number;
    depth: number;
    seldepth: number;
    bound: 'exact' | 'lower' | 'upper';
    /** Chances of the side to move to win, draw and lose, in thousandths. */
    wdl: [number, number, number];
    nodes: number;
    /** Milliseconds. */
    time: number;
    /** Positions in a second. */
    nps: number;
    /** The part of its table in use, in thousandths. */
    hashfull: number;
    /** Positions found in tables. */
    tbhits: number;
    /** The moves by their points. */
    pv: string[];
    /** The moves in algebraic notation. */
    san: string[];
}

/** The move that the engine plays. */
export interface Answer extends Score {
    lan: string;
    san: string;
    /** The reply that it expects. */
    ponder: string | null;
    depth: number;
    nodes: number;
}

/** Lines as they are found. Leaving the loop ends the search. */
export interface Lines extends AsyncIterableIterator<Line> {
    return(): Promise<IteratorResult<Line>>;
}

/**
 * An engine that thinks in a worker of its own, one search at a time. The board may be changed
 * while it does: it thinks about the game as it stood.
 */
export class Engine {
    /**
     * `hash`: megabytes of its table, from 1 to 2047, 16 unless said. A search fails where the
     * machine has not so much.
     */
    constructor(options?: { hash?: number });

    readonly isThinking: boolean;

    /**
     * Searches until a limit is reached, or until it is stopped.
     *
     * @throws when the engine is thinking or closed, or a limit is none; while lines are read,
     * when the game is over or the search fails
     */
    analyse(board: Board, limits?: Limits): Lines;
    /**
     * The move to play. It takes at least one of `depth`, `nodes`, `time` and `elo`.
     *
     * @throws when the game is over, and what `analyse` throws
     */
    play(board: Board, limits: Limits): Promise<Answer>;
    /** Ends the search: its lines end, its move comes. */
    stop(): void;
    /** Forgets what it has learned. */
    newGame(): void;
    /** Ends its worker. A search that goes on fails. */
    close(): void;
    [Symbol.dispose](): void;
}
