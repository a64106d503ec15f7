// The course of the rules, and puzzles.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import {
    accessFaults, click, drag, openBoard, openPage, placeOf, playFrom, shoot, startServer, until, waitForMoves, waitForNoDialog,
    waitForStatus,
} from './harness.mjs';
import { BOARDS } from '../../src/board/page/site/board/boards.js';
import { piecesOf } from '../../src/board/page/site/board/geometry.js';

/** The lessons themselves: a module for browsers, which Node takes by its text. */
const MODULE = readFileSync(new URL('../../src/board/page/site/training/lessons.js', import.meta.url), 'utf8');
const { LESSONS } = await import(`data:text/javascript,${encodeURIComponent(MODULE)}`);

const { server, browser } = await openBoard();

const text = (page, selector) => page.locator(selector).textContent();
const said = (page, pattern) => until(() => text(page, '.exercise-text'), (shown) => pattern.test(shown));

async function openLesson(page, game, index) {
    await page.click('#learn');
    await page.click(`#course-${game}`);
    await page.locator('#exercise-reveal').waitFor();
    if (index > 0) await page.selectOption('#lesson', String(index));
    await until(() => text(page, '.exercise-task'), (task) => task === LESSONS[game][index].task);
    await page.locator('dialog [data-mark=selected]').waitFor({ state: 'attached' });
}

for (const game of Object.keys(LESSONS)) {
    test(`the course of ${game} is played through by mouse`, { timeout: 600_000 }, async () => {
        const page = await openPage(browser, server);
        await openLesson(page, game, 0);
        for (const [index, lesson] of LESSONS[game].entries()) {
            await until(() => text(page, '.exercise-task'), (task) => task === lesson.task);
            const marks = page.locator('dialog [data-mark=move], dialog [data-mark=capture]');
            await until(() => marks.count(), (count) => count > 0);
            if (index === 0) await shoot(page, `course-${game}`);
            const goals = await marks.evaluateAll((found) => found.map((mark) => mark.dataset.point));
            const to = lesson.to ?? goals;
            // A series of jumps is shown by where it ends.
            await drag(page, lesson.from, to[0], { game, board: 'dialog' });
            const queen = page.locator('.promotion [data-promotion=q]');
            if (lesson.title === 'Promotion') await queen.click();
            await said(page, /^Right: /);
            if (index + 1 < LESSONS[game].length) await page.click('#exercise-next');
        }
        await page.click('#exercise-close');
        await page.click('#learn');
        const count = LESSONS[game].length;
        await until(() => text(page, `#course-${game}`), (shown) => shown.includes(`${count} of ${count} lessons done`));
        assert.deepEqual(page.faults, []);
        await page.context().close();
    });
}

