// A match that is watched, openings out of a file, pondering, and games with variations.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import {
    accessFaults, boardInWords, drag, movesShown, newGame, openPage, PROGRAM, shoot, startBrowser, startServer, until,
    waitForMoves, waitForNoDialog, waitForStatus,
} from './harness.mjs';

let folder;
let games;
let server;
let browser;
before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'qirkat-watch-'));
    games = join(folder, 'games.pgn');
    server = await startServer({ args: ['--watch', games] });
    browser = await startBrowser();
});
after(async () => {
    await browser.close();
    await server.stop();
    server.remove();
    rmSync(folder, { recursive: true, force: true });
});

/** Starts a match of the program against itself. */
function startMatch(more) {
    const each = ['-each', 'tc=20', 'timemargin=60000', 'option.Hash=1'];
    const engines = ['Anna', 'Berta'].flatMap((name) => ['-engine', `name=${name}`, `cmd=${PROGRAM}`]);
    const line = ['match', ...engines, ...each, '-maxmoves', '30', '-pgnout', games, '-live', ...more];
    const child = spawn(PROGRAM, line, { stdio: 'ignore' });
    return { child, ended: new Promise((resolve) => child.on('exit', resolve)) };
}

test('a match is watched move by move, and its games are opened', { timeout: 600_000 }, async () => {
    const page = await openPage(browser, server, { greet: true });
    // Nothing is there yet, and the page says so at once.
    await until(() => page.locator('.match-head').textContent(), (text) => /no such file yet/.test(text));
    const { ended } = startMatch(['-concurrency', '2']);
    await until(() => page.locator('.live-game').count(), (count) => count === 2);
    const first = page.locator('.live-game').first();
    await until(() => first.locator('.live-moves').textContent(), (text) => /3\./.test(text));
    await until(() => first.locator('.thinking').allTextContents(), (texts) => texts.every((text) => /\/\d+ /.test(text)));
    assert.match(await first.locator('.clock.running').textContent(), /^0:\d\d/);
    assert.match(await first.locator('.spoken').last().textContent(), /white: .*king/);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'watch-live');
    // A running game is opened as far as it has gone.
    await first.locator('button').click();
    await until(() => movesShown(page), (moves) => moves.length >= 4);
    await page.keyboard.press('w');
    await ended;
    await until(() => page.locator('.match-head').textContent(), (text) => /^2 games finished/.test(text));
    await until(() => page.locator('.live-game').count(), (count) => count === 0);
    const names = await page.locator('.standings th[scope=row]').allTextContents();
    assert.deepEqual(names.sort(), ['Anna', 'Berta']);
    const points = await page.locator('.standings tbody td:nth-child(4)').allTextContents();
    assert.equal(points.map(Number).reduce((sum, number) => sum + number), 2);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'watch-finished');
    await page.keyboard.press('Tab');
    await page.locator('.found button.game').last().focus();
    await page.keyboard.press('Enter');
    await waitForNoDialog(page);
    await until(() => movesShown(page), (moves) => moves.length >= 20);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the match fits a phone', async () => {
    const page = await openPage(browser, server, { greet: true, viewport: { width: 390, height: 780 } });
    if (!(await page.locator('dialog.match').isVisible().catch(() => false))) await page.click('#watch');
    await page.locator('.match-head').waitFor();
    const width = await page.evaluate(() => document.querySelector('dialog.match').scrollWidth);
    assert.ok(width <= 390, `the match is ${width} pixels wide`);
    await shoot(page, 'watch-phone');
    await page.context().close();
});

