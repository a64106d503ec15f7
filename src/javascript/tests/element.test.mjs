// The element of the package for JavaScript in a real Chromium, on pages that have nothing else
// (scripts/test-npm). QIRKAT_FOLDER is a folder in which the package has been installed.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { serveFolder } from '../../../tests/browser/folder_server.mjs';
import { FOLDER, accessFaults, click, drag, newPage, placeOf, shoot, startBrowser, until } from '../../../tests/browser/harness.mjs';

const README = readFileSync(join(FOLDER, 'node_modules/qirkat/README.md'), 'utf8');
const GUIDE = readFileSync(new URL('../../../docs/programs/javascript.md', import.meta.url), 'utf8');
const board = 'qirkat-board';
const browser = await startBrowser();
const server = await serveFolder(FOLDER);
after(async () => {
    await browser.close();
    await server.stop();
});

/** Opens a page with this content; `window.seen` collects the events of its boards. */
async function open(html, options = {}, host = server) {
    writeFileSync(join(FOLDER, 'index.html'), html);
    const page = await newPage(browser, options);
    await page.addInitScript(() => {
        window.seen = [];
        for (const type of ['move', 'refused', 'gameover']) {
            document.addEventListener(type, ({ detail }) => window.seen.push([type, detail.san ?? detail.reason]));
        }
    });
    await page.route('**/favicon.ico', (route) => route.fulfill({ body: '' }));
    await page.goto(host.address);
    await page.evaluate(async () => {
        await customElements.whenDefined('qirkat-board');
        await Promise.allSettled([...document.querySelectorAll('qirkat-board')].map((element) => element.ready));
    });
    return page;
}

const withBoards = (boards, style = '') => `<!doctype html><html lang="en"><title>Boards</title>
<style>main { display: flex; flex-wrap: wrap; gap: 8px } h1 { width: 100%; margin: 0 } qirkat-board { width: 400px } ${style}</style>
<script type="module" src="node_modules/qirkat/qirkat_board.js"></script><main><h1>Boards</h1>${boards}</main>`;

const seen = (page) => page.evaluate(() => window.seen);
const history = (page) => page.evaluate(() => document.querySelector('qirkat-board').game.history());
const done = async (page, faults = []) => {
    assert.deepEqual(page.faults, faults);
    await page.context().close();
};

test('ten lines of HTML show a playing board', async () => {
    const html = README.split('```html\n')[1].split('```')[0];
    assert.equal(html.trim().split('\n').length, 10);
    assert.equal(GUIDE.split('```html\n')[1].split('```')[0], html);
    const page = await open(html);
    await drag(page, 'e2', 'e4', { board });
    await until(() => history(page), (moves) => moves.length === 2);
    await click(page, 'd2', { board });
    await click(page, 'd3', { board });
    await until(() => history(page), (moves) => moves.length === 4);
    await shoot(page, 'npm-plays');
    assert.deepEqual((await history(page))[0], 'e4');
    // Black's pieces cannot be picked up.
    await drag(page, 'a8', 'a7', { board });
    assert.equal((await history(page)).length, 4);
    await done(page);
});

test('a book is fetched when it is asked for', async () => {
    const page = await open(withBoards('<qirkat-board variant="masonic"></qirkat-board>'));
    const fetched = [];
    page.on('request', (request) => fetched.push(request.url()));
    const counts = await page.evaluate(async () => {
        const { Book } = await import('./node_modules/qirkat/browser.js');
        const book = await Book.load('masonic');
        const { game } = document.querySelector('qirkat-board');
        return [book.probe(game).moves.length, game.moves().length];
    });
    assert.equal(counts[0], counts[1]);
    const isBook = (url) => url.endsWith('.book');
    assert.match(fetched.filter(isBook).join(), /^\S+\/books\/masonic\.book$/);
    await done(page);
});

