// The package for JavaScript in Node, as a program that has installed it (scripts/test-npm):
// boards, games, tables, engines and misuse.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { freemem, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { Board, Book, Engine, VARIANTS, readPgn, writePgn } from 'qirkat';

const MATE = 'k8/9/K8/9/9/9/9/8R/9 w - - 0 1';
const PACKAGE = 'node_modules/qirkat';
const README = readFileSync(`${PACKAGE}/README.md`, 'utf8');
const GUIDE = readFileSync(process.env.GUIDE, 'utf8');

/** The output of each program on a page, run separately. */
const printed = (page) => page.split('```js\n').slice(1).map((rest, place) => {
    const file = `program${place}.mjs`;
    writeFileSync(file, rest.split('```')[0]);
    return execFileSync('node', [file], { encoding: 'utf8' }).trim().split('\n');
});

/** Checks that an error is one line and matches. */
const says = (pattern) => (error) => {
    assert.ok(error instanceof Error, String(error));
    assert.match(error.message, pattern);
    assert.ok(!error.message.includes('\n'), error.message);
    return true;
};

test('the programs of the README run', () => {
    const [lines, ...others] = printed(README);
    assert.match(lines[0], /^1 -?\d+ \w/);
    assert.match(lines.at(-2), /^8 /);
    assert.ok(lines.at(-1).length > 1);
    assert.deepEqual(others, [['']]);
});

test('the programs of the guide run', () => {
    const [lines, ...others] = printed(GUIDE);
    assert.match(lines[0], /^\d\d Qd1d5: .+ \(move 2\.\)$/);
    assert.match(lines[1], /^1 -?\d+ \w/);
    assert.ok(Number.parseInt(lines.at(-1), 10) > 4, lines.at(-1));
    // The imports for bundlers print nothing.
    assert.deepEqual(others, [[''], ['']]);
});

test('the guide states the file sizes correctly', () => {
    const rows = [...GUIDE.matchAll(/^\| `(\S+)` \| (\d+) KiB \| (\d+) KiB \|/gm)];
    const ofVariants = VARIANTS.flatMap((variant) => [`networks/${variant}.net`, `tables/${variant}.tables`]);
    const files = ['qirkat.wasm', ...ofVariants, 'tables/start.alquerque.cert'];
    assert.deepEqual(rows.map(([, file]) => file), files);
    for (const [, file, ...told] of rows) {
        const bytes = readFileSync(`${PACKAGE}/${file}`);
        // The module is larger than in a release with Cargo's fast profiles, and gzip versions differ.
        const isFast = file.endsWith('.wasm') && (process.env.PROFILE ?? 'dist') !== 'dist';
        const tolerance = isFast ? 0.3 : 0.03;
        for (const [place, size] of [bytes.length, gzipSync(bytes, { level: 9 }).length].entries()) {
            const wrong = Math.abs(told[place] * 1024 - size);
            assert.ok(wrong <= Math.max(size * tolerance, 1024), `${file}: ${size / 1024} KiB, and the guide says ${told[place]}`);
        }
    }
    // A first think about Chesquerque: with the scripts, which have fewer than 20 KiB.
    const fetched = rows.slice(0, 3).reduce((sum, row) => sum + 1024 * Number(row[3]), 20 * 1024);
    assert.ok(fetched < 2_050_000, `${fetched} bytes`);
});

test('require() works, and an idle engine does not keep a program running', () => {
    const script = "const { Board, Engine } = require('qirkat'); new Engine().play(new Board(), { depth: 2 }).then((it) => console.log(it.lan));";
    const { status, stdout } = spawnSync('node', ['-e', script], { encoding: 'utf8', timeout: 60_000 });
    assert.equal(status, 0);
    assert.match(stdout, /^[a-i]\d[a-i]\d\n$/);
    const { Board: required } = createRequire(`${process.cwd()}/x.js`)('qirkat');
    assert.equal(required, Board);
});

