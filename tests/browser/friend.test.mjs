// Two people on two devices: by a link one plays one side of one game, or looks on, and does no
// more.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
    accessFaults, drag, isOver, movesShown, newGame, newPage, openBoard, openPage, shoot, startServer, status, talk,
    until, waitForMoves, waitForNoDialog, waitForStatus,
} from './harness.mjs';

const { browser, server } = await openBoard();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const message = (page, text) => page.locator('.message', { hasText: text }).waitFor();

/** Makes a link for a seat in the dialog, which stays open. */
async function makeLink(page, seat) {
    if (await page.locator('dialog[open]').count() === 0) await page.click('#invite');
    await page.selectOption('dialog select[name=seat]', seat);
    await page.click('#make-link');
    await page.locator('#link').waitFor();
    return page.inputValue('#link');
}

/** A game of two people, with the link for a friend. */
async function share(seat = 'black', clock = null) {
    const page = await openPage(browser, server, { path: '#none' });
    await newGame(page, { side: 'both', clock });
    const link = await makeLink(page, seat);
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    return { page, link };
}

/** The page of a friend who follows a link. */
async function follow(link, options = {}) {
    const page = await newPage(browser, options);
    await page.goto(link);
    await page.waitForSelector('#board .pieces .piece');
    return page;
}

const closeAll = (...pages) => Promise.all(pages.map((page) => page.context().close()));

test('two people play on two devices, and one of them is cut off and comes back', async () => {
    const { page, link } = await share('black', { minutes: 5, increment: 3 });
    const friend = await follow(link, PHONE);
    await waitForStatus(friend, /^White to move/);
    await waitForStatus(page, /^Your move/);
    assert.ok(await page.locator('#hint').isHidden());
    assert.ok(await friend.locator('#new-game').isHidden());
    await drag(page, 'e2', 'e4');
    await waitForStatus(friend, /^Your move/);
    // Black is below on the page of whoever plays it.
    assert.match(await friend.locator('#player-bottom .name').textContent(), /You/);
    assert.equal(await friend.locator('.message').count(), 0);
    assert.deepEqual(await accessFaults(friend), []);
    await shoot(friend, 'friend-phone');
    await drag(friend, 'e8', 'e6', { flipped: true });
    await waitForMoves(page, 2);
    await waitForStatus(page, /^Your move/);
    assert.equal(await page.locator('#player-top .clock').count(), 1);
    await shoot(page, 'friend-owner');
    // The friend goes: whoever has invited sees it, and plays on.
    await friend.context().setOffline(true);
    await friend.goto('about:blank');
    await page.locator('#player-top .thinking', { hasText: 'is not here' }).waitFor();
    await drag(page, 'd2', 'd3');
    await waitForMoves(page, 3);
    await friend.context().setOffline(false);
    await friend.goto(link);
    await waitForMoves(friend, 3);
    await waitForStatus(friend, /^Your move/);
    await until(() => page.locator('#player-top .thinking').count(), (count) => count === 0);
    // So does the other.
    const game = page.url();
    await page.goto('about:blank');
    await message(friend, 'closed the game or has no connection');
    await waitForStatus(friend, /not here/);
    await page.goto(game);
    await waitForStatus(friend, /^Your move/);
    assert.equal(await friend.locator('.message.staying').count(), 0);
    await drag(friend, 'd8', 'd7', { flipped: true });
    await waitForMoves(page, 4);
    await closeAll(page, friend);
});