test('a content security policy needs only what the guide documents', async () => {
    const policy = GUIDE.match(/Content-Security-Policy" content="([^"]*)"/)[1];
    const script = README.match(/<script type="module">\n([^]*?)<\/script>/)[1];
    writeFileSync(join(FOLDER, 'own.js'), script);
    const html = (allowed) => `<!doctype html><html lang="en"><title>Strict</title>
        <meta http-equiv="Content-Security-Policy" content="${allowed}">
        <qirkat-board playable="white"></qirkat-board><script type="module" src="own.js"></script>`;
    const plays = async (allowed) => {
        const page = await open(html(allowed), { viewport: { width: 500, height: 700 } });
        await drag(page, 'e2', 'e4', { board });
        await until(() => history(page), (moves) => moves.length === 2);
        await done(page);
    };
    await plays(policy);
    const other = await serveFolder(FOLDER, new Map(), { 'Access-Control-Allow-Origin': '*' });
    writeFileSync(join(FOLDER, 'own.js'), script.replaceAll('./node_modules', `${other.address}node_modules`));
    await plays(policy.replaceAll("'self'", `'self' ${other.address}`).replace('worker-src', 'worker-src blob:'));
    await other.stop();
    writeFileSync(join(FOLDER, 'own.js'), script);
    const strict = await open(html(policy.replace(" 'wasm-unsafe-eval'", '')));
    await until(() => strict.faults.length, (count) => count > 0);
    const told = await strict.evaluate(() => document.querySelector('qirkat-board').ready.catch((error) => error.message));
    assert.match(told, /^the rules cannot be fetched: .*WebAssembly/);
    await strict.context().close();
});

test('all three games are drawn in custom colours', async () => {
    const page = await open(withBoards(`<qirkat-board last-move="e2e4"></qirkat-board>
        <qirkat-board variant="masonic" orientation="black" theme="slate"></qirkat-board>
        <qirkat-board fen="mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1" class="own"></qirkat-board>`,
    '.own { --ground: rgb(1, 2, 3) } .own::part(coordinate) { display: none }'));
    const counts = await page.evaluate(() => [...document.querySelectorAll('qirkat-board')].map(({ shadowRoot }) => [
        shadowRoot.querySelectorAll('.pieces .piece').length,
        getComputedStyle(shadowRoot.querySelector('.ground')).fill,
        getComputedStyle(shadowRoot.querySelector('.coordinate')).display !== 'none',
        shadowRoot.querySelectorAll('[data-mark=last]').length,
    ]));
    assert.deepEqual(counts, [
        [36, 'rgb(233, 211, 165)', true, 2], [32, 'rgb(199, 208, 216)', true, 0], [24, 'rgb(1, 2, 3)', false, 0],
    ]);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'npm-boards');
    await done(page);
});

test('moves are made, rejected, promoted and undone', async () => {
    const page = await open(withBoards('<qirkat-board playable fen="2k6/4P4/9/9/9/9/9/9/R3K3R w KQ - 0 1"></qirkat-board>'));
    await drag(page, 'a1', 'b3', { board });
    assert.match((await seen(page))[0][1], /^a1b3: a rook/);
    await drag(page, 'e8', 'e9', { board });
    await page.locator('qirkat-board dialog button').first().waitFor();
    await shoot(page, 'npm-promotion');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await until(() => seen(page), (events) => events.length === 2);
    assert.match((await seen(page))[1].join(), /^move,e9=Q/);
    await page.evaluate(() => document.querySelector('qirkat-board').undo());
    // King onto rook.
    await drag(page, 'e1', 'i1', { board });
    await until(() => history(page), (moves) => moves.join() === 'O-O');
    await done(page);
});

test('games end, and chains of jumps are entered point by point', async () => {
    const page = await open(withBoards('<qirkat-board playable fen="4m/1m3/5/1m3/2M2 w - - 0 1"></qirkat-board>'));
    const at = { board, game: 'alquerque' };
    await click(page, 'c1', at);
    await click(page, 'a3', at);
    assert.deepEqual(await seen(page), []);
    await click(page, 'c5', at);
    assert.deepEqual(await seen(page), [['move', 'c1a3c5']]);
    await page.evaluate(() => {
        const element = document.querySelector('qirkat-board');
        element.fen = 'k8/9/K8/9/9/9/9/8R/9 w - - 0 1';
        element.move('Ri9');
    });
    assert.deepEqual((await seen(page)).at(-1)[0], 'gameover');
    assert.match(await page.locator('qirkat-board [aria-live]').textContent(), /White mates/);
    await done(page);
});

test('keyboard input and announcements', async () => {
    const page = await open(withBoards('<qirkat-board playable></qirkat-board>'));
    await page.keyboard.press('Tab');
    const said = () => page.locator('qirkat-board [aria-live]').textContent();
    const heard = [];
    for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter']) {
        await page.keyboard.press(key);
        heard.push(await said());
    }
    assert.match(heard[3], /^e2, plain point, white pawn, can move$/);
    assert.deepEqual(await history(page), ['e4']);
    assert.match(heard.at(-1), /white e4/);
    assert.match(await page.locator('qirkat-board .spoken').last().textContent(), /pawn e4/);
    await done(page);
});