test('the element can be imported without a DOM', async () => {
    const { QirkatBoard } = await import('qirkat/board');
    assert.equal(typeof QirkatBoard, 'function');
});

for (const [variant, counts] of Object.entries({
    chesquerque: [18, 324], masonic: null, alquerque: [4, 5],
})) {
    test(`a game is played by random moves and read again: ${variant}`, () => {
        const board = new Board(null, { variant });
        const start = board.fen();
        let seed = 7;
        for (let ply = 0; ply < 200 && !board.isGameOver(); ply += 1) {
            const moves = board.moves({ verbose: true });
            seed = (seed * 1103515245 + 12345) % 2 ** 31;
            const move = moves[seed % moves.length];
            const { after } = board.move(ply % 2 ? move.san : ply % 4 ? move : { points: move.points, promotion: move.promotion });
            assert.equal(board.fen(), after);
            assert.equal(move.color, ply % 2 ? 'b' : 'w');
        }
        const pgn = board.pgn({ tags: { White: 'Ann "A"', Round: '1' } });
        const [game] = readPgn(pgn);
        assert.equal(game.variant, variant);
        assert.equal(game.tags.White, 'Ann "A"');
        assert.deepEqual(game.moves.map(({ san }) => san), board.history());
        const again = new Board();
        again.loadPgn(pgn);
        assert.equal(again.fen(), board.fen());
        assert.equal(again.tags.White, 'Ann "A"');
        assert.equal(writePgn(game).trim(), pgn.trim());
        while (again.undo());
        assert.equal(again.fen(), start);
        assert.deepEqual(again.history(), []);
    });

    if (counts) {
        test(`positions are counted: ${variant}`, () => {
            const perft = (board, depth) => (depth === 0 ? 1 : board.moves().reduce((sum, move) => {
                board.move(move);
                const below = perft(board, depth - 1);
                board.undo();
                return sum + below;
            }, 0));
            const board = new Board(null, { variant });
            assert.deepEqual([1, 2].map((depth) => perft(board, depth)), counts);
        });
    }
}

test('queries of a board', async () => {
    const board = new Board(MATE);
    assert.deepEqual(board.get('i2'), { type: 'r', color: 'w' });
    assert.equal(board.get('e5'), undefined);
    assert.deepEqual(board.attackers('i9', 'w'), ['i2']);
    assert.deepEqual(board.attackers('a8').sort(), ['a7', 'a9']);
    assert.ok(board.moves({ square: 'i2' }).every((san) => san.startsWith('R')));
    assert.equal(board.san('i2i9'), 'Ri9#');
    assert.equal(board.lan('Ri9#'), 'i2i9');
    assert.equal(board.whyIllegal('Ri9'), null);
    assert.equal(board.isLegal({ from: 'i2', to: 'h9' }), false);
    assert.match(board.ascii(), /9 {2}k---\+/);
    const copy = board.copy();
    copy.move('Ri9');
    assert.ok(copy.isCheckmate() && copy.isGameOver() && copy.isCheck() && !copy.isDraw());
    assert.equal(copy.checkedKing(), 'a9');
    assert.deepEqual(copy.outcome(), { result: '1-0', winner: 'w', reason: 'checkmate', text: 'White mates' });
    assert.deepEqual(copy.moves(), []);
    assert.throws(() => copy.move('Ka8'), says(/^Ka8: the game is over: White mates$/));
    assert.equal(board.fen(), MATE);
    assert.deepEqual((await board.probe()).moves[0], { lan: 'i2i9', san: 'Ri9#', result: 'win', dtm: 1, dtz: 1 });
    assert.equal(await new Board().probe(), null);
    assert.equal((await new Board('5/2m2/5/2M2/5 w - - 0 1', { variant: 'alquerque' }).probe()).result, 'loss');
    const corrected = new Board('4k4/9/9/9/9/9/9/9/4K4 w KQkq - 0 1');
    assert.match(corrected.notice, /castl/);
});

