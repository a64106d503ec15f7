// The page without a server in a real Chromium: what only it does. What it has of its engine
// is tested by the tests of `qirkat board` (scripts/test-web).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { serveFolder } from '../browser/folder_server.mjs';
import {
    FOLDER, click, drag, keysOfHelp, movesShown, newGame, newPage, openBoard, openPage, openPanel, shoot, until,
    waitForBoard, waitForMoves, waitForStatus,
} from '../browser/harness.mjs';

const { server, browser } = await openBoard();

const messages = (page) => page.locator('.message').allTextContents();
const says = (page, pattern) => until(() => messages(page), (texts) => texts.some((text) => pattern.test(text)));

test('the engine counts as many nodes in the browser as everywhere', async () => {
    const page = await openPage(browser, server);
    const nodes = await page.evaluate(async () => {
        const { WasmInstance, fetchModule } = await import(new URL('alone/wasm_instance.js', location.href));
        const module = await fetchModule('engine.wasm');
        const instance = new WasmInstance(module);
        return [0, 1, 2].map((game) => instance.call('bench_nodes', game, 6));
    });
    const { WasmInstance } = await import('../../src/board/page/site/alone/wasm_instance.js');
    const bytes = await (await fetch(`${server.address}engine.wasm`)).arrayBuffer();
    const instance = new WasmInstance(await WebAssembly.compile(bytes));
    assert.deepEqual(nodes, [0, 1, 2].map((game) => instance.call('bench_nodes', game, 6)));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a game survives a reload, and is listed', async () => {
    const page = await openPage(browser, server);
    await newGame(page, { elo: 500, clock: { minutes: 5, increment: 2 } });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 2);
    const moves = await movesShown(page);
    await page.reload();
    await waitForMoves(page, 2);
    assert.deepEqual(await movesShown(page), moves);
    await newGame(page, { game: 'alquerque', side: 'both' });
    await page.click('#games');
    await until(() => page.locator('.game-row').count(), (rows) => rows === 2);
    await shoot(page, 'alone-games');
    await page.locator('.game-row .game').last().click();
    await waitForMoves(page, 2);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the certificate of Alquerque is fetched when it is of use, and the page works without it', async () => {
    const told = (page) => page.locator('.known-summary').textContent();
    for (const isThere of [true, false]) {
        const page = await openPage(browser, server);
        const fetched = [];
        // Requests of workers are seen by the context.
        await page.context().route('**/*.cert', (route) => {
            fetched.push(route.request().url());
            return isThere ? route.continue() : route.fulfill({ status: 404 });
        });
        await page.keyboard.press('o');
        await until(() => told(page), (text) => /three pieces/.test(text));
        await newGame(page, { game: 'alquerque', side: 'both' });
        assert.deepEqual(fetched, []);
        // The second click says that one is sure.
        for (let click = 0; click < 2; click++) await page.click('#break-off');
        await openPanel(page, 'openings');
        const text = await until(() => told(page), (text) => (isThere ? /wins/ : /four men/).test(text));
        if (isThere) assert.match(text, /^White wins, in 47 moves at most\. Of 4 moves: 1 won, 3 not known\.$/);
        assert.equal(fetched.length, 1);
        await page.context().close();
    }
});

