/// <reference lib="esnext.disposable" />

/** The variants. */
export type Variant = 'chesquerque' | 'masonic' | 'alquerque';

/** White or Black. */
export type Color = 'w' | 'b';

/** All variants, the default first. */
export const VARIANTS: readonly Variant[];

/** A piece: its lower-case FEN letter and its side. Men in Alquerque are `m`. */
export interface Piece {
    type: string;
    color: Color;
}

/** A move with its details. */
export interface Move {
    /** The side that plays it. */
    color: Color;
    /** The letter of the piece that moves. */
    piece: string;
    from: string;
    to: string;
    /** All its points: more than two in a series of jumps. */
    points: string[];
    /** The letter of the captured piece: of the first man in a series of jumps. */
    captured: string | null;
    /** The letter of the promotion piece. */
    promotion: string | null;
    /** In algebraic notation; in Alquerque by its points. */
    san: string;
    /** In UCI notation: `e2e4`, `a8a9q`. */
    lan: string;
    /** The FEN before the move. */
    before: string;
    /** The FEN after the move. */
    after: string;
}

/** A move as an argument: a string (`e4`, `e2e4`), a {@link Move}, or its points. */
export type MoveInput =
    | string
    | { lan: string }
    | { san: string }
    | { from: string; to: string; promotion?: string | null }
    | { points: string[]; promotion?: string | null };

export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

/** How a game ended. */
export interface Outcome {
    result: Result;
    /** The winner; null for a draw. */
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

/** The tablebase result of a position, or of a move for the side that plays it. */
export interface TableValue {
    result: 'win' | 'cursed-win' | 'draw' | 'blessed-loss' | 'loss';
    /** Plies to mate; in Alquerque to the end of the game. */
    dtm: number | null;
    /** Plies to the next capture, pawn move or mate. */
    dtz: number | null;
}

export interface Probe extends TableValue {
    /** The legal moves of which a table is certain, the best first. */
    moves: Array<TableValue & { san: string; lan: string }>;
}

/** Tags of PGN, such as `White`. */
export type Tags = Record<string, string>;

/**
 * A game in progress, with the methods of chess.js.
 *
 * Throws an `Error` with a one-line message for an invalid FEN, an illegal move (with the
 * reason), or a board that has been freed.
 */
export class Board {
    /**
     * A board with the position of a FEN; without one, the start position.
     *
     * @throws when the FEN is invalid in this variant
     */
    constructor(fen?: string | null, options?: { variant?: Variant });

    /** Its variant. */
    readonly variant: Variant;
    /**
     * What was corrected in the loaded FEN, such as impossible castling rights, or why the edited
     * position is not legal.
     */
    readonly notice: string | null;
    /** Tags for {@link Board.pgn}, set by {@link Board.loadPgn}. */
    tags: Tags;

    /** Sets up a position, of the same variant unless another is given. */
    load(fen?: string | null, options?: { variant?: Variant }): void;
    /** Sets up the start position. */
    reset(): void;
    /** Removes all pieces and the tags: White is to move. */
    clear(): void;
    /**
     * Puts a piece on a point, in place of what is there; a game begins with the new position. False,
     * and nothing is done, if there is no such piece or point, or the side has a king elsewhere.
     *
     * The position may be illegal, for example without a king. It then has no legal moves, is not
     * over, and throws its `notice` when it is played, searched, written as PGN or asked for attacks.
     */
    put(piece: Piece, point: string): boolean;
    /** Removes and returns the piece on a point, if any: see {@link Board.put}. */
    remove(point: string): Piece | undefined;
    fen(): string;
    turn(): Color;
    /** 16 hexadecimal digits, equal for positions that are the same for the rule of repetition. */
    hash(): string;

    /** The legal moves, of the piece on a point if `square` is given; none once the game is over. */
    moves(options?: { verbose?: false; square?: string }): string[];
    moves(options: { verbose: true; square?: string }): Move[];
    /**
     * Makes a move.
     *
     * @throws when it is illegal, with the reason, or the game is over
     */
    move(move: MoveInput): Move;
    /** Takes back the last move; null at the start. */
    undo(): Move | null;
    /** A legal move in algebraic notation. */
    san(move: MoveInput): string;
    /** A legal move by its points. */
    lan(move: MoveInput): string;
    isLegal(move: MoveInput): boolean;
    /** Why a move is illegal; null if it is legal. */
    whyIllegal(move: MoveInput): string | null;
    /** The moves so far. */
    history(options?: { verbose?: false }): string[];
    history(options: { verbose: true }): Move[];

    isCheck(): boolean;
    inCheck(): boolean;
    /** The point of a king in check. */
    checkedKing(): string | null;
    isCheckmate(): boolean;
    isStalemate(): boolean;
    isInsufficientMaterial(): boolean;
    isThreefoldRepetition(): boolean;
    /** 100 plies without a capture or pawn move; in Alquerque without a jump or step forward. */
    isDrawByFiftyMoves(): boolean;
    isDraw(): boolean;
    isGameOver(): boolean;
    /** How the game ended; null if it is not over. */
    outcome(): Outcome | null;

    /** The piece on a point, if any. */
    get(point: string): Piece | undefined;
    /** Each rank from the last to the first: what stands on its points. */
    board(): Array<Array<(Piece & { square: string }) | null>>;
    /** The points of the pieces that attack a point, of one side or both. */
    attackers(point: string, color?: Color): string[];
    /** Whether a piece of this side attacks a point. */
    isAttacked(point: string, color: Color): boolean;
    /** The board as text. */
    ascii(): string;
    toString(): string;
    /**
     * The tablebase result of the position; null if no table has it. The tables of a variant are
     * fetched when they are first asked for.
     */
    probe(): Promise<Probe | null>;

