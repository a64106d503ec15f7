// Endings to practise against the tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessFaults, openBoard, openPage, shoot, until } from './harness.mjs';

const { server, browser } = await openBoard();

const task = (page) => page.locator('.exercise-task').textContent();
const said = (page) => page.locator('.exercise-text').textContent();

async function openEndings(page, ending) {
    await page.click('#learn');
    await page.click('#endings');
    await until(() => task(page), (text) => /to move/.test(text));
    if (!ending) return;
    await page.selectOption('#ending-game', ending.startsWith('men') ? 'alquerque' : 'chesquerque');
    await page.selectOption('#ending', ending);
    await until(() => task(page), (text) => /to move/.test(text));
}

/** Makes the best move by typing it where the hint points: a click on either point. */
async function playBest(page) {
    const before = await task(page);
    await page.click('#exercise-hint');
    await until(() => said(page), (text) => /^Look at/.test(text));
    await page.click('#exercise-hint');
    const [, san] = await until(async () => /^The move is (\S+?)\.$/.exec(await said(page)));
    const arrow = await page.evaluate(() => {
        const board = document.querySelector('.exercise-board');
        return board.querySelector('.arrow') !== null || board.querySelector('.ring') !== null;
    });
    assert.ok(arrow, san);
    return { before, san };
}

test('an ending is drawn by chance, hints point at the best move, and another follows', async () => {
    const page = await openPage(browser, server);
    await openEndings(page, 'bishop-near');
    assert.match(await task(page), /^White to move and mate in [2-5]$/);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'endings');
    await playBest(page);
    const pieces = () => page.locator('.exercise-board .spoken').last().textContent();
    const before = await pieces();
    await page.click('#ending-another');
    await until(pieces, (text) => text !== before);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
