// What the page has of its engine: replies, hints, analysis and reviews. They come from a server
// or from workers of the page, so these tests run with either host; all others run once.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import {
    accessFaults, BLUNDERS, boardInWords, drag, importGame, isOver, movesShown, newGame, openBoard, openPage,
    openPanel, playFrom, reviewGame, shoot, startGame, status, until, waitForMoves, waitForNoDialog, waitForStatus, withPage,
} from './harness.mjs';

const opened = await openBoard();
const { browser, server } = opened;

const texts = (page, selector) => page.locator(selector).allTextContents();

async function move(page, text) {
    const before = (await movesShown(page)).length;
    await page.fill('#move-text', text);
    await page.press('#move-text', 'Enter');
    await until(() => movesShown(page), (moves) => moves.length > before);
    await page.locator('#status').click();
}

test('a game by mouse, with hints, ends in mate', { timeout: 900_000 }, () => withPage(opened, {}, async (page) => {
    // Every hint is a search: a game from the start takes ten times as long.
    await playFrom(page, '4k4/3p1p3/9/9/9/9/9/P6P1/Q2RK3R w - - 0 1', { side: 'white', elo: 500 });
    for (let ply = 0; ply < 100; ply += 2) {
        await page.click('#hint');
        const arrow = page.locator('#board .arrow.blue');
        await arrow.waitFor();
        const [, from, to] = /^(..)(..)$/.exec(await arrow.getAttribute('data-arrow'));
        await drag(page, from, to);
        const queen = page.locator('.promotion [data-promotion=q]');
        if (await queen.isVisible()) await queen.click();
        // The status may be written after the move that ends the game.
        await until(async () => await isOver(page) || (await movesShown(page)).length >= ply + 2);
        if (await isOver(page)) break;
    }
    assert.match(await status(page), /^You won, 1-0: White mates/);
    await shoot(page, 'mate');
}));

