// The evaluation over the game, as far as positions have been evaluated, with the
// marks of a review.

import { svg } from '../board/svg.js';
import { kindOf } from '../review/words.js';
import { byId } from './elements.js';
import { expected, scoreText } from './store.js';

const WIDTH = 400;
const HEIGHT = 90;
/** Units of the drawing between a mark and the edge. */
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
        // Nothing is known of the moves before and after.
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
        box.replaceChildren(picture);
    };
    // The picture is drawn anew at each step: the box hears, and holds a finger that goes along it.
    const nodeAt = ({ clientX }) => {
        const line = store.mainLine;
        const { left, width } = box.getBoundingClientRect();
        const share = Math.min(1, Math.max(0, (clientX - left) / width));
        return line[Math.round(share * (line.length - 1))];
    };
    let last = null;
    const goTo = (event) => {
        const node = nodeAt(event);
        if (!node || node.id === last) return;
        last = node.id;
        connection.send({ do: 'goto', node: last });
    };
    box.addEventListener('pointerdown', ({ pointerId }) => {
        last = null;
        box.setPointerCapture(pointerId);
    });
    box.addEventListener('pointermove', (event) => {
        if (event.buttons === 1) goTo(event);
        const node = nodeAt(event);
        const value = node && expectedAt(node);
        const score = node?.verdict ?? node?.eval;
        const told = score ? scoreText(score) : value === undefined ? '' : `${Math.round(100 * value)} %`;
        box.title = `${node?.san ?? ''} ${told}`.trim();
    });
    box.addEventListener('click', goTo);
    for (const event of ['tree', 'state', 'verdict', 'review']) store.addEventListener(event, draw);
}
