// Friends on other devices: the links by which they come, and what the players of a game offer
// each other.

import { svg } from '../board/svg.js';
import { onSecondClick } from './confirmed.js';
import { choice, field, openDialog } from './dialogs.js';
import { button, byId, copyText, make } from './elements.js';

const SEATS = { black: 'plays Black', white: 'plays White', watch: 'looks on' };
/** Modules that stay white around a QR code, so that cameras find it. */
const QUIET = 4;

function drawCode({ size, path }) {
    const whole = size + 2 * QUIET;
    return svg('svg', { class: 'code', viewBox: `${-QUIET} ${-QUIET} ${whole} ${whole}`, role: 'img', 'aria-label': 'The link as a QR code' },
        svg('rect', { x: -QUIET, y: -QUIET, width: whole, height: whole, fill: '#fff' }), svg('path', { d: path, fill: '#000' }));
}

/** The dialog in which links to the game are made and ended. */
export function inviteFriend(store, connection) {
    let links = null;
    const seat = choice('seat', Object.entries(SEATS), store.flipped ? 'white' : 'black');
    const local = make('p', { class: 'fault', hidden: true },
        'Only this machine reaches the board now. For other devices start “qirkat board --listen 0.0.0.0”.');
    const part = make('div', { class: 'link', 'aria-live': 'polite' });
    const show = () => {
        if (!links) return;
        const link = links.find((known) => known.seat === seat.value);
        if (!link) {
            part.replaceChildren(button('Make a link', () => {
                connection.send({ do: 'share', seat: seat.value });
                // The link takes its place.
                seat.focus();
            }, { id: 'make-link', class: 'primary', icon: 'plus' }));
            return;
        }
        const address = make('input', { id: 'link', readOnly: true, value: link.address, 'aria-label': 'The link', onfocus: () => address.select() });
        const end = button('End this link', () => onSecondClick(end, () => {
            connection.send({ do: 'end-link', seat: link.seat });
            seat.focus();
        }), { id: 'end-link', icon: 'bin' });
        part.replaceChildren(address,
            make('div', { class: 'actions' }, button('Copy', () => copyText(link.address), { icon: 'copy' }), end),
            ...(link.code ? [drawCode(link.code)] : []));
    };
    seat.addEventListener('change', show);
    const hear = ({ detail: said }) => {
        if (said.say !== 'links') return;
        links = said.links;
        local.hidden = !said.local;
        show();
    };
    connection.addEventListener('say', hear);
    openDialog('Play with a friend on another device', [
        make('p', {}, 'Your friend opens the link, or scans the code. Whoever has it can do just that in this game, and no more.'),
        local, field('Your friend', seat), part,
    ], { onclose: () => connection.removeEventListener('say', hear) });
    connection.send({ do: 'links' });
}

const OFFERS = {
    draw: ['Your friend offers a draw.', 'You have offered a draw.'],
    'take-back': ['Your friend asks to take back a move.', 'You have asked to take back a move.'],
};

/** Shows the offer that waits for an answer, with buttons if it is for this page to answer. */
export function showOffers(store, connection) {
    const box = byId('offer');
    let shown = '';
    store.addEventListener('state', () => {
        const [what, by] = store.state.play?.offer ?? [];
        const { ownSide } = store;
        const wanted = what && ['white', 'black'].includes(ownSide) ? `${what} ${by} ${ownSide}` : '';
        // The buttons stay while nothing changes.
        if (wanted === shown) return;
        shown = wanted;
        box.hidden = !wanted;
        if (!wanted) {
            box.replaceChildren();
            return;
        }
        const [theirs, mine] = OFFERS[what];
        const answer = (accept) => () => connection.send({ do: 'answer', offer: what, accept });
        box.replaceChildren(...(by === ownSide ? [mine] : [
            make('span', {}, theirs), button('Accept', answer(true), { id: 'accept', class: 'primary' }), button('Decline', answer(false), { id: 'decline' }),
        ]));
    });
}
