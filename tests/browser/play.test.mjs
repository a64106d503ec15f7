// Games played as people play them: by mouse, by keyboard and by touch.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
    accessFaults, boardInWords, click, drag, isOver, movesShown, newGame, openBoard, placeOf, playFrom, shoot, status, tap, until,
    waitForMoves, waitForNoDialog, waitForStatus, withPage,
} from './harness.mjs';
import { BOARDS } from '../../src/board/page/site/board/boards.js';

const opened = await openBoard();

/** Points with a mark on the board. */
const marked = (page, kind) => page.locator(`#board [data-mark=${kind}]`).evaluateAll(
    (marks) => marks.map((mark) => mark.dataset.point),
);

/** Numbers from 0 to 1 that are the same each time (a linear congruential generator). */
function randomNumbers(seed) {
    let state = seed;
    return () => {
        state = (state * 1103515245 + 12345) % 2 ** 31;
        return state / 2 ** 31;
    };
}

/** How often a man is looked for: the page may still show the position before. */
const ATTEMPTS = 20;
const MOST_JUMPS = 24;

/** Moves a man of the side to move; `choose` takes a point. */
async function moveMan(page, choose, random) {
    const pieces = await page.evaluate(() => document.querySelector('#board .spoken:last-child').textContent);
    const turn = /White to move/.test(await status(page)) ? 'white' : 'black';
    const side = pieces.split('. ').find((side) => side.startsWith(turn)) ?? '';
    const men = [...side.matchAll(/man (..)/g)].map(([, name]) => name);
    const shuffled = men.map((man) => [random(), man]).sort(([a], [b]) => a - b);
    for (const [, man] of shuffled) {
        await choose(man);
        if ((await targets(page)).length > 0) break;
    }
    for (let jump = 0; jump < MOST_JUMPS; jump += 1) {
        const [next] = await targets(page);
        if (!next) break;
        await choose(next);
        await page.waitForTimeout(60);
    }
}

/** Plays men at random until the game is over or has so many plies; `choose` takes a point. */
async function playAlquerque(page, choose, most = 300) {
    const random = randomNumbers(5);
    const plies = async () => (await movesShown(page)).length;
    await until(() => boardInWords(page), (words) => /\bman /.test(words));
    await until(plies, (count) => count === 0);
    await waitForStatus(page, /White to move/);
    for (let played = 0; played < most && !(await isOver(page)); played = await plies()) {
        for (let attempt = 0; attempt < ATTEMPTS && (await plies()) <= played; attempt += 1) {
            if (await isOver(page)) break;
            await moveMan(page, choose, random);
            await page.waitForTimeout(50 * attempt);
        }
        if (!(await isOver(page))) assert.ok((await plies()) > played, `no move after ${played}`);
    }
}

const targets = async (page) => [...await marked(page, 'move'), ...await marked(page, 'capture')];

test('Alquerque is played by keyboard alone', { timeout: 900_000 }, () => withPage(opened, {}, async (page) => {
    await page.keyboard.press('n');
    await page.selectOption('dialog select[name=game]', 'alquerque');
    await page.selectOption('dialog select[name=side]', 'both');
    await page.keyboard.press('Enter');
    await waitForNoDialog(page);
    await page.focus('#board svg');
    const options = { game: 'alquerque' };
    await playAlquerque(page, async (name) => {
        const goal = await placeOf(page, name, options);
        if ((await marked(page, 'cursor')).length === 0) await page.keyboard.press('ArrowUp');
        for (let step = 0; step < 20; step += 1) {
            const [at] = await marked(page, 'cursor');
            if (at === name) break;
            const here = await placeOf(page, at, options);
            if (Math.abs(here.x - goal.x) > 5) await page.keyboard.press(here.x < goal.x ? 'ArrowRight' : 'ArrowLeft');
            else await page.keyboard.press(here.y < goal.y ? 'ArrowDown' : 'ArrowUp');
        }
        await page.keyboard.press('Enter');
    }, 12);
}));