test('a board has the methods of chess.js', () => {
    const board = new Board();
    assert.deepEqual(board.board().map((row) => row.length), Array(9).fill(9));
    assert.deepEqual(board.board()[8][5], { square: 'f1', type: 'a', color: 'w' });
    assert.equal(board.board()[4][4], null);
    assert.equal(new Board(null, { variant: 'masonic' }).board()[0][7].square, 'h8');
    assert.ok(board.isAttacked('e3', 'w') && !board.isAttacked('e3', 'b'));
    assert.match(board.hash(), /^[0-9a-f]{16}$/);
    const [first] = board.moves({ square: 'B2', verbose: true });
    assert.deepEqual([first.from, first.before], ['b2', board.fen()]);
    board.load('4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1');
    const hash = board.hash();
    for (let round = 0; round < 2; round += 1) {
        assert.ok(!board.isThreefoldRepetition() && !board.isGameOver());
        for (const move of ['a1b1', 'e9e8', 'b1a1', 'e8e9']) board.move(move);
    }
    assert.equal(board.hash(), hash);
    assert.ok(board.isThreefoldRepetition() && board.isDraw() && board.isGameOver() && !board.isStalemate());

    for (const [fen, ...names] of [
        ['k8/9/K8/9/9/9/9/8R/9 w - - 100 60', 'isDraw', 'isDrawByFiftyMoves', 'isGameOver'],
        ['k8/9/K8/9/9/9/9/9/9 w - - 100 60', 'isDraw', 'isDrawByFiftyMoves', 'isGameOver', 'isInsufficientMaterial'],
        ['k8/9/K8/9/9/9/9/9/1Q7 b - - 0 1', 'isDraw', 'isGameOver', 'isStalemate'],
        ['k7R/9/K8/9/9/9/9/9/9 b - - 0 1', 'inCheck', 'isCheck', 'isCheckmate', 'isGameOver'],
    ]) {
        const queried = new Board(fen);
        const all = ['inCheck', 'isCheck', 'isCheckmate', 'isDraw', 'isDrawByFiftyMoves', 'isGameOver', 'isInsufficientMaterial', 'isStalemate', 'isThreefoldRepetition'];
        assert.deepEqual(all.filter((name) => queried[name]()), names, fen);
    }
});