test('offers and a resignation go to the other side', async () => {
    const { page, link } = await share();
    const friend = await follow(link);
    await drag(page, 'e2', 'e4');
    await waitForMoves(friend, 1);
    await friend.click('#offer-draw');
    await page.locator('#offer', { hasText: 'Your friend offers a draw' }).waitFor();
    assert.deepEqual(await accessFaults(page), []);
    await shoot(page, 'friend-offer');
    for (const [name, viewport] of Object.entries({ phone: PHONE.viewport, 'phone-on-its-side': { width: 844, height: 390 } })) {
        await page.setViewportSize(viewport);
        const { x, y, width, height } = await page.locator('#decline').boundingBox();
        assert.ok(x >= 0 && x + width <= viewport.width && y >= 0 && y + height <= viewport.height, `the answer is beside a ${name}`);
        await shoot(page, `friend-offer-${name}`);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.click('#decline');
    await message(friend, 'would like to play on');
    await until(() => friend.locator('#offer').isHidden());
    await page.focus('#take-back');
    await page.keyboard.press('Enter');
    await friend.click('#accept');
    await until(() => movesShown(page), (moves) => moves.length === 0);
    await until(() => movesShown(friend), (moves) => moves.length === 0);
    await drag(page, 'e2', 'e4');
    await waitForMoves(friend, 1);
    await friend.click('#resign');
    await friend.click('#resign');
    await until(() => isOver(page));
    assert.match(await status(page), /^You won, 1-0: Black resigns/);
    await waitForStatus(friend, /^You lost, 1-0/);
    assert.ok(await friend.locator('#tabs').isHidden());
    assert.deepEqual([...page.faults, ...friend.faults], []);
    await closeAll(page, friend);
});

test('others look on, and links are ended', async () => {
    const { page, link } = await share();
    const look = await makeLink(page, 'watch');
    assert.notEqual(look, link);
    assert.deepEqual(await accessFaults(page), []);
    await page.locator('svg.code path').waitFor();
    await shoot(page, 'friend-invite');
    await page.setViewportSize(PHONE.viewport);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= PHONE.viewport.width, `the page is ${width} pixels wide`);
    await shoot(page, 'friend-invite-phone');
    await page.setViewportSize({ width: 1280, height: 860 });
    const watcher = await follow(look, { colorScheme: 'dark' });
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    await drag(page, 'e2', 'e4');
    await waitForMoves(watcher, 1);
    assert.ok(await watcher.locator('#play-actions').isHidden());
    await drag(watcher, 'e8', 'e6');
    await watcher.keyboard.press('n');
    await watcher.keyboard.press('ArrowLeft');
    await waitForStatus(watcher, /earlier position/);
    assert.equal(await watcher.locator('dialog').count(), 0);
    assert.deepEqual(await accessFaults(watcher), []);
    await shoot(watcher, 'friend-watching');
    assert.deepEqual(watcher.faults, []);
    const friend = await follow(link);
    await page.click('#invite');
    for (const seat of ['watch', 'black']) {
        await page.selectOption('dialog select[name=seat]', seat);
        await page.click('#end-link');
        await page.click('#end-link');
        await page.locator('#make-link').waitFor();
    }
    for (const guest of [watcher, friend]) await message(guest, 'This link has ended');
    const answer = await friend.goto(link);
    assert.equal(answer.status(), 403);
    // Both sides are played here again.
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    await drag(page, 'e8', 'e6');
    await waitForMoves(page, 2);
    assert.deepEqual(page.faults, []);
    await closeAll(page, watcher, friend);
});

test('a friend is told when the board is started anew', async () => {
    const first = await startServer();
    const page = await openPage(browser, first, { path: '#none' });
    await newGame(page, { side: 'both' });
    const friend = await follow(await makeLink(page, 'black'));
    await first.stop();
    await message(friend, 'No connection');
    const second = await startServer({ games: first.games });
    await message(friend, 'This link has ended');
    await closeAll(page, friend);
    await second.stop();
    second.remove();
});

test('a hostile friend is refused, and hurts nobody', async () => {
    const { page, link } = await share();
    const friend = await follow(link);
    const hostile = [
        '{"do":"open","id":null}', '{"do":"list"}', '{"do":"export"}', '{"do":"import","pgn":"*"}', '{"do":"new","game":"chesquerque"}',
        '{"do":"analyse","on":true}', '{"do":"hint"}', '{"do":"pause","on":true}', '{"do":"break-off"}', '{"do":"save"}',
        '{"do":"save-preferences","preferences":{}}', '{"do":"review","what":"begin","time":1000}', '{"do":"share","seat":"white"}', '{"do":"links"}',
        '{"do":"end-link","seat":"black"}', '{"do":"forget","id":"abcdefghijkm"}', '{"do":"train","what":"due","today":1}', '{"do":"watch","on":true}',
        '{"do":"load-openings","name":"x"}', '{"do":"book","node":0}', '{"do":"settings","lines":1,"threads":1,"hash":1}', '{', '', '[]',
    ];
    const { heard, ended } = await talk(friend, hostile, 'error', hostile.length);
    assert.equal(ended, false);
    assert.deepEqual([...new Set(heard.map(({ say }) => say))].sort(), ['error', 'hello', 'state', 'tree']);
    assert.deepEqual(heard.find(({ say }) => say === 'hello').preferences, {});
    assert.equal((await talk(friend, [{ bytes: [1, 2, 3] }], 'error')).ended, true, 'a binary message');
    assert.equal((await talk(friend, Array(150).fill('{'), 'error', 1000)).ended, true, 'nothing but garbage');
    assert.equal((await talk(friend, [`{"do":"${'x'.repeat(10_000)}"}`], 'error')).ended, true, 'too large');
    // Offers one after the other reach the other side once, and who moves out of turn moves nothing.
    const flood = Array(300).fill('{"do":"offer-draw"}');
    await talk(friend, [...flood, '{"do":"move","node":0,"text":"e2e4"}', '{"do":"goto","node":4000000000}', '{"do":"fly"}'], 'error');
    await page.locator('#offer', { hasText: 'offers a draw' }).waitFor();
    await page.click('#decline');
    assert.equal((await movesShown(page)).length, 0);
    // A crowd by one link leaves room for the game.
    await friend.evaluate(() => {
        const url = new URL('socket', location.href);
        url.protocol = 'ws:';
        window.crowd = Array.from({ length: 150 }, () => new WebSocket(url));
    });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    await closeAll(friend);
    const again = await until(() => follow(link).catch(() => null));
    await waitForStatus(again, /^Your move/);
    await drag(again, 'e8', 'e6', { flipped: true });
    await waitForMoves(page, 2);
    assert.deepEqual(page.faults, []);
    await closeAll(page, again);
});
