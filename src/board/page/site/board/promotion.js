// The dialog that asks what a pawn becomes.

import { pieceIcon } from './pieces.js';

/**
 * Milliseconds after the dialog has opened in which a press of a finger counts as the second tap of
 * the move, and chooses nothing.
 */
const DOUBLE_TAP = 350;

/**
 * Asks for one of several moves that differ in what a pawn becomes. Resolves
 * with the move, or with nothing when it is dismissed.
 */
export function askPromotion(host, moves, side, pieceNames) {
    return new Promise((resolve) => {
        const dialog = document.createElement('dialog');
        dialog.className = 'promotion';
        dialog.setAttribute('aria-label', 'Promote the pawn to');
        const row = document.createElement('div');
        row.className = 'promotion-choice';
        const buttons = moves.map((move) => {
            const letter = side === 'white' ? move.promotion.toUpperCase() : move.promotion.toLowerCase();
            const name = pieceNames[move.promotion.toLowerCase()] ?? move.promotion;
            const button = document.createElement('button');
            button.type = 'button';
            button.dataset.promotion = move.promotion;
            button.title = name;
            const caption = document.createElement('span');
            caption.textContent = name;
            button.append(pieceIcon(letter), caption);
            button.addEventListener('click', () => finish(move));
            row.append(button);
            return button;
        });
        let finished = false;
        // The dialog opens as the finger that moved the pawn goes up, and the click of that
        // tap lands on what lies under the finger by then. Only a press that has begun here
        // counts. A click without a pointer (`detail` 0) comes from a key or a screen reader.
        const opened = performance.now();
        let pressed = false;
        dialog.addEventListener('pointerdown', (event) => {
            pressed = event.pointerType !== 'touch' || event.timeStamp - opened > DOUBLE_TAP;
        });
        dialog.addEventListener('click', (event) => {
            if (event.detail === 0 || pressed) return;
            event.stopPropagation();
            event.preventDefault();
        }, true);
        const finish = (move) => {
            if (finished) return;
            finished = true;
            dialog.close();
            dialog.remove();
            resolve(move);
        };
        dialog.addEventListener('cancel', () => finish(null));
        dialog.addEventListener('close', () => finish(null));
        dialog.addEventListener('click', (event) => {
            if (event.target === dialog) finish(null);
        });
        dialog.addEventListener('keydown', (event) => {
            event.stopPropagation();
            const at = buttons.indexOf(dialog.getRootNode().activeElement);
            if (event.key === 'ArrowRight') buttons[(at + 1) % buttons.length].focus();
            if (event.key === 'ArrowLeft') buttons[(at + buttons.length - 1) % buttons.length].focus();
            const chosen = moves.find((move) => move.promotion.toLowerCase() === event.key.toLowerCase());
            if (chosen) finish(chosen);
        });
        dialog.append(row);
        host.append(dialog);
        dialog.showModal();
        buttons[0].focus();
    });
}
