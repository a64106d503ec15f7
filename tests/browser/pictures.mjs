// The pictures of the guide, for scripts/draw-guide.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import {
    click, drag, importGame, movesShown, newGame, openBoard, openPage, shoot, until, waitForMoves, waitForStatus,
} from './harness.mjs';

const GAMES = new URL('../guide/files/games.pgn', import.meta.url);

/** Milliseconds for the review of a long game. */
const REVIEW = 240_000;

const { server, browser } = await openBoard();

/** Takes a picture of what `show` does with a page of this size. */
async function picture(name, width, height, show, options = {}) {
    const page = await openPage(browser, server, { viewport: { width, height }, ...options });
    await show(page);
    await until(() => page.locator('#messages .message').count(), (messages) => messages === 0);
    await page.waitForTimeout(500);
    await shoot(page, name);
    assert.deepEqual(page.faults, []);
    await page.context().close();
}

/** Makes moves by mouse, each with the engine's answer. */
async function play(page, moves, options) {
    for (const [index, move] of moves.entries()) {
        await drag(page, move.slice(0, 2), move.slice(2), options);
        await waitForMoves(page, 2 * index + 2);
        await waitForStatus(page, /Your move/);
    }
}

test('a game against the engine', () => picture('play', 1080, 720, async (page) => {
    await newGame(page, { elo: 1400, clock: { minutes: 10, increment: 5 } });
    await play(page, ['h2h3', 'b2b3', 'h1g3', 'b1c3', 'd2d3']);
    await click(page, 'c3');
}));

test('a game on a phone', () => picture('phone', 390, 844, async (page) => {
    await newGame(page, { elo: 1400, clock: { minutes: 10, increment: 5 } });
    await play(page, ['e2e4', 'd2d3', 'i2i3']);
    await click(page, 'e1');
}, { hasTouch: true, isMobile: true }));

test('a reviewed game', () => picture('review', 1180, 860, async (page) => {
    const [game] = readFileSync(GAMES, 'utf8').split(/\n\n(?=\[Event )/);
    await importGame(page, game);
    await waitForMoves(page, 100);
    await page.selectOption('.review-panel select', { label: 'quick' });
    await page.click('#begin-review');
    await page.locator('.review-table').waitFor({ timeout: REVIEW });
    const moves = await until(() => movesShown(page), (shown) => shown.some((move) => move.includes('??')));
    const blunder = moves.findIndex((move) => move.includes('??'));
    await page.locator('#moves .move').nth(blunder).click();
    await page.mouse.move(0, 0);
}));

// The last one, since the page keeps its settings.
test('Masonic chess in the dark', () => picture('masonic-dark', 1080, 720, async (page) => {
    await page.click('#settings');
    await page.selectOption('dialog select[name=theme]', 'dark');
    await page.selectOption('dialog select[name=board]', 'night');
    await page.keyboard.press('Escape');
    await newGame(page, { game: 'masonic', elo: 1400 });
    const options = { game: 'masonic' };
    await play(page, ['e2f4'], options);
    await click(page, 'b1', options);
}));
