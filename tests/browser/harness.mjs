// A server of our own and a real Chromium, for each file of tests.
//
// With QIRKAT_FOLDER naming a folder that scripts/build-web has made, the server is one that
// sends its files and no more, as any host of web pages does.
//
// Needs `playwright-core` (scripts/test-board fetches it) and a Chromium. With
// QIRKAT_PAGE naming the folder of the page, its files come from there instead
// of out of the program, so that a change to the page needs no new build.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { serveFolder } from './folder_server.mjs';

const require = createRequire(join(process.env.QIRKAT_BROWSER_MODULES ?? process.cwd(), 'node_modules', 'x.js'));
const { chromium } = require('playwright-core');

export const PROGRAM = process.env.QIRKAT ?? 'target/release/qirkat';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PAGE = process.env.QIRKAT_PAGE;
const SHOTS = process.env.QIRKAT_SHOTS;
/** The folder of the page that needs no server, where that is tested. */
export const FOLDER = process.env.QIRKAT_FOLDER;

/** Milliseconds to wait for anything: machines that test are often busy. */
export const PATIENCE = Number(process.env.QIRKAT_PATIENCE ?? 60_000);

/** Starts the server; resolves when it can be reached. */
export const startServer = (options = {}) => (FOLDER ? serveFolder(FOLDER) : startBoard(options));

/** Starts `qirkat board`; resolves when it has printed its address. */
function startBoard({ games = mkdtempSync(join(tmpdir(), 'qirkat-board-')), args = [] } = {}) {
    const child = spawn(PROGRAM, ['board', '--no-open', '--games', games, ...args]);
    const server = { child, games, address: '' };
    server.ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
    server.stop = async () => {
        child.kill('SIGINT');
        return server.ended;
    };
    server.remove = () => rmSync(games, { recursive: true, force: true });
    return new Promise((resolve, reject) => {
        child.stdout.on('data', (data) => {
            server.address += data;
            if (server.address.endsWith('\n')) {
                server.address = server.address.trim();
                resolve(server);
            }
        });
        child.stderr.resume();
        child.on('exit', () => reject(new Error('the server has ended')));
    });
}

/** A server and a browser for all tests of a file, which end with them. */
export async function openBoard() {
    const server = await startServer();
    const browser = await startBrowser();
    after(async () => {
        await browser.close();
        await server.stop();
        server.remove();
    });
    return { server, browser };
}

// A page that comes from the disk counts as one from elsewhere, which may not talk to this machine.
const BROWSER_ARGUMENTS = ['--no-sandbox', ...(PAGE ? ['--disable-features=LocalNetworkAccessChecks'] : [])];

export const startBrowser = () => chromium.launch({ executablePath: CHROMIUM, args: BROWSER_ARGUMENTS });

/**
 * Milliseconds at most that each message to the page is held back: what a test does between two
 * of them shows what it should have waited for.
 */
const MESSAGE_DELAY = Number(process.env.QIRKAT_MESSAGE_DELAY ?? 0);

/** Runs in the page: holds back what its sockets and workers say, each message for another time, in order. */
function delayMessages(longest) {
    const delayed = (from, listener) => (event) => {
        const due = performance.now() + Math.random() * longest;
        const wait = (done) => setTimeout(() => { done(); listener(event); }, due - performance.now());
        from.before = (from.before ?? Promise.resolve()).then(() => new Promise(wait));
    };
    window.WebSocket = class extends WebSocket {
        // A socket closes after its last message.
        addEventListener(type, listener) {
            super.addEventListener(type, ['message', 'close'].includes(type) ? delayed(this, listener) : listener);
        }
    };
    window.Worker = class extends Worker {
        set onmessage(listener) {
            super.onmessage = delayed(this, listener);
        }
    };
}

/** The pages that are open. */
const pages = new Set();

/** Whether a message of the console tells of what these tests have asked for. */
const isOurs = (message) => message.text().includes('blocked by Playwright');

/** A page that keeps a list of all that went wrong in its console. */
export async function newPage(browser, options = {}) {
    // What the browser keeps of a page without a server is tested by itself: it takes time.
    const usual = { viewport: { width: 1280, height: 860 }, serviceWorkers: 'block' };
    const context = options.context ?? await browser.newContext({ ...usual, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    if (MESSAGE_DELAY > 0) await page.addInitScript(delayMessages, MESSAGE_DELAY);
    page.faults = [];
    pages.add(page);
    page.on('close', () => pages.delete(page));
    page.on('pageerror', (error) => page.faults.push(String(error)));
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isOurs(message)) page.faults.push(message.text());
        // A test that waits in vain does not say why.
        if (message.text().includes('crashed')) console.error(message.text());
    });
    return page;
}

/** Gives a page `reconnect`, which breaks its connection and waits for the next one. */
async function letBreak(page) {
    const sockets = [];
    await page.routeWebSocket(/socket$/, (asked) => {
        sockets.push(asked);
        asked.connectToServer();
    });
    page.reconnect = async () => {
        const before = sockets.length;
        await sockets.at(-1).close();
        await until(() => sockets.length > before);
        await page.locator('body:not(.lost)').waitFor();
    };
}

