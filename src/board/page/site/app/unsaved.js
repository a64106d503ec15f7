// What could not be saved: told as long as that lasts, with a way to keep the game elsewhere.

import { button, byId, make, message, saveFile } from './elements.js';

/** Shows what the server tells of it. */
export function showUnsaved(store, connection) {
    const banner = byId('unsaved');
    let asked = false;
    let wanted = false;

    const again = button('Try again', () => {
        asked = connection.send({ do: 'save' });
    }, { id: 'save-again' });
    const elsewhere = button('Save this game as PGN', () => {
        wanted = connection.send({ do: 'export' });
    }, { id: 'save-elsewhere', icon: 'save' });

    const show = (trouble) => {
        const was = !banner.hidden;
        banner.hidden = !trouble;
        if (!trouble) {
            banner.replaceChildren();
            if (was) message('All is saved again.');
        } else {
            const { games, reason } = trouble;
            const what = games === 0 ? 'Your settings are' : games === 1 ? 'A game is' : `${games.toLocaleString()} games are`;
            const end = store.hasBackground ? '“qirkat board” runs' : 'this page is open';
            banner.replaceChildren(
                make('p', {}, make('strong', {}, `${what} not saved: ${reason}.`),
                    ` The board goes on trying; until that helps, nothing is lost as long as ${end}.`),
                make('div', { class: 'actions' }, again, elsewhere));
            if (asked) message('It still cannot be saved.', 'error');
        }
        asked = false;
    };
    connection.addEventListener('say', ({ detail }) => {
        if (detail.say === 'unsaved') show(detail.trouble);
        if (detail.say === 'exported' && wanted) {
            wanted = false;
            saveFile(`${store.state.game}.pgn`, detail.pgn);
        }
    });
    // A server that was started anew has its own troubles, if any.
    store.addEventListener('hello', () => { banner.hidden = true; });
}
