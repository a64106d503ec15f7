// Keys of the whole page. The board has its own while it has the focus.

/** Arrow keys mean nothing in an empty field for moves: whoever types moves may step too. */
const isIdle = ({ key, target }) => target.id === 'move-text' && target.value === '' && key.startsWith('Arrow');

/** Does `actions[key]` when a key is hit outside of fields and dialogs. */
export function followPageKeys(actions) {
    document.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
        if (document.querySelector('dialog[open]')) return;
        if (event.target.closest('input, textarea, select') && !isIdle(event)) return;
        const action = actions[event.key] ?? actions[event.key.toLowerCase()];
        if (!action) return;
        event.preventDefault();
        action();
    });
}

/** Notes whether a pointer or keys are used: only keys need a visible focus. */
export function noteInput() {
    const note = (input) => () => { document.documentElement.dataset.input = input; };
    document.addEventListener('pointerdown', note('pointer'), true);
    document.addEventListener('keydown', note('keys'), true);
}