    /** The game in PGN. Without a result, the one that follows from the moves. */
    pgn(options?: { tags?: Tags; comment?: string | null; result?: Result | null }): string;
    /** Loads the first game of a PGN, sets up its final position, and returns it. */
    loadPgn(pgn: string): PgnGame;

    /** A copy of the board with its game. */
    copy(): Board;
    /** Frees its memory now, instead of on garbage collection. */
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
    /** Lines that could have been played instead. */
    variations: PgnMove[][];
}

/** A game in PGN. */
export interface PgnGame {
    variant: Variant;
    /** The position at the start. */
    fen: string;
    tags: Tags;
    /** The comment before the first move. */
    comment: string | null;
    moves: PgnMove[];
    result: Result;
    /** Errors of variations, tags and words that could not be read; their text stays as comments. */
    unread: string[];
}

/** A move of a game to write. */
export type PgnMoveInput =
    | string
    | (Exclude<MoveInput, string> & { nags?: number[]; comment?: string | null; variations?: PgnMoveInput[][] });

/** A game to write. */
export interface PgnGameInput {
    variant?: Variant;
    fen?: string | null;
    tags?: Tags;
    comment?: string | null;
    moves?: PgnMoveInput[];
    result?: Result | null;
}

/**
 * The games of a PGN, read one by one on demand. An unreadable game throws an error; with
 * `onError` the error goes there and reading continues.
 */
export function readPgn(pgn: string, options?: { onError?: (error: Error) => void }): IterableIterator<PgnGame>;

/** A game in PGN. */
export function writePgn(game: PgnGameInput): string;

/** When a search ends: at the first limit reached. */
export interface Limits {
    /** Plies, from 1 to 127. */
    depth?: number;
    /** Nodes, at least 1. */
    nodes?: number;
    /** Milliseconds, from 1 to 2 ** 32. */
    time?: number;
    /** Number of lines, from 1 to 500. */
    multipv?: number;
    /** Plays at about this Elo, from 500 to 2550, by searching few nodes. */
    elo?: number;
    /** Aborts the search, which then throws its reason. */
    signal?: AbortSignal;
}

/** A score for the side to move: centipawns, or moves to mate (negative when it is mated). */
export interface Score {
    cp: number | null;
    mate: number | null;
}

/** The games with a position, by their results. */
export interface BookGames {
    white: number;
    draws: number;
    black: number;
}

/** A position of an opening book, with its score for the side to move. */
export interface BookPosition extends Score {
    games: BookGames;
    /** The legal moves, the best first; none at the end of a line of the book. */
    moves: Array<Score & { lan: string; san: string; games: BookGames }>;
}

/** An opening book of a variant. */
export class Book {
    /**
     * A book from the bytes of its file, as `qirkat book build` makes it.
     *
     * @throws when they are not a book, or damaged
     */
    constructor(file: Uint8Array | ArrayBuffer);
    /** Fetches the package's book of a variant: of Chesquerque, unless another is given. */
    static load(variant?: Variant): Promise<Book>;

    readonly variant: Variant;
    /** How its positions were scored. */
    readonly origin: string;
    /** The number of its positions. */
    readonly size: number;
    /** What it knows about a position; null if that is not in the book. */
    probe(board: Board): BookPosition | null;
    /** Frees its memory now, instead of on garbage collection. */
    free(): void;
    [Symbol.dispose](): void;
}

/** A line found by a search. */
export interface Line extends Score {
    /** Its rank, from 1. */
    multipv: number;
    depth: number;
    seldepth: number;
    bound: 'exact' | 'lower' | 'upper';
    /** Win, draw and loss probabilities of the side to move, in permille. */
    wdl: [number, number, number];
    nodes: number;
    /** Milliseconds. */
    time: number;
    /** Nodes per second. */
    nps: number;
    /** Use of the hash table, in permille. */
    hashfull: number;
    /** Tablebase hits. */
    tbhits: number;
    /** The moves in UCI notation. */
    pv: string[];
    /** The moves in algebraic notation. */
    san: string[];
}

/** The move that the engine plays. */
export interface Answer extends Score {
    lan: string;
    san: string;
    /** The expected reply. */
    ponder: string | null;
    depth: number;
    nodes: number;
}

/** Lines as they are found. Leaving the loop stops the search. */
export interface Lines extends AsyncIterableIterator<Line> {
    return(): Promise<IteratorResult<Line>>;
}

/**
 * An engine in its own worker, one search at a time. The board may be changed during a search,
 * which uses the game as it was.
 */
export class Engine {
    /**
     * `hash`: size of the hash table in megabytes, from 1 to 2047, 16 by default. A search fails
     * if the machine has too little memory.
     */
    constructor(options?: { hash?: number });

    readonly isThinking: boolean;

    /**
     * Searches until a limit is reached or it is stopped.
     *
     * @throws when the engine is searching or closed, or a limit is invalid; while lines are
     * read, when the game is over or the search fails
     */
    analyse(board: Board, limits?: Limits): Lines;
    /**
     * The move to play. Needs at least one of `depth`, `nodes`, `time` and `elo`.
     *
     * @throws when the game is over, and like `analyse`
     */
    play(board: Board, limits: Limits): Promise<Answer>;
    /** Stops the search, which then returns its move. */
    stop(): void;
    /** Clears the hash table. */
    newGame(): void;
    /** Ends its worker. A running search fails. */
    close(): void;
    [Symbol.dispose](): void;
}
