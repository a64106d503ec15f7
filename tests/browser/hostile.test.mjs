// What must not get in: other pages, forged hosts, garbage, and too much of it.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';

import { drag, newGame, openPage, startBrowser, startServer, talk, until, waitForMoves } from './harness.mjs';

let server;
let browser;
let url;
before(async () => {
    server = await startServer();
    browser = await startBrowser();
    url = new URL(server.address);
});
after(async () => {
    await browser.close();
    const { code } = await server.stop();
    server.remove();
    assert.equal(code, 130, 'the server has not ended in good order');
});

/** The first line that answers a request written by hand. */
function ask(path, headers, method = 'GET') {
    return new Promise((resolve, reject) => {
        const socket = connect(Number(url.port), '127.0.0.1');
        let text = '';
        socket.on('data', (data) => {
            text += data;
            if (text.includes('\r\n')) {
                resolve(text);
                socket.destroy();
            }
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(text));
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('');
        socket.write(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`);
    });
}

const UPGRADE = {
    Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** The path of the link by which a friend plays in a game of a page. */
async function linkOf(page) {
    await newGame(page, { side: 'both' });
    await page.click('#invite');
    await page.click('#make-link');
    await page.locator('#link').waitFor();
    return new URL(await page.inputValue('#link')).pathname;
}

test('hosts, origins and tokens are checked, for the links of friends too', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    for (const pathname of [url.pathname, await linkOf(page)]) await checkAccess(pathname);
    await page.context().close();
});

async function checkAccess(pathname) {
    const { host } = url;
    for (const [path, headers, status] of [
        [pathname, { Host: host }, 200],
        [pathname, { Host: host.replace('127.0.0.1', 'localhost') }, 200],
        [pathname, { Host: 'evil.example' }, 403],
        [pathname, { Host: `evil.example:${url.port}` }, 403],
        [pathname, {}, 403],
        ['/', { Host: host }, 403],
        [`/${'x'.repeat(32)}/`, { Host: host }, 403],
        [`${pathname}../../etc/passwd`, { Host: host }, 404],
        [`${pathname}none.js`, { Host: host }, 404],
        [`${pathname}socket`, { Host: host, Origin: `http://${host}`, ...UPGRADE }, 101],
        [`${pathname}socket`, { Host: host, Origin: 'http://evil.example', ...UPGRADE }, 403],
        [`${pathname}socket`, { Host: host, Origin: 'null', ...UPGRADE }, 403],
        [`${pathname}socket`, { Host: 'evil.example', Origin: 'http://evil.example', ...UPGRADE }, 403],
        ['/socket', { Host: host, ...UPGRADE }, 403],
    ]) {
        const answer = await ask(path, headers);
        assert.equal(Number(/ (\d+)/.exec(answer)?.[1]), status, `${path} ${JSON.stringify(headers)}: ${answer.slice(0, 60)}`);
        if (status !== 101) {
            for (const header of ['content-security-policy', 'x-content-type-options', 'referrer-policy']) {
                assert.ok(answer.toLowerCase().includes(header), `${path}: no ${header}`);
            }
        }
    }
    assert.match(await ask(pathname, { Host: host }, 'POST'), /^HTTP\/1.1 405/);
}

test('another page reaches nothing, even when it knows the address', async () => {
    const evil = createServer((request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end('<title>evil</title>');
    });
    await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
    const own = await openPage(browser, server, { path: '#none' });
    const link = new URL(await linkOf(own), url).href;
    const page = await (await browser.newContext()).newPage();
    await page.goto(`http://127.0.0.1:${evil.address().port}/`);
    const reach = (known) => page.evaluate(async (address) => {
        const socket = await new Promise((resolve) => {
            const tried = new WebSocket(`${address.replace('http:', 'ws:')}socket`);
            tried.onopen = () => resolve('open');
            tried.onerror = () => resolve('refused');
        });
        const fetched = await fetch(address).then(() => 'read', () => 'refused');
        const frame = document.createElement('iframe');
        frame.src = address;
        document.body.append(frame);
        await new Promise((resolve) => { frame.onload = resolve; });
        let framed = 'refused';
        try {
            framed = frame.contentDocument?.querySelector('#board') ? 'read' : 'refused';
        } catch { /* another origin */ }
        return { socket, fetched, framed };
    }, known);
    const refused = { socket: 'refused', fetched: 'refused', framed: 'refused' };
    for (const known of [server.address, link]) assert.deepEqual(await reach(known), refused);
    await page.context().close();
    await own.context().close();
    evil.close();
});

test('garbage is answered or ends its connection, and hurts nobody', async () => {
    const page = await openPage(browser, server, { path: '#none' });
    const garbage = [
        '', '{', '[]', 'null', '{"do":"fly"}', '{"do":"move"}', '{"do":"move","node":-1,"text":"e4"}',
        '{"do":"new","game":"shogi"}', '{"do":"goto","node":4294967296}', `{"do":"${'x'.repeat(5000)}"}`,
        '{"do":"review"}', '{"do":"review","what":"begin","time":-1}', '{"do":"exercise","what":"try","number":1}',
        '{"do":"exercise","what":"set-up","number":1,"task":{"kind":"file","path":"/etc/passwd"}}',
    ];
    const { heard } = await talk(page, garbage, 'error', garbage.length);
    assert.equal(heard.filter(({ say }) => say === 'error').length, garbage.length, JSON.stringify(heard).slice(0, 400));
    const odd = [
        '{"do":"move","node":77,"text":"e4"}', '{"do":"move","node":0,"text":"\\u0000\\u202e"}',
        '{"do":"goto","node":4000000000}', '{"do":"remove","node":0}', '{"do":"promote","node":9}', '{"do":"open-imported","index":9999}',
        '{"do":"open","id":"../../../etc/passwd"}', '{"do":"forget","id":"../preferences"}', '{"do":"take-back"}',
        '{"do":"resign"}', '{"do":"pause","on":true}', '{"do":"settings","lines":99999,"threads":99999,"hash":99999999}',
        '{"do":"mark","node":0,"nags":[1,2,3,4,5,6,7,8,9,10,11]}', '{"do":"check-fen","game":"alquerque","fen":"x"}',
        '{"do":"new","game":"chesquerque","fen":"9/9/9/9/9/9/9/9/9 w - - 0 1"}', '{"do":"values","node":5}', '{"do":"book","node":5}',
        '{"do":"analyse","on":true}', '{"do":"review","what":"begin","time":4294967295}', '{"do":"review","what":"stop"}',
        '{"do":"exercise","what":"try","number":1,"task":{"kind":"mistake","ply":4294967295},"text":"e4"}',
        '{"do":"exercise","what":"set-up","number":2,"task":{"kind":"puzzle","id":"../x","moves":["","\\u0000"]}}',
        '{"do":"watch","on":true}', '{"do":"open-watched","game":{"finished":7}}', '{"do":"open-watched","game":{"running":0}}',
        '{"do":"openings-chunk","text":"1. e4 *","last":false}', '{"do":"load-openings","name":"../../etc/passwd"}',
        '{"do":"openings-chunk","text":"{{{","last":true}', '{"do":"load-openings","name":"x"}', '{"do":"forget-openings"}',
        '{"do":"ponder","on":true}', '{"do":"analyse","on":true}', '{"do":"list"}',
    ];
    const answered = await talk(page, odd, 'games');
    assert.equal(answered.ended, false);
    assert.ok(answered.heard.some(({ say }) => say === 'games'));
    assert.equal((await talk(page, [{ bytes: [1, 2, 3] }])).ended, true, 'a binary message');
    assert.equal((await talk(page, Array(150).fill('{'))).ended, true, 'nothing but garbage');
    assert.equal((await talk(page, [`{"do":"import","pgn":"${'x'.repeat(5_000_000)}"}`])).ended, true, 'too large');
    await newGame(page, { side: 'both' });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 1);
    await page.context().close();
});

test('a hundred tabs, some of which read nothing, leave room for a game', { timeout: 600_000 }, async () => {
    const page = await openPage(browser, server, { path: '#none' });
    const opened = await page.evaluate(async () => {
        const url = new URL('socket', location.href);
        url.protocol = 'ws:';
        url.hash = '';
        const sockets = Array.from({ length: 150 }, () => new WebSocket(url));
        window.crowd = sockets;
        const states = await Promise.all(sockets.map((socket) => new Promise((resolve) => {
            // Once: the answers to these are messages too.
            socket.addEventListener('message', () => {
                socket.send('{"do":"new","game":"chesquerque","people":[true,true]}');
                resolve(true);
            }, { once: true });
            socket.onerror = () => resolve(false);
        })));
        return states.filter(Boolean).length;
    });
    assert.ok(opened >= 100 && opened < 150, `${opened} tabs were let in`);
    // Sockets by hand that send requests and never read.
    const deaf = Array.from({ length: 5 }, () => connect(Number(url.port), '127.0.0.1'));
    for (const socket of deaf) {
        socket.on('error', () => {});
        socket.pause();
        socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`.repeat(50));
    }
    await newGame(page, { side: 'white', elo: 500 });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 2);
    for (const socket of deaf) socket.destroy();
    await page.context().close();
    const again = await until(() => openPage(browser, server).catch(() => null));
    await again.context().close();
});

const GAME = '1. e4 e6 2. d3 d6 *';

test('reviews in many tabs leave room for a game', async () => {
    // That of the other tests may not have seen yet that a hundred tabs are closed.
    const own = await startServer();
    const page = await openPage(browser, own, { path: '#none' });
    const begun = await page.evaluate(async (pgn) => {
        const url = new URL('socket', location.href);
        url.protocol = 'ws:';
        url.hash = '';
        const open = () => new Promise((resolve) => {
            const socket = new WebSocket(url);
            socket.onmessage = ({ data }) => {
                const message = JSON.parse(data);
                if (message.say === 'hello') {
                    socket.send(JSON.stringify({ do: 'settings', lines: 1, threads: 1, hash: 1 }));
                    socket.send(JSON.stringify({ do: 'import', pgn }));
                    socket.send(JSON.stringify({ do: 'review', what: 'begin', time: 10_000 }));
                } else if (message.say === 'error' || (message.say === 'reviewing' && message.progress)) {
                    resolve(message.say);
                }
            };
            socket.onerror = () => resolve('refused');
            (window.crowd ??= []).push(socket);
        });
        return Promise.all(Array.from({ length: 20 }, open));
    }, GAME);
    assert.ok(begun.includes('reviewing'), begun.join());
    await newGame(page, { side: 'white', elo: 500 });
    await drag(page, 'e2', 'e4');
    await waitForMoves(page, 2);
    assert.deepEqual(page.faults, []);
    await page.context().close();
    await own.stop();
    own.remove();
});