test('an opening book is fetched when the explorer is first looked at, not for a search', async () => {
    const page = await openPage(browser, server, { viewport: { width: 390, height: 844 } });
    const fetched = [];
    await page.context().route('**/*.book', (route) => {
        fetched.push(route.request().url().slice(server.address.length));
        return route.continue();
    });
    await page.keyboard.press('a');
    await page.waitForSelector('#lines .line');
    await page.keyboard.press('a');
    assert.deepEqual(fetched, []);
    await openPanel(page, 'openings');
    await until(() => page.locator('[data-book]').count(), (moves) => moves === 18);
    const [best] = await page.locator('[data-book]').allTextContents();
    await page.locator('[data-book]').first().click();
    await waitForMoves(page, 1);
    await until(() => page.locator('[data-book]').allTextContents(), ([reply]) => reply !== best);
    assert.deepEqual(fetched, ['chesquerque.book']);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('what takes a server or threads is not offered', async () => {
    const page = await openPage(browser, server);
    assert.ok(await page.locator('#watch').isHidden());
    await page.click('#settings');
    assert.equal(await page.locator('dialog input[name=ponder]').count(), 0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    await page.locator('#known').waitFor();
    assert.ok(await page.locator('#openings').isHidden());
    await page.keyboard.press('?');
    const keys = await keysOfHelp(page);
    assert.ok(!keys.includes('W'), `W is among ${keys}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a search is stopped at once, whatever it does', async () => {
    const page = await openPage(browser, server);
    await page.click('#new-game');
    await page.click('#analyse-instead');
    await page.waitForSelector('#lines .line');
    for (const [at, text] of ['e4', 'e6', 'd3', 'd6'].entries()) {
        await page.fill('#move-text', text);
        await page.press('#move-text', 'Enter');
        await waitForMoves(page, at + 1);
    }
    await page.click('#analyse');
    await until(() => page.locator('#analyse').textContent(), (text) => text === 'Analyse');
    await until(() => page.workers().length, (workers) => workers === 1);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a game is open in one tab at a time', async () => {
    const page = await openPage(browser, server);
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    const path = await page.evaluate(() => location.hash);
    const second = await openPage(browser, server, { path, context: page.context() });
    await waitForMoves(second, 1);
    await page.locator('.message.staying').waitFor();
    await drag(second, 'e8', 'e6');
    await waitForMoves(second, 2);
    await page.context().close();
});

test('what is trained in one tab is known in the others', async () => {
    const page = await openPage(browser, server);
    const second = await openPage(browser, server, { context: page.context() });
    await page.click('#learn');
    await page.click('#puzzles');
    await page.click('#exercise-reveal');
    await until(() => page.locator('.exercise-note').textContent(), (note) => note.includes('It comes again tomorrow.'));
    await second.click('#learn');
    await until(() => second.locator('.training-later').textContent(), (text) => text === 'What you got wrong comes again tomorrow.');
    assert.deepEqual(second.faults, []);
    await page.context().close();
});

test('what another tab keeps while the engine is loaded is known', async () => {
    const page = await openPage(browser, server);
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    let load = null;
    await page.context().route('**/engine.wasm', (route) => { load = () => route.continue(); });
    const second = await newPage(browser, { context: page.context() });
    await second.goto(server.address);
    await until(() => load);
    await newGame(page, { game: 'alquerque', side: 'both' });
    const games = () => second.evaluate(() => Object.keys(localStorage).filter((name) => /\/[a-z2-9]{12}\.json$/.test(name)).length);
    await until(games, (count) => count === 2);
    load();
    await waitForBoard(second);
    await second.click('#games');
    await until(() => second.locator('.game-row').count(), (rows) => rows === 2);
    assert.deepEqual(second.faults, []);
    await page.context().close();
});

test('an engine that breaks down is replaced, and the game goes on', async () => {
    const script = 'onmessage = ({ data }) => { if (data.job) throw new Error("a test"); };';
    const replaced = new Map([['/alone/job.js', script]]);
    const faulty = await serveFolder(FOLDER, replaced);
    const page = await openPage(browser, faulty);
    await newGame(page, { elo: 500 });
    await drag(page, 'e2', 'e4');
    await says(page, /^The engine has crashed/);
    await waitForStatus(page, /“Go on”/);
    assert.deepEqual(await movesShown(page), ['e4']);
    replaced.clear();
    await page.click('#pause');
    await waitForMoves(page, 2);
    await page.context().close();
    await faulty.stop();
});

test('a session that breaks down is replaced, with the game that was kept', async () => {
    const page = await openPage(browser, server);
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    const [session] = page.workers();
    await session.evaluate(() => { setTimeout(() => { throw new Error('a test'); }); });
    await says(page, /^The engine has crashed .*It starts anew/);
    await until(() => page.locator('body').getAttribute('class'), (names) => !/lost/.test(names ?? ''));
    await waitForStatus(page, /^Black to move/);
    await click(page, 'e8');
    await click(page, 'e6');
    await waitForMoves(page, 2);
    await page.context().close();
});

test('where there is no module, the page says so and stops trying', async () => {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    let asked = 0;
    await context.route('**/engine.wasm', (route) => {
        asked += 1;
        return route.fulfill({ body: 'nothing' });
    });
    const page = await context.newPage();
    await page.goto(server.address);
    await says(page, /Reload the page/);
    assert.ok(asked < 10, `${asked} attempts`);
    const before = asked;
    await page.locator('.message.staying button', { hasText: 'Reload' }).click();
    await until(() => asked > before);
    await context.close();
});

test('the page opens without a network, and takes a new version', async () => {
    const replaced = new Map();
    const host = await serveFolder(FOLDER, replaced);
    const page = await openPage(browser, host, { serviceWorkers: 'allow' });
    await page.evaluate(async () => {
        const { active } = await navigator.serviceWorker.ready;
        if (active.state === 'activated') return;
        await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }));
    });
    await page.context().setOffline(true);
    await page.reload();
    await waitForBoard(page);
    await newGame(page, { elo: 500 });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 2);
    await page.context().setOffline(false);
    // Another version waits until it is wanted, and the game goes on in it.
    const worker = await (await fetch(`${host.address}service-worker.js`)).text();
    replaced.set('/service-worker.js', worker.replace(/const VERSION = '/, '$&new-'));
    await page.reload();
    await page.locator('.message.staying button', { hasText: 'Take it' }).click();
    await until(() => page.evaluate(async () => (await caches.keys()).join()).catch(() => ''), (names) => /^qirkat \S+ new-\S+$/.test(names));
    await waitForMoves(page, 2);
    await page.context().close();
    await host.stop();
});
