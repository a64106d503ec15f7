// What is known of each move: for certain by endgame tables and the certificate of Alquerque, and by
// the opening book.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
    accessFaults, importGame, movesShown, newGame, openBoard, openPage, openPanel, shoot, until, waitForMoves,
} from './harness.mjs';

import { certainScore, knownInWords } from '../../src/board/page/site/tables/words.js';

const { server, browser } = await openBoard();

test('a win of a table without distances is no mate in so many moves', () => {
    const state = { game: 'chesquerque', position: { turn: 'black' } };
    const here = (result, moves) => ({ known: [{ result, moves }], unknown: [] });
    for (const [result, moves, score, words] of [
        ['win', 3, { mate: -3 }, 'Black wins, mate in 3. Of 1 move: 1 won.'],
        ['win', null, null, 'Black wins. Of 1 move: 1 won.'],
        ['loss', null, null, 'Black loses. Of 1 move: 1 lost.'],
        ['cursed-win', null, { cp: 0 }, 'Drawn, won but for the 100-ply rule. Of 1 move: 1 drawn.'],
    ]) {
        assert.deepEqual(certainScore(here(result, moves), state), score);
        assert.equal(knownInWords(here(result, moves), state), words);
    }
});

const BISHOP = '#set-up/chesquerque/9%2F9%2F9%2F3k5%2F9%2F9%2F9%2F5B3%2F4K4%20w%20-%20-%200%201';
const CAPTURE = '#set-up/chesquerque/9%2F9%2F9%2F9%2F4k1q2%2F4R4%2F9%2F9%2F4K4%20b%20-%20-%200%201';
const ALQUERQUE = '#set-up/alquerque/mmmmm%2Fmmmmm%2Fmm1MM%2FMMMMM%2FMMMMM%20w%20-%20-%200%201';

const rows = (page) => page.locator('.known-moves tbody tr').allTextContents();
const told = (page) => page.locator('.known-summary').textContent();