test('a board is edited, and an illegal position is not played', async () => {
    const board = new Board();
    board.tags = { White: 'Ann' };
    board.move('e4');
    board.clear();
    assert.equal(board.fen(), '9/9/9/9/9/9/9/9/9 w - - 0 1');
    assert.deepEqual(board.tags, {});
    const engine = new Engine();
    const isIllegal = says(/^the position is not legal: FEN of Chesquerque: board: White has 0 kings instead of 1$/);
    for (const wrong of [
        (it) => it.move('e4'), (it) => it.san('e4'), (it) => it.pgn(), (it) => it.hash(),
        (it) => it.attackers('e4'), (it) => it.isAttacked('e4', 'w'), (it) => engine.analyse(it),
    ]) for (const edited of [board, board.copy()]) assert.throws(() => wrong(edited), isIllegal, String(wrong));
    await assert.rejects(engine.play(board, { depth: 1 }), isIllegal);
    await assert.rejects(board.probe(), isIllegal);
    engine.close();
    for (const [name, answer] of Object.entries({
        moves: [], history: [], undo: null, isCheck: false, isDraw: false, isGameOver: false, outcome: null, turn: 'w',
    })) assert.deepEqual(board[name](), answer, name);
    assert.ok(!board.isLegal('e4') && board.whyIllegal('e4') === `the position is not legal: ${board.notice}`);
    assert.match(board.ascii(), /^(\.( |\n|$)){81}/);

    for (const [piece, point, isPut] of [
        [{ type: 'k', color: 'w' }, 'e1', true], [{ type: 'k', color: 'b' }, 'e9', true], [{ type: 'K', color: 'w' }, 'e1', true],
        [{ type: 'k', color: 'w' }, 'e2', false], [{ type: 'm', color: 'w' }, 'e2', false], [{ type: 'r', color: 'x' }, 'e2', false],
        [{ type: 'r' }, 'e2', false], [{ type: '', color: 'w' }, 'e2', false], [{ type: 'r', color: 'w' }, 'j1', false],
        [{ type: 'r', color: 'w' }, undefined, false], [{ type: 'A', color: 'w' }, 'A1', true],
    ]) assert.equal(board.put(piece, point), isPut, JSON.stringify([piece, point]));
    assert.throws(() => board.put(null, 'e2'), says(/^a piece must be an object, not null$/));
    assert.throws(() => board.remove('j1'), says(/^j1: not a point/));
    assert.equal(board.fen(), '4k4/9/9/9/9/9/9/9/A3K4 w - - 0 1');
    assert.equal(board.notice, null);
    assert.deepEqual(board.move('a1b2').piece, 'a');
    assert.deepEqual(board.remove('b2'), { type: 'a', color: 'w' });
    assert.equal(board.remove('b2'), undefined);
    assert.deepEqual(board.history(), []);

    // Black is in check, but it is not its turn; a pawn that has just passed over g7 is gone.
    board.load('4k4/9/9/6pP1/9/9/9/9/4K4 w - g7 0 7');
    board.remove('g6');
    assert.equal(board.fen(), '4k4/9/9/7P1/9/9/9/9/4K4 w - - 0 7');
    board.put({ type: 'q', color: 'w' }, 'e5');
    assert.match(board.notice, /Black is in check/);
    assert.deepEqual([board.get('e5'), board.get('e4')], [{ type: 'q', color: 'w' }, undefined]);
    assert.deepEqual(board.copy().board(), board.board());
    board.load('');
    assert.equal(board.moves().length, 18);

    // All that can come about, by random edits of each variant.
    let seed = 11;
    const random = (below) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
    for (const variant of VARIANTS) {
        const edited = new Board(null, { variant });
        const size = edited.board().length;
        for (let round = 0; round < 300; round += 1) {
            const point = `${'abcdefghi'[random(size)]}${1 + random(size)}`;
            const piece = { type: 'kqrabnpm'[random(8)], color: 'wb'[random(2)] };
            if (random(3) === 0) edited.remove(point);
            else if (edited.put(piece, point)) assert.deepEqual(edited.get(point), piece);
            const moves = edited.moves();
            if (moves.length > 0 && random(9) === 0) edited.move(moves[random(moves.length)]);
            assert.equal(edited.notice?.startsWith('FEN') ?? false, !edited.isGameOver() && edited.moves().length === 0);
        }
    }
});

test('moves tell all points of a chain', () => {
    const board = new Board('4m/1m3/5/1m3/2M2 w - - 0 1', { variant: 'alquerque' });
    assert.deepEqual(board.moves({ verbose: true }).map(({ points, from, to }) => [...points, from, to]), [['c1', 'a3', 'c5', 'c1', 'c5']]);
});

test('variations, comments and faults of PGN', () => {
    const text = '[Event "x"]\n\n{so} 1. e4 $1 {good} (1. d4 d6 (1... d7)) 1... e6 *\n\n1. Ke5 *\n\n1. d4 *';
    const [first] = readPgn(text);
    assert.equal(first.comment, 'so');
    assert.deepEqual(first.moves[0].nags, [1]);
    assert.equal(first.moves[0].variations[0][1].variations[0][0].san, 'd7');
    assert.throws(() => [...readPgn(text)], says(/^game 2, line 5: move 1\. Ke5: /));
    const errors = [];
    assert.equal([...readPgn(text, { onError: (error) => errors.push(error.message) })].length, 2);
    assert.equal(errors.length, 1);
    const written = writePgn({ variant: 'masonic', moves: ['f2f3', { lan: 'f7f6', comment: 'well', nags: [2] }], result: '1/2-1/2' });
    assert.match(written, /\[Variant "Masonic chess"\]\n\n1\. ff3 \S+ \$2 \{well\} 1\/2-1\/2/);
});

