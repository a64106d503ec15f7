// The evaluation over the game, as far as positions have been evaluated, with the
// marks of a review.

import { svg } from '../board/svg.js';
import { kindOf } from '../review/words.js';
import { byId } from './elements.js';
import { expected, scoreText } from './store.js';

const WIDTH = 400;
const HEIGHT = 90;
/** Marks stay so far from the edge. */
const MARGIN = 6;

const scored = (score) => (score ? expected(score) : undefined);

export function showGraph(store, connection) {
    const box = byId('graph');

    /** What White may expect at a node, by its review or by a search. */
    const expectedAt = (node) => store.review?.expectedAt(node) ?? scored(node.verdict ?? node.eval);

    const draw = () => {
        const line = store.mainLine;
        const step = WIDTH / Math.max(1, line.length - 1);
        const at = (node, index) => {
            const value = expectedAt(node);
            return value === undefined ? null : [index * step, HEIGHT * (1 - value)];
        };
        const places = line.map(at);
        const points = places.filter(Boolean);
        box.hidden = store.playing || points.length < 3;
        if (box.hidden) return;
        // Of the moves before and behind, nothing is known.
        const [[first], [last]] = [points[0], points[points.length - 1]];
        const area = `M${first} ${HEIGHT}L${points.map((point) => point.join(' ')).join('L')}L${last} ${HEIGHT}Z`;
        const picture = svg('svg', {
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img',
            'aria-label': 'Evaluation over the game',
        });
        picture.append(
            svg('rect', { x: first, width: last - first, height: HEIGHT, class: 'graph-black' }),
            svg('path', { d: area, class: 'graph-white' }),
            svg('path', { d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: 'graph-middle' }),
            svg('path', { d: `M${points.map((point) => point.join(' ')).join('L')}`, class: 'graph-line' }),
        );
        const here = line.findIndex((node) => node.id === store.state?.node);
        if (here >= 0) picture.append(svg('path', { d: `M${here * step} 0V${HEIGHT}`, class: 'graph-here' }));
        line.forEach((node, index) => {
            const kind = kindOf(store.review?.of(node) ?? {});
            if (!kind || kind === 'only') return;
            // A line without length is a dot that stays round however the graph is stretched.
            const [x, y] = places[index];
            const inside = Math.min(HEIGHT - MARGIN, Math.max(MARGIN, y));
            picture.append(svg('path', { d: `M${x} ${inside}h0`, class: `graph-mark ${kind}` }));
        });
        picture.addEventListener('click', (event) => {
            const place = picture.getBoundingClientRect();
            const index = Math.round(((event.clientX - place.left) / place.width) * (line.length - 1));
            connection.send({ do: 'goto', node: line[index].id });
        });
        picture.addEventListener('mousemove', (event) => {
            const place = picture.getBoundingClientRect();
            const node = line[Math.round(((event.clientX - place.left) / place.width) * (line.length - 1))];
            const value = node && expectedAt(node);
            const score = node?.verdict ?? node?.eval;
            const told = score ? scoreText(score) : value === undefined ? '' : `${Math.round(100 * value)} %`;
            box.title = `${node?.san ?? ''} ${told}`.trim();
        });
        box.replaceChildren(picture);
    };
    for (const event of ['tree', 'state', 'verdict', 'review']) store.addEventListener(event, draw);
}
