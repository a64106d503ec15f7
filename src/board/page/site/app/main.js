// The page: what the server says goes into the store, what the store holds is
// shown, and what the user does goes to the server.

import { arrow, toggled } from '../board/arrow_layer.js';
import { Board } from '../board/board.js';
import { BOARDS } from '../board/boards.js';
import { castledByRook } from '../board/castling.js';
import { piecesOf } from '../board/geometry.js';
import { showBook, showOpenings } from '../openings/openings.js';
import { offerMatch, showMatch } from '../watch/match.js';
import { showReview } from '../review/panel.js';
import { showKnown } from '../tables/known.js';
import { openCourse } from '../training/course.js';
import { learnFrom } from '../training/learn.js';
import { openTraining, showDue } from '../training/menu.js';
import { makeActions } from './actions.js';
import { followBack, holdBack, isHeld, releaseBack } from './back.js';
import { showPlayers } from './clocks.js';
import { Connection } from './connection.js';
import { openEditor } from './editor.js';
import { byId, dismiss, message, showStaying } from './elements.js';
import { showOffers } from './friend.js';
import { showGames } from './games.js';
import { showGraph } from './graph.js';
import { greet } from './greeting.js';
import { pointAsked, tellGame } from './spoken_game.js';
import { showHelp } from './help.js';
import { icon } from './icons.js';
import { followPageKeys, noteInput } from './keys.js';
import { arrowsOf, showBar, showLines } from './lines.js';
import { showAnnotation, showMoves } from './moves.js';
import { askNewGame, playFirst } from './new_game.js';
import { arrangePanels } from './panels.js';
import { offerPens } from './pens.js';
import { showRules } from './rule.js';
import { sentence } from './sentence.js';
import { askSettings, showLooks } from './settings.js';
import { playSounds } from './sounds.js';
import { sideAt, Store } from './store.js';
import { SET_UP, setUpHash, showTransfer } from './transfer.js';
import { showUnsaved } from './unsaved.js';

const store = new Store();
const connection = new Connection();
const boardHost = byId('board');
const board = new Board(boardHost, BOARDS.chesquerque);
board.leavesArrows = true;
let previewing = false;
/**
 * Whether the page has shown a position. If the first is the untouched start position, it greets
 * (greeting.js).
 */
let greeted = false;
/** Pixels of the wheel for a step. */
const WHEEL_STEP = 50;
/** Moves as they may be typed. */
const MOVE_EXAMPLES = { chesquerque: 'e4, Nc3, e2e4', masonic: 'Nc3, e2f4', alquerque: 'c2c3, a1c3e5' };
/** What is told of a lost connection, and whether an analysis went on; null while there is a connection. */
let lost = null;

/** Keeps what the user prefers, here and on the server; what another tab has changed meanwhile stays. */
function remember(changes) {
    store.change('preferences', { preferences: { ...store.preferences, ...changes } });
    connection.send({ do: 'save-preferences', preferences: changes });
}

const learn = (game) => openCourse(store, connection, remember, game);
const newGame = (from) => askNewGame(store, connection, remember, from, learn);
const help = () => showHelp(store);
const actions = makeActions(store, connection, { newGame: () => newGame(), help });

const preview = {
    show: (placement) => {
        previewing = true;
        board.set({ pieces: placement, legal: [], last: [], check: null, movable: null });
        board.setShapes([]);
    },
    hide: () => {
        if (!previewing) return;
        previewing = false;
        showPosition(true);
    },
};

showPlayers(store);
showOffers(store, connection);
const walk = showReview(store, connection, { remember, learn: (mistakes) => learnFrom(store, connection, mistakes) });
showMoves(store, connection);
showAnnotation(store, connection);
offerPens(store, board);
showBar(store);
showLines(store, connection, preview, () => panels.show('openings'));
showGraph(store, connection);
offerMatch(store, connection);
showUnsaved(store, connection);
showBook(store, connection, preview);
showKnown(store, connection);
showOpenings(store, connection);
showDue(store, connection, byId('learn'));
playSounds(store, remember);
showLooks(store, boardHost);
const panels = arrangePanels(store, remember);

/** Whose pieces may be taken in hand. */
function movable() {
    if (!store.playing) return store.seat ? null : 'both';
    return store.isLookingBack ? null : store.ownSide;
}