test('errors are one line, and the module survives', () => {
    const board = new Board();
    board.move('e4');
    const fen = board.fen();
    for (const [wrong, pattern] of [
        [() => new Board('9/9'), /^FEN of Chesquerque: board: 2 ranks/],
        [() => new Board('x'.repeat(100_000)), /^FEN of Chesquerque: /],
        [() => new Board('\ud800\0'), /^FEN of Chesquerque: /],
        [() => new Board(new Board(null, { variant: 'masonic' }).fen()), /variant "masonic"/],
        [() => new Board('', { variant: 'chess' }), /^variant "chess": it must be one of "chesquerque", "masonic", "alquerque"$/],
        [() => new Board(''.at, { variant: 'masonic' }), /^a FEN must be a string, not function$/],
        [() => new Board('', { game: 'masonic' }), /^options: there is no "game", only variant$/],
        [() => board.load('8/8/8/8/8/8/8/8 w - - 0 1'), /^FEN of Chesquerque/],
        [() => board.move('Ka5'), /^Ka5: a king on a diagonal point moves one step/],
        [() => board.move('a2a1z'), /\(move 1\.\.\.\)$/],
        [() => board.move('c1e3g5'), /\(move 1\.\.\.\)$/],
        [() => board.move(42), /^a move must be a string or an object, not 42$/],
        [() => board.move({}), /^a move has from and to, or points$/],
        [() => board.get('j1'), /^j1: not a point of Chesquerque: they are a1 to i9$/],
        [() => board.attackers('e4', 'white'), /^color "white": it is "w" or "b"$/],
        [() => board.moves({ from: 'e4' }), /there is no "from"/],
        [() => board.loadPgn('1. e5 *'), /^game 1, line 1: move 1\. e5: /],
        [() => board.loadPgn(''), /^there is no game in this PGN$/],
        [() => board.pgn({ tags: { 'a b': 'c' } }), /^tag "a b": /],
        [() => board.pgn({ tags: { White: 1 } }), /^tag White must be a string, not 1$/],
        [() => board.pgn({ result: '2-0' }), /^result "2-0": /],
        [() => writePgn({ moves: ['e4', 'e5'] }), /^move 1\.\.\. e5: /],
        [() => writePgn({ moves: [{ san: 'e4', nags: [300] }] }), /^nags must be/],
        [() => readPgn(7), /^a PGN must be a string, not 7$/],
        [() => new Engine({ hash: 0 }), /^hash must be an integer from 1 to 2047, not 0$/],
        [() => new Engine({ hash: 2048 }), /^hash must be an integer from 1 to 2047, not 2048$/],
        [() => new Engine({ hash: 16n }), /^hash must be an integer from 1 to 2047, not 16n$/],
        [() => new Engine([]), /^options must be an object, not a list$/],
        [() => board.move('e2\ne5'), /^`e2\\ne5` is not a move in algebraic notation \(move 1\.\.\.\)$/],
        [() => board.move('e2e4'.repeat(100_000)), /^.{1,120}$/],
        [() => board.get('e\n4'), /^e\\n4: not a point of Chesquerque/],
        [() => board.move({ from: 'e7', to: 'e6', promotion: {} }), /^a promotion must be a string, not object$/],
        [() => { board.tags = 5; }, /^tags must be an object, not 5$/],
        [() => { board.tags = null; }, /^tags must be an object, not null$/],
        [() => board.pgn({ tags: ['a'] }), /^tags must be an object, not a list$/],
        [() => board.pgn({ tags: { [`a ${'b'.repeat(1000)}`]: 'c' } }), /^tag "a b{22}\.\.\.": /],
        [() => writePgn([]), /^a game must be an object, not a list$/],
        [() => writePgn({ moves: [{ san: 'e4', variations: 5 }] }), /^variations must be a list, not 5$/],
        [() => writePgn({ moves: [{ san: 'e4', variations: ['d4'] }] }), /^moves must be a list, not "d4"$/],
        // eslint-disable-next-line no-sparse-arrays
        [() => writePgn({ moves: [, 'e4'] }), /^a move must be a string or an object, not undefined$/],
        [() => readPgn('1. e5 *', { onError: 5 }), /^onError must be a function, not 5$/],
        [() => VARIANTS.push('chess'), /object is not extensible/],
        [() => new Engine({ threads: 2 }), /there is no "threads"/],
    ]) assert.throws(wrong, says(pattern), String(wrong));
    assert.equal(board.fen(), fen);
    const nested = (depth) => [{ san: 'e4', variations: depth > 0 ? [nested(depth - 1)] : [] }];
    assert.throws(() => writePgn({ moves: nested(100) }), says(/deep|recursion/));
    board.free();
    board.free();
    assert.throws(() => board.fen(), says(/^the board has been freed$/));
    assert.throws(() => board.copy(), says(/freed/));
    assert.equal(new Board().turn(), 'w');
    // An unpaired surrogate is replaced.
    assert.match(new Board().pgn({ tags: { White: 'Ann \ud800' }, comment: '\udc00 so' }), /\[White "Ann \ufffd"\][^]*\{\ufffd so\}/);
});