test('openings of a file are told and played by a click', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await page.keyboard.press('Escape');
    await page.click('#new-game');
    await page.click('#analyse-instead');
    await page.click('#openings-toggle');
    const lines = ['1. e4 e6 2. d3 1-0', '1. d3 e6 2. e4 b7 1/2-1/2', '1. e4 d6 0-1', '1. e5 *'];
    // Long enough to come in several pieces.
    const filler = `{${'idle talk '.repeat(50)}}`;
    const text = lines.map((line) => `[Event "x"]\n\n${line}\n\n`).join('')
        + `[Event "x"]\n\n1. b3 ${filler} *\n\n`.repeat(2500);
    const choose = (name, buffer) => page.setInputFiles('#openings-file', { name, mimeType: 'text/plain', buffer });
    const packed = gzipSync(text);
    await choose('cut.pgn.gz', packed.subarray(0, -9));
    await page.locator('.message', { hasText: 'This file is damaged, cut off or packed in several parts.' }).waitFor();
    // Chosen while another is counted.
    await choose('other.pgn.gz', packed);
    await until(() => page.locator('#openings > p').textContent(), (shown) => /other.*: [1-9]/.test(shown));
    await choose('mine.pgn.gz', packed);
    const rows = () => page.locator('[data-opening]').allTextContents();
    await until(rows, (moves) => moves.join() === 'b3,e4,d3');
    const head = await page.locator('#openings .lines-head').textContent();
    assert.match(head, /^mine\.pgn\.gz: 2,503 games .* 1 game could not be read/);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'openings');
    await page.click('[data-opening=e4]');
    await waitForMoves(page, 1);
    await until(rows, (moves) => moves.sort().join() === 'd6,e6');
    await page.click('[data-opening=e6]');
    await until(rows, (moves) => moves.join() === 'd3');
    await page.click('[data-opening=d3]');
    // By another order of moves, 1. d3 e6 2. e4 b7 came here too.
    await until(rows, (moves) => moves.join() === 'b7');
    // Another page knows the file too; it is kept out of games that are played.
    await newGame(page, { side: 'both' });
    assert.ok(await page.locator('#openings').isHidden());
    await page.click('#break-off');
    await page.click('#break-off');
    await until(rows, (moves) => moves.join() === 'b3,e4,d3');
    await page.click('#openings-close');
    await until(rows, (moves) => moves.length === 0);
    await page.click('#openings-toggle');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the engine thinks on the time of a person who wants that', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await page.keyboard.press('Escape');
    await page.click('#settings');
    await page.check('dialog input[name=ponder]');
    await page.keyboard.press('Escape');
    await page.click('#new-game');
    await page.selectOption('dialog select[name=game]', 'chesquerque');
    await page.selectOption('dialog select[name=side]', 'white');
    await page.setChecked('dialog input[name=clock]', false);
    await page.check('dialog input[name=full]');
    await page.fill('dialog input[name=think]', '0.5');
    await page.click('#start-game');
    await waitForNoDialog(page);
    await waitForStatus(page, /Your move/);
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 2);
    const along = () => page.locator('.player .thinking').allTextContents();
    await until(along, (texts) => texts.includes('thinks along'));
    await shoot(page, 'pondering');
    await drag(page, 'd2', 'd3');
    await waitForMoves(page, 4);
    await until(along, (texts) => texts.includes('thinks along'));
    await page.click('#resign');
    await page.click('#resign');
    await until(along, (texts) => texts.length === 0);
    await page.click('#settings');
    assert.ok(await page.isChecked('dialog input[name=ponder]'));
    await page.uncheck('dialog input[name=ponder]');
    await page.check('dialog input[name=ponder]');
    await page.uncheck('dialog input[name=ponder]');
    await page.keyboard.press('Escape');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the engine plays itself', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await page.keyboard.press('Escape');
    await page.click('#new-game');
    await page.selectOption('dialog select[name=side]', 'none');
    await page.check('dialog input[name=full]');
    await page.fill('dialog input[name=think]', '0.4');
    await page.click('#start-game');
    await waitForMoves(page, 4);
    await page.click('#break-off');
    await page.click('#break-off');
    await page.waitForSelector('#lines .line');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('variations, comments and marks come in and go out', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await page.keyboard.press('Escape');
    await page.click('#transfer');
    const line = '1. e4 $1 {bold} (1. d4 d7 (1... d6 $6) 2. b3 {calm}) 1... e6 2. d3 1-0';
    await page.fill('#pgn', line);
    await page.click('#read-pgn');
    await until(() => movesShown(page), (moves) => moves.join(' ') === 'e4! d4 d7 d6?! b3 e6 d3');
    await until(() => page.locator('#moves .comment').allTextContents(), (texts) => texts.join() === 'bold,calm');
    await page.click('#transfer');
    await until(() => page.inputValue('#pgn'), (text) => text.includes(line));
    await page.keyboard.press('Escape');
    const file = join(folder, 'again.pgn');
    writeFileSync(file, `${line}\n`);
    await page.click('#transfer');
    await page.setInputFiles('#pgn-file', file);
    await until(() => movesShown(page), (moves) => moves.length === 7);
    assert.match(await boardInWords(page), /pawn e2/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
