// Reloads, new starts of the server, several tabs, and looks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import {
    boardInWords, drag, movesShown, newGame, openPage, placeOf, playFrom, shoot, startBrowser, startServer, status, until,
    waitForMoves, waitForStatus,
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
    const { code } = await server.stop();
    assert.equal(code, 0);
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
    await page.context().close();
});

test('whoever comes for the first time is asked how to play', async () => {
    const fresh = await startServer();
    const page = await openPage(browser, fresh, { greet: true });
    await page.click('#start-game');
    await waitForStatus(page, /Your move/);
    await shoot(page, 'first');
    assert.deepEqual(page.faults, []);
    await page.context().close();
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
    const second = await startServer({ games: first.games });
    const next = await openPage(browser, second);
    await waitForMoves(next, 1);
    await page.context().close();
    await next.context().close();
    await second.stop();
    second.remove();
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
    const page = await openPage(browser, server);
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    const hash = await page.evaluate(() => location.hash);
    const second = await openPage(browser, server, { path: hash, context: page.context() });
    await waitForMoves(second, 1);
    await page.locator('.message.staying').waitFor();
    await drag(second, 'e8', 'e6');
    await waitForMoves(second, 2);
    await page.context().close();
});

test('analysis: lines, preview, arrows, threat, variations, graph', async () => {
    const page = await openPage(browser, server);
    await page.click('#new-game');
    await page.click('#analyse-instead');
    await until(() => page.locator('#lines .line').count(), (lines) => lines === 3);
    await page.locator('#board .arrow').first().waitFor();
    const before = await page.locator('#board .pieces').innerHTML();
    await page.locator('.line-move').nth(2).hover();
    await until(() => page.locator('#board .pieces').innerHTML(), (now) => now !== before);
    await page.mouse.move(5, 5);
    await until(() => page.locator('#board .pieces').innerHTML(), (now) => now === before);
    await page.keyboard.press('t');
    await until(() => page.locator('.lines-head').textContent(), (text) => /^Threat · depth/.test(text));
    await page.keyboard.press('t');
    for (const text of ['e4', 'e6', 'd3']) await move(page, text);
    await page.keyboard.press('ArrowLeft');
    await waitForStatus(page, /White to move/);
    await move(page, 'b3');
    await until(() => movesShown(page), (moves) => moves.includes('b3') && moves.includes('d3'));
    await shoot(page, 'variations');
    await page.click('text=Make main line');
    await until(() => page.locator('#moves .variation').textContent(), (text) => /d3/.test(text));
    await page.fill('#comment', 'quiet');
    await page.locator('#comment').blur();
    await until(() => page.locator('#moves .comment').allTextContents(), (texts) => texts.includes('quiet'));
    await page.click('[data-nag="1"]');
    await until(() => movesShown(page), (moves) => moves.includes('b3!'));
    await page.click('#values');
    await until(() => page.locator('#board text.caption').count(), (count) => count >= 30);
    await shoot(page, 'values');
    await page.keyboard.press('Escape');
    await page.click('#values');
    await until(() => page.locator('#board text.caption').count(), (count) => count === 0);
    await page.click('#sweep');
    await page.locator('#graph svg').waitFor();
    await until(() => page.locator('.message').allTextContents(), (texts) => texts.includes('Every position has been evaluated.'));
    await shoot(page, 'graph');
    await page.click('text=Delete from here');
    await until(() => movesShown(page), (moves) => !moves.includes('b3!'));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

async function move(page, text) {
    const before = (await movesShown(page)).length;
    await page.fill('#move-text', text);
    await page.press('#move-text', 'Enter');
    await until(() => movesShown(page), (moves) => moves.length > before);
    await page.locator('#status').click();
}

test('games and positions come in and go out', async () => {
    const page = await openPage(browser, server);
    await page.click('#transfer');
    const games = '[White "Ann"]\n[Black "Ben"]\n\n1. e4 e6 {solid} 2. d3 1-0\n\n[White "Cat"]\n[Black "Dan"]\n\n1. d4 *\n';
    await page.fill('#pgn', games);
    await page.click('#read-pgn');
    await page.locator('.found button').first().click();
    await waitForMoves(page, 3);
    await until(() => page.locator('.player .name').allTextContents(), (names) => names.join() === 'Ben,Ann');
    await page.click('#transfer');
    await until(() => page.inputValue('#pgn'), (text) => /1\. e4 e6 \{solid\} 2\. d3 1-0/.test(text));
    await page.fill('#pgn', '1. e5 *');
    await page.click('#read-pgn');
    await until(() => page.locator('.fault').allTextContents(), (texts) => texts.some((text) => /not a legal move/.test(text)));
    await page.fill('#fen', '4k4/9/9/9/9/9/9/9/R3K4 b - - 0 1');
    await page.click('#read-fen');
    await waitForStatus(page, /Black to move/);
    await page.click('#editor');
    await page.click('dialog >> text=Clear');
    await until(() => page.locator('.verdict').textContent(), (text) => /king/i.test(text));
    assert.ok(await page.locator('#editor-play').isDisabled());
    await shoot(page, 'editor-wrong');
    await page.keyboard.press('Escape');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('dark theme and settings are kept', async () => {
    const page = await openPage(browser, server);
    await page.click('#settings');
    await page.selectOption('dialog select[name=theme]', 'dark');
    await page.selectOption('dialog select[name=board]', 'night');
    await page.selectOption('dialog select[name=animation]', '0');
    await page.keyboard.press('Escape');
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await until(colour, (value) => value === 'rgb(25, 26, 29)');
    await page.reload();
    await page.waitForSelector('#board .pieces .piece');
    await until(colour, (value) => value === 'rgb(25, 26, 29)');
    await shoot(page, 'dark');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('arrows and circles by right drag; help on ?', async () => {
    const page = await openPage(browser, server);
    await playFrom(page, '4k4/9/9/9/9/9/9/P8/4K4 w - - 0 1');
    const from = await placeOf(page, 'b2');
    const to = await placeOf(page, 'd4');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up({ button: 'right' });
    await page.locator('#board [data-arrow=b2d4]').waitFor({ state: 'attached' });
    await page.mouse.click(from.x, from.y, { button: 'right' });
    await page.locator('#board .ring').waitFor({ state: 'attached' });
    await page.locator('#status').click();
    await page.keyboard.press('?');
    await page.locator('dialog >> text=turn the board round').waitFor();
    await page.keyboard.press('Escape');
    assert.ok((await status(page)).length > 0);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
