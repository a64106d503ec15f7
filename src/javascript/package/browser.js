// The package in a browser. It is ready when its module has been fetched.

import { init } from './init.js';

await init();

export * from './index.js';