/** The legal moves; a king may castle by being led onto the rook, too. */
function legalMoves({ fen, legal }) {
    return castledByRook(piecesOf(board.description, fen.split(' ')[0]), legal);
}

function showPosition(instant = false) {
    const { state } = store;
    const { position } = state;
    const mine = movable();
    const turn = mine === 'both' || mine === position.turn;
    board.set({
        pieces: position.fen.split(' ')[0],
        legal: turn ? legalMoves(position) : [],
        last: position.last,
        check: position.check,
        movable: mine,
        waits: isWaiting(),
        instant,
    });
    board.setShapes(shapesHere());
}

/** A move that waits for the reply of the other side: the points of its way, and what a pawn is to become. */
let premove = null;

/** Whether the engine or a friend is to move in a game against somebody. */
const isWaiting = () => store.playing && movable() !== null && movable() !== 'both' && movable() !== store.state.position.turn;

/** Asks where the piece in hand might go while the other side is to move. */
function askPremoves() {
    const { from } = board.selection;
    if (from && isWaiting() && !document.body.classList.contains('lost')) connection.send({ do: 'point', node: store.state.node, point: from });
}

/** The arrows and circles of the position shown, and the move that waits. */
function shapesHere() {
    const shapes = arrowsOf(store);
    if (premove && !store.isLookingBack) shapes.push(arrow(premove.points, 'yellow', 0.8));
    return shapes;
}

/** Lets a move wait for the reply of the other side. */
function setPremove({ points, promotion = 'q' }) {
    premove = { points, promotion };
    board.setShapes(shapesHere());
    // It may have come while one chose.
    makePremove();
}

/** Makes the move that waited, if it is legal now; while an earlier position is shown, it waits on. */
function makePremove() {
    if (!premove || isWaiting() || store.isLookingBack) return;
    const { points: way, promotion: wanted } = premove;
    const [from, to] = [way[0], way[way.length - 1]];
    premove = null;
    if (!store.playing) return;
    const fitting = legalMoves(store.state.position)
        .filter(({ points, also }) => points[0] === from && (points[points.length - 1] === to || also === to));
    const move = fitting.find(({ points, promotion }) => (promotion ? promotion.toLowerCase() === wanted.toLowerCase() : points.join() === way.join()))
        ?? fitting[0];
    if (move) connection.send({ do: 'move', node: store.state.node, text: move.text });
    else message('The move that waited is not legal now.', 'refused');
}

/** Asks what the pieces are worth, or takes that off the board. */
function showValues() {
    if (store.showsValues) connection.send({ do: 'values', node: store.state.node });
    else board.setCaptions(new Map());
}

function showStatus() {
    const { position, play, node } = store.state;
    const side = position.turn === 'white' ? 'White' : 'Black';
    const own = ['white', 'black'].includes(store.ownSide);
    let text;
    let ended = null;
    if (play?.result && node === play.last) {
        ended = own && play.result !== '*' ? outcomeFor(play) : null;
        text = play.result === '*' ? 'The game was aborted.' : `${ended ? `${ended}, ` : ''}${play.result}: ${play.reason}.`;
    } else if (position.outcome) {
        text = `The game is over: ${position.outcome}.`;
    } else if (!play && node === store.ending?.node) {
        // The file says so; there are moves that one may try.
        const { result, reason } = store.ending;
        text = `Ended ${result}${reason ? `, ${reason}` : ''}. ${side} to move${position.check ? ', in check' : ''}.`;
    } else if (store.isLookingBack) {
        text = 'An earlier position of the game.';
    } else if (store.playing && play.paused) {
        text = `The clocks are stopped.${store.seat ? '' : ' Move, or press “Go on”.'}`;
    } else if (play?.thinking) {
        text = 'The engine is thinking.';
    } else {
        text = `${store.playing && store.ownSide === position.turn ? 'Your move' : `${side} to move`}${position.check ? ', in check' : ''}.`;
        const isNew = !play && store.nodes.size === 1 && position.fen.split(' ')[0] === BOARDS[store.state.game].start;
        if (isNew && !store.state.analysing) text += ' Move for both sides, or begin a new game.';
    }
    const status = byId('status');
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle('ended', ended !== null);
    const turn = text.startsWith('Your move') ? 'Your move – ' : '';
    document.title = `${turn}${BOARDS[store.state.game].title} – Qirkat`;
}

