// Where things stand, on a phone, on its side, and on screens of two sizes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { importGame, newGame, openBoard, openPage, shoot, until, waitForMoves } from './harness.mjs';

const { server, browser } = await openBoard();

const PHONE = { hasTouch: true, isMobile: true };
const SCREENS = {
    phone: { viewport: { width: 390, height: 844 }, ...PHONE },
    'phone on its side': { viewport: { width: 844, height: 390 }, ...PHONE },
    laptop: { viewport: { width: 1400, height: 900 } },
    'wide screen': { viewport: { width: 1920, height: 1080 } },
};
/** Long enough to scroll, with clocks. */
const GAME = `[White "Ann"]\n[Black "Ben"]\n\n1. e4 {[%clk 0:05:00]} e6 {[%clk 0:04:59]} ${[...'dbhgcfai']
    .map((file, at) => `${at + 2}. ${file}3 {[%clk 0:04:0${at}]} ${file}7 {[%clk 0:04:0${at}]}`).join(' ')} *`;
/** What is on the screen whatever else is, and the least width of the board. */
const ALWAYS = ['#board svg', '#player-top .clock', '#player-bottom .clock', '#navigation', '#moves .move.current', '#new-game', '#help'];
const LEAST_BOARD = { phone: 350, 'phone on its side': 360, laptop: 700, 'wide screen': 880 };

const boxOf = (page, selector) => page.locator(selector).boundingBox();

/** What of the page is not whole on the screen. */
async function hidden(page, selectors) {
    const { width, height } = page.viewportSize();
    const beyond = [];
    for (const selector of selectors) {
        const box = await boxOf(page, selector);
        const whole = box && box.x >= -1 && box.y >= -1 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1;
        if (!whole) beyond.push(`${selector}: ${JSON.stringify(box)}`);
    }
    return beyond;
}

for (const [screen, options] of Object.entries(SCREENS)) {
    test(`board, clocks, navigation and the last moves share the screen, and stay where they are (${screen})`, async () => {
        const page = await openPage(browser, server, { path: '#none', ...options });
        await importGame(page, GAME);
        await waitForMoves(page, 18);
        await page.keyboard.press('End');
        await page.locator('#moves .move.current').waitFor();
        await until(() => page.locator('#player-top .clock').count(), (count) => count === 1);
        const first = await boxOf(page, '#board svg');
        assert.ok(first.width >= LEAST_BOARD[screen], `the board is ${first.width} pixels wide`);
        const panels = await page.locator('#tabs [role=tab]:visible').evaluateAll((tabs) => tabs.map(({ id }) => id));
        assert.ok(panels.length >= 2, panels.join());
        const step = await boxOf(page, '#navigation');
        for (const tab of panels) {
            await page.click(`#${tab}`);
            assert.deepEqual(await hidden(page, ALWAYS), [], tab);
            assert.deepEqual(await boxOf(page, '#navigation'), step, tab);
        }
        // An analysis moves nothing.
        await page.keyboard.press('a');
        await page.locator('#lines .line').first().waitFor();
        // The lines are drawn anew all the time.
        await until(() => hidden(page, [...ALWAYS, '#analyse', '#lines [data-rank="1"]']), (beyond) => beyond.length === 0, 5000);
        assert.deepEqual(await boxOf(page, '#board svg'), first);
        assert.deepEqual(await boxOf(page, '#navigation'), step);
        await shoot(page, `layout-${screen.replaceAll(' ', '-')}`);
        await page.keyboard.press('a');
        for (const way of ['scrollWidth', 'scrollHeight']) {
            const [whole, seen] = await page.evaluate((name) => [document.documentElement[name], name === 'scrollWidth' ? innerWidth : innerHeight], way);
            assert.ok(whole <= seen, `${way} is ${whole} of ${seen}`);
        }
        // Who points sees no ring, and a refused move stands by the board.
        await newGame(page, { side: 'both' });
        assert.deepEqual(await hidden(page, ['#board svg', '#navigation', '#take-back', '#resign']), []);
        await page.click('#take-back', { force: true });
        await page.locator('.message', { hasText: 'There is no move to take back yet.' }).waitFor();
        const [message, board] = [await boxOf(page, '#messages'), await boxOf(page, '#board svg')];
        assert.ok(message.x >= board.x && message.x + message.width <= board.x + board.width + 1, JSON.stringify(message));
        assert.deepEqual(page.faults, []);
        await page.context().close();
    });
}

test('zoomed in, the page scrolls, and board and field for moves keep their size', async () => {
    // 1400 × 900 at 200 % and at 400 % (WCAG 1.4.10).
    for (const [width, height] of [[700, 450], [350, 225]]) {
        const page = await openPage(browser, server, { path: '#none', viewport: { width, height } });
        await newGame(page, { side: 'both' });
        const board = await boxOf(page, '#board svg');
        assert.ok(board.width >= 220, `the board is ${board.width} pixels wide`);
        const field = await boxOf(page, '#move-text');
        assert.ok(field.width >= 60, `the field is ${field.width} pixels wide`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await page.locator('#move-text').scrollIntoViewIfNeeded();
        assert.deepEqual(await hidden(page, ['#move-text', '#navigation', '#take-back']), []);
        assert.deepEqual(page.faults, []);
        await page.context().close();
    }
});

test('a dark theme has a night board, unless another one was chosen', async () => {
    const page = await openPage(browser, server, { path: '#none', colorScheme: 'dark' });
    const look = () => page.locator('#board').getAttribute('data-board');
    assert.equal(await look(), 'night');
    await page.emulateMedia({ colorScheme: 'light' });
    await until(look, (name) => name === 'wood');
    await page.click('#settings');
    await page.selectOption('dialog select[name=board]', 'slate');
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(look, (name) => name === 'slate');
    // What is kept, and how large it may grow, is said.
    await page.click('#games');
    await page.locator('dialog .kept', { hasText: /kept .* until you delete/ }).waitFor();
    await page.context().close();
});
