// The names of the players, wherever they stand.

const ENGINE = 'Qirkat';

/** A player of a game that is played here: `You`, a friend, or the engine with its strength. */
const playerOf = ({ people, elo, friends }, index) => {
    const elsewhere = friends.filter((friend) => friend !== null).length;
    if (friends[index] !== null) return elsewhere === 1 ? 'Friend' : null;
    if (people[index]) return people[0] && people[1] && elsewhere === 0 ? null : 'You';
    return elo ? `${ENGINE} (${elo})` : ENGINE;
};

/** The name of a side: of who plays it, or the one that the game came with. */
export function nameOf(store, side) {
    const index = side === 'white' ? 0 : 1;
    const { play, players } = store.state ?? {};
    const name = play ? playerOf(play, index) : players?.[index];
    return name || (side === 'white' ? 'White' : 'Black');
}