test('the largest hash table can be allocated, or the error says why', async () => {
    const engine = new Engine({ hash: 2047 });
    try {
        assert.ok(new Board().isLegal(await engine.play(new Board(), { nodes: 200 })));
    } catch (error) {
        says(/^no memory for a table of 2047 MB$/)(error);
        assert.ok(freemem() < 3 * 2 ** 30, 'there is memory');
    }
    engine.close();
});

test('build paths are not included', () => {
    const module = readFileSync(`${PACKAGE}/qirkat.wasm`);
    for (const folder of [resolve(process.env.GUIDE, '../../..'), process.env.CARGO_HOME ?? join(homedir(), '.cargo')]) {
        assert.ok(!module.includes(`${folder}/`), folder);
    }
});

test('boards are freed explicitly and by garbage collection', async () => {
    for (let count = 0; count < 100_000; count += 1) new Board().free();
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 20; round += 1) {
        for (let count = 0; count < 5000; count += 1) new Board().get('e1');
        gc();
        await turn();
        await turn();
    }
    const grown = (process.memoryUsage().rss - before) / 2 ** 20;
    assert.ok(grown < 40, `${grown} MiB`);
});

test('after a crash of the module new boards work and old ones report it', async () => {
    const { currentCore } = await import('./node_modules/qirkat/core.js');
    const board = new Board();
    // A message too long for memory.
    const message = new Uint8Array();
    const lengths = [0, 2 ** 32 - 1];
    Object.defineProperty(message, 'length', { get: () => lengths.shift() });
    assert.throws(() => currentCore().ask('board_open', message, 0), says(/^Qirkat has crashed: /));
    assert.throws(() => board.fen(), says(/what it held is lost/));
    board.free();
    assert.equal(new Board().moves().length, 18);
});

test('damaged files are refused in one line', async () => {
    const { currentCore } = await import('./node_modules/qirkat/core.js');
    const { unpacked } = await import('./node_modules/qirkat/worker.js');
    const packed = readFileSync(`${PACKAGE}/networks/masonic.net`);
    await assert.rejects(unpacked(packed.subarray(0, 5000)), says(/^the network is damaged$/));
    const network = await unpacked(packed);
    const core = currentCore();
    const isRefused = (name, file, number, pattern) => assert.throws(() => core.ask(name, file, number), says(pattern));
    network[1000] ^= 1;
    isRefused('take_network', network, 1, /^network of Masonic chess: damaged: its checksum does not match$/);
    const tables = readFileSync(`${PACKAGE}/tables/masonic.tables`);
    isRefused('take_tables', tables.subarray(0, 5000), 1, /^tables of Masonic chess: cut off$/);
    isRefused('take_tables', tables, 0, /^tables of Chesquerque: /);
    const certificate = readFileSync(`${PACKAGE}/tables/start.alquerque.cert`);
    isRefused('take_certificate', certificate.subarray(0, 5000), 0, /^certificate of Alquerque: damaged: /);
});