/** The page with the board; with `breaks`, it can `reconnect`. */
export async function openPage(browser, server, { path = '', greet = false, breaks = false, ...options } = {}) {
    const page = await newPage(browser, options);
    if (breaks) await letBreak(page);
    if (PAGE) await page.route(/(\/|\.js|\.css|\.svg)$/, (route) => serveFromDisk(route, server));
    await page.goto(server.address + path);
    await waitForBoard(page, greet);
    return page;
}

/** Opens a page, does something, and finds nothing wrong in its console. */
export async function withPage({ browser, server }, options, body) {
    const page = await openPage(browser, server, options);
    try {
        await body(page);
        assert.deepEqual(page.faults, []);
    } finally {
        await page.context().close();
    }
}

/** Waits until there is a board. Where there is no game yet, the page asks for one. */
export async function waitForBoard(page, greet = false) {
    await page.waitForSelector('#board .pieces .piece');
    if (greet || await page.locator('dialog[open]').count() === 0) return;
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
}

function serveFromDisk(route, server) {
    if (route.request().method() !== 'GET') return route.fallback();
    const file = route.request().url().slice(server.address.length).replace(/#.*/, '') || 'index.html';
    const contentType = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', html: 'text/html' }[file.split('.').pop()];
    return route.fulfill({ contentType, body: readFileSync(join(PAGE, file), 'utf8') });
}

/** Files and half files of each game, to find a point on the screen. */
const SIZES = { chesquerque: 9, masonic: 8, alquerque: 5 };
/** Board units beyond the outermost points: where coordinates stand, and elsewhere. */
const MARGIN = 0.84;
const NARROW_MARGIN = 0.58;

/** Where a point of a board lies on the screen. */
export async function placeOf(page, name, { game = 'chesquerque', flipped = false, board = '#board' } = {}) {
    const box = await page.locator(`${board} svg`).first().boundingBox();
    const last = SIZES[game] - 1;
    const width = last + (game === 'masonic' ? 0.5 : 0);
    let x = name.charCodeAt(0) - 97;
    let y = Number(name[1]) - 1;
    if (game === 'masonic' && y % 2 === 1) x += 0.5;
    if (flipped) [x, y] = [width - x, last - y];
    const far = game === 'masonic' ? MARGIN : NARROW_MARGIN;
    const unit = box.width / (width + MARGIN + far);
    return { x: box.x + (x + MARGIN) * unit, y: box.y + (last + far - y) * unit };
}

export async function drag(page, from, to, options) {
    const start = await placeOf(page, from, options);
    const end = await placeOf(page, to, options);
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
    await page.mouse.move(end.x, end.y, { steps: 3 });
    await page.mouse.up();
}

export async function click(page, name, options) {
    const { x, y } = await placeOf(page, name, options);
    await page.mouse.click(x, y);
}

export async function tap(page, name, options) {
    const { x, y } = await placeOf(page, name, options);
    await page.touchscreen.tap(x, y);
}

/** The rules of axe-core that depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe-core finds wrong with the page as it is, of any weight or of those named, or only with
 * its colours.
 */
export async function accessFaults(page, { weights = ['minor', 'moderate', 'serious', 'critical'], onlyColours = false } = {}) {
    const modules = process.env.QIRKAT_BROWSER_MODULES ?? '.';
    await page.evaluate(readFileSync(join(modules, 'node_modules/axe-core/axe.min.js'), 'utf8'));
    const options = { resultTypes: ['violations'], ...(onlyColours && { runOnly: COLOUR_RULES }) };
    const { violations } = await page.evaluate((options) => window.axe.run(document, options), options);
    const counted = violations.filter(({ impact }) => weights.includes(impact));
    return counted.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** Opens a game by the dialog for import. */
export async function importGame(page, pgn) {
    await page.click('#transfer');
    await page.fill('#pgn', pgn);
    await page.click('#read-pgn');
    await waitForNoDialog(page);
}

/** Shows a panel beside the board by its tab: `review`, `notes`, on a phone `moves` and `engine` too. */
export async function openPanel(page, name) {
    await page.click(name === 'openings' ? '#openings-toggle' : `#tab-${name}`);
    await page.locator(`#panel-${name}`).waitFor();
}

/** The moves of the main line and variations, as they are shown. */
export const movesShown = (page) => page.locator('#moves .move').allTextContents();

/**
 * Waits until a question has the wanted answer. (The page's policy forbids `eval`,
 * which Playwright's own waiting for functions needs.)
 */
export async function until(question, wanted = Boolean, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (;;) {
        const answer = await question();
        if (wanted(answer)) return answer;
        if (Date.now() > end) {
            const shown = await Promise.all([...pages].map((page) => shownOn(page).catch(String)));
            throw new Error(`waited in vain; the last answer was ${JSON.stringify(answer)}; ${shown.join('; ')}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

/** The address, the messages and the dialogs of a page, and its faults. */
async function shownOn(page) {
    const texts = await page.locator('.message, dialog').allInnerTexts();
    return `${page.url()} shows ${JSON.stringify(texts)}, faults ${JSON.stringify(page.faults)}`;
}

/** Waits until the last dialog is closed, and its entry in the history gone. */
export const waitForNoDialog = (page) => until(async () => await page.locator('dialog').count() === 0
    && page.evaluate(() => !history.state?.dialog));

/** Waits until so many moves are shown. */
export const waitForMoves = (page, count) => until(() => movesShown(page), (moves) => moves.length >= count);

export const status = (page) => page.locator('#status').textContent();

export const waitForStatus = (page, pattern) => until(() => status(page), (text) => pattern.test(text));

/** Whether the game is over. */
export const isOver = async (page) => /^((You won|You lost|A draw), )?(1-0|0-1|1\/2)|^The game is over/.test(await status(page));

/** White leaves a queen alone that it could take, and Black puts it where it is taken. */
export const BLUNDERS = `[White "Ann"]
[Black "Ben"]
[FEN "4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1"]

1. Kd1 Qa8 2. Rxa8 Kd9 3. Kd2 Ke9 *
`;

/** Reviews the game that is open. */
export async function reviewGame(page, thoroughness = '100') {
    await openPanel(page, 'review');
    await page.selectOption('.review-panel select', thoroughness);
    await page.click('#begin-review');
    await page.locator('.review-table').waitFor();
}

/** Chooses a strength in the dialog, which remembers that of the game before. */
async function setElo(page, elo) {
    await page.setChecked('dialog input[name=full]', false);
    await page.locator('dialog input[name=elo]').fill(String(elo));
}

/** Begins a game by the dialog. */
export async function newGame(page, { game = 'chesquerque', side = 'white', elo = 500, clock = null } = {}) {
    await page.click('#new-game');
    await page.selectOption('dialog select[name=game]', game).catch(() => {});
    await page.selectOption('dialog select[name=side]', side);
    if (side !== 'both') await setElo(page, elo);
    await page.setChecked('dialog input[name=clock]', clock !== null);
    if (clock) {
        await page.fill('dialog input[name=minutes]', String(clock.minutes));
        await page.fill('dialog input[name=increment]', String(clock.increment));
    }
    await startGame(page);
}

/** Begins what the dialog says, and waits until it has begun. */
export async function startGame(page) {
    const hash = () => page.evaluate(() => location.hash);
    const before = await hash();
    await page.click('#start-game');
    await waitForNoDialog(page);
    await until(hash, (hash) => hash !== before);
}

/** Opens a position to play from, for two players at one board. */
export async function playFrom(page, fen, options = {}) {
    await page.click('#editor');
    if (options.game) await page.selectOption('dialog select[name=editor-game]', options.game);
    await page.fill('dialog input.fen', fen);
    await page.locator('dialog input.fen').blur();
    await page.click('#editor-play:not(:disabled)');
    await page.selectOption('dialog select[name=side]', options.side ?? 'both');
    if (options.elo) await setElo(page, options.elo);
    if (options.think) {
        await page.setChecked('dialog input[name=full]', true);
        await page.fill('dialog input[name=think]', String(options.think));
    }
    await startGame(page);
}

/** Pieces on the board, by the words for screen readers. */
export const boardInWords = (page) => page.locator('#board .spoken').last().textContent();

/** The keys that the help lists, once it is open. */
export async function keysOfHelp(page) {
    const keys = page.locator('dialog table:last-of-type th');
    await keys.first().waitFor();
    return keys.allTextContents();
}

export async function shoot(page, name) {
    if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/**
 * Lets a page open a socket of its own, send messages and tell what came, until so many replies of
 * a kind have come or the connection has ended.
 */
export const talk = (page, messages, kind = null, count = 1) => page.evaluate(async ({ said, kind, count, patience }) => {
    const url = new URL('socket', location.href);
    url.protocol = 'ws:';
    url.hash = '';
    const socket = new WebSocket(url);
    const heard = [];
    const ended = await new Promise((resolve) => {
        socket.onclose = () => resolve(true);
        socket.onmessage = (event) => {
            heard.push(JSON.parse(event.data));
            if (heard.filter(({ say }) => say === kind).length >= count) resolve(false);
        };
        socket.onopen = () => {
            for (const text of said) {
                if (socket.readyState !== WebSocket.OPEN) break;
                socket.send(text.bytes ? new Uint8Array(text.bytes) : text);
            }
        };
        setTimeout(() => resolve(false), patience);
    });
    socket.close();
    return { heard, ended };
}, { said: messages, kind, count, patience: PATIENCE });

/**
 * Loads the page anew with a connection that breaks once, at the server's first message of this
 * kind. Returns whether it has broken.
 */
export async function breakOnceAt(page, kind) {
    let hasBroken = false;
    await page.routeWebSocket(/socket$/, (asked) => {
        asked.connectToServer().onMessage((text) => {
            if (hasBroken || !text.includes(`"${kind}"`)) {
                asked.send(text);
                return;
            }
            hasBroken = true;
            asked.close();
        });
    });
    await page.reload();
    return () => hasBroken;
}
