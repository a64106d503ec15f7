// The review of a game, and learning from one's mistakes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import {
    accessFaults, drag, importGame, movesShown, newGame, openBoard, openPage, openPanel, shoot, tap, until, waitForMoves,
    waitForNoDialog,
} from './harness.mjs';

/** White leaves a queen alone that it could take, and Black puts it where it is taken. */
const GAME = `[White "Ann"]
[Black "Ben"]
[FEN "4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1"]

1. Kd1 Qa8 2. Rxa8 Kd9 3. Kd2 Ke9 *
`;

const { server, browser } = await openBoard();

const texts = (page, selector) => page.locator(selector).allTextContents();
const dialogBoard = { board: 'dialog' };
const said = (page, pattern) => until(() => page.locator('.exercise-text').textContent(), (text) => pattern.test(text));

async function reviewed(page, thoroughness = '100') {
    await page.selectOption('.review-panel select', thoroughness);
    await page.click('#begin-review');
    await page.locator('.review-table').waitFor();
}

test('a game is reviewed by one click: marks, reasons, accuracy, graph; kept over a reload', async () => {
    const page = await openPage(browser, server);
    await importGame(page, GAME);
    await waitForMoves(page, 6);
    await reviewed(page);
    await until(() => texts(page, '#moves .review-mark.blunder'), (marks) => marks.join() === '??,??');
    const moves = await movesShown(page);
    assert.deepEqual(moves.slice(0, 2), ['Kd1??', 'Qa8??']);
    const [first] = await texts(page, '#moves .review-note');
    assert.match(first, /^Blunder: chances from \d+ % to \d+ %\. A missed win\. .*Rxa2/);
    const rows = await texts(page, '.review-table tbody tr');
    assert.equal(rows.length, 2);
    assert.ok(rows[0].startsWith('Ann') && rows[1].startsWith('Ben'), rows.join());
    assert.equal(await page.locator('#graph .graph-mark.blunder').count(), 2);
    // The move list and the graph lead to the moves.
    await page.locator('#moves .move').nth(1).click();
    await until(() => texts(page, '#moves .move.current'), (current) => current.join() === 'Qa8??');
    const graph = await page.locator('#graph svg').boundingBox();
    await page.mouse.click(graph.x + graph.width / 6, graph.y + 10);
    await until(() => texts(page, '#moves .move.current'), (current) => current.join() === 'Kd1??');
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'review');
    await page.reload();
    await page.locator('.review-table').waitFor();
    await until(() => texts(page, '#moves .review-mark.blunder'), (marks) => marks.length === 2);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#annotated-pgn')]);
    const pgn = readFileSync(await download.path(), 'utf8');
    assert.match(pgn, /\$4 \{\[%eval /);
    assert.match(pgn, /\[Annotator "Qirkat /);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a review shows how far it is and can be stopped', async () => {
    const page = await openPage(browser, server);
    await importGame(page, GAME);
    await waitForMoves(page, 6);
    await page.selectOption('.review-panel select', '1000');
    await page.click('#begin-review');
    await page.locator('.review-panel progress').waitFor();
    await until(() => page.locator('.review-done').textContent(), (text) => /^\d of 6 moves$/.test(text));
    await page.click('#analyse');
    await until(() => texts(page, '.message'), (shown) => shown.some((text) => /Stop the review/.test(text)));
    await page.click('#stop-review');
    await page.locator('#begin-review').waitFor();
    assert.equal(await page.locator('.review-table').count(), 0);
    // There is nothing to review while a game is being played.
    await newGame(page, { side: 'both' });
    assert.equal(await page.locator('.review-panel').count(), 0);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a changed game keeps what still holds of its review', async () => {
    const page = await openPage(browser, server);
    await importGame(page, GAME);
    await waitForMoves(page, 6);
    await reviewed(page);
    await page.locator('#moves .move').nth(1).click();
    await until(() => texts(page, '#moves .move.current'), (current) => current.join() === 'Qa8??');
    await openPanel(page, 'notes');
    for (let clicks = 0; clicks < 2; clicks += 1) await page.click('#delete-from-here');
    await openPanel(page, 'review');
    await page.locator('.review-stale').waitFor();
    await until(() => movesShown(page), (moves) => moves.join() === 'Kd1??');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('learn from your mistakes: wrong tries, hints, the right move', async () => {
    const page = await openPage(browser, server);
    await importGame(page, GAME);
    await waitForMoves(page, 6);
    await reviewed(page, '300');
    await page.click('.learn-from[data-color=white]');
    await until(() => page.locator('.exercise-task').textContent(), (text) => text === '1 of 1: 1. Kd1??');
    await page.locator('dialog .arrow.red').waitFor({ state: 'attached' });
    await drag(page, 'a1', 'c2', dialogBoard);
    await said(page, /^[A-Z].*\.$/);
    assert.equal(await page.locator('.exercise-text.bad').count(), 1);
    await drag(page, 'e1', 'd1', dialogBoard);
    await said(page, /^That is the move of the game\. The answer is Qxa1/);
    await shoot(page, 'learn-wrong');
    await page.click('#exercise-again');
    await page.click('#exercise-hint');
    await said(page, /^Look at the white rook on a1\.$/);
    await page.click('#exercise-hint');
    await said(page, /^The move is Rxa2\.$/);
    await page.locator('dialog .arrow.blue').waitFor({ state: 'attached' });
    assert.deepEqual(await accessFaults(page), []);
    await drag(page, 'a1', 'a2', dialogBoard);
    await said(page, /^Right: Rxa2\./);
    await page.click('#exercise-next');
    await said(page, /^You found 0 of 1 better moves without help\.$/);
    await page.click('#exercise-close');
    // The other side, on a board that is turned round, with the move shown.
    await page.click('.learn-from[data-color=black]');
    await page.click('#exercise-reveal');
    await said(page, /^Better was Qxa1/);
    await shoot(page, 'learn-right');
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the review fits a phone, in the dark too, and is learned from by touch', async () => {
    const options = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'dark' };
    const page = await openPage(browser, server, options);
    await importGame(page, GAME);
    await waitForMoves(page, 6);
    await openPanel(page, 'review');
    await reviewed(page, '300');
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(await width() <= 390, `the page is ${await width()} pixels wide`);
    assert.deepEqual(await accessFaults(page), []);
    await page.locator('.review-panel').scrollIntoViewIfNeeded();
    await shoot(page, 'review-phone-dark');
    await page.click('.learn-from[data-color=white]');
    await page.locator('dialog .arrow.red').waitFor({ state: 'attached' });
    await shoot(page, 'learn-phone-dark');
    await tap(page, 'a1', dialogBoard);
    await tap(page, 'a2', dialogBoard);
    await said(page, /^Right: Rxa2\./);
    assert.ok(await width() <= 390, `the page is ${await width()} pixels wide`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