/** How a game ended for the one person who plays it at this page. */
function outcomeFor({ result }) {
    if (result === '1/2-1/2') return 'A draw';
    return (result === '1-0') === (store.ownSide === 'white') ? 'You won' : 'You lost';
}

store.addEventListener('state', () => {
    const { state } = store;
    const description = BOARDS[state.game];
    const other = board.description !== description;
    if (other) board.setGame(description);
    previewing = false;
    showPosition(other);
    askPremoves();
    showStatus();
    makePremove();
    if (state.game !== 'chesquerque') store.showsValues = false;
    if (store.showsValues && !lost) showValues();
    byId('move-text').placeholder = MOVE_EXAMPLES[state.game];
    showHash();
});
store.addEventListener('lines', () => {
    if (!previewing) board.setShapes(shapesHere());
});
store.addEventListener('view', () => board.flip(store.flipped));
store.addEventListener('values', showValues);
store.addEventListener('preferences', () => {
    const { preferences } = store;
    board.animation = preferences.animation;
    board.setCoordinates(preferences.coordinates);
    if (store.state && !previewing) board.setShapes(shapesHere());
    if (preferences.threads) {
        const { lines, threads, hash } = preferences;
        connection.send({ do: 'settings', lines, threads, hash });
    }
    connection.send({ do: 'ponder', on: preferences.ponder });
});

const spokenKeys = tellGame(store, connection, board);
const rule = showRules(store, connection, board);

function cancelPremove() {
    if (!premove) return;
    premove = null;
    board.setShapes(shapesHere());
}

board.addEventListener('take', ({ detail: { name } }) => {
    if (store.isLookingBack && name) message('This is an earlier position. Go “Back to the game” to move.', 'hint');
    cancelPremove();
});
boardHost.addEventListener('contextmenu', cancelPremove);
board.addEventListener('asking', holdBack);
board.addEventListener('asked', releaseBack);
board.addEventListener('hold', askPremoves);
board.addEventListener('premove', ({ detail }) => setPremove(detail));
board.addEventListener('move', (event) => {
    store.hint = null;
    dismiss('refused');
    connection.send({ do: 'move', node: store.state.node, text: event.detail.text });
});
board.addEventListener('refused', (event) => {
    dismiss('refused');
    // What is done while the other side thinks is done when it has moved, if it is legal then.
    if (isWaiting()) {
        setPremove(event.detail);
        return;
    }
    connection.send({ do: 'move', node: store.state.node, text: event.detail.points.join('') });
});

/** Letters of the colours of arrows and circles in PGN. */
const BRUSHES = { green: 'G', red: 'R', yellow: 'Y', blue: 'B' };

/** What was drawn, by node, until the server has taken it up: the `number` of the request, and the `shapes`. */
const unanswered = new Map();
let drawings = 0;

// What is drawn while looking through a game stays with its position.
board.addEventListener('shapes', ({ detail: drawn }) => {
    const { node } = store;
    if (store.playing || !node || drawn.length === 0) return;
    let shapes = node.shapes ?? [];
    for (const { from, to, brush } of drawn) {
        const shape = { from, to: to === from ? undefined : to, brush: BRUSHES[brush] ? brush : 'green' };
        shapes = toggled(shapes, shape);
    }
    board.arrows.drawn = [];
    node.shapes = shapes;
    board.setShapes(shapesHere());
    const texts = shapes.map(({ from, to = '', brush }) => `${BRUSHES[brush]}${from}${to}`);
    drawings += 1;
    if (connection.send({ do: 'set-shapes', number: drawings, node: node.id, shapes: texts })) unanswered.set(node.id, { number: drawings, shapes });
});

