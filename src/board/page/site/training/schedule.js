// Asking the trainer, and the days on which positions come again.

import { counted } from '../app/elements.js';

const DAY = 86_400_000;

/** The day where the user is, in days since 1970. */
export const today = () => Math.floor((Date.now() - 60_000 * new Date().getTimezoneOffset()) / DAY);

/** Asks the trainer for something that depends on the day. */
export const train = (connection, what, more = {}) => connection.send({ do: 'train', what, today: today(), ...more });

/** When a day comes, in words. */
export function inDays(day) {
    const days = day - today();
    return days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}

/** How many positions are due. */
export const dueIn = ({ due }) => (due ? due.puzzles + due.mistakes : 0);

/** What is due, in words. */
export function dueInWords({ puzzles, mistakes }) {
    const parts = [];
    if (puzzles > 0) parts.push(counted(puzzles, 'puzzle'));
    if (mistakes > 0) parts.push(counted(mistakes, 'mistake'));
    return parts.join(' and ');
}

/** Sends how a position went, once. */
export function grader(connection, item) {
    let isGraded = false;
    return (grade) => {
        if (!isGraded) train(connection, 'grade', { item, grade });
        isGraded = true;
    };
}
