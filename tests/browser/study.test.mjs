// Analysis, games in and out, and looks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import {
    accessFaults, boardInWords, breakOnceAt, drag, FOLDER, importGame, keysOfHelp, movesShown, openBoard, openPage, openPanel,
    placeOf, playFrom, shoot, status, tap, until, waitForBoard, waitForMoves, waitForNoDialog, waitForStatus,
} from './harness.mjs';
import { BOARDS } from '../../src/board/page/site/board/boards.js';
import { shortScore } from '../../src/board/page/site/app/lines.js';

const { server, browser } = await openBoard();

test('the bar has room for a score, rounded', () => {
    for (const [score, text] of [
        [{ cp: 0 }, '0.0'], [{ cp: -4 }, '0.0'], [{ cp: 9 }, '0.1'], [{ cp: -96 }, '-1.0'], [{ cp: 994 }, '9.9'],
        [{ cp: 999 }, '10'], [{ cp: -31_200 }, '-312'], [{ mate: -12 }, '#-12'],
    ]) assert.equal(shortScore(score), text);
});

test('a file of games may be compressed with gzip; others are refused in words', async () => {
    const page = await openPage(browser, server);
    await page.click('#transfer');
    const choose = (name, buffer) => page.setInputFiles('#pgn-file', { name, mimeType: 'application/octet-stream', buffer });
    const packed = gzipSync('[White "Zoë"]\n\n1. e4 e6 {schön} 2. d3 1-0\n');
    for (const [name, buffer, fault] of [
        ['cut.pgn.gz', packed.subarray(0, -9), 'This file is damaged, cut off or packed in several parts.'],
        // Browsers unpack only one part.
        ['two.pgn.gz', Buffer.concat([packed, packed]), 'This file is damaged, cut off or packed in several parts.'],
        ['bomb.pgn.gz', gzipSync('1. e4 *\n\n'.repeat(1_000_000)), 'This is too much at once: the limit is about 3.5 MB.'],
        // Fewer characters than bytes, and fewer bytes in the field than in the file.
        ['long.pgn.gz', gzipSync('1. e4 {schön} *\r\n\r\n'.repeat(200_000)), 'This is too much at once: the limit is about 3.5 MB.'],
        // Each of these characters takes six bytes in a request.
        ['strange.pgn', Buffer.from(`${'\x01'.repeat(99)}\n`.repeat(8000)), 'This is too much at once: the limit is about 3.5 MB.'],
        ['games.pgn.zst', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'The page cannot read zstd: unpack the file first, or compress it with gzip.'],
    ]) {
        await page.locator('.message').evaluateAll((earlier) => earlier.forEach((message) => message.remove()));
        await choose(name, buffer);
        await page.locator('.message', { hasText: fault }).waitFor();
        assert.equal(await page.locator('dialog').count(), 1);
    }
    await choose('games.pgn.gz', packed);
    await waitForNoDialog(page);
    await until(() => movesShown(page), (moves) => moves.join() === 'e4,e6,d3');
    await until(() => page.locator('#moves .comment').allTextContents(), (texts) => texts.join() === 'schön');
    await until(() => page.locator('.player .name').allTextContents(), (names) => names.includes('Zoë'));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

/** Draws an arrow. */
async function draw(page, from, to) {
    const [start, end] = [await placeOf(page, from), await placeOf(page, to)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(end.x, end.y, { steps: 3 });
    await page.mouse.up({ button: 'right' });
}

test('games and positions come in and go out', async () => {
    const page = await openPage(browser, server);
    await page.click('#transfer');
    assert.equal(await page.locator('#pgn').getAttribute('spellcheck'), 'false');
    const games = '[White "Ann"]\n[Black "Ben"]\n\n1. e4 e6 {solid} 2. d3 1-0\n\n[White "Cat"]\n[Black "Dan"]\n\n1. d4 *\n';
    await page.fill('#pgn', games);
    await page.click('#read-pgn');
    await page.locator('.found button').first().click();
    await waitForMoves(page, 3);
    await until(() => page.locator('.player .name').allTextContents(), (names) => names.join() === 'Ben,Ann');
    await page.locator('#moves .result', { hasText: /^1-0$/ }).waitFor();
    await page.keyboard.press('End');
    await waitForStatus(page, /^Ended 1-0\. Black to move\.$/);
    // What is drawn there goes out with the game; the same once more takes it away.
    const written = async (comment) => {
        await page.click('#transfer');
        await until(() => page.inputValue('#pgn'), (text) => text.includes(`1. e4 e6 {solid} 2. d3 {${comment}} 1-0`));
    };
    await draw(page, 'a9', 'd6');
    await draw(page, 'b9', 'b7');
    await written('[%cal Ga9d6,Gb9b7]');
    await page.keyboard.press('Escape');
    await draw(page, 'b9', 'b7');
    await page.locator('#board [data-arrow=a9d6]').waitFor({ state: 'attached' });
    await until(() => page.locator('#board [data-arrow=b9b7]').count(), (count) => count === 0);
    await written('[%cal Ga9d6]');
    await page.fill('#pgn', '1. e5 *');
    await page.click('#read-pgn');
    await until(() => page.locator('.fault').allTextContents(), (texts) => texts.some((text) => /not a legal move/.test(text)));
    await page.fill('#fen', '4k4/9/9/9/9/9/9/9/R3K4 b - - 0 1');
    await page.click('#read-fen');
    await waitForStatus(page, /^Black to move/);
    // The board goes out as a picture.
    await page.click('#transfer');
    for (const [kind, begin] of [['svg', '<svg '], ['png', '\x89PNG']]) {
        const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#save-${kind}`)]);
        assert.equal(download.suggestedFilename(), `chesquerque.${kind}`);
        const picture = readFileSync(await download.path(), 'latin1');
        assert.ok(picture.startsWith(begin) && picture.length > 5000, `${kind}: ${picture.length} bytes`);
        await shoot(page, `picture-${kind}`);
    }
    await page.keyboard.press('Escape');
    // A position without moves is not kept, and yet survives a reload.
    await waitForNoDialog(page);
    await page.reload();
    await page.waitForSelector('#board .pieces .piece');
    await until(() => boardInWords(page), (words) => words === 'white: king e1, rook a1. black: king e9');
    await page.click('#editor');
    await page.click('dialog >> text=Clear');
    await until(() => page.locator('.verdict').textContent(), (text) => /king/i.test(text));
    assert.ok(await page.locator('#editor-play').isDisabled());
    await shoot(page, 'editor-wrong');
    // A FEN that is none stays as it was typed; one of another game brings its board.
    const type = async (fen, pattern) => {
        await page.fill('dialog input.fen', fen);
        await page.locator('dialog input.fen').blur();
        await until(() => page.locator('.verdict').textContent(), (text) => pattern.test(text));
        return page.inputValue('dialog input.fen');
    };
    assert.equal(await type('4k4/9/9/9/9/9/9/9/z3K4 w - - 0 1', /^Unknown letter “z”/), '4k4/9/9/9/9/9/9/9/z3K4 w - - 0 1');
    assert.ok(await page.locator('#editor-play').isDisabled());
    assert.equal(await type('4k3/8/8/8/8/8/8/4K3', /^This position of Masonic chess is good/), '4k3/8/8/8/8/8/8/4K3 w - - 0 1');
    assert.equal(await page.inputValue('dialog select[name=editor-game]'), 'masonic');
    await page.keyboard.press('Escape');
    // Whatever a game brings with it does not make the page wider.
    const long = `${'W'.repeat(300)}`;
    await importGame(page, `[White "${long}"]\n[Black "${long}"]\n[Termination "time forfeit"]\n\n1. e4 {${long}} 0-1`);
    await page.locator('#moves .result', { hasText: '0-1 time forfeit' }).waitFor();
    for (const button of ['games', 'transfer']) {
        await page.click(`#${button}`);
        if (button === 'games') await page.waitForSelector('.game-row');
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), button);
        assert.ok(await page.evaluate(() => document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').offsetWidth), button);
        if (button === 'games') {
            // All that are listed go out as one file.
            await page.fill('#games-search', 'ann');
            const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-all')]);
            const saved = readFileSync(await download.path(), 'utf8');
            assert.match(saved, /\[White "Ann"\][^]*1\. e4 e6 \{solid\} 2\. d3/);
            assert.doesNotMatch(saved, /\[White "W/);
            await page.fill('#games-search', '');
            // A game is deleted at the second click.
            const rows = page.locator('.game-row');
            const before = await rows.count();
            await rows.nth(1).locator('.delete').click();
            await rows.nth(1).locator('.delete', { hasText: 'Sure?' }).click();
            await until(() => rows.count(), (count) => count === before - 1);
        }
        await page.keyboard.press('Escape');
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('an answer that comes late does not undo what was drawn since', async () => {
    const context = await browser.newContext();
    /** Answers that are held back, while they are. */
    let held = null;
    let answer;
    await context.routeWebSocket(/socket$/, (asked) => {
        const answering = asked.connectToServer();
        answer = (message) => asked.send(message);
        answering.onMessage((message) => (held ? held.push(message) : answer(message)));
    });
    const page = await openPage(browser, server, { context, path: '#none' });
    await importGame(page, '1. e4 e6 *');
    await waitForMoves(page, 2);
    held = [];
    const drawn = async (from, to) => {
        await draw(page, from, to);
        await until(() => held.some((message) => message.includes('"say":"tree"')));
        return held.splice(0);
    };
    const first = await drawn('a9', 'd6');
    const second = await drawn('b9', 'b6');
    for (const message of first) answer(message);
    answer(JSON.stringify({ say: 'note', text: 'the first is answered' }));
    await page.locator('.message', { hasText: 'The first is answered.' }).waitFor();
    for (const message of [...second, ...await drawn('c9', 'c6')]) answer(message);
    held = null;
    await page.click('#transfer');
    await until(() => page.inputValue('#pgn'), (text) => text.includes('[%cal Ga9d6,Gb9b6,Gc9c6]'));
    await page.keyboard.press('Escape');
    for (const name of ['a9d6', 'b9b6', 'c9c6']) await page.locator(`#board [data-arrow=${name}]`).waitFor({ state: 'attached' });
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a server that takes its time does not undo what was typed', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await page.routeWebSocket(/socket$/, (asked) => {
        const answering = asked.connectToServer();
        answering.onMessage((message) => setTimeout(() => asked.send(message), 400));
    });
    await page.reload();
    await page.waitForSelector('#board .pieces .piece');
    await page.waitForTimeout(1000);
    await page.keyboard.press('Escape');
    await importGame(page, '1. e4 e6 2. d3 *');
    await waitForMoves(page, 3);
    // The answer to an arrow that was just drawn does not close the dialog.
    await draw(page, 'a9', 'd6');
    await page.click('#transfer');
    await until(() => page.inputValue('#pgn'), (text) => text.includes('%cal Ga9d6'));
    await page.keyboard.press('Escape');
    // The game that is shown does not come in between either, where somebody is about to type.
    await page.click('#transfer');
    await page.focus('#pgn');
    // Where the engine is in the page, and not slow, the game is there already.
    await page.keyboard.press('ControlOrMeta+a');
    await until(() => page.inputValue('#fen'));
    await page.keyboard.insertText('1. d3 d7 *');
    await page.click('#read-pgn');
    await until(() => movesShown(page), (moves) => moves.join() === 'd3,d7');
    // The position that was typed is played, not the one before.
    await playFrom(page, 'r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1');
    await until(() => boardInWords(page), (words) => words === 'white: king e1, rook a1, rook i1. black: king e9, rook a9, rook i9');
    // One that is none is not.
    await page.click('#editor');
    await page.fill('dialog input.fen', '4k4');
    await page.click('#editor-play');
    await until(() => page.locator('.verdict').textContent(), (text) => text === '1 rank instead of 9.');
    assert.ok(await page.locator('#editor-play').isDisabled());
    assert.equal(await page.locator('dialog').count(), 1);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a position is analysed though the connection breaks before it is checked', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    const hasBroken = await breakOnceAt(page, 'fen-checked');
    await waitForBoard(page);
    await page.click('#editor');
    await page.click('#editor-analyse');
    await waitForNoDialog(page);
    assert.ok(hasBroken());
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a comment is kept though another position is shown at once', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await importGame(page, '1. e4 e6 *');
    await waitForMoves(page, 2);
    await openPanel(page, 'notes');
    await page.keyboard.press('ArrowDown');
    await page.locator('#moves .current', { hasText: 'e6' }).waitFor();
    const { x, y } = await placeOf(page, 'e5');
    await page.mouse.move(x, y);
    await page.fill('#comment', 'solid');
    await page.mouse.wheel(0, -100);
    await page.locator('#moves .current', { hasText: 'e4' }).waitFor();
    await until(() => page.locator('#moves .comment').allTextContents(), (texts) => texts.join() === 'solid');
    assert.equal(await page.inputValue('#comment'), '');
    await page.click('#transfer');
    await until(() => page.inputValue('#pgn'), (text) => text.includes('1. e4 e6 {solid} *'));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('dark theme and settings are kept', async () => {
    const other = await openPage(browser, server);
    const page = await openPage(browser, server);
    await page.click('#settings');
    await page.selectOption('dialog select[name=theme]', 'dark');
    await page.selectOption('dialog select[name=board]', 'night');
    await page.selectOption('dialog select[name=animation]', '0');
    await page.keyboard.press('Escape');
    const colour = (shown = page) => shown.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await until(colour, (value) => value === 'rgb(25, 26, 29)');
    await waitForNoDialog(page);
    await page.reload();
    await page.waitForSelector('#board .pieces .piece');
    await until(colour, (value) => value === 'rgb(25, 26, 29)');
    await shoot(page, 'dark');
    // Another tab, which was open before, saves only what is changed there.
    await other.click('#sound');
    await other.reload();
    await until(() => colour(other), (value) => value === 'rgb(25, 26, 29)');
    assert.deepEqual([...page.faults, ...other.faults], []);
    await other.context().close();
    await page.context().close();
});

test('arrows and circles by right drag; help on ?', async () => {
    const page = await openPage(browser, server);
    await playFrom(page, '4k4/9/9/9/9/9/9/P8/4K4 w - - 0 1');
    await draw(page, 'b2', 'd4');
    await page.locator('#board [data-arrow=b2d4]').waitFor({ state: 'attached' });
    const { x, y } = await placeOf(page, 'b2');
    await page.mouse.click(x, y, { button: 'right' });
    await page.locator('#board .ring').waitFor({ state: 'attached' });
    // A drawing that is broken off leaves nothing.
    await page.mouse.down({ button: 'right' });
    const end = await placeOf(page, 'b6');
    await page.mouse.move(end.x, end.y, { steps: 3 });
    await page.locator('#board [data-arrow=b2b6]').waitFor({ state: 'attached' });
    await page.locator('#board > svg').dispatchEvent('pointercancel');
    await until(() => page.locator('#board [data-arrow=b2b6]').count(), (count) => count === 0);
    await page.mouse.up({ button: 'right' });
    await page.locator('#status').click();
    await page.keyboard.press('?');
    await page.locator('dialog >> text=turn the board round').waitFor();
    const keys = await keysOfHelp(page);
    assert.ok(keys.includes('V') && !keys.includes('W'), `the keys ${keys}`);
    await page.keyboard.press('Escape');
    assert.ok((await status(page)).length > 0);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('by touch: draw with a colour, share a position, and a help that speaks of fingers', async () => {
    const start = `${BOARDS.chesquerque.start} w KQkq - 0 1`;
    const page = await openPage(browser, server, {
        path: `#set-up/chesquerque/${encodeURIComponent(start)}`, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
    });
    await openPanel(page, 'notes');
    await page.locator('.pen.red').tap();
    await drag(page, 'c3', 'e5');
    await tap(page, 'g5');
    await page.locator('#board [data-arrow=c3e5].red').waitFor({ state: 'attached' });
    await page.locator('#board circle.ring.red').waitFor({ state: 'attached' });
    await shoot(page, 'pens');
    assert.deepEqual(await accessFaults(page), []);
    // The same once more takes it away; another panel, and the finger moves pieces again.
    await tap(page, 'g5');
    await until(() => page.locator('#board circle.ring').count(), (count) => count === 0);
    await page.click('#tab-moves');
    await tap(page, 'e2');
    await page.locator('#board [data-mark=selected]').waitFor({ state: 'attached' });
    await page.evaluate(() => { navigator.share = async (shared) => { window.shared = shared; }; });
    await page.click('#transfer');
    await until(() => page.inputValue('#fen'), (fen) => fen === start);
    await page.locator('#share').tap();
    const shared = await until(() => page.evaluate(() => window.shared));
    assert.deepEqual([shared.title, shared.text], ['Chesquerque', start]);
    // The address of a server is a secret.
    assert.equal(shared.url === undefined, !FOLDER);
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    await page.click('#help');
    await page.locator('dialog h3', { hasText: 'Fingers' }).waitFor();
    assert.equal(await page.locator('dialog h3', { hasText: 'Keys' }).count(), 0);
    await page.locator('dialog table').scrollIntoViewIfNeeded();
    await shoot(page, 'help-phone');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