test('an illegal try says why, and a legal one of another kind is not taken', async () => {
    const page = await openPage(browser, server);
    await openLesson(page, 'chesquerque', 3);
    await drag(page, 'e4', 'f5', { board: 'dialog' });
    await until(() => page.locator('.exercise-text.bad').count(), (count) => count === 1);
    const reason = await text(page, '.exercise-text');
    assert.match(reason, /bishop|line|plain/i);
    await shoot(page, 'course-refused');
    await drag(page, 'e4', 'e5', { board: 'dialog' });
    await said(page, /^Be5 is legal, but the task is another\.$/);
    await page.click('#exercise-again');
    await page.locator('dialog [data-mark=selected]').waitFor({ state: 'attached' });
    assert.deepEqual(await accessFaults(page), []);
    await page.click('#exercise-reveal');
    await page.locator('dialog .arrow.blue').waitFor({ state: 'attached' });
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

/** Leads the cursor of the board in the dialog to a point. */
async function lead(page, name, options) {
    const cursor = page.locator('dialog [data-mark=cursor]');
    const goal = await placeOf(page, name, options);
    if (await cursor.count() === 0) await page.keyboard.press('ArrowUp');
    for (let step = 0; step < 30; step += 1) {
        const at = await cursor.getAttribute('data-point');
        if (at === name) return;
        const here = await placeOf(page, at, options);
        if (Math.abs(here.x - goal.x) > 5) await page.keyboard.press(here.x < goal.x ? 'ArrowRight' : 'ArrowLeft');
        else await page.keyboard.press(here.y < goal.y ? 'ArrowDown' : 'ArrowUp');
    }
    throw new Error(`the cursor does not get to ${name}`);
}

test('a lesson by keyboard alone', async () => {
    const page = await openPage(browser, server, { reducedMotion: 'reduce' });
    await page.keyboard.press('l');
    await page.focus('#course-chesquerque');
    await page.keyboard.press('Enter');
    await page.locator('dialog [data-mark=selected]').waitFor({ state: 'attached' });
    await page.selectOption('#lesson', '0');
    await page.focus('dialog svg');
    const [lesson, next] = LESSONS.chesquerque;
    await until(() => text(page, '.exercise-task'), (task) => task === lesson.task);
    await page.locator('dialog [data-mark=selected]').waitFor({ state: 'attached' });
    await lead(page, lesson.to[0], { board: 'dialog' });
    await page.keyboard.press('Enter');
    await said(page, /^Right: Rxd8/);
    // The button to go on has the focus.
    await page.keyboard.press('Enter');
    await until(() => text(page, '.exercise-task'), (task) => task === next.task);
    await page.keyboard.press('Escape');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

/** The puzzles of Chesquerque that come with the program, by their names. */
const PUZZLES = new Map();
for (const file of ['src/analysis/suite/tactics.epd', 'engine-config/puzzles/chesquerque.epd']) {
    for (const line of readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n')) {
        const [, id] = line.match(/ id "([^"]+)"/) ?? [];
        const [, best] = line.match(/ bm ([a-i][1-9]\S*?)[; ]/) ?? [];
        if (!id || !best) continue;
        const [placement, turn] = line.split(' ');
        const isOwn = (letter) => /[a-z]/i.test(letter) && (letter === letter.toLowerCase()) === (turn === 'b');
        const own = [...piecesOf(BOARDS.chesquerque, placement)].filter(([, letter]) => isOwn(letter)).map(([point]) => point);
        PUZZLES.set(id, {
            points: best.match(/[a-i][1-9]/g), piece: best.match(/[a-z]$/)?.[0], flipped: turn === 'b', isMate: / dm /.test(line), own,
        });
    }
}

async function openPuzzles(page) {
    await page.click('#learn');
    await page.click('#puzzles');
    await page.locator('#exercise-hint').waitFor();
}

/** The puzzle that is to be posed. */
async function posedAny(page, isWanted = () => true) {
    const item = await until(() => page.locator('dialog[data-item]').getAttribute('data-item'), (shown) => Boolean(shown) && isWanted(shown));
    const [id] = item.split(' ');
    return { id, item, ...PUZZLES.get(id) };
}

/** The puzzle that is posed. */
async function posed(page, isWanted) {
    const puzzle = await posedAny(page, isWanted);
    await page.locator('#exercise-hint').waitFor();
    return puzzle;
}

/** Has a puzzle posed that is to be won, and waits until its board is there. */
async function posedWin(page) {
    const { item: before } = await posed(page);
    await page.selectOption('#puzzle-theme', 'win');
    const puzzle = await posed(page, (item) => item !== before && !PUZZLES.get(item.split(' ')[0]).isMate);
    await until(() => text(page, '.exercise-task'), (task) => task === `${puzzle.flipped ? 'Black' : 'White'} to move and win`);
    return puzzle;
}

/** Solves a puzzle of one move. */
async function solve(page, { points, piece, flipped }) {
    await drag(page, points[0], points[points.length - 1], { board: 'dialog', flipped });
    if (piece) await page.locator(`.promotion [data-promotion=${piece}]`).click();
    await said(page, /^Solved: /);
}

/** Loads the page again, which asks for a new game as long as there is none. */
async function reload(page) {
    await waitForNoDialog(page);
    await page.reload();
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
}

/** How many puzzles of a theme are solved. */
const solvedOf = async (page, theme) => Number((await text(page, `#puzzle-theme option[value="${theme}"]`)).match(/\((\d+) of/)[1]);

test('a puzzle that is solved stays solved', async () => {
    const page = await openPage(browser, server);
    await openPuzzles(page);
    await shoot(page, 'puzzle');
    const first = await posedWin(page);
    await solve(page, first);
    await shoot(page, 'puzzle-solved');
    await until(() => solvedOf(page, 'win'), (count) => count === 1);
    await page.click('#exercise-next');
    const second = await posed(page, (item) => item !== first.item);
    assert.notEqual(second.id, first.id);
    assert.deepEqual(await accessFaults(page), []);
    await page.keyboard.press('Escape');
    await reload(page);
    await page.click('#learn');
    await until(() => text(page, '#puzzles'), (shown) => /Puzzles1 of [\d,]+ solved$/.test(shown));
    await page.click('#puzzles');
    await until(() => solvedOf(page, 'win'), (count) => count === 1);
    // The theme is as it was chosen.
    assert.equal(await page.locator('#puzzle-theme').inputValue(), 'win');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('what is failed comes again on the next day, and on later ones', async () => {
    const page = await openPage(browser, server);
    const start = new Date('2030-03-01T12:00:00');
    await page.clock.setFixedTime(start);
    const day = async (number) => {
        await page.clock.setFixedTime(new Date(start.getTime() + number * 86_400_000));
        await reload(page);
    };
    await openPuzzles(page);
    const failed = await posed(page);
    await page.click('#exercise-reveal');
    await until(() => text(page, '.exercise-note'), (note) => note.includes('It comes again tomorrow.'));
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#learn .badge').isVisible(), false);
    // The next day: the button tells of it, and so does the dialog for a new game.
    await day(1);
    await until(() => text(page, '#learn .badge'), (shown) => shown === '1 due today');
    await shoot(page, 'due-badge');
    await page.click('#new-game');
    await shoot(page, 'due-new-game');
    await page.click('#train-due');
    assert.equal((await posed(page)).id, failed.id);
    await page.keyboard.press('Escape');
    await page.click('#learn');
    await until(() => text(page, '#due'), (shown) => shown === 'Due today: 11 puzzle to try once more');
    await shoot(page, 'learn-due');
    assert.deepEqual(await accessFaults(page), []);
    await page.click('#due');
    await posed(page);
    await page.click('#exercise-reveal');
    await said(page, /^(The solution|Right): /);
    await until(() => text(page, '.exercise-note'), (note) => note.includes('It comes again tomorrow.'));
    await until(() => page.locator('#learn .badge').isVisible(), (visible) => !visible);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a streak ends with the first wrong move, and the best one is kept', async () => {
    const page = await openPage(browser, server, { breaks: true });
    await page.click('#learn');
    await page.click('#streak');
    const inStreak = async (before) => {
        const puzzle = await posedAny(page, (item) => item !== before);
        await until(() => text(page, '.exercise-task'), Boolean);
        return puzzle;
    };
    // The easiest take one move.
    const first = await inStreak(null);
    assert.equal(await page.locator('#exercise-hint, #exercise-reveal, #exercise-skip').count(), 0);
    await solve(page, first);
    await until(() => text(page, '.streak'), (shown) => shown === '1 solved in a row. Your best: 1.');
    // What is solved is not posed again, to be counted twice: the button to go on stays, and keeps the focus.
    await page.reconnect();
    await page.keyboard.press('Enter');
    await misplay(page, await inStreak(first.item));
    await until(() => text(page, '.streak'), (shown) => shown === 'The streak is over: 1 solved. Your best: 1.');
    await until(() => text(page, '.exercise-note'), (note) => note.includes('It comes again tomorrow.'));
    for (const [name, width, height] of [['desktop', 1400, 900], ['mobile', 390, 844], ['landscape', 844, 390]]) {
        await page.setViewportSize({ width, height });
        await shoot(page, `streak-${name}`);
    }
    assert.deepEqual(await accessFaults(page), []);
    // The button that begins anew has the focus.
    await page.keyboard.press('Enter');
    await until(() => text(page, '.streak'), (shown) => shown === '0 solved in a row. Your best: 1.');
    await page.keyboard.press('Escape');
    await reload(page);
    await page.click('#learn');
    await until(() => text(page, '#streak'), (shown) => shown === 'Puzzle streakyour best: 1');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the mistakes of all reviewed games are trained, and shown in a picture', async () => {
    const page = await openPage(browser, server);
    await playFrom(page, '4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1');
    await drag(page, 'e1', 'd1');
    await waitForMoves(page, 1);
    await drag(page, 'a2', 'a1');
    await waitForMoves(page, 2);
    for (let clicks = 0; clicks < 2; clicks += 1) await page.click('#resign');
    await page.selectOption('.review-panel select', '300');
    await page.click('#begin-review');
    await page.locator('.review-table').waitFor();
    await page.click('#learn');
    await until(() => text(page, '#mistakes'), (shown) => /^Your mistakes1 position, 1 of them not trained yet$/.test(shown));
    await page.click('#mistakes');
    await until(() => text(page, '.mistakes-told'), (shown) => shown === '1 mistake in 1 reviewed game: 1 not trained yet, 0 due today.');
    await until(() => page.locator('.habits').first().textContent(), (shown) => shown.includes('king1 in 1 move'));
    await shoot(page, 'mistakes');
    assert.deepEqual(await accessFaults(page), []);
    await page.click('#train-mistakes');
    await until(() => text(page, '.exercise-task'), (task) => task === '1. Kd1??');
    await page.locator('dialog .arrow.red').waitFor({ state: 'attached' });
    await shoot(page, 'mistake');
    await drag(page, 'a1', 'a2', { board: 'dialog' });
    await said(page, /^Right: Rxa2, (which|the only good move: it) /);
    await until(() => text(page, '.exercise-note'), (note) => note === 'It comes again tomorrow.');
    await page.click('#exercise-next');
    await until(() => text(page, '.exercise-task'), (task) => task === 'Done');
    await page.click('#exercise-close');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a wrong move is answered by its refutation', async () => {
    const page = await openPage(browser, server);
    await openPuzzles(page);
    await misplay(page, await posedWin(page));
    await shoot(page, 'puzzle-wrong');
    await page.click('#exercise-again');
    await page.click('#exercise-reveal');
    await said(page, /^The solution: /);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

/** Makes a wrong move: of another piece, or another one of the same. */
async function misplay(page, { points, flipped, own }) {
    const marks = page.locator('dialog [data-mark=move], dialog [data-mark=capture]');
    for (const from of [...own.filter((point) => point !== points[0]), points[0]]) {
        await click(page, from, { board: 'dialog', flipped });
        const marked = await marks.evaluateAll((found) => found.map((mark) => mark.dataset.point));
        const goals = marked.filter((point) => from !== points[0] || !points.includes(point));
        // A piece that cannot move is let go by another click.
        await click(page, goals[0] ?? from, { board: 'dialog', flipped });
        if (goals.length === 0) continue;
        const queen = page.locator('.promotion [data-promotion=q]');
        if (await queen.count() > 0) await queen.click();
        break;
    }
    await said(page, /\S/);
    await until(() => page.locator('.exercise-text.bad').count(), (count) => count === 1);
}

/** A finished game against an Elo, as it is kept. */
const keptGame = (day, elo, result) => JSON.stringify({
    game: 'chesquerque', start: `${BOARDS.chesquerque.start} w KQkq - 0 1`, nodes: [{ parent: 0, move: '' }], current: 0,
    tags: [['Date', `2026.11.${day}`]], result: '*',
    play: { people: [true, false], elo, think: 1, clock: null, left: [0, 0], paused: false, ending: { result, reason: '' }, last: 0 },
});

test('results are counted by level, rated, drawn and saved', async () => {
    const own = await startServer();
    const page = await openPage(browser, own);
    for (let number = 0; number < 24; number += 1) {
        const name = `abcdefghij${'abcd'[number % 4]}${'abcdef'[Math.floor(number / 4)]}.json`;
        const result = ['1-0', '0-1', '1-0', '1/2-1/2'][number % 4];
        writeFileSync(join(own.games, name), keptGame(10 + number % 12, 900 + 100 * (number % 3), result));
    }
    await page.click('#learn');
    await page.click('#results');
    await until(() => text(page, '.rating'), (shown) => /^1\d\d\d ± \d\d\d Elo, from 24 games/.test(shown));
    await page.locator('.rating-picture .rating-line').waitFor({ state: 'attached' });
    assert.deepEqual(await page.locator('.results tbody th').allTextContents(), ['Elo 900', 'Elo 1000', 'Elo 1100']);
    assert.deepEqual(await page.locator('.results tbody tr').first().locator('td').allTextContents(), ['4', '2', '2']);
    for (const [name, width, height] of [['desktop', 1400, 900], ['mobile', 390, 844], ['landscape', 844, 390]]) {
        await page.setViewportSize({ width, height });
        await shoot(page, `results-${name}`);
        assert.ok(await page.evaluate(() => document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').offsetWidth), name);
    }
    assert.deepEqual(await accessFaults(page), []);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot(page, 'results-dark');
    assert.deepEqual(await accessFaults(page), []);
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#save-results')]);
    const lines = readFileSync(await file.path(), 'utf8').trim().split('\n');
    assert.equal(lines.length, 25);
    assert.match(lines[24], /^2026\.11\.21,white,\d+,[01.5]+,\d+\.\d,\d+\.\d$/);
    await page.selectOption('[name=results-game]', 'masonic');
    await until(() => text(page, '.rating'), (shown) => shown === 'No game against an Elo has been finished yet.');
    assert.equal(await page.locator('.rating-picture').count(), 0);
    assert.deepEqual(page.faults, []);
    await page.context().close();
    await own.stop();
    own.remove();
});

test('the course fits a phone, in the dark too', async () => {
    const options = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'dark' };
    const page = await openPage(browser, server, options);
    await openLesson(page, 'chesquerque', 1);
    await shoot(page, 'course-phone-dark');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `the page is ${width} pixels wide`);
    assert.deepEqual(await accessFaults(page), []);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

// The last test of the file: with a game kept, the page greets nobody any more.
test('the course of Alquerque says how one wins, and ends with a first game', async () => {
    const page = await openPage(browser, server);
    await openLesson(page, 'alquerque', LESSONS.alquerque.length - 1);
    await drag(page, 'd1', 'd2', { game: 'alquerque', board: 'dialog' });
    await said(page, /^Right: d1d2\. Black has no legal move\.$/);
    await page.click('#first-game');
    await until(() => text(page, '#player-top .name'), (name) => name === 'Qirkat (900)');
    await waitForStatus(page, /^Your move/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
