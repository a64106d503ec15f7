// How games are kept: the list of all of them, a disk that takes nothing, and what comes with a
// game from a file.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import {
    accessFaults, breakOnceAt, drag, importGame, movesShown, newGame, openBoard, openPage, shoot, startServer, until, waitForBoard,
    waitForMoves, waitForNoDialog,
} from './harness.mjs';

const { browser, server } = await openBoard();

const MOBILE = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('a disk that takes nothing is told as long as that lasts', async () => {
    const own = await startServer();
    const page = await openPage(browser, own);
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    const banner = page.locator('#unsaved');
    assert.equal(await banner.isVisible(), false);
    rmSync(own.games, { recursive: true });
    await drag(page, 'e8', 'e6');
    await banner.locator('text=A game is not saved').waitFor();
    await waitForMoves(page, 2);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'unsaved');
    // It stays, also in a page that comes later, and the game is there.
    await page.click('#save-again');
    await page.locator('.message', { hasText: 'still cannot be saved' }).waitFor();
    await page.reload();
    await waitForMoves(page, 2);
    await banner.locator('text=A game is not saved').waitFor();
    await page.setViewportSize(MOBILE.viewport);
    await shoot(page, 'unsaved-mobile');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#save-elsewhere')]);
    assert.match(readFileSync(await file.path(), 'utf8'), /1\. e4 e6/);
    // It is tried again by itself.
    mkdirSync(own.games);
    await page.locator('.message', { hasText: 'All is saved again' }).waitFor();
    assert.equal(await banner.isVisible(), false);
    assert.equal(readdirSync(own.games).filter((name) => name.endsWith('.json')).length > 0, true);
    assert.deepEqual(page.faults, []);
    await page.context().close();
    const { code } = await own.stop();
    assert.equal(code, 130);
    own.remove();
});

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'm', 'n', 'p'];