test('a whole game of Alquerque by touch, on a phone', { timeout: 900_000 }, () => withPage(opened, {
    viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true,
}, async (page) => {
    await newGame(page, { game: 'alquerque', side: 'both' });
    await shoot(page, 'phone');
    await playAlquerque(page, (name) => tap(page, name, { game: 'alquerque' }));
    assert.match(await status(page), /^(1-0|0-1|1\/2-1\/2): /);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `the page is ${width} pixels wide`);
    // The choice of a piece opens under the finger: that tap neither chooses nor closes it.
    await playFrom(page, '9/8K/9/9/8k/9/9/4p4/9 b - - 0 1');
    await until(() => boardInWords(page), (words) => /pawn e2/.test(words));
    await tap(page, 'e2');
    // The second tap does not wait until the first is answered, which may take long on a busy machine.
    const { x, y } = await placeOf(page, 'e1');
    const first = page.touchscreen.tap(x, y);
    await page.waitForTimeout(100);
    await Promise.all([first, page.touchscreen.tap(x, y)]);
    await page.waitForTimeout(400);
    assert.equal(await page.locator('.promotion').count(), 1);
    await page.locator('.promotion [data-promotion=r]').tap();
    await waitForMoves(page, 1);
    assert.match((await movesShown(page))[0], /^e1=R/);
}));

test('castling, to either side, in Chesquerque', () => withPage(opened, {}, async (page) => {
    await playFrom(page, 'r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1');
    await drag(page, 'e1', 'h1');
    await waitForMoves(page, 1);
    // The king may be led onto the rook as well.
    await click(page, 'e9');
    await click(page, 'a9');
    await waitForMoves(page, 2);
    assert.deepEqual(await movesShown(page), ['O-O', 'O-O-O']);
    // The wheel over the board leads through the game.
    const shown = (move) => until(() => page.locator('#moves .move.current').allTextContents(), (moves) => moves.join() === move);
    const words = await boardInWords(page);
    await page.mouse.wheel(0, -100);
    await shown('O-O');
    await page.mouse.wheel(0, 100);
    await shown('O-O-O');
    for (const piece of ['king h1', 'rook g1', 'king b9', 'rook c9']) assert.ok(words.includes(piece), words);
}));

test('en passant takes the pawn that has passed', () => withPage(opened, {}, async (page) => {
    await playFrom(page, '4k4/6p2/9/7P1/9/9/9/9/4K4 b - - 0 1');
    await drag(page, 'g8', 'g6');
    await waitForMoves(page, 1);
    await click(page, 'h6');
    assert.deepEqual(await marked(page, 'capture'), ['g7']);
    await click(page, 'g7');
    await waitForMoves(page, 2);
    await until(() => boardInWords(page), (words) => /black: king e9$/.test(words));
    assert.equal(await page.locator('#player-bottom .captured').getAttribute('aria-label'), 'Captured: 1 pawn, ahead by 1');
    assert.equal(await page.locator('#player-top .captured').count(), 0);
}));

test('a pawn becomes an archbishop', () => withPage(opened, {}, async (page) => {
    await playFrom(page, '4k4/P8/9/9/9/9/9/9/4K4 w - - 0 1');
    await drag(page, 'a8', 'a9');
    const choice = page.locator('.promotion button');
    await choice.first().waitFor();
    assert.equal(await choice.count(), 5);
    await shoot(page, 'promotion');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.promotion', { state: 'detached' });
    assert.match(await boardInWords(page), /pawn a8/);
    await drag(page, 'a8', 'a9');
    await page.locator('.promotion [data-promotion=a]').click();
    await waitForMoves(page, 1);
    assert.match((await movesShown(page))[0], /^a9=A/);
    assert.match(await boardInWords(page), /archbishop a9/);
    assert.equal(await page.locator('#player-top .captured').count(), 0);
}));

test('a pawn that is gone when one has chosen what it becomes stays where it is shown', () => withPage(opened, {}, async (page) => {
    await playFrom(page, '4k4/9/P8/9/9/9/9/9/4K4 w - - 0 1');
    await drag(page, 'a7', 'a8');
    await waitForMoves(page, 1);
    await drag(page, 'e9', 'd9');
    await waitForMoves(page, 2);
    await drag(page, 'a8', 'a9');
    const queen = page.locator('.promotion [data-promotion=q]');
    await queen.waitFor();
    // The wheel leads through the game meanwhile.
    for (const move of ['a8', '']) {
        await page.mouse.wheel(0, -100);
        await until(() => page.locator('#moves .move.current').allTextContents(), (moves) => moves.join() === move);
    }
    await queen.click();
    await page.waitForSelector('.promotion', { state: 'detached' });
    assert.equal(await page.locator('#board .pieces .piece').count(), 3);
    assert.match(await boardInWords(page), /pawn a7/);
}));

