// The evaluation over the game, as far as positions have been evaluated.

import { svg } from '../board/svg.js';
import { byId } from './elements.js';
import { expected, scoreText } from './store.js';

const WIDTH = 400;
const HEIGHT = 90;

export function showGraph(store, connection) {
    const box = byId('graph');

    const draw = () => {
        const line = store.mainLine;
        const known = line.filter((node) => node.verdict);
        box.hidden = store.playing || known.length < 3;
        if (box.hidden) return;
        const step = WIDTH / Math.max(1, line.length - 1);
        const at = (node, index) => [index * step, HEIGHT * (1 - expected(node.verdict))];
        const points = line.map((node, index) => (node.verdict ? at(node, index) : null)).filter(Boolean);
        const area = `M${points[0][0]} ${HEIGHT}L${points.map((point) => point.join(' ')).join('L')}`
            + `L${points[points.length - 1][0]} ${HEIGHT}Z`;
        const picture = svg('svg', {
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img',
            'aria-label': 'Evaluation over the game',
        });
        picture.append(
            svg('rect', { width: WIDTH, height: HEIGHT, class: 'graph-black' }),
            svg('path', { d: area, class: 'graph-white' }),
            svg('path', { d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: 'graph-middle' }),
            svg('path', { d: `M${points.map((point) => point.join(' ')).join('L')}`, class: 'graph-line' }),
        );
        const here = line.findIndex((node) => node.id === store.state?.node);
        if (here >= 0) picture.append(svg('path', { d: `M${here * step} 0V${HEIGHT}`, class: 'graph-here' }));
        picture.addEventListener('click', (event) => {
            const place = picture.getBoundingClientRect();
            const index = Math.round(((event.clientX - place.left) / place.width) * (line.length - 1));
            connection.send({ do: 'goto', node: line[index].id });
        });
        picture.addEventListener('mousemove', (event) => {
            const place = picture.getBoundingClientRect();
            const node = line[Math.round(((event.clientX - place.left) / place.width) * (line.length - 1))];
            box.title = node?.verdict ? `${node.san} ${scoreText(node.verdict)}` : node?.san ?? '';
        });
        box.replaceChildren(picture);
    };
    for (const event of ['tree', 'state', 'verdict']) store.addEventListener(event, draw);
}
