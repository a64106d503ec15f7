// Reloads, new starts of the server, and several tabs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import {
    accessFaults, boardInWords, drag, movesShown, newGame, openPage, playFrom, shoot, startBrowser, startServer, until,
    waitForMoves, waitForNoDialog, waitForStatus,
} from './harness.mjs';

let server;
let browser;
before(async () => {
    server = await startServer();
    browser = await startBrowser();
});
after(async () => {
    await browser.close();
    await server.stop();
    server.remove();
});

test('a game survives a reload, and a new start of the server', async () => {
    const page = await openPage(browser, server);
    await newGame(page, { side: 'both', clock: { minutes: 5, increment: 2 } });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    await page.reload();
    await waitForMoves(page, 1);
    await drag(page, 'e8', 'e6');
    await waitForMoves(page, 2);
    const words = await boardInWords(page);
    // It would come back, and have the game.
    await page.context().close();
    const { code } = await server.stop();
    assert.equal(code, 130);
    const again = await startServer({ games: server.games });
    server = again;
    const next = await openPage(browser, again);
    await waitForMoves(next, 2);
    assert.deepEqual(await movesShown(next), ['e4', 'e6']);
    assert.deepEqual(next.faults, []);
    assert.equal(await boardInWords(next), words);
    assert.match(await next.locator('[data-side=white]').textContent(), /^[45]:/);
    await drag(next, 'd2', 'd3');
    await waitForMoves(next, 3);
    await next.context().close();
});

test('a first visitor may learn, play or choose, and finds a board that answers', async () => {
    const fresh = await startServer();
    const visit = async (options, body) => {
        const page = await openPage(browser, fresh, { greet: true, ...options });
        await page.locator('#greeting-play').waitFor();
        await body(page);
        assert.deepEqual(page.faults, []);
        await page.context().close();
    };
    await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
        assert.deepEqual(await accessFaults(page), []);
        await shoot(page, 'greeting-phone');
        await page.selectOption('dialog select[name=game]', 'alquerque');
        await page.locator('#greeting-learn').tap();
        await page.locator('dialog', { hasText: 'The rules of Alquerque' }).locator('#exercise-reveal').waitFor();
    });
    await visit({}, async (page) => {
        await page.click('#greeting-choose');
        await page.locator('#start-game').waitFor();
        await page.keyboard.press('Escape');
        await waitForStatus(page, /^White to move\. Move for both sides, or begin a new game\.$/);
        await page.locator('#board svg').focus();
    });
    await visit({}, async (page) => {
        await shoot(page, 'greeting');
        await page.click('#greeting-play');
        await waitForStatus(page, /Your move/);
        await until(() => page.locator('#player-top .name').textContent(), (name) => name === 'Qirkat (900)');
        assert.equal(await page.locator('.clock').count(), 0);
        await shoot(page, 'first');
    });
    await fresh.stop();
    fresh.remove();
});

test('a server that is killed loses nothing', async () => {
    const first = await startServer();
    const page = await openPage(browser, first);
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    first.child.kill('SIGKILL');
    await first.ended;
    await page.context().close();
    const second = await startServer({ games: first.games });
    const next = await openPage(browser, second);
    await waitForMoves(next, 1);
    await next.context().close();
    await second.stop();
    second.remove();
});

test('a page says that it has lost the server, and when it is back', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    let down = false;
    let socket = null;
    await page.routeWebSocket(/socket$/, (asked) => {
        if (down) {
            asked.close();
        } else {
            socket = asked;
            asked.connectToServer();
        }
    });
    await page.reload();
    await page.waitForSelector('#board .pieces .piece');
    await page.keyboard.press('Escape');
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    const words = await boardInWords(page);
    const texts = () => page.locator('.message').allTextContents();
    const told = (pattern) => until(texts, (shown) => shown.some((text) => pattern.test(text)));
    down = true;
    await socket.close();
    await told(/^No connection/);
    await waitForStatus(page, /^No connection/);
    // What is done meanwhile does not look as if it had happened, and is said once.
    await drag(page, 'e8', 'e6');
    await told(/^Nothing was done/);
    assert.equal(await boardInWords(page), words);
    await shoot(page, 'lost');
    down = false;
    await told(/^Connected again/);
    assert.equal((await texts()).filter((text) => /^No connection/.test(text)).length, 0);
    await waitForStatus(page, /^Black to move/);
    await drag(page, 'e8', 'e6');
    await waitForMoves(page, 2);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a page goes on when its server is started anew, and says when that has a new address', async () => {
    const first = await startServer();
    const page = await openPage(browser, first);
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    await first.stop();
    await page.locator('.message', { hasText: 'No connection' }).waitFor();
    const second = await startServer({ games: first.games });
    assert.equal(second.address, first.address);
    await page.locator('.message', { hasText: 'Connected again' }).waitFor();
    await waitForStatus(page, /^Black to move/);
    await drag(page, 'e8', 'e6');
    await waitForMoves(page, 2);
    await second.stop();
    const { port } = new URL(first.address);
    const third = await startServer({ games: first.games, args: ['--new-address', '--port', port] });
    const told = page.locator('.message.staying', { hasText: 'has a new address' });
    await told.waitFor();
    assert.equal(await told.locator('button').count(), 0);
    await shoot(page, 'new-address');
    let asked = 0;
    page.on('request', () => { asked += 1; });
    page.on('websocket', () => { asked += 1; });
    await page.waitForTimeout(3000);
    assert.equal(asked, 0);
    const next = await openPage(browser, third);
    await waitForMoves(next, 2);
    await page.context().close();
    await next.context().close();
    await third.stop();
    third.remove();
});