test('all moves are listed by what they are worth, and one is played by a click', async () => {
    const page = await openPage(browser, server, { path: BISHOP });
    await openPanel(page, 'openings');
    assert.match(await until(() => told(page), (text) => /wins/.test(text)), /^White wins, mate in 16\. Of 17 moves: 16 won, 1 drawn\.$/);
    const listed = await rows(page);
    assert.equal(listed.length, 17);
    assert.match(listed[0], /^K[de]2wonmate in 16$/);
    assert.match(listed[16], /^Bc5\+drawn$/);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'known');
    await page.locator('[data-known="Bc5+"]').click();
    await waitForMoves(page, 1);
    await until(() => told(page), (text) => text.startsWith('Drawn.'));
    assert.equal(await page.getByRole('button', { name: /^Kxc5: drawn$/ }).count(), 1);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('an analysis says what is known, and leads to the list', async () => {
    const page = await openPage(browser, server, { path: BISHOP });
    const engine = page.locator('#panel-engine');
    await page.keyboard.press('a');
    await page.locator('#list-known').waitFor();
    const { height } = await engine.boundingBox();
    assert.match(await page.locator('.lines-head').first().textContent(), /^White wins, mate in 16/);
    await page.click('#list-known');
    await until(() => rows(page), (listed) => listed.length === 17);
    assert.equal((await engine.boundingBox()).height, height);
    await page.context().close();
});

test('where not all is known, the list says so', async () => {
    const page = await openPage(browser, server, { path: CAPTURE });
    await openPanel(page, 'openings');
    assert.match(await until(() => told(page), (text) => /wins/.test(text)), /^Black wins, mate in \d+ at most\. Of \d+ moves: 1 won, \d+ not known\.$/);
    assert.equal((await rows(page)).length, 1);
    const others = page.locator('.known-others button');
    assert.ok(await others.count() > 0);
    await others.first().click();
    await waitForMoves(page, 1);
    await page.context().close();
});

test('the certificate of Alquerque tells the way from the start', async () => {
    const page = await openPage(browser, server, { path: ALQUERQUE });
    await openPanel(page, 'openings');
    assert.match(await until(() => told(page), (text) => /wins/.test(text)), /^White wins, in 47 moves at most\. Of 4 moves: 1 won, 3 not known\.$/);
    await page.locator('[data-known=c2c3]').click();
    await until(() => movesShown(page), (moves) => moves.length === 1);
    assert.match(await until(() => told(page), (text) => /loses/.test(text)), /^Black loses, in 46 moves at most\. Of 1 move: 1 lost\.$/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

const START = '#set-up/chesquerque/rnbqkabnr%2Fppppppppp%2F9%2F9%2F9%2F9%2F9%2FPPPPPPPPP%2FRNBQKABNR%20w%20KQkq%20-%200%201';

/** A score as a number that grows with what it is worth: `+0.35`, `#4`, `#-4`. */
function worth(text) {
    if (!text.startsWith('#')) return Number(text);
    const mate = Number(text.slice(1));
    return Math.sign(mate) * (1000 - Math.abs(mate));
}

for (const [name, viewport] of [['desktop', { width: 1280, height: 800 }], ['phone', { width: 390, height: 844 }]]) {
    test(`the opening book lists the moves of the start, and one is played by a click (${name})`, async () => {
        const page = await openPage(browser, server, { path: START, viewport });
        // It stands beside a new board where there is room.
        if (name === 'phone') await openPanel(page, 'openings');
        const moves = page.locator('[data-book]');
        await until(() => moves.count(), (count) => count === 18);
        assert.deepEqual(await accessFaults(page), []);
        await shoot(page, `book-${name}`);
        const pieces = () => page.locator('#board .pieces').innerHTML();
        const before = await pieces();
        await moves.first().hover();
        await until(pieces, (shown) => shown !== before);
        await page.mouse.move(1, 1);
        await until(pieces, (shown) => shown === before);
        // Along the best moves, scored from White's view, to the end of the book.
        let ply = 0;
        for (let [best, ...others] = await moves.allTextContents(); best; [best, ...others] = await moves.allTextContents()) {
            const scores = (await page.locator('#book .line-score').allTextContents()).map(worth);
            const sorted = [...scores].sort((a, b) => (ply % 2 === 0 ? b - a : a - b));
            assert.deepEqual([scores, others.length], [sorted, scores.length - 1]);
            ply += 1;
            await moves.first().click();
            await until(() => movesShown(page), (made) => made.length === ply && made.at(-1) === best);
            await until(() => moves.allTextContents(), (shown) => shown.join() !== [best, ...others].join());
        }
        assert.ok(ply >= 2);
        assert.match(await page.locator('#book').textContent(), /^A line of the opening book ends here, at \S+\.$/);
        const width = await page.evaluate(() => document.querySelector('#panel-openings').scrollWidth - document.querySelector('#panel-openings').clientWidth);
        assert.ok(width <= 0, `the explorer is ${width} pixels too wide`);
        assert.deepEqual(page.faults, []);
        await page.context().close();
    });
}

test('the opening book says where it ends, and nothing while a game is played', async () => {
    const page = await openPage(browser, server, { path: BISHOP });
    await openPanel(page, 'openings');
    await until(() => page.locator('#book').textContent(), (text) => text === 'The opening book does not know this position.');
    // The bar takes the certain word of the tables.
    await until(() => page.locator('#evaluation-bar').getAttribute('aria-label'), (text) => text === 'Evaluation #16');
    // Nothing of it is said of another game, of which nobody asks anything.
    await openPanel(page, 'notes');
    await importGame(page, '1. e4 e6 *');
    await page.locator('#evaluation-bar.idle').waitFor({ state: 'attached' });
    await openPanel(page, 'openings');
    await newGame(page, { side: 'both' });
    assert.ok(await page.locator('#book').isHidden());
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('after a lost connection the explorer tells of the position that is shown', async () => {
    const page = await openPage(browser, server, { path: '#none', breaks: true });
    await importGame(page, '[FEN "9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1"]\n\n1. Kd1 *');
    await openPanel(page, 'openings');
    const known = [/^White wins, mate in 16\./, /^The opening book does not know this position\.$/];
    await until(() => told(page), (text) => known[0].test(text));
    await until(() => page.locator('#book').textContent(), (text) => known[1].test(text));
    await page.reconnect();
    // Requests are answered in turn: with this answer no other comes.
    await page.click('#transfer');
    await until(() => page.inputValue('#pgn'), (text) => text.includes('1. Kd1'));
    assert.match(await told(page), known[0]);
    assert.match(await page.locator('#book').textContent(), known[1]);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