test('moves are taken back, and the engine begins when it has White', () => withPage(opened, {}, async (page) => {
    await newGame(page, { side: 'black' });
    await waitForMoves(page, 1);
    await waitForStatus(page, /Your move/);
    const first = await boardInWords(page);
    await drag(page, 'e8', 'e7', { flipped: true });
    await waitForMoves(page, 3);
    await waitForStatus(page, /Your move/);
    await page.click('#take-back');
    await until(() => boardInWords(page), (words) => words === first);
    // What was taken back is gone: no step leads there.
    await until(() => movesShown(page), (moves) => moves.length === 1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await waitForStatus(page, /^An earlier position/);
    await drag(page, 'd8', 'd7', { flipped: true });
    await page.locator('.message', { hasText: 'This is an earlier position.' }).waitFor();
    await page.click('#back-to-game');
    await waitForStatus(page, /^Your move/);
    assert.ok(await page.locator('#back-to-game').isHidden());
    await drag(page, 'd8', 'd7', { flipped: true });
    await until(() => boardInWords(page), (words) => words.includes('pawn d7'));
}));

test('a move can be made while the engine thinks, and waits for its turn', () => withPage(opened, {}, async (page) => {
    await page.click('#new-game');
    await page.click('dialog [data-time="3+2"]');
    assert.deepEqual([await page.inputValue('dialog [name=minutes]'), await page.inputValue('dialog [name=increment]')], ['3', '2']);
    // What stands in a field that is hidden then does not matter.
    await page.fill('dialog [name=minutes]', '');
    await page.click('dialog [data-time=none]');
    await page.selectOption('dialog select[name=side]', 'white');
    await page.setChecked('dialog input[name=full]', true);
    // Long enough for the next move to be made meanwhile, on a busy machine too.
    await page.fill('dialog input[name=think]', '3');
    await startGame(page);
    await waitForStatus(page, /Your move/);
    await drag(page, 'a2', 'a3');
    await waitForStatus(page, /thinking/);
    await drag(page, 'i2', 'i3');
    // As long as the engine thinks, the move is an arrow.
    const arrow = page.locator('#board [data-arrow=i2i3]');
    await until(async () => await arrow.count() > 0 || (await movesShown(page)).length > 1);
    // It can be thought better of.
    await page.keyboard.press('Escape');
    await until(() => arrow.count(), (count) => count === 0);
    if ((await movesShown(page)).length < 3) await drag(page, 'i2', 'i3');
    // It waits, too, while an earlier position is looked at.
    await page.keyboard.press('ArrowLeft');
    await page.click('#back-to-game');
    await waitForMoves(page, 3);
    const moves = await movesShown(page);
    assert.deepEqual([moves[0], moves[2]], ['a3', 'i3']);
    await until(() => arrow.count(), (count) => count === 0);
    // Sound is off by one click, and that is kept.
    const sounded = () => page.locator('html').getAttribute('data-sounded');
    assert.equal(await sounded(), 'move');
    await page.click('#sound');
    // Requests are answered in turn: with this answer the setting has been kept.
    await page.click('#transfer');
    await until(() => page.inputValue('#pgn'));
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    await page.reload();
    await page.waitForSelector('#board .pieces .piece');
    await until(() => page.locator('#sound').getAttribute('aria-pressed'), (pressed) => pressed === 'false');
    await page.click('#sound');
}));

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
    await until(() => page.locator('.lines-head').textContent(), (text) => /^depth/.test(text));
    // Nothing is searched while nobody sees the page.
    const setHidden = (hidden) => page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
    const analyses = async () => (await page.getAttribute('#analyse', 'aria-pressed')) === 'true';
    await setHidden(true);
    await until(analyses, (on) => !on);
    await setHidden(false);
    await until(analyses);
    // A click into a line plays it up to there.
    await until(() => page.locator('.line').first().locator('.line-move').count(), (moves) => moves >= 3);
    // Without a pointer, under which the lines may have changed.
    await page.locator('.line').first().locator('.line-move').nth(2).dispatchEvent('click');
    await waitForMoves(page, 3);
    await page.keyboard.press('ArrowUp');
    await openPanel(page, 'notes');
    await until(() => page.locator('#moves .move.current').count(), (count) => count === 0);
    // The list is not drawn anew between press and release.
    await page.locator('#moves .move').first().hover();
    await page.mouse.down();
    const head = await page.textContent('.lines-head');
    await until(() => page.textContent('.lines-head'), (text) => text !== head);
    await page.mouse.up();
    await page.locator('#moves .move.current').waitFor();
    for (let clicks = 0; clicks < 2; clicks += 1) await page.click('#delete-from-here');
    await until(() => movesShown(page), (moves) => moves.length === 0);
    for (const text of ['e4', 'e6', 'd3']) await move(page, text);
    await page.keyboard.press('ArrowLeft');
    await waitForStatus(page, /White to move/);
    await move(page, 'b3');
    await until(() => movesShown(page), (moves) => moves.includes('b3') && moves.includes('d3'));
    await shoot(page, 'variations');
    await openPanel(page, 'notes');
    await page.click('text=Make main line');
    await until(() => page.locator('#moves .variation').textContent(), (text) => /d3/.test(text));
    // Kept while one types.
    await page.fill('#comment', 'quiet');
    await until(() => page.locator('#moves .comment').allTextContents(), (texts) => texts.includes('quiet'));
    await page.click('[data-nag="1"]');
    await until(() => movesShown(page), (moves) => moves.includes('b3!'));
    await page.click('#values');
    await until(() => page.locator('#board text.caption').count(), (count) => count >= 30);
    await shoot(page, 'values');
    await page.keyboard.press('Escape');
    await page.click('#values');
    await until(() => page.locator('#board text.caption').count(), (count) => count === 0);
    await openPanel(page, 'review');
    await page.click('#sweep');
    await page.locator('#graph svg').waitFor();
    await until(() => page.locator('.message').allTextContents(), (texts) => texts.includes('Every position has been evaluated.'));
    await shoot(page, 'graph');
    // At the second click, but not of another move than the first.
    await openPanel(page, 'notes');
    await page.click('#delete-from-here');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page.locator('#delete-from-here', { hasText: 'Delete from here' }).click();
    assert.ok((await movesShown(page)).includes('b3!'));
    await page.locator('#delete-from-here', { hasText: 'Sure?' }).click();
    await until(() => movesShown(page), (moves) => !moves.includes('b3!'));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a game is reviewed by one click: marks, reasons, accuracy, graph; kept over a reload', async () => {
    const page = await openPage(browser, server);
    await importGame(page, BLUNDERS);
    await waitForMoves(page, 6);
    await reviewGame(page);
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
    // A better move is tried, and judged.
    await page.click('.learn-from[data-color=white]');
    await page.locator('dialog .arrow.red').waitFor({ state: 'attached' });
    await drag(page, 'a1', 'a2', { board: 'dialog' });
    await until(() => page.locator('.exercise-text').textContent(), (text) => /^Right: Rxa2, (which|the only good move: it) /.test(text));
    await page.keyboard.press('Escape');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a review shows how far it is and can be stopped', async () => {
    const page = await openPage(browser, server);
    await importGame(page, BLUNDERS);
    await waitForMoves(page, 6);
    await openPanel(page, 'review');
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

// The last: the dialog for a new game offers Alquerque after it.
test('a game counts in the results, unless there was a hint or a move taken back', () => withPage(opened, {}, async (page) => {
    const resign = async () => {
        for (let clicks = 0; clicks < 2; clicks += 1) await page.click('#resign');
        await waitForStatus(page, /^You lost/);
    };
    await newGame(page, { game: 'alquerque', elo: 700 });
    await resign();
    await newGame(page, { game: 'alquerque', elo: 700 });
    await page.click('#hint');
    await page.locator('.message.hint', { hasText: 'Try ' }).waitFor();
    await resign();
    await newGame(page, { game: 'alquerque', elo: 700 });
    await move(page, 'c2c3');
    await waitForStatus(page, /^Your move/);
    await page.click('#take-back');
    await until(() => movesShown(page), (moves) => moves.length === 0);
    await resign();
    await page.click('#learn');
    await page.click('#results');
    await page.selectOption('[name=results-game]', 'alquerque');
    await page.locator('.results tbody', { hasText: /^Elo 700001$/ }).waitFor();
    await page.locator('dialog', { hasText: '2 other games against the engine do not count.' }).waitFor();
}));