const HEARD = {
    hello: (said) => {
        // A session that begins anew has read no file.
        store.imported = null;
        unanswered.clear();
        connection.isGuest = said.seat !== null;
        document.body.classList.toggle('guest', connection.isGuest);
        store.change('hello', { hello: said });
        store.change('preferences', { preferences: { ...store.preferences, ...said.preferences } });
        takeUp();
        // A user who has started the server to watch a match sees it at once.
        if (!greeted && !location.hash && !store.seat) showMatch(store, connection);
    },
    tree: ({ nodes: said, drawn }) => {
        const nodes = new Map(said.map((node) => [node.id, node]));
        for (const [id, { number, shapes }] of unanswered) {
            if (number <= drawn) unanswered.delete(id);
            else if (nodes.has(id)) nodes.get(id).shapes = shapes;
        }
        store.change('tree', { nodes });
    },
    state: (said) => {
        const first = store.state?.id !== said.id;
        const own = sideAt(said.play);
        const mayTurnBoard = first || own !== store.ownSide;
        dismiss('away');
        store.hint = null;
        dismiss('hint');
        if (!said.sweeping) store.sweep = null;
        if (first) {
            premove = null;
            store.lines = null;
            store.known = null;
            dismiss('refused');
        }
        if (mayTurnBoard) store.flipped = own === 'black';
        store.change('state', { state: said });
        if (mayTurnBoard) store.change('view', {});
        if (!greeted && !store.seat && !hashOf(said) && !document.querySelector('dialog[open]')) {
            greet({ learn, play: (game) => playFirst(store, connection, remember, game), choose: (game) => newGame({ game }) });
        }
        greeted = true;
    },
    lines: (said) => store.change('lines', { lines: said }),
    verdict: ({ node, verdict, progress }) => {
        const known = store.nodes.get(node);
        if (known) known.verdict = verdict;
        store.change('verdict', { sweep: progress && progress[0] < progress[1] ? progress : null });
    },
    point: ({ node, point, legal }) => {
        if (isWaiting() && node === store.state.node && board.selection.from === point) board.setPremoves(castledByRook(board.state.pieces, legal));
    },
    values: ({ node, values }) => {
        if (node !== store.state.node || !store.showsValues || previewing) return;
        board.setCaptions(new Map(Object.entries(values).map(([name, value]) => [name, (value / 100).toFixed(1)])));
    },
    refused: ({ reason }) => {
        message(sentence(reason), 'refused');
        board.say(sentence(reason));
    },
    hint: ({ points, san }) => {
        store.hint = { points, node: store.state.node };
        dismiss('hint');
        message(`Try ${san}.`, 'hint');
        board.setShapes(shapesHere());
    },
    note: ({ text }) => message(sentence(text)),
    error: ({ text }) => {
        message(sentence(text), 'error');
        // The address may name no position. In place of a game the server has opened another.
        if (store.state) showHash();
        else if (location.hash.startsWith(`#${SET_UP}`)) connection.send({ do: 'open', id: null });
    },
    away: () => {
        // A game that has ended does not go on.
        if (store.state?.play?.result) return;
        showStaying('Your friend has closed the game or has no connection. It goes on here when your friend comes back.', null, null, 'error away');
        standStill('Your friend is not here.');
    },
    'taken-over': () => {
        connection.end();
        pausedAnalysis = null;
        document.body.classList.add('lost');
        showStaying('This game was opened in another tab.', 'Open it here', () => location.reload());
        standStill('Open in another tab.');
    },
};

connection.addEventListener('say', (event) => HEARD[event.detail.say]?.(event.detail));
connection.addEventListener('open', () => {
    document.body.classList.remove('lost');
    if (!lost) return;
    dismiss('staying');
    message('Connected again.');
});
connection.addEventListener('lost', ({ detail: { text, label, action } }) => {
    document.body.classList.add('lost');
    if (text === lost?.text) return;
    lost ??= { analysing: Boolean(store.state?.analysing) };
    lost.text = text;
    showStaying(text, label, action);
    standStill('No connection.');
});
connection.addEventListener('unsent', () => {
    // What was done on the board did not happen.
    if (store.state) showPosition(true);
    message('Nothing was done: there is no connection.', 'error');
});
window.addEventListener('online', () => connection.hurry());

/** The analysis that goes on when the page is seen again: whether it shows the threat. */
let pausedAnalysis = null;
document.addEventListener('visibilitychange', () => {
    const { state } = store;
    if (document.hidden && state?.analysing) {
        pausedAnalysis = { threat: state.threat };
        connection.send({ do: 'analyse', on: false });
    } else if (!document.hidden && pausedAnalysis) {
        if (lost) lost.analysing = true;
        else connection.send({ do: 'analyse', on: true, ...pausedAnalysis });
        pausedAnalysis = null;
    }
});