test('all games are listed and found, and what cannot be read is named', async () => {
    const own = await startServer();
    const page = await openPage(browser, own);
    await importGame(page, '[White "Zoë Ångström"]\n[Black "Bob"]\n[Date "1999.12.31"]\n\n1. e4 e6 1-0');
    await waitForMoves(page, 2);
    const kept = readdirSync(own.games).find((name) => /^[a-z2-9]{12}\.json$/.test(name));
    const text = readFileSync(join(own.games, kept), 'utf8').replace('Zoë Ångström', 'Ann').replace('1-0', '0-1');
    for (let number = 0; number < 109; number += 1) {
        const id = `game${NAMES[Math.floor(number / 14)]}${NAMES[number % 14]}abcdef`;
        writeFileSync(join(own.games, `${id}.json`), text);
    }
    for (const name of NAMES) writeFileSync(join(own.games, `brakengame2${name}.json`), '{');
    await page.click('#games');
    const told = page.locator('dialog [role=status]');
    // The search has the focus, and hits are opened by keyboard.
    assert.equal(await page.evaluate(() => document.activeElement.id), 'games-search');
    await until(() => told.textContent(), (words) => words === '110 games · 14 files cannot be read');
    const rows = page.locator('.game-row');
    assert.equal(await rows.count(), 100);
    await page.click('#more-games');
    assert.equal(await rows.count(), 110);
    const faults = page.locator('.unreadable .fault-row');
    assert.equal(await faults.count(), 14);
    assert.match(await faults.first().textContent(), /brakengame2.\.json EOF while parsing/);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'games');
    for (const [words, count] of [['angstrom', 1], ['ANN 0-1', 109], ['1999.12', 110], ['masonic', 0], ['bob 1-0', 1]]) {
        await page.fill('#games-search', words);
        await until(() => told.textContent(), (shown) => shown.startsWith(`${count} of 110 games`));
    }
    assert.match(await rows.first().textContent(), /White won1 move/);
    // Pictures are drawn where they are seen, and what follows takes the place of what is deleted.
    assert.ok(await page.locator('.game-preview svg').count() < 40);
    await page.fill('#games-search', '');
    await rows.nth(60).locator('.delete').click();
    await rows.nth(60).locator('.delete', { hasText: 'Sure?' }).click();
    await until(() => told.textContent(), (words) => words.startsWith('109 games'));
    assert.ok(await rows.nth(60).locator('.delete').evaluate((remove) => remove === document.activeElement));
    const removeLast = faults.filter({ hasText: 'brakengame2p' }).locator('.delete');
    await removeLast.click();
    await removeLast.click();
    await until(() => told.textContent(), (words) => words.endsWith(' · 13 files cannot be read'));
    assert.ok(await page.evaluate(() => document.activeElement.closest('.fault-row') !== null));
    await page.fill('#games-search', 'brakengame2a');
    assert.equal(await faults.count(), 1);
    await faults.first().locator('.delete').click();
    await faults.first().locator('.delete', { hasText: 'Sure?' }).click();
    await until(() => told.textContent(), (words) => words.startsWith('0 of 109 games · 12 f'));
    await page.fill('#games-search', 'ann');
    await page.setViewportSize(MOBILE.viewport);
    await shoot(page, 'games-mobile');
    assert.ok(await page.evaluate(() => document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').offsetWidth));
    await page.focus('#games-search');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForNoDialog(page);
    await until(() => page.locator('#player-bottom .name').textContent(), (name) => name === 'Ann');
    assert.deepEqual(page.faults, []);
    await page.context().close();
    await own.stop();
    own.remove();
});

test('in place of a game that cannot be read the last one is opened', async () => {
    const first = await startServer();
    const page = await openPage(browser, first, { path: '#none' });
    for (const name of ['Ada', 'Eve']) {
        await importGame(page, `[White "${name}"]\n\n1. e4 e6 *`);
        await page.locator('#player-bottom .name', { hasText: name }).waitFor();
    }
    await page.context().close();
    await first.stop();
    const id = 'brakengame2a';
    writeFileSync(join(first.games, `${id}.json`), '{');
    const second = await startServer({ games: first.games });
    const next = await openPage(browser, second, { path: `#${id}` });
    // Requests are answered in turn: with this answer no other game comes.
    await next.click('#transfer');
    await until(() => next.inputValue('#pgn'), (text) => text.includes('[White "Eve"]'));
    assert.equal(await next.locator('#player-bottom .name').textContent(), 'Eve');
    assert.deepEqual(next.faults, []);
    await next.context().close();
    await second.stop();
    second.remove();
});

test('games go into one file, though the connection breaks meanwhile', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    const hasBroken = await breakOnceAt(page, 'kept-exported');
    await waitForBoard(page);
    for (const name of ['Ada', 'Eve']) {
        await importGame(page, `[White "${name}"]\n\n1. e4 e6 *`);
        await page.locator('#player-bottom .name', { hasText: name }).waitFor();
    }
    await page.click('#games');
    await until(() => page.locator('.game-row').count(), (count) => count === 2);
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#save-all')]);
    assert.ok(hasBroken());
    assert.deepEqual(readFileSync(await file.path(), 'utf8').match(/(?<=White ")\w+/g).sort(), ['Ada', 'Eve']);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('what a file notes of moves is shown as what it means, and goes out again', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    const moves = '1. e4 {book} 1... e6 {+0.26/2 0.001s} 2. d3 {[%eval 0.35,18] [%clk 0:04:59] quiet} 2... d6'
        + ' {[%clk 0:04:58] [%cal Ge2e4,Ra1i9] [%csl Yi9]} *';
    await importGame(page, `[White "\u202Enight"]\n[Black "\u05d0\u05d1\u05d2"]\n\n${moves}`);
    await waitForMoves(page, 4);
    assert.deepEqual(await page.locator('#moves .comment').allTextContents(), ['quiet']);
    assert.deepEqual(await page.locator('#moves .score').allTextContents(), ['', '-0.26', '+0.35', '']);
    assert.equal(await page.locator('#moves .move').first().getAttribute('title'), 'book');
    await page.keyboard.press('ArrowDown');
    await page.locator('#board [data-arrow=a1i9].red').waitFor({ state: 'attached' });
    await page.locator('#board .ring.yellow').waitFor({ state: 'attached' });
    assert.deepEqual(await page.locator('.player .clock').allTextContents(), ['4:58', '4:59']);
    // Names in any direction leave what is beside them as it is.
    assert.deepEqual(await page.locator('.player .name bdi').allTextContents(), ['\u05d0\u05d1\u05d2', 'night']);
    await page.setViewportSize({ width: 1400, height: 900 });
    await shoot(page, 'noted');
    await page.setViewportSize(MOBILE.viewport);
    await shoot(page, 'noted-mobile');
    await page.click('#transfer');
    const written = await until(() => page.inputValue('#pgn'));
    assert.ok(written.replaceAll('\n', ' ').includes(moves), written);
    assert.ok(written.includes('\u202Enight'), written);
    await page.keyboard.press('Escape');
    assert.deepEqual(await movesShown(page), ['e4', 'e6', 'd3', 'd6']);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