test('the search of one tab does not hold up another', async () => {
    const busy = await openPage(browser, server);
    await busy.click('#new-game');
    await busy.click('#analyse-instead');
    await busy.waitForSelector('#lines .line');
    const other = await openPage(browser, server, { path: '#none' });
    await newGame(other, { side: 'both' });
    await drag(other, 'e2', 'e4');
    await waitForMoves(other, 1);
    assert.ok(await busy.locator('#lines .line').count() > 0);
    await busy.context().close();
    await other.context().close();
});

test('a game is open in one tab at a time', async () => {
    const fresh = await startServer();
    const page = await openPage(browser, fresh);
    // Without a new game: on the board that a first visitor finds.
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    const hash = await until(() => page.evaluate(() => location.hash), (hash) => /^#\w+$/.test(hash));
    const other = await openPage(browser, fresh, { context: page.context() });
    assert.deepEqual(await movesShown(other), []);
    const second = await openPage(browser, fresh, { path: hash, context: page.context() });
    await waitForMoves(second, 1);
    await page.locator('.message.staying').waitFor();
    await drag(second, 'e8', 'e6');
    await waitForMoves(second, 2);
    await page.context().close();
    await fresh.stop();
    fresh.remove();
});

test('a link in the address bar is followed, and Back leads to the game before', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    const words = await boardInWords(page);
    const address = page.url();
    const follow = (fen) => page.evaluate((hash) => { location.hash = hash; }, `set-up/chesquerque/${encodeURIComponent(fen)}`);
    await follow('4k4/9/9/9/9/9/9/9/R3K4 b - - 0 1');
    await until(() => boardInWords(page), (shown) => shown === 'white: king e1, rook a1. black: king e9');
    await page.goBack();
    await until(() => boardInWords(page), (shown) => shown === words);
    assert.equal(page.url(), address);
    // A position that is none changes nothing.
    await follow('4k4');
    await until(() => page.url(), (url) => url === address);
    assert.equal(await boardInWords(page), words);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('Back closes a dialog, and without one leaves the page', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await playFrom(page, '4k4/P8/9/9/9/9/9/9/4K4 w - - 0 1');
    const address = page.url();
    const open = () => page.locator('dialog h2').allTextContents();
    // One dialog leads to another.
    await page.click('#learn');
    await page.click('#course-alquerque');
    await until(open, (titles) => titles.join() === 'The rules of Alquerque');
    await page.goBack();
    await waitForNoDialog(page);
    assert.equal(page.url(), address);
    // The question what a pawn becomes, too.
    await drag(page, 'a8', 'a9');
    await page.locator('.promotion').waitFor();
    await page.goBack();
    await waitForNoDialog(page);
    assert.match(await boardInWords(page), /pawn a8/);
    // A dialog that is closed and opened faster than the history follows is one to go back from.
    await page.keyboard.press('?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await until(open, (titles) => titles.join() === 'Help');
    await until(() => page.evaluate(() => Boolean(history.state?.dialog)));
    // Another game, chosen in a dialog, has the address.
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    await newGame(page, { side: 'both' });
    await waitForNoDialog(page);
    const other = page.url();
    assert.notEqual(other, address);
    // Forward leads nowhere.
    await page.goForward().catch(() => null);
    await waitForNoDialog(page);
    assert.equal(page.url(), other);
    // Without a dialog, Back leaves.
    await page.goBack();
    await until(() => page.url(), (url) => !url.startsWith(server.address));
    await page.goForward();
    await page.waitForSelector('#board .pieces .piece');
    assert.equal(page.url(), other);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
