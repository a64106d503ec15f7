// Back, of the browser or a phone, closes the dialog that is open instead of leaving the page.
// While there is one, the page has an entry of its own in the history, above that of the game.

/** Whether the entry is being given up: the answer comes later. */
let isLeaving = false;

const openDialogs = () => document.querySelectorAll('dialog[open]');
/** Whether the history is at the entry of a dialog. */
export const isHeld = () => Boolean(history.state?.dialog);

/** A dialog was opened. */
export function holdBack() {
    // While a closed dialog's entry is being given up, `followBack` makes the new one afterwards.
    if (!isHeld() && !isLeaving) history.pushState({ dialog: true }, '');
}

/** A dialog was closed by other means. */
export function releaseBack() {
    if (!isHeld() || isLeaving || openDialogs().length > 0) return;
    isLeaving = true;
    history.back();
}

/** Follows Back; `showHash` writes the address of the game, which may be another one by now. */
export function followBack(showHash) {
    // A page that is loaded anew has no dialog any more.
    if (isHeld()) history.replaceState(null, '');
    window.addEventListener('popstate', () => {
        const dialogs = openDialogs();
        if (isHeld()) {
            // Forward leads to no dialog.
            if (dialogs.length === 0) releaseBack();
            return;
        }
        if (isLeaving) {
            isLeaving = false;
        } else {
            if (dialogs.length === 0) return;
            dialogs[dialogs.length - 1].close();
        }
        showHash();
        if (openDialogs().length > 0) holdBack();
    });
}
