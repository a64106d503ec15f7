// The package in the bundles of each bundler, made by the commands of the guide and played in a
// real Chromium (scripts/test-npm). QIRKAT_FOLDER is a folder in which the package has been
// installed, QIRKAT_BUNDLERS the folder of the bundlers.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

import { serveFolder } from '../../../tests/browser/folder_server.mjs';
import { FOLDER, drag, newPage, startBrowser, until } from '../../../tests/browser/harness.mjs';

const GUIDE = readFileSync(new URL('../../../docs/programs/javascript.md', import.meta.url), 'utf8');
const [, RECIPES] = GUIDE.split('## With a bundler');
const blocks = (language) => RECIPES.split(`\`\`\`${language}\n`).slice(1).map((rest) => rest.split('```')[0]);
const [byName, located] = blocks('js');
const commands = blocks('console').join('').split('\n').filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
// The page of the guide, whose script imports the package otherwise.
const [, head, script] = GUIDE.match(/```html\n([^]*?)<script type="module">\n([^]*?)<\/script>/);
const app = script.split('\n').filter((line) => !line.includes('import ')).join('\n');

const browser = await startBrowser();
after(() => browser.close());

for (const [bundler, imports, bundle] of [
    ['webpack', byName, '<script src="main.js" defer></script>'],
    ['vite', byName, '<script src="app.js" type="module"></script>'],
    ['esbuild', located, '<script src="app.js" type="module"></script>'],
    ['rollup', located, '<script src="app.js" type="module"></script>'],
]) {
    test(`a page bundled by ${bundler} plays`, async () => {
        const folder = join(FOLDER, bundler);
        mkdirSync(join(folder, 'dist'), { recursive: true });
        symlinkSync(join(FOLDER, 'node_modules'), join(folder, 'node_modules'));
        writeFileSync(join(folder, 'app.js'), imports + app);
        writeFileSync(join(folder, bundler === 'vite' ? 'index.html' : 'dist/index.html'), head + bundle);
        const own = commands.filter((line) => line.startsWith(`npx ${bundler} `) || (imports === located && line.startsWith('cp ')));
        const PATH = `${join(process.env.QIRKAT_BUNDLERS, 'node_modules/.bin')}:${process.env.PATH}`;
        await promisify(execFile)('sh', ['-ec', own.join('\n').replace('npx ', '')], { cwd: folder, env: { ...process.env, PATH } });
        const server = await serveFolder(join(folder, 'dist'));
        const page = await newPage(browser);
        await page.route('**/favicon.ico', (route) => route.fulfill({ body: '' }));
        await page.goto(server.address);
        const board = 'qirkat-board';
        await page.evaluate(() => customElements.whenDefined('qirkat-board').then(() => document.querySelector('qirkat-board').ready));
        await drag(page, 'e2', 'e4', { board });
        await until(() => page.evaluate(() => document.querySelector('qirkat-board').game.history().length), (count) => count === 2);
        assert.deepEqual(page.faults, []);
        await page.context().close();
        await server.stop();
    });
}
