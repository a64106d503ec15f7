// The course of the rules, and puzzles.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { accessFaults, drag, openBoard, openPage, placeOf, shoot, until } from './harness.mjs';

/** The lessons themselves: a module for browsers, which Node takes by its text. */
const MODULE = readFileSync(new URL('../../src/page/site/training/lessons.js', import.meta.url), 'utf8');
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

async function openPuzzles(page) {
    await page.click('#learn');
    await page.click('#puzzles');
    await page.locator('#exercise-hint').waitFor();
}

/** Loads the page again, which asks for a new game as long as there is none. */
async function reload(page) {
    await page.reload();
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
}

test('a puzzle is solved to the mate, and stays solved', async () => {
    const page = await openPage(browser, server);
    await openPuzzles(page);
    await until(() => text(page, '.exercise-task'), (task) => task === 'Black to move and mate in 2');
    await shoot(page, 'puzzle');
    await drag(page, 'h8', 'i7', { board: 'dialog', flipped: true });
    // The only defence there is.
    await said(page, /^Right: Ai7\+\. The defence is e3\.$/);
    await until(() => text(page, '.exercise-task'), (task) => task === 'Black to move and mate in 1');
    await page.locator('#exercise-hint').waitFor();
    await drag(page, 'i7', 'e3', { board: 'dialog', flipped: true });
    await said(page, /^Solved: Axe3#/);
    await page.click('#exercise-next');
    await until(() => page.locator('#puzzle-number').inputValue(), (id) => id === 'mate-2-02');
    assert.deepEqual(await accessFaults(page), []);
    await page.keyboard.press('Escape');
    await reload(page);
    await page.click('#learn');
    await until(() => text(page, '#puzzles'), (shown) => shown.includes('1 solved'));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a wrong move is answered by its refutation', async () => {
    const page = await openPage(browser, server);
    await openPuzzles(page);
    await page.selectOption('#puzzle-kind', 'win');
    await until(() => text(page, '.exercise-task'), (task) => /to move and win material$/.test(task));
    assert.equal(await page.locator('#puzzle-number').inputValue(), 'win-01');
    await drag(page, 'f5', 'f9', { board: 'dialog' });
    await said(page, /^Rf9\+ is answered by Kxf9/);
    await page.locator('dialog [data-mark=last]').first().waitFor({ state: 'attached' });
    await shoot(page, 'puzzle-wrong');
    await page.click('#exercise-again');
    await page.click('#exercise-reveal');
    await said(page, /^The solution: /);
    assert.deepEqual(page.faults, []);
    await page.context().close();
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
