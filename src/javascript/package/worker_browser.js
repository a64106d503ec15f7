// The worker of an engine in a browser.

import { fetchFile } from './core.js';
import { serve } from './worker.js';

const answer = serve((message) => postMessage(message), fetchFile);
onmessage = ({ data }) => answer(data);
