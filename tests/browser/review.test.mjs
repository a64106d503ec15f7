// The review of a game, and learning from one's mistakes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
    accessFaults, BLUNDERS, drag, importGame, movesShown, openBoard, openPage, openPanel, playFrom, reviewGame, shoot, tap,
    until, waitForMoves, waitForNoDialog,
} from './harness.mjs';

const { server, browser } = await openBoard();

const texts = (page, selector) => page.locator(selector).allTextContents();
const dialogBoard = { board: 'dialog' };
const said = (page, pattern) => until(() => page.locator('.exercise-text').textContent(), (text) => pattern.test(text));

test('a changed game keeps what still holds of its review', async () => {
    const page = await openPage(browser, server, { breaks: true });
    await importGame(page, BLUNDERS);
    await waitForMoves(page, 6);
    await reviewGame(page);
    // It is told once that a review is done. Requests are answered in turn: with this answer no other comes.
    await page.locator('.message').evaluateAll((earlier) => earlier.forEach((message) => message.remove()));
    await page.reconnect();
    await page.click('#transfer');
    await until(() => page.inputValue('#pgn'), (text) => text.includes('1. Kd1'));
    assert.equal(await page.locator('.message', { hasText: 'The game has been reviewed.' }).count(), 0);
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
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
    await importGame(page, BLUNDERS);
    await waitForMoves(page, 6);
    await reviewGame(page, '300');
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
    await said(page, /^Right: Rxa2, (which|the only good move: it) /);
    await page.click('#exercise-next');
    await said(page, /^You found 0 of 1 better moves without help\.$/);
    await page.click('#exercise-close');
    // The other side, on a board that is turned round, with the move shown.
    await page.click('.learn-from[data-color=black]');
    await page.click('#exercise-reveal');
    await said(page, /^(?!.*Better was.*Better was).*Better was Qxa1/);
    await shoot(page, 'learn-right');
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a review says where the game leaves the opening book', async () => {
    const page = await openPage(browser, server);
    await openPanel(page, 'openings');
    await importGame(page, '[Variant "Masonic chess"]\n\n1. Nc3 *');
    await page.locator('[data-book]').first().waitFor();
    await reviewGame(page);
    await until(() => texts(page, '.review-note'), (notes) => /Leaves the book, which plays \S+\.$/.test(notes.join()));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

const shownMove = (page, san) => until(() => texts(page, '#moves .move.current'), (current) => current.join() === san);

test('a reviewed game is walked from mistake to mistake, by buttons, keys and the graph', async () => {
    const page = await openPage(browser, server);
    await importGame(page, BLUNDERS);
    await waitForMoves(page, 6);
    await reviewGame(page, '300');
    await page.locator('.turning-point .blunder').nth(1).waitFor();
    await page.keyboard.press('Home');
    await shownMove(page, '');
    await page.click('#next-mistake');
    await shownMove(page, 'Kd1??');
    await until(() => texts(page, '.turning-said'), (shown) => /Rxa2/.test(shown.join()));
    // Keys come faster than answers.
    await page.keyboard.press('Home');
    await shownMove(page, '');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await shownMove(page, 'Qa8??');
    await page.keyboard.press('k');
    await shownMove(page, 'Kd1??');
    await page.locator('#previous-mistake[aria-disabled]').waitFor();
    await page.locator('#graph').scrollIntoViewIfNeeded();
    const { x, y, width } = await page.locator('#graph svg').boundingBox();
    await page.mouse.move(x + width / 6, y + 5);
    await page.mouse.down();
    await page.mouse.move(x + width / 3, y + 5, { steps: 4 });
    await shownMove(page, 'Qa8??');
    await page.mouse.move(x + width - 1, y + 5, { steps: 4 });
    await shownMove(page, 'Ke9');
    await page.mouse.up();
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('what was better than one’s own move is told when it was tried or asked for', async () => {
    const page = await openPage(browser, server);
    await playFrom(page, '4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1');
    await drag(page, 'e1', 'd1');
    await waitForMoves(page, 1);
    await drag(page, 'a2', 'a8');
    await waitForMoves(page, 2);
    for (let clicks = 0; clicks < 2; clicks += 1) await page.click('#resign');
    await reviewGame(page, '300');
    const notes = (pattern) => until(() => texts(page, '#moves .review-note'), (shown) => shown.length === 2 && pattern.test(shown.join(' ')));
    await notes(/^Blunder: chances from \d+ % to \d+ %\. Blunder: chances from \d+ % to \d+ %\.$/);
    await page.keyboard.press('Home');
    await shownMove(page, '');
    await page.keyboard.press('j');
    await page.locator('#show-better').waitFor();
    await page.keyboard.press('r');
    await page.locator('dialog .arrow.red').waitFor({ state: 'attached' });
    await drag(page, 'a1', 'a2', dialogBoard);
    await said(page, /^Right: Rxa2/);
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    await notes(/^Blunder: [^.]*\. .*Rxa2.* Blunder: [^.]*\.$/);
    await page.keyboard.press('j');
    await shownMove(page, 'Qa8??');
    await page.click('#show-better');
    await notes(/Qxa1/);
    assert.deepEqual(await accessFaults(page), []);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the review fits a phone, in the dark too, and is learned from by touch', async () => {
    const options = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'dark' };
    const page = await openPage(browser, server, options);
    await importGame(page, BLUNDERS);
    await waitForMoves(page, 6);
    await reviewGame(page, '300');
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(await width() <= 390, `the page is ${await width()} pixels wide`);
    assert.deepEqual(await accessFaults(page), []);
    // Nothing of the panel lies beside it.
    const beside = await page.locator('#panel-review').evaluate((panel) => [panel, ...panel.querySelectorAll('*')]
        .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth).map((part) => part.outerHTML.slice(0, 80)));
    assert.deepEqual(beside, []);
    await page.locator('#next-mistake').tap();
    await page.locator('.turning-said p').waitFor();
    await shoot(page, 'review-phone-dark');
    await page.click('.learn-from[data-color=white]');
    await page.locator('dialog .arrow.red').waitFor({ state: 'attached' });
    await shoot(page, 'learn-phone-dark');
    await tap(page, 'a1', dialogBoard);
    await tap(page, 'a2', dialogBoard);
    await said(page, /^Right: Rxa2, (which|the only good move: it) /);
    assert.ok(await width() <= 390, `the page is ${await width()} pixels wide`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
