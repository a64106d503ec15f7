// What one chooses from: games by their previews, those of an imported file, pieces and coordinates.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessFaults, openBoard, openPage, shoot, until, waitForNoDialog } from './harness.mjs';

const { server, browser } = await openBoard();

const FILE = ['Ann', 'Ben', 'Cem'].map((name) => `[White "${name}"]\n[Black "Zoe"]\n\n1. e4 e6 *\n`).join('\n');

test('the games of an imported file stay at hand, and each is kept once', async () => {
    const page = await openPage(browser, server);
    await page.click('#transfer');
    await page.fill('#pgn', FILE);
    await page.click('#read-pgn');
    await page.locator('.found .game').first().click();
    const white = (name) => until(() => page.locator('#player-bottom .name').textContent(), (text) => text.includes(name));
    await white('Ann');
    for (const [index, name] of [[2, 'Cem'], [0, 'Ann'], [2, 'Cem']]) {
        await page.click('#games');
        await page.locator('.imported .game').nth(index).click();
        await white(name);
    }
    await page.click('#games');
    await until(() => page.locator('.game-list .game-preview').count(), (count) => count === 2);
    // Each is a picture of where the game stands, drawn with pieces that are there.
    await until(() => page.locator('.game-preview').first().locator('.piece use').count(), (pieces) => pieces === 36);
    assert.ok(await page.evaluate(() => [...document.querySelectorAll('.game-preview use')].every((use) => document.querySelector(use.getAttribute('href')))));
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'games-with-previews');
    await page.fill('#games-search', 'ben');
    await until(() => page.locator('.imported .game').count(), (count) => count === 1);
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('pieces and coordinates are chosen, and stay so', async () => {
    const page = await openPage(browser, server);
    const coordinates = () => page.locator('#board .coordinate').count();
    assert.equal(await coordinates(), 18);
    await page.click('#settings');
    await page.selectOption('dialog select[name=pieces]', 'letters');
    await page.selectOption('dialog select[name=coordinates]', 'none');
    await page.keyboard.press('Escape');
    assert.equal(await coordinates(), 0);
    await waitForNoDialog(page);
    await page.reload();
    await page.waitForSelector('#board .pieces .piece');
    await until(coordinates, (count) => count === 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.pieces), 'letters');
    await page.context().close();
});