test('errors are reported and leave the board unchanged', async () => {
    const page = await open(withBoards('<qirkat-board playable></qirkat-board>'));
    const told = await page.evaluate(async () => {
        const element = document.querySelector('qirkat-board');
        const errors = [];
        element.addEventListener('error', (event) => {
            errors.push(event.message);
            event.preventDefault();
        });
        const before = element.fen;
        for (const [name, value] of [['fen', '9/9'], ['variant', 'chess'], ['playable', 'me'], ['orientation', 'left'], ['last-move', 'z9']]) {
            element.setAttribute(name, value);
            await Promise.resolve();
            element.removeAttribute(name);
            await Promise.resolve();
        }
        try {
            element.move('Ka5');
        } catch (error) {
            errors.push(error.message);
        }
        return [element.fen === before, ...errors];
    });
    assert.equal(told[0], true);
    for (const pattern of [/^FEN of Chesquerque/, /^variant="chess"/, /^playable="me"/, /^orientation="left"/, /^last-move="z9"/, /^Ka5: a king/]) {
        assert.ok(told.slice(1).some((text) => pattern.test(text)), `${pattern} in ${told}`);
    }
    await done(page);
    const seenInConsole = await open(withBoards('<qirkat-board fen="nonsense"></qirkat-board>'));
    await done(seenInConsole, [seenInConsole.faults.find((text) => /^<qirkat-board>: FEN of Chesquerque/.test(text))]);
});

const ISOLATING = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

for (const isIsolated of [false, true]) {
    test(`a search is stopped in a page that ${isIsolated ? 'may' : 'may not'} share memory`, async () => {
        const host = await serveFolder(FOLDER, new Map(), isIsolated ? ISOLATING : {});
        const page = await open(withBoards('<qirkat-board></qirkat-board>'), {}, host);
        const told = await page.evaluate(async () => {
            const { Board, Engine } = await import('./node_modules/qirkat/browser.js');
            const engine = new Engine();
            const board = new Board();
            for await (const { depth } of engine.analyse(board)) if (depth > 4) break;
            const playing = engine.play(board, { time: 100_000 });
            engine.stop();
            const move = await playing;
            const lines = [];
            for await (const line of engine.analyse(board, { depth: 5 })) lines.push(line.depth);
            const closing = engine.play(board, { time: 100_000 });
            engine.close();
            return [globalThis.crossOriginIsolated, board.isLegal(move), lines.at(-1), await closing.catch((error) => error.message)];
        });
        assert.deepEqual(told, [isIsolated, true, 5, 'the engine was closed while it was thinking']);
        await done(page);
        await host.stop();
    });
}

test('the package can be loaded from another host', async () => {
    const page = await newPage(browser);
    const other = await serveFolder(FOLDER, new Map(), { 'Access-Control-Allow-Origin': '*' });
    await page.goto(server.address);
    const lan = await page.evaluate(async (address) => {
        const { Board, Engine } = await import(`${address}node_modules/qirkat/browser.js`);
        const engine = new Engine();
        const { lan: best } = await engine.play(new Board(), { depth: 4 });
        engine.close();
        return best;
    }, other.address);
    assert.match(lan, /^[a-i]\d[a-i]\d$/);
    await page.context().close();
    await other.stop();
});

test('touch input', async () => {
    const page = await open(withBoards('<qirkat-board playable></qirkat-board>'), { hasTouch: true, viewport: { width: 420, height: 800 } });
    for (const name of ['e2', 'e4']) {
        const { x, y } = await placeOf(page, name, { board });
        await page.touchscreen.tap(x, y);
    }
    await until(() => history(page), (moves) => moves.join() === 'e4');
    await done(page);
});
