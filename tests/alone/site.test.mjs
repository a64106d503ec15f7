// The site that scripts/build-site makes, in a real Chromium, where hosts often put one: at a
// path of its own.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { serveFolder } from '../browser/folder_server.mjs';
import {
    accessFaults, drag, newGame, newPage, shoot, startBrowser, tap, until, waitForBoard, waitForMoves,
} from '../browser/harness.mjs';

const SITE = process.env.QIRKAT_SITE;
const host = mkdtempSync(join(tmpdir(), 'qirkat-site-'));
mkdirSync(join(host, 'a/b'), { recursive: true });
symlinkSync(SITE, join(host, 'a/b/qirkat'));
const server = await serveFolder(host);
const site = `${server.address}a/b/qirkat/`;
const browser = await startBrowser();
after(async () => {
    await browser.close();
    await server.stop();
    rmSync(host, { recursive: true });
});

const SIZES = {
    desktop: { viewport: { width: 1280, height: 860 } },
    phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const GUIDE_PAGE = 'guide/tournaments/matches.html';

/** A page that also notes what it wants from elsewhere. */
async function open(path, options) {
    const page = await newPage(browser, options);
    page.on('request', (request) => {
        if (!request.url().startsWith(site)) page.faults.push(`asks for ${request.url()}`);
    });
    page.on('response', (response) => {
        if (response.status() >= 400) page.faults.push(`${response.status()} for ${response.url()}`);
    });
    await page.goto(site + path);
    return page;
}

async function close(page) {
    assert.deepEqual(page.faults, []);
    await page.context().close();
}

/** What the guide finds for a word. */
async function search(page, word) {
    await page.click('#mdbook-search-toggle');
    await page.locator('#mdbook-searchbar').pressSequentially(word);
    await until(() => page.locator('#mdbook-searchresults-header').textContent(), (text) => text.includes(word));
    return page.locator('#mdbook-searchresults li a');
}

for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark']) {
        test(`pages fit the screen, and axe finds nothing serious (${size}, ${colorScheme})`, async () => {
            for (const path of ['index.html', 'download/index.html', GUIDE_PAGE]) {
                const page = await open(path, { ...options, colorScheme });
                for (const element of ['html', 'main']) {
                    const beyond = await page.locator(element).evaluate((box) => box.scrollWidth - box.clientWidth);
                    assert.ok(beyond <= 0, `${path}: ${element} is ${beyond} pixels too wide`);
                }
                const weights = path === GUIDE_PAGE ? ['serious', 'critical'] : undefined;
                assert.deepEqual(await accessFaults(page, { weights, onlyColours: colorScheme === 'dark' }), [], path);
                await shoot(page, `site-${path.replaceAll('/', '-')}-${size}-${colorScheme}`);
                await close(page);
            }
        });
    }

    test(`“Play now” leads to a board that plays (${size})`, async () => {
        const page = await open('index.html', options);
        await page.locator('.hero .play-now').click();
        await waitForBoard(page);
        await newGame(page, { elo: 500 });
        if (options.hasTouch) {
            await tap(page, 'e2');
            await tap(page, 'e4');
        } else {
            await drag(page, 'e2', 'e4');
        }
        await waitForMoves(page, 2);
        await shoot(page, `site-play-${size}`);
        await page.locator('.top-bar a').click();
        await page.locator('.hero').waitFor();
        await close(page);
    });

    test(`the guide has a table of contents, a search and ways out (${size})`, async () => {
        const page = await open(GUIDE_PAGE, options);
        if (size === 'phone') await page.locator('#mdbook-sidebar-toggle').press('Enter');
        await page.locator('#mdbook-sidebar a', { hasText: 'Puzzles' }).click();
        await page.waitForURL('**/play/puzzles.html');
        const found = await search(page, 'archbishop');
        assert.ok(await found.count() > 1);
        await found.first().click();
        await page.locator('mark', { hasText: /archbishop/i }).first().waitFor();
        await shoot(page, `site-search-${size}`);
        assert.equal(await (await search(page, 'xylophone')).count(), 0);
        await page.locator('.site-bar .play-now').click();
        await waitForBoard(page);
        await page.goBack();
        await page.locator('.site-bar .home').click();
        await page.locator('.hero').waitFor();
        await close(page);
    });

    test(`the API is documented (${size})`, async () => {
        const page = await open('index.html', options);
        await page.locator('.site-bar a', { hasText: 'API' }).click();
        await page.locator('h1', { hasText: 'Crate qirkat' }).waitFor();
        await page.locator('a', { hasText: /^Searcher$/ }).first().click();
        await page.locator('h1', { hasText: 'Searcher' }).waitFor();
        // Of rustdoc's fonts.
        page.faults = page.faults.filter((fault) => !fault.startsWith('A preload for '));
        await close(page);
    });
}

test('the guide and its search work from a file', async () => {
    const page = await newPage(browser);
    await page.goto(pathToFileURL(join(SITE, 'guide/index.html')).href);
    assert.ok(await (await search(page, 'archbishop')).count() > 1);
    await close(page);
});

test('every link within the site leads somewhere', { timeout: 300_000 }, async () => {
    const texts = new Map();
    const load = async (address) => {
        if (!texts.has(address)) {
            const response = await fetch(address);
            const isPage = response.headers.get('content-type') === 'text/html';
            texts.set(address, response.ok ? isPage && await response.text() : null);
            if (!isPage) await response.body?.cancel();
        }
        return texts.get(address);
    };
    const ours = (address) => address === `${site}index.html` || /^(guide|download)\//.test(address.slice(site.length));
    const broken = [];
    const pages = [`${site}index.html`];
    for (const from of pages) {
        for (const [, link] of (await load(from)).matchAll(/<[^>]* (?:href|src)="([^"]*)"/g)) {
            const to = new URL(link.replaceAll('&amp;', '&'), from);
            if (to.protocol !== 'http:' || (to.host !== new URL(site).host && !link.startsWith('/'))) continue;
            const id = decodeURIComponent(to.hash.slice(1));
            to.hash = '';
            const text = to.href.startsWith(site) ? await load(to.href) : null;
            if (text === null || (id && text && !text.includes(`id="${id}"`))) broken.push(`${from.slice(site.length)}: ${link}`);
            else if (text && ours(to.href) && !pages.includes(to.href)) pages.push(to.href);
        }
    }
    assert.deepEqual([...new Set(broken)], []);
    assert.ok(pages.length > 40, `only ${pages.length} pages`);
});
