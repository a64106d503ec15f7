// What people with other needs than most meet: axe-core finds nothing wrong, and
// the board speaks.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessFaults, drag, newGame, openBoard, openPage, shoot, until, waitForMoves } from './harness.mjs';

const { server, browser } = await openBoard();

for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing wrong with the page and its dialogs (${colorScheme})`, { timeout: 600_000 }, async () => {
        const page = await openPage(browser, server, { colorScheme, reducedMotion: 'reduce' });
        const found = {};
        const look = async (name) => {
            const faults = await accessFaults(page);
            if (faults.length > 0) found[name] = faults;
        };
        await newGame(page, { side: 'both', clock: { minutes: 5, increment: 0 } });
        await look('play');
        await page.click('#break-off');
        await page.click('#break-off');
        await page.waitForSelector('#lines .line');
        await look('analysis');
        for (const dialog of ['new-game', 'games', 'transfer', 'editor', 'settings', 'learn', 'help']) {
            await page.click(`#${dialog}`);
            await page.waitForTimeout(200);
            await look(dialog);
            await shoot(page, `${dialog}-${colorScheme}`);
            await page.keyboard.press('Escape');
        }
        assert.deepEqual(found, {});
        await page.context().close();
    });
}

test('the page can be installed', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    const manifest = await page.evaluate(async () => {
        const { href } = document.querySelector('link[rel=manifest]');
        const { name, display, start_url, icons } = await (await fetch(href)).json();
        const types = await Promise.all(icons.map(async ({ src }) => (await fetch(new URL(src, href))).headers.get('content-type')));
        return { name, display, start_url, types, wanted: icons.map(({ type }) => type) };
    });
    assert.deepEqual(manifest, {
        name: 'Qirkat', display: 'standalone', start_url: './', types: manifest.wanted, wanted: ['image/svg+xml', 'image/png'],
    });
    assert.deepEqual(page.faults, []);
    await page.context().close();
});

test('the board says what the cursor is on', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    await newGame(page, { side: 'both' });
    await page.focus('#board svg');
    const spoken = () => page.locator('#board [aria-live]').textContent();
    await page.keyboard.press('ArrowDown');
    await until(spoken, (text) => text === 'e5, diagonal point, empty');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
    await until(spoken, (text) => text === 'e2, plain point, white pawn, can move');
    await page.keyboard.press('Enter');
    await until(spoken, (text) => text === 'e2, plain point, white pawn, in hand');
    await page.keyboard.press('ArrowUp');
    await until(spoken, (text) => text === 'e3, diagonal point, empty, can be reached');
    await page.keyboard.press('Enter');
    await until(() => page.locator('#moves .move').allTextContents(), (moves) => moves.join() === 'e3');
    // Who moves by mouse steps through the game by the same keys, also from the empty field
    // for moves, and however fast they come.
    await drag(page, 'e8', 'e7');
    await waitForMoves(page, 2);
    const current = (moves) => until(() => page.locator('#moves .move.current').allTextContents(), (shown) => shown.join() === moves);
    await page.keyboard.press('ArrowLeft');
    await current('e3');
    assert.equal(await page.locator('#board .cursor').count(), 0);
    await page.focus('#move-text');
    await page.keyboard.press('ArrowRight');
    await current('e7');
    await page.evaluate(() => {
        const key = () => new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true });
        for (let step = 0; step < 2; step += 1) document.body.dispatchEvent(key());
    });
    await current('');
    assert.deepEqual(page.faults, []);
    await page.context().close();
});
