// The engine's WebAssembly module under Node: it searches as the program does, answers as a
// session, and takes garbage for what it is.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { WasmInstance } from '../../src/board/page/site/alone/wasm_instance.js';

const PROGRAM = process.env.QIRKAT ?? 'target/release/qirkat';
const MODULE = new WebAssembly.Module(readFileSync(join(process.env.QIRKAT_FOLDER ?? 'dist/web', 'engine.wasm')));
const GAMES = ['chesquerque', 'masonic', 'alquerque'];
/** Plies of the bench here: a count is as good as another to tell searches apart. */
const BENCH_DEPTH = Number(process.env.QIRKAT_BENCH_DEPTH ?? 8);

for (const [index, game] of GAMES.entries()) {
    test(`bench counts the nodes of the program: ${game}`, () => {
        const told = execFileSync(PROGRAM, ['bench', '--game', game, '--depth', String(BENCH_DEPTH)], { encoding: 'utf8' });
        const [nodes] = told.trim().split('\n').pop().split(' ');
        assert.equal(new WasmInstance(MODULE).call('bench_nodes', index, BENCH_DEPTH), Number(nodes));
    });
}

/** A session whose jobs another instance does at once; `heard` are the replies. */
class Tab {
    heard = [];
    files = new Map();
    #jobs = [];
    #session = new WasmInstance(MODULE, {
        reply: (text) => this.heard.push(JSON.parse(text)),
        keep: (file) => {
            const { name, text } = JSON.parse(file);
            if (text === null) this.files.delete(name);
            else this.files.set(name, text);
        },
        startWorker: (job) => this.#jobs.push(job),
    });
    #worker = new WasmInstance(MODULE, { report: (text) => this.#session.send('receive_from_worker', text) });

    constructor(files = new Map()) {
        const kept = [...files].map(([name, text]) => ({ name, text, time: 1 }));
        this.#session.send('open_session', JSON.stringify(kept));
    }

    ask(request) {
        this.send(JSON.stringify(request));
    }

    send(text) {
        this.#session.send('receive_from_page', text);
        this.#session.call('poll');
        while (this.#jobs.length > 0) {
            assert.equal(this.#worker.send('run_job', this.#jobs.shift()), 1);
            this.#session.call('poll');
        }
    }

    last(kind) {
        return this.heard.findLast(({ say }) => say === kind);
    }
}

for (const game of GAMES) {
    test(`the engine plays a game against itself: ${game}`, () => {
        const tab = new Tab();
        tab.ask({ do: 'new', game, people: [false, false], elo: 800 });
        const { play, position } = tab.last('state');
        assert.ok(play.result, `the game is not over: ${position.fen}`);
        const { nodes } = tab.last('tree');
        assert.ok(nodes.length > 10);
        const again = new Tab(tab.files);
        again.ask({ do: 'open', id: tab.last('state').id });
        assert.deepEqual(again.last('state').position, position);
    });
}

test('a mate is found within a limit of time, and an illegal move is explained', () => {
    const tab = new Tab();
    const fen = 'k8/9/K8/9/9/9/9/8R/9 w - - 0 1';
    tab.ask({ do: 'new', game: 'chesquerque', fen, people: [true, true] });
    tab.ask({ do: 'move', node: 0, text: 'i2h9' });
    assert.match(tab.last('refused').reason, /rook/);
    tab.ask({ do: 'hint' });
    assert.deepEqual(tab.last('hint').points, ['i2', 'i9']);
});

test('a game is reviewed', () => {
    const tab = new Tab();
    const pgn = '[FEN "4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1"]\n\n1. Kd1 Qa8 2. Rxa8 *';
    tab.ask({ do: 'import', pgn });
    tab.ask({ do: 'review', what: 'begin', time: 20 });
    const { review } = tab.last('review').kept;
    assert.deepEqual(review.moves.map(({ mark }) => mark), ['blunder', 'blunder', null]);
});

test('garbage is refused in words and breaks nothing', () => {
    const tab = new Tab(new Map([['preferences.json', '{'], ['abcdefghijkm.json', '[1]'], ['x', '']]));
    const before = tab.heard.length;
    const garbage = [
        '', '{', '[]', 'null', '{"do":"fly"}', '\u0000', '\u202e\ud800', '9'.repeat(100_000), '['.repeat(100_000),
        '{"do":"goto","node":-1}', '{"do":"new","game":"chess"}',
    ];
    for (const text of garbage) tab.send(text);
    assert.equal(tab.heard.length, before + garbage.length);
    assert.ok(tab.heard.slice(before).every(({ say }) => say === 'error'));
    for (const fen of ['', 'k', '9/9/9/9/9/9/9/9/9 w - - 0 1', 'x'.repeat(10_000)]) {
        tab.ask({ do: 'check-fen', game: 'chesquerque', fen });
        assert.equal(tab.last('fen-checked').fen, null);
    }
    tab.ask({ do: 'load-openings', name: 'x' });
    tab.ask({ do: 'watch', on: true });
    tab.ask({ do: 'ponder', on: true });
    tab.ask({ do: 'new', game: 'alquerque', people: [true, true] });
    assert.equal(tab.last('state').game, 'alquerque');
    let reason = '';
    const worker = new WasmInstance(MODULE, { crashed: (text) => { reason = text; } });
    for (const job of ['', '{}', '{"job":"search"}', '{"job":"review","number":1,"pgn":"","time":{"secs":0,"nanos":0},"hash":1,"gives_reasons":true}']) {
        worker.send('run_job', job);
    }
    assert.notEqual(reason, '');
});
