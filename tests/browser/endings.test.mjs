// Endings to practise against the tables.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { accessFaults, drag, openBoard, openPage, PROGRAM, shoot, until, waitForBoard } from './harness.mjs';

const { server, browser } = await openBoard();

const BOARD = { board: '.exercise-board' };
const task = (page) => page.locator('.exercise-task').textContent();
const said = (page) => page.locator('.exercise-text').textContent();

/** A page that notes what the server tells of exercises. */
async function openEndings(ending) {
    const page = await openPage(browser, server, { path: '#none' });
    page.told = [];
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => {
        const told = JSON.parse(payload);
        if (told.say === 'exercise' || told.say === 'tried') page.told.push(told);
    }));
    await page.reload();
    await waitForBoard(page);
    await page.click('#learn');
    await page.click('#endings');
    await until(() => task(page), (text) => /to move/.test(text));
    page.told.length = 0;
    await page.selectOption('#ending', ending);
    await asked(page);
    return page;
}

/** The position that a move is asked for in, once it stands on the board. */
async function asked(page) {
    const last = await until(() => page.told.at(-1), (told) => told?.say === 'exercise');
    await until(() => page.locator('#exercise-hint').count());
    page.told.length = 0;
    return last.position;
}

/** The moves of a position, the best first, by the program's own tables. */
const probe = (fen) => JSON.parse(execFileSync(PROGRAM, ['tables', 'probe', '--json', '--fen', fen], { encoding: 'utf8' })).moves;

const make = (page, move) => drag(page, move.slice(0, 2), move.slice(2, 4), BOARD);

test('an ending is won by the best moves, and the win is remembered', async () => {
    const page = await openEndings('queen-near');
    await page.click('#ending-another');
    let position = await asked(page);
    assert.match(await task(page), /^White to move and mate in [2-4]$/);
    for (;;) {
        await make(page, probe(position.fen)[0].uci);
        const tried = await until(() => page.told.find(({ say }) => say === 'tried'));
        if (tried.judgement === 'solved') break;
        assert.equal(tried.judgement, 'right');
        await until(() => said(page), (text) => /^\S+ is best, mate in \d\. Black plays \S+\.$/.test(text));
        position = await asked(page);
    }
    assert.match(await until(() => said(page), (text) => /won in/.test(text)), /, which is best\. 1 of 3 wins\.$/);
    await shoot(page, 'endings-won');
    await page.reload();
    await waitForBoard(page);
    await page.click('#learn');
    await page.click('#endings');
    await until(() => page.locator('.exercise-rule').textContent(), (text) => /1 so far/.test(text));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('a move that gives the win away is told, taken back, and hints lead on', async () => {
    const page = await openEndings('bishop-near');
    // Some positions have no such move.
    let bad;
    for (let tries = 0; !bad && tries < 30; tries += 1) {
        await page.click('#ending-another');
        const position = await asked(page);
        bad = probe(position.fen).find(({ result }) => result === 'draw');
    }
    await make(page, bad.uci);
    assert.match(await until(() => said(page), (text) => /now/.test(text)), /: now drawn( by [a-z ]+)?\. It was won, mate in [2-5]\.$/);
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'endings-given-away');
    await page.click('#ending-back');
    await asked(page);
    await page.click('#exercise-hint');
    await until(() => said(page), (text) => /^Look at the white (king|bishop) on /.test(text));
    await page.click('#exercise-hint');
    await until(() => said(page), (text) => /^The move is /.test(text));
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