test('while the engine thinks a piece in hand shows where it may go, and a pawn becomes what was chosen', () => withPage(opened, {}, async (page) => {
    // Long enough for all that is done meanwhile.
    await playFrom(page, '4k4/P6pp/9/9/9/9/9/6PPP/4K4 w - - 0 1', { side: 'white', think: 15 });
    await drag(page, 'e1', 'd1');
    await waitForStatus(page, /thinking/);
    await click(page, 'g2');
    await until(() => marked(page, 'move'), (points) => points.sort().join() === 'g3,g4');
    await click(page, 'a8');
    await until(() => marked(page, 'move'), (points) => points.join() === 'a9');
    await click(page, 'a9');
    await page.locator('.promotion [data-promotion=r]').click();
    const arrow = page.locator('#board [data-arrow=a8a9]');
    await until(async () => await arrow.count() > 0 || (await movesShown(page)).length > 2);
    await waitForMoves(page, 3);
    assert.match((await movesShown(page))[2], /^a9=R/);
    await until(() => arrow.count(), (count) => count === 0);
}));

test('a move that is not legal is refused with the reason', () => withPage(opened, {}, async (page) => {
    await newGame(page, { side: 'both' });
    await drag(page, 'a1', 'a5');
    await until(() => page.locator('.message.refused').allTextContents(), (texts) => texts.includes('The path is blocked on a2.'));
    await page.fill('#move-text', 'e2e5');
    await page.press('#move-text', 'Enter');
    await until(() => page.locator('.message.refused').allTextContents(), (texts) => texts.length === 1 && /pawn/.test(texts[0]));
    assert.match(await boardInWords(page), /rook a1/);
    // The reason is in nobody's way, and goes when a move is made.
    const { x, y, width, height } = await page.locator('.message.refused').first().boundingBox();
    const under = await page.evaluate(([left, top]) => document.elementFromPoint(left, top).getAttribute('class') ?? '', [x + width / 2, y + height / 2]);
    assert.doesNotMatch(under, /message/);
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    await until(() => page.locator('.message.refused').count(), (count) => count === 0, 2000);
    // A sentence may begin with the name of a point.
    await newGame(page, { game: 'alquerque', side: 'both' });
    await drag(page, 'a1', 'c5', { game: 'alquerque' });
    await until(() => page.locator('.message.refused').allTextContents(), (texts) => texts.some((text) => /^c5 is neither/.test(text)));
}));

test('the other games are played on their own boards', () => withPage(opened, {}, async (page) => {
    await newGame(page, { game: 'masonic', side: 'both' });
    await drag(page, 'e2', 'f4', { game: 'masonic' });
    await waitForMoves(page, 1);
    await shoot(page, 'masonic');
    await newGame(page, { game: 'alquerque', elo: 500 });
    await drag(page, 'c2', 'c3', { game: 'alquerque' });
    await waitForMoves(page, 2);
    await shoot(page, 'alquerque');
    // The field for moves gives examples of moves of the game.
    for (const game of ['chesquerque', 'masonic', 'alquerque']) {
        await newGame(page, { game, side: 'both' });
        const examples = (await page.getAttribute('#move-text', 'placeholder')).split(', ');
        await page.fill('#move-text', examples.find((text) => ['e4', 'e2f4', 'c2c3'].includes(text)));
        await page.press('#move-text', 'Enter');
        await waitForMoves(page, 1);
    }
}));

test('clocks run, stand still in a pause, and end a game', () => withPage(opened, {}, async (page) => {
    await newGame(page, { side: 'both', clock: { minutes: 60, increment: 0 } });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    const black = page.locator('[data-side=black]');
    await until(() => black.textContent(), (text) => /^59:/.test(text));
    await page.click('#pause');
    await waitForStatus(page, /clocks are stopped/);
    const stopped = await black.textContent();
    await page.waitForTimeout(700);
    assert.equal(await black.textContent(), stopped);
    await page.click('#pause');
    await until(() => black.textContent(), (text) => text !== stopped);
    // A clock that is low is heard once for each side.
    await page.evaluate(() => {
        const root = document.documentElement;
        window.sounds = [];
        const note = (changes) => changes.forEach(() => window.sounds.push(root.dataset.sounded));
        new MutationObserver(note).observe(root, { attributeFilter: ['data-sounded'] });
    });
    const warnings = () => page.evaluate(() => window.sounds.filter((sound) => sound === 'low').length);
    await newGame(page, { side: 'both', clock: { minutes: 0.2, increment: 0 } });
    await drag(page, 'e2', 'e4');
    await until(warnings, (count) => count === 1);
    await drag(page, 'e8', 'e6');
    await until(warnings, (count) => count === 2);
    await drag(page, 'd2', 'd3');
    await waitForStatus(page, /1-0: Black has no time left/);
    assert.equal(await warnings(), 2);
    // The end is heard where the game ends, not at every step back from there.
    const lastSound = () => page.evaluate(() => window.sounds.at(-1));
    await until(lastSound, (sound) => sound === 'end');
    await page.keyboard.press('ArrowLeft');
    await until(lastSound, (sound) => sound === 'move');
}));