test('a book tells the scores of openings', async () => {
    for (const variant of VARIANTS) {
        const book = await Book.load(variant);
        const board = new Board(null, { variant });
        const known = book.probe(board);
        assert.equal(book.variant, variant);
        assert.match(book.origin, /^network /);
        assert.ok(book.size > 100);
        assert.deepEqual(known.moves.map(({ lan }) => lan).sort(), board.moves({ verbose: true }).map(({ lan }) => lan).sort());
        const [best] = known.moves;
        assert.deepEqual([best.cp, best.mate, best.san], [known.cp, known.mate, board.san(best.lan)]);
        assert.deepEqual(Object.keys(known.games), ['white', 'draws', 'black']);
        const other = new Board(null, { variant: variant === 'masonic' ? 'alquerque' : 'masonic' });
        assert.equal(book.probe(other), null);
        // The same from bytes; damage is detected.
        const bytes = readFileSync(`${PACKAGE}/books/${variant}.book`);
        assert.deepEqual(new Book(bytes).probe(board), known);
        assert.deepEqual(new Book(new Uint8Array(bytes).buffer).probe(board), known);
        assert.throws(() => new Book(bytes.subarray(0, 500)), says(/^damaged: /));
        assert.throws(() => book.probe('e4'), says(/^this takes a Board, not "e4"$/));
        book.free();
        assert.throws(() => book.probe(board), says(/^the book has been freed$/));
    }
    assert.throws(() => new Book('a text'), says(/^a book is made of bytes, not of "a text"$/));
    await assert.rejects(Book.load('chess'), says(/^variant "chess": /));
    assert.equal((await Book.load()).probe(new Board(MATE)), null);
});

test('an engine analyses and plays every game', async () => {
    const engine = new Engine();
    for (const variant of VARIANTS) {
        const board = new Board(null, { variant });
        const lines = [];
        for await (const line of engine.analyse(board, { depth: 6, multipv: 2 })) lines.push(line);
        assert.ok(lines.some(({ multipv, depth }) => multipv === 2 && depth === 6), variant);
        for (const { pv, san, wdl, cp, mate } of lines) {
            assert.equal(pv.length, san.length);
            assert.equal(wdl[0] + wdl[1] + wdl[2], 1000);
            assert.equal(cp === null, mate !== null);
            const copy = board.copy();
            for (const move of pv) copy.move(move);
            assert.deepEqual(copy.history(), san);
        }
        for (let ply = 0; ply < 6; ply += 1) board.move(await engine.play(board, { nodes: 500, elo: ply % 2 ? 500 : undefined }));
        assert.equal(board.history().length, 6);
    }
    engine.newGame();
    assert.deepEqual((({ lan, mate }) => [lan, mate])(await engine.play(new Board(MATE), { depth: 4 })), ['i2i9', 1]);
    engine.close();
});

test('Alquerque is won by its certificate, which is read only for it', async () => {
    const engine = new Engine();
    const board = new Board(null, { variant: 'alquerque' });
    let last;
    for await (const line of engine.analyse(board, { depth: 3 })) last = line;
    assert.equal(last.pv[0], 'c2c3');
    assert.ok(last.mate > 0 && last.mate <= 47, JSON.stringify(last));
    while (!board.isGameOver()) {
        const moves = board.moves();
        board.move(board.turn() === 'w' ? await engine.play(board, { nodes: 100 }) : moves[board.history().length % moves.length]);
    }
    assert.equal(board.outcome().winner, 'w');
    assert.ok(board.history().length <= 93);
    engine.close();
});

test('it searches like the program', { skip: !process.env.QIRKAT }, async () => {
    const told = execFileSync(process.env.QIRKAT, ['analyse', '--moves', 'e4', '--depth', '9', '--hash', '16', '--json'], { encoding: 'utf8' });
    const { nodes, pv, cp } = JSON.parse(told.trim().split('\n').pop());
    const board = new Board();
    board.move('e4');
    const engine = new Engine();
    let last;
    for await (const line of engine.analyse(board, { depth: 9 })) last = line;
    assert.deepEqual([last.nodes, last.pv, last.cp], [nodes, pv, cp]);
    engine.close();
});