/**
 * What follows `#` in the address, for a reload: the name of a game that is kept, or the FEN of
 * a position without moves, which is not kept. Nothing for the board that a first visitor finds.
 */
function hashOf(state) {
    if (store.seat) return null;
    if (state.play || store.nodes.size > 1) return `#${state.id}`;
    const { fen } = state.position;
    const used = greeted || state.analysing || fen.split(' ')[0] !== BOARDS[state.game].start;
    return used ? setUpHash(state.game, fen) : null;
}

/** Writes the address of the game that is shown. */
function showHash() {
    const hash = store.state && hashOf(store.state);
    if (hash && location.hash !== hash) history.replaceState(history.state, '', hash);
}

/** Opens what the address names, or the last game. */
function takeUp() {
    if (store.seat) {
        lost = null;
        return;
    }
    const hash = location.hash.slice(1);
    const [game, fen] = hash.startsWith(SET_UP) ? hash.slice(SET_UP.length).split('/') : [];
    if (fen && BOARDS[game]) connection.send({ do: 'new', game, fen: decoded(fen) });
    else connection.send({ do: 'open', id: hash || null });
    if (lost?.analysing) connection.send({ do: 'analyse', on: true });
    lost = null;
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/** Shows nobody thinking and no clock running: without a connection the page cannot know. */
function standStill(why) {
    const { state } = store;
    if (!state) return;
    const play = state.play && { ...state.play, running: null, thinking: false, pondering: false };
    store.change('state', { state: { ...state, play, analysing: false } });
    byId('status').textContent = why;
}

for (const pressed of document.querySelectorAll('[data-icon]')) pressed.prepend(icon(pressed.dataset.icon));
byId('new-game').addEventListener('click', () => newGame());
byId('games').addEventListener('click', () => showGames(store, connection));
byId('transfer').addEventListener('click', () => showTransfer(store, connection, board));
byId('editor').addEventListener('click', () => openEditor(store, connection, newGame));
byId('learn').addEventListener('click', () => openTraining(store, connection, remember));
byId('settings').addEventListener('click', () => askSettings(store, remember));
byId('help').addEventListener('click', help);
byId('type-move').addEventListener('submit', (event) => {
    event.preventDefault();
    if (!store.state) return;
    const input = byId('move-text');
    const text = input.value.trim();
    dismiss('refused');
    if (text && !connection.send({ do: 'move', node: store.state.node, text })) return;
    input.value = '';
});

// The wheel over the board leads through the game. A touchpad tells of many small turns.
let turned = 0;
boardHost.addEventListener('wheel', (event) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : WHEEL_STEP);
    if (Math.abs(turned) < WHEEL_STEP) return;
    (turned > 0 ? actions.on : actions.back)();
    turned = 0;
}, { passive: false });

/** For the owner only: does nothing for guests. */
const ofOwner = (action) => () => {
    if (!store.seat) action();
};

noteInput();
followPageKeys({
    ArrowLeft: actions.back,
    ArrowRight: actions.on,
    ArrowUp: actions.start,
    ArrowDown: actions.end,
    Home: actions.start,
    End: actions.end,
    f: actions.flip,
    a: ofOwner(actions.analyse),
    t: ofOwner(actions.threat),
    h: ofOwner(actions.hint),
    u: actions.takeBack,
    n: ofOwner(actions.newGame),
    v: ofOwner(actions.values),
    m: () => byId('move-text').focus(),
    j: walk.next,
    k: walk.previous,
    r: walk.again,
    l: ofOwner(() => openTraining(store, connection, remember)),
    o: ofOwner(() => panels.toggle('openings')),
    w: ofOwner(() => showMatch(store, connection)),
    ...spokenKeys,
    d: () => {
        rule.expect(pointAsked(board));
        spokenKeys.d();
    },
    Escape: () => {
        cancelPremove();
        rule.hide();
    },
    '?': actions.help,
});

followBack(showHash);
// A link was put into the address bar, or Back leads to the game before it.
window.addEventListener('hashchange', () => {
    if (isHeld() || lost || !location.hash || !store.state || location.hash === hashOf(store.state)) return;
    takeUp();
});
connection.start();