test('resigning asks twice, and a draw can be agreed', () => withPage(opened, {}, async (page) => {
    await newGame(page, { side: 'white' });
    await page.click('#resign');
    assert.match(await status(page), /Your move/);
    await page.click('#resign');
    await waitForStatus(page, /^You lost, 0-1: White resigns/);
    // Once more, with the colours exchanged and then as before.
    await page.click('#swap-colours');
    await waitForMoves(page, 1);
    await waitForStatus(page, /Your move/);
    for (let clicks = 0; clicks < 2; clicks += 1) await page.click('#resign');
    await waitForStatus(page, /^You lost, 1-0: Black resigns/);
    await page.click('#rematch');
    await waitForMoves(page, 1);
    await waitForStatus(page, /Your move/);
    // The same side begins, where that is all that is unusual.
    await playFrom(page, `${BOARDS.chesquerque.start} b KQkq - 0 1`);
    for (let clicks = 0; clicks < 2; clicks += 1) await page.click('#resign');
    await waitForStatus(page, /^1-0: Black resigns/);
    await page.click('#rematch');
    await waitForStatus(page, /^Black to move/);
    // Between two people the offer ends the game: it asks.
    await newGame(page, { side: 'both' });
    await page.click('#offer-draw');
    assert.match(await status(page), /White to move/);
    await page.click('#offer-draw');
    await waitForStatus(page, /^1\/2-1\/2: draw by agreement/);
}));


/** A knight whose legs d4 and f6 are taken, beside a rook of the other side. */
const KNIGHT = '1k7/9/9/5n3/4N4/3P5/9/2r6/4K4 w - - 0 1';
const ways = async (page) => [...await marked(page, 'reach'), ...await marked(page, '"reach capture"')].sort();

for (const [screen, point, options] of [
    ['by mouse', click, {}],
    ['by touch', tap, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]) {
    test(`a piece tells its rule where it stands, until the next act (${screen})`, () => withPage(opened, options, async (page) => {
        const rule = page.locator('#rule');
        const tells = (words) => until(() => rule.textContent(), (text) => words.test(text));
        await playFrom(page, KNIGHT, { side: 'white', elo: 500 });
        await waitForStatus(page, /Your move/);
        const moves = await page.locator('#panel-moves').boundingBox();
        await point(page, 'e5');
        await tells(/^e5 has diagonal lines too: a knight on a diagonal point .* Its path is blocked on d4 and f6\.$/);
        await until(() => marked(page, 'way'), (lines) => lines.length === 1);
        assert.deepEqual((await marked(page, 'move')).sort(), ['c6', 'd7', 'f3', 'g4']);
        await shoot(page, `rule ${screen}`);
        assert.deepEqual(await page.locator('#panel-moves').boundingBox(), moves);
        assert.deepEqual(await accessFaults(page), []);
        // Let go, it tells nothing; then one of the other side.
        await point(page, 'e5');
        await rule.waitFor({ state: 'hidden' });
        await point(page, 'c2');
        await tells(/^c2 has no diagonal lines: a rook on a plain point moves orthogonally any distance\.$/);
        await until(() => ways(page), (points) => points.join(' ') === 'a2 b2 c1 c3 c4 c5 c6 c7 c8 c9 d2 e2 f2 g2 h2 i2');
        await point(page, 'h7');
        await rule.waitFor({ state: 'hidden' });
        assert.deepEqual(await marked(page, 'way'), []);
        // By a key, where the settings say that a click tells nothing.
        const setRules = async (on) => {
            await page.click('#settings');
            await page.setChecked('dialog input[name=rules]', on);
            await page.keyboard.press('Escape');
            await waitForNoDialog(page);
        };
        await setRules(false);
        await point(page, 'd4');
        await until(() => marked(page, 'selected'), (points) => points.join() === 'd4');
        await page.keyboard.press('d');
        await tells(/^d4 has diagonal lines too: a pawn /);
        await point(page, 'e5');
        await until(() => marked(page, 'selected'), (points) => points.join() === 'e5');
        await rule.waitFor({ state: 'hidden' });
        await point(page, 'c6');
        await waitForMoves(page, 1);
        await setRules(true);
    }));
}
