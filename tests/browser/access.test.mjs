// What people with other needs than most meet: axe-core finds nothing wrong, and
// the board speaks.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
    accessFaults, drag, importGame, newGame, openBoard, openPage, playFrom, shoot, until, waitForMoves,
} from './harness.mjs';
import { moveInWords, sanInWords } from '../../src/board/page/site/app/spoken_game.js';
import { endInWords } from '../../src/board/page/site/app/sentence.js';
import { BOARDS } from '../../src/board/page/site/board/boards.js';
import { piecesOf } from '../../src/board/page/site/board/geometry.js';

const { server, browser } = await openBoard();

for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing wrong with the page and its dialogs (${colorScheme})`, { timeout: 600_000 }, async () => {
        const page = await openPage(browser, server, { colorScheme, reducedMotion: 'reduce' });
        const found = {};
        const look = async (name) => {
            // The other theme has other colours, and nothing else.
            const faults = await accessFaults(page, { onlyColours: colorScheme === 'dark' });
            if (faults.length > 0) found[name] = faults;
        };
        await newGame(page, { side: 'both', clock: { minutes: 5, increment: 0 } });
        await look('play');
        await page.click('#break-off');
        await page.click('#break-off');
        await page.waitForSelector('#lines .line');
        await look('analysis');
        for (const dialog of ['new-game', 'games', 'transfer', 'editor', 'settings', 'learn', 'help']) {
            await page.click(`#${dialog}`);
            await page.waitForTimeout(200);
            await look(dialog);
            await shoot(page, `${dialog}-${colorScheme}`);
            await page.keyboard.press('Escape');
        }
        assert.deepEqual(found, {});
        await page.context().close();
    });
}

test('the page can be installed', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    const manifest = await page.evaluate(async () => {
        const { href } = document.querySelector('link[rel=manifest]');
        const { name, display, start_url, icons } = await (await fetch(href)).json();
        const types = await Promise.all(icons.map(async ({ src }) => (await fetch(new URL(src, href))).headers.get('content-type')));
        return { name, display, start_url, types, wanted: icons.map(({ type }) => type) };
    });
    assert.deepEqual(manifest, {
        name: 'Qirkat', display: 'standalone', start_url: './', types: manifest.wanted, wanted: ['image/svg+xml', 'image/png'],
    });
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the board says what the cursor is on', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await newGame(page, { side: 'both' });
    await page.focus('#board svg');
    const spoken = () => page.locator('#board [aria-live]').textContent();
    await page.keyboard.press('ArrowDown');
    await until(spoken, (text) => text === 'e5, diagonal point, empty');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
    await until(spoken, (text) => text === 'e2, plain point, white pawn, can move');
    await page.keyboard.press('Enter');
    await until(spoken, (text) => text === 'e2, plain point, white pawn, in hand');
    await page.keyboard.press('ArrowUp');
    await until(spoken, (text) => text === 'e3, diagonal point, empty, can be reached');
    await page.keyboard.press('Enter');
    await until(() => page.locator('#moves .move').allTextContents(), (moves) => moves.join() === 'e3');
    // Who moves by mouse steps through the game by the same keys, also from the empty field
    // for moves, and however fast they come.
    await drag(page, 'e8', 'e7');
    await waitForMoves(page, 2);
    const current = (moves) => until(() => page.locator('#moves .move.current').allTextContents(), (shown) => shown.join() === moves);
    await page.keyboard.press('ArrowLeft');
    await current('e3');
    assert.equal(await page.locator('#board .cursor').count(), 0);
    await page.focus('#move-text');
    await page.keyboard.press('ArrowRight');
    await current('e7');
    await page.evaluate(() => {
        const key = () => new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true });
        for (let step = 0; step < 2; step += 1) document.body.dispatchEvent(key());
    });
    await current('');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a move in words: castling, promotion, jumps, the end', () => {
    for (const [game, pieces, ply, san, last, more, words] of [
        ['chesquerque', '4k4/9/9/9/4n4/5K3/9/9/9', 2, 'Nxe5+', 'd7 e5', { check: 'f4' }, 'Black: knight d7 takes e5, check. Nxe5+.'],
        ['chesquerque', '4k4/9/9/9/9/9/9/9/6RK1', 1, 'O-O', 'e1 h1', {}, 'White: castles short. O-O.'],
        ['chesquerque', 'A3k4/9/9/9/9/9/9/9/4K4', 1, 'a9=A', 'a8 a9', {}, 'White: pawn a8 to a9 and becomes an archbishop. a9=A.'],
        ['chesquerque', 'R3k4/9/9/9/9/9/9/9/4K4', 1, 'Ra9#', 'a8 a9', { check: 'e9', outcome: 'White mates' }, 'White: rook a8 to a9, checkmate. Ra9#.'],
        ['chesquerque', '4k4/9/9/9/9/9/9/9/4K4', 2, 'Ke9', 'd9 e9', { outcome: 'draw by repetition' }, 'Black: king d9 to e9, draw by repetition. Ke9.'],
        ['alquerque', 'mmmmm/mmmmm/m1m2/MMMMM/MMMMM', 1, 'c2c3', 'c2 c3', {}, 'White: man c2 to c3. c2c3.'],
        ['alquerque', '5/5/5/5/4M', 1, 'a1c3e1', 'a1 c3 e1', {}, 'White: man a1 jumps to c3, e1 and takes 2 men. a1c3e1.'],
    ]) {
        const description = BOARDS[game];
        const position = { last: last.split(' '), check: null, outcome: null, ...more };
        assert.equal(moveInWords(description, { san, ply }, position, piecesOf(description, pieces)), words);
    }
    for (const [san, words] of [['Nxe5+', 'knight takes e5, check'], ['e4', 'e4'], ['a9=Q#', 'a9 becomes queen, checkmate'], ['O-O-O', 'castles long'], ['--', 'passes']]) {
        assert.equal(sanInWords(BOARDS.chesquerque, san), words);
    }
});

