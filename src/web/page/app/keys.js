// Keys of the whole page. The board has its own while it has the focus.

/** Does `actions[key]` when a key is hit outside of fields and dialogs. */
export function followPageKeys(actions) {
    document.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
        if (document.querySelector('dialog[open]')) return;
        if (event.target.closest('input, textarea, select')) return;
        const action = actions[event.key] ?? actions[event.key.toLowerCase()];
        if (!action) return;
        event.preventDefault();
        action();
    });
}
