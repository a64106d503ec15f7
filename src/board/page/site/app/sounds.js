// Sounds of moves, made here: short tones with a sharp beginning, as of wood on wood.

import { LOW_TIME, timeLeft } from './clocks.js';
import { button, byId, redraw } from './elements.js';

/** Milliseconds between two looks at the clock. */
const LOOK = 500;

/** Tones of each sound: hertz, seconds after its begin, seconds it takes, loudness. */
const SOUNDS = {
    move: [[240, 0, 0.07, 0.5]],
    capture: [[300, 0, 0.05, 0.5], [170, 0.05, 0.09, 0.6]],
    check: [[240, 0, 0.07, 0.5], [620, 0.06, 0.14, 0.25]],
    end: [[440, 0, 0.16, 0.3], [330, 0.15, 0.16, 0.3], [262, 0.3, 0.3, 0.3]],
    low: [[880, 0, 0.08, 0.25], [880, 0.16, 0.08, 0.25]],
};

/** How many pieces a position has. */
const piecesIn = ({ fen }) => fen.split(' ')[0].replace(/[^a-z]/gi, '').length;

/** The sound of what has led to a state from one with so many pieces. */
function soundOf({ node, position, play }, pieces) {
    const hasEnded = play?.result && play.result !== '*' && node === play.last;
    if (position.outcome || hasEnded) return 'end';
    if (position.check) return 'check';
    return piecesIn(position) < pieces ? 'capture' : 'move';
}

/** Plays the sounds, unless they are turned off by the button beside those for steps. */
export function playSounds(store, remember) {
    let context = null;
    const play = (name) => {
        if (!store.preferences.sound || document.hidden) return;
        // A browser lets nothing be heard before somebody has done something on the page.
        if (!navigator.userActivation?.hasBeenActive) return;
        context ??= new AudioContext();
        for (const [hertz, after, seconds, loudness] of SOUNDS[name]) {
            const begin = context.currentTime + after;
            const tone = new OscillatorNode(context, { type: 'triangle', frequency: hertz });
            const volume = new GainNode(context, { gain: 0 });
            volume.gain.setValueAtTime(loudness, begin);
            volume.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
            tone.frequency.exponentialRampToValueAtTime(0.6 * hertz, begin + seconds);
            tone.connect(volume).connect(context.destination);
            tone.start(begin);
            tone.stop(begin + seconds);
        }
        document.documentElement.dataset.sounded = name;
    };

    let shown = { id: null };
    store.addEventListener('state', () => {
        const { id, node, position, play: playing } = store.state;
        const before = shown;
        shown = { id, node, result: playing?.result ?? null, pieces: piecesIn(position) };
        if (before.id !== id) return;
        if (node !== before.node && position.last.length > 0) play(soundOf(store.state, before.pieces));
        else if (shown.result && !before.result && shown.result !== '*') play('end');
    });

    const warned = new Set();
    setInterval(() => {
        const { state } = store;
        const side = state?.play?.running;
        if (!side || !state.play.people[side === 'white' ? 0 : 1]) return;
        const key = `${state.id} ${side}`;
        if (timeLeft(store, side) < LOW_TIME && !warned.has(key)) {
            warned.add(key);
            play('low');
        }
    }, LOOK);

    const toggle = button('', () => remember({ sound: !store.preferences.sound }), { id: 'sound', icon: 'sound' });
    toggle.querySelector('.label').remove();
    byId('navigation').append(toggle);
    const show = () => {
        const { sound } = store.preferences;
        toggle.title = sound ? 'Sound is on: turn it off' : 'Sound is off: turn it on';
        toggle.setAttribute('aria-label', 'Sound');
        toggle.setAttribute('aria-pressed', String(sound));
        redraw(toggle, sound ? 'sound' : 'silence');
    };
    store.addEventListener('preferences', show);
    show();
}
