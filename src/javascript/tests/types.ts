// A typed program that must compile strictly, except for the marked errors.

import { Board, Book, Engine, readPgn, writePgn, VARIANTS, type Line, type Move, type PgnGame, type Variant } from 'qirkat';
import { QirkatBoard } from 'qirkat/board';
import { init, Board as Ready } from 'qirkat/init';

const variant: Variant = VARIANTS[2] ?? 'alquerque';
using board = new Board(null, { variant });
const texts: string[] = board.moves();
const moves: Move[] = board.moves({ verbose: true, square: 'e2' });
for (const move of [...moves, ...texts]) board.move(move);
board.move({ from: 'e2', to: 'e4', promotion: null });
const isPut: boolean = board.put({ type: 'm', color: 'w' }, 'e2');
const removed: 'w' | 'b' | undefined = board.remove('e2')?.color;
const corner: string | undefined = board.board()[0]?.[0]?.square;
const reason: string | null = board.whyIllegal({ points: ['a1', 'c3'] });
const winner: 'w' | 'b' | null | undefined = board.outcome()?.winner;
const type: string | undefined = board.get('e4')?.type;

const games: PgnGame[] = [...readPgn('', { onError: (error: Error) => console.log(error.message) })];
for (const game of games) console.log(writePgn(game), writePgn({ moves: ['e4', { san: 'e6', nags: [1] }] }));

async function think(): Promise<Line[]> {
    const engine = new Engine({ hash: 32 });
    const lines: Line[] = [];
    const best: string | undefined = (await board.probe())?.moves[0]?.lan;
    const games: number | undefined = (await Book.load('masonic')).probe(board)?.moves[0]?.games.draws;
    console.log(best);
    for await (const line of engine.analyse(board, { depth: 3, multipv: 2, signal: AbortSignal.timeout(100) })) lines.push(line);
    board.move(await engine.play(board, { time: 100 }));
    engine.close();
    return lines;
}

const ready: Promise<void> = init({ locateFile: (file: string) => (file.endsWith('.wasm') ? new URL(`https://example.org/${file}`) : undefined) });
const same: typeof Board = Ready;

const element = document.querySelector('qirkat-board');
element?.addEventListener('move', ({ detail }) => console.log(detail.san));
element?.addEventListener('refused', ({ detail }) => console.log(detail.reason));
element?.addEventListener('error', ({ message }) => console.log(message));
if (element instanceof QirkatBoard) element.playable = 'white';
element?.draw([{ from: 'e2', to: 'e4', brush: 'green' }]);

// @ts-expect-error there is no such game
new Board(null, { variant: 'chess' });
// @ts-expect-error texts alone
const wrong: Move[] = board.moves();
// @ts-expect-error an address
init({ locateFile: (file: string) => file.length });
// @ts-expect-error how long?
new Engine().play(board);
// @ts-expect-error it is `time`
new Engine().analyse(board, { movetime: 5 });

console.log(isPut, removed, corner, ready, same, reason, winner, type, think, wrong);