test('every way to stop a search works', async () => {
    const engine = new Engine();
    const board = new Board();
    for await (const { depth } of engine.analyse(board)) if (depth >= 4) break;
    assert.ok(!engine.isThinking);
    const playing = engine.play(board, { time: 100_000 });
    assert.ok(engine.isThinking);
    board.move('e4');
    setTimeout(() => engine.stop(), 200);
    assert.ok(new Board().isLegal(await playing));
    const aborting = new AbortController();
    setTimeout(() => aborting.abort(), 100);
    await assert.rejects(engine.play(board, { time: 100_000, signal: aborting.signal }), { name: 'AbortError' });
    await assert.rejects(async () => {
        for await (const line of engine.analyse(board, { signal: AbortSignal.timeout(100) })) assert.ok(line);
    }, { name: 'TimeoutError' });
    await assert.rejects(engine.play(board, { depth: 1, signal: aborting.signal }), { name: 'AbortError' });
    engine.stop();
    assert.ok(board.isLegal(await engine.play(board, { depth: 3 })));
    engine.close();
    const fresh = new Engine();
    const atOnce = fresh.play(board, { time: 100_000 });
    fresh.stop();
    assert.ok(board.isLegal(await atOnce));
    fresh.close();
});

test('misuse of engines is reported, and no promise stays pending', async () => {
    const engine = new Engine();
    const board = new Board();
    for (const [limits, pattern] of [
        [{ depth: 0 }, /^depth must be an integer from 1 to 127, not 0$/], [{ depth: 1.5 }, /^depth/], [{ nodes: -1 }, /^nodes/],
        [{ time: '5' }, /^time must be an integer from 1 to \d+, not "5"$/], [{ elo: 3000 }, /^elo/],
        [{ movetime: 5 }, /^limits: there is no "movetime"/], [null, /^limits must be an object, not null$/],
        [{ signal: 'now' }, /^signal is an AbortSignal, not "now"$/],
    ]) assert.throws(() => engine.analyse(board, limits), says(pattern));
    assert.throws(() => engine.analyse('fen'), says(/^this takes a Board/));
    await assert.rejects(engine.play(board), says(/^give a limit/));
    await assert.rejects(engine.play(board, { hash: 5, depth: 1 }), says(/there is no "hash"/));
    const over = new Board(MATE);
    over.move('Ri9');
    await assert.rejects(engine.play(over, { depth: 3 }), says(/^the game is over: White mates$/));
    await assert.rejects(engine.analyse(over).next(), says(/^the game is over/));

    const lines = engine.analyse(board);
    await assert.rejects(engine.play(board, { depth: 1 }), says(/^the engine is thinking/));
    assert.throws(() => engine.newGame(), says(/^the engine is thinking/));
    assert.ok((await lines.next()).value.depth >= 1);
    engine.close();
    await assert.rejects(async () => { for await (const line of lines) assert.ok(line); }, says(/^the engine was closed while it was thinking$/));
    assert.throws(() => engine.analyse(board), says(/^the engine is closed$/));
    const closing = new Engine();
    const playing = closing.play(board, { time: 100_000 });
    closing.close();
    closing.close();
    await assert.rejects(playing, says(/closed/));
    // Unread lines and an unawaited answer cause no unhandled rejection.
    const left = new Engine();
    left.analyse(board);
    left.close();
});

test('many engines search at once', async () => {
    const engines = Array.from({ length: 12 }, () => new Engine({ hash: 1 }));
    const answers = await Promise.all(engines.map((engine, place) => engine.play(
        new Board(null, { variant: VARIANTS[place % 3] }), { nodes: 2000 },
    )));
    assert.equal(answers.length, 12);
    for (const engine of engines) engine.close();
});