test('the end of a game in words', () => {
    for (const [result, reason, words] of [
        ['1-0', 'White mates', 'White won by mate'], ['0-1', 'White resigns', 'Black won by resignation'],
        ['1-0', 'Black has no time left', 'White won on time'], ['0-1', 'time forfeit', 'Black won on time'], ['1-0', '', 'White won'],
        ['0-1', 'White has no piece left', 'Black won: White has no piece left'], ['1/2-1/2', 'draw by stalemate', 'Draw by stalemate'],
        ['1/2-1/2', '', 'Draw'], ['1-0', 'constructor', 'White won: constructor'],
    ]) assert.equal(endInWords({ result, reason }), words);
});

/** Keeps all that live regions say from now on. */
async function listen(page) {
    await page.evaluate(() => {
        window.heard = [];
        const note = () => {
            const text = document.querySelector('#board [aria-live]').textContent;
            if (text) window.heard.push(text);
        };
        new MutationObserver(note).observe(document.querySelector('#board [aria-live]'), { childList: true, subtree: true, characterData: true });
    });
    return {
        all: () => page.evaluate(() => window.heard),
        next: async (key) => {
            const before = (await page.evaluate(() => window.heard)).length;
            await page.keyboard.press(key);
            const heard = await until(() => page.evaluate(() => window.heard), (texts) => texts.length > before);
            return heard[heard.length - 1];
        },
    };
}

test('moves are told in words, and one key each asks for more', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await playFrom(page, '4k4/9/3n5/9/4P4/9/5K3/P8/9 b - - 0 1');
    // The focus is on the board as soon as the game begins.
    await until(() => page.evaluate(() => document.activeElement.parentElement?.id), (id) => id === 'board');
    const heard = await listen(page);
    assert.equal(await heard.next('7'), 'Rank 7: d7 black knight.');
    assert.equal(await heard.next('1'), 'Rank 1: empty.');
    assert.equal(await heard.next('c'), 'This game has no clocks.');
    assert.equal(await heard.next('p'), 'No moves yet.');
    // The same is said again to who asks again.
    assert.equal(await heard.next('p'), 'No moves yet.');
    assert.equal(await heard.next('ArrowUp'), 'e5, diagonal point, white pawn');
    assert.equal(await heard.next('x'), 'white pawn e5: attacked by knight d7, protected by nothing.');
    assert.equal(await heard.next('d'), 'white pawn e5: to e6. e5 has diagonal lines too: a pawn on a diagonal point moves one step straight ahead and captures one step diagonally ahead.');
    await page.keyboard.press('m');
    await page.keyboard.type('Nxe5');
    await page.keyboard.press('Enter');
    await waitForMoves(page, 1);
    await until(heard.all, (texts) => texts.includes('Black: knight d7 takes e5, check. Nxe5+.'));
    await page.keyboard.press('Escape');
    await page.focus('#board svg');
    assert.equal(await heard.next('p'), '1 Black knight takes e5, check.');
    // The reply of the other side, and stepping through the game.
    await drag(page, 'f3', 'f2');
    await waitForMoves(page, 2);
    await until(heard.all, (texts) => texts.includes('White: king f3 to f2. Kf2.'));
    await page.keyboard.press('ArrowLeft');
    await until(heard.all, (texts) => texts[texts.length - 1] === 'Black: knight d7 takes e5, check. Nxe5+.');
    await page.keyboard.press('ArrowLeft');
    await until(heard.all, (texts) => texts[texts.length - 1] === 'The position before the first move.');
    await importGame(page, '1. e4 e6 (1... -- 2. d4) 2. d3 *');
    await page.locator('#moves .move', { hasText: '--' }).click();
    await until(heard.all, (texts) => texts[texts.length - 1] === 'Black passes.');
    // Clocks.
    await newGame(page, { side: 'both', clock: { minutes: 5, increment: 0 } });
    assert.match(await heard.next('c'), /^White 5 minutes|^White 4 minutes 5\d seconds, Black 5 minutes\.$/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
