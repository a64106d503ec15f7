// The lessons of the course: for each piece a diagram on each kind of point, and a
// move that has to be made there.

/**
 * @typedef {Object} Lesson
 * @property {string} title
 * @property {string} text     the rule
 * @property {string} task     what to do
 * @property {string} fen
 * @property {string} from     the piece in question
 * @property {string[]} [to]   where it has to go; anywhere, if not given
 */

const CHESQUERQUE = [
    {
        title: 'The rook on a plain point',
        text: 'Small points are plain: only the lines of rank and file meet there. A rook on a plain point slides along them as far as they are free, and captures as it moves.',
        task: 'Take the knight on d8.',
        fen: '2k6/3n5/9/9/3R5/9/9/9/1K7 w - - 0 1', from: 'd5', to: ['d8'],
    },
    {
        title: 'The rook on a diagonal point',
        text: 'Large points are diagonal: slanting lines meet there too. A rook on a diagonal point slides along rank and file, or goes a single step slantwise. The point it stands on decides how it moves, not the point it goes to.',
        task: 'Take the pawn on f6.',
        fen: '2k6/9/9/5p3/4R4/9/9/9/1K7 w - - 0 1', from: 'e5', to: ['f6'],
    },
    {
        title: 'The bishop on a diagonal point',
        text: 'A bishop on a diagonal point slides slantwise as far as the line is free, or goes one step along rank or file.',
        task: 'Take the knight on h8.',
        fen: '2k6/7n1/9/9/4B4/9/9/9/1K7 w - - 0 1', from: 'e5', to: ['h8'],
    },
    {
        title: 'The bishop on a plain point',
        text: 'No slanting line leads away from a plain point. There a bishop goes one step along rank or file, and from then on it is on a diagonal point.',
        task: 'Take the pawn on f4.',
        fen: '2k6/9/9/9/9/4Bp3/9/9/1K7 w - - 0 1', from: 'e4', to: ['f4'],
    },
    {
        title: 'The knight on a plain point',
        text: 'A knight goes along two lines: from a plain point first one step along rank or file, then one step slantwise outward. The point between, its leg, must be empty: no piece ever jumps. Here the pawn on f4 closes two of its ways.',
        task: 'Take the rook on f6, over e5.',
        fen: '2k6/9/9/5r3/9/4NP3/9/9/1K7 w - - 0 1', from: 'e4', to: ['f6'],
    },
    {
        title: 'The knight on a diagonal point',
        text: 'From a diagonal point the knight first goes one step slantwise, then one step along rank or file outward. Again the point between must be empty: the pawn on d6 closes two ways.',
        task: 'Take the bishop on g6, over f6.',
        fen: '2k6/9/9/3p2b2/4N4/9/9/9/1K7 w - - 0 1', from: 'e5', to: ['g6'],
    },
    {
        title: 'The archbishop on a plain point',
        text: 'The archbishop moves as a bishop or as a knight. On a plain point that is one step along rank or file, or the way of the knight.',
        task: 'Take the queen on d6 as a knight would, over e5.',
        fen: '2k6/9/9/3q5/9/4A4/9/9/1K7 w - - 0 1', from: 'e4', to: ['d6'],
    },
    {
        title: 'The archbishop on a diagonal point',
        text: 'On a diagonal point the archbishop slides slantwise as a bishop does, or goes the way of the knight.',
        task: 'Take the rook on h2 as a bishop would.',
        fen: '2k6/9/9/9/4A4/9/9/7r1/1K7 w - - 0 1', from: 'e5', to: ['h2'],
    },
    {
        title: 'The queen on a plain point',
        text: 'The queen slides along every line that meets where it stands. On a plain point those are rank and file: four ways.',
        task: 'Take the bishop on e8.',
        fen: '2k6/4b4/9/9/9/4Q4/9/9/1K7 w - - 0 1', from: 'e4', to: ['e8'],
    },
    {
        title: 'The queen on a diagonal point',
        text: 'On a diagonal point the queen has all eight ways.',
        task: 'Take the rook on i9.',
        fen: '2k5r/9/9/9/4Q4/9/9/9/1K7 w - - 0 1', from: 'e5', to: ['i9'],
    },
    {
        title: 'The king on a plain point',
        text: 'The king goes one step along any line that meets where it stands: on a plain point four ways. It must not go where it could be captured.',
        task: 'Take the pawn on e5.',
        fen: '2k6/9/9/9/4p4/4K4/9/9/9 w - - 0 1', from: 'e4', to: ['e5'],
    },
    {
        title: 'The king on a diagonal point',
        text: 'On a diagonal point the king has eight ways.',
        task: 'Take the pawn on d4.',
        fen: '2k6/9/9/9/4K4/3p5/9/9/9 w - - 0 1', from: 'e5', to: ['d4'],
    },
    {
        title: 'The pawn on a plain point',
        text: 'A pawn goes one step straight ahead. From a plain point it captures straight ahead as well, and never slantwise.',
        task: 'Take the knight on e5.',
        fen: '2k6/9/9/9/4n4/4P4/9/9/1K7 w - - 0 1', from: 'e4', to: ['e5'],
    },
    {
        title: 'The pawn on a diagonal point',
        text: 'From a diagonal point a pawn captures one step slantwise ahead, as in chess, and straight ahead it only moves where the point is empty.',
        task: 'Take the knight on f6.',
        fen: '2k6/9/9/4pn3/4P4/9/9/9/1K7 w - - 0 1', from: 'e5', to: ['f6'],
    },
    {
        title: 'The double step',
        text: 'From where it starts, a pawn may go two points straight ahead, if both are empty.',
        task: 'Go two points with the pawn.',
        fen: '2k6/9/9/9/9/9/9/3P5/1K7 w - - 0 1', from: 'd2', to: ['d4'],
    },
    {
        title: 'En passant',
        text: 'A pawn that has just made a double step can be captured as if it had made a single one, by a pawn that could capture there: one that stands on a diagonal point. Black has just played g8–g6.',
        task: 'Take the pawn on g6 in passing: go to g7.',
        fen: '4k4/9/9/6pP1/9/9/9/9/4K4 w - g7 0 2', from: 'h6', to: ['g7'],
    },
    {
        title: 'Promotion',
        text: 'On the last rank a pawn becomes a queen, rook, bishop, knight or archbishop.',
        task: 'Promote the pawn to a piece of your choice.',
        fen: '4k4/P8/9/9/9/9/9/9/4K4 w - - 0 1', from: 'a8', to: ['a9'],
    },
    {
        title: 'Castling',
        text: 'Once in a game the king may go three points towards a rook, which goes to its other side. Neither must have moved, nothing may stand between, and no point on the king’s way may be attacked.',
        task: 'Castle: move the king to h1 or b1.',
        fen: '4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1', from: 'e1', to: ['h1', 'b1'],
    },
    {
        title: 'Mate',
        text: 'A side that attacks the king so that nothing helps has won. The king on e9 has five points to go to: the rook on a8 takes three of them.',
        task: 'Mate with the other rook.',
        fen: '4k4/R8/1R7/9/9/9/9/9/4K4 w - - 0 1', from: 'b7', to: ['b9'],
    },
];

const MASONIC = [
    {
        title: 'The rook',
        text: 'Each brick touches six others: two on its rank, and four above and below. The rook slides along the rank or along the slanting lines of bricks, called cants.',
        task: 'Take the knight on f7.',
        fen: 'k7/5n2/8/8/3R4/8/8/7K w - - 0 1', from: 'd4', to: ['f7'],
    },
    {
        title: 'The bishop',
        text: 'The bishop slides through the corners of bricks, to bricks of its own colour. It can also go one step as a rook.',
        task: 'Take the rook on g6.',
        fen: 'k7/8/6r1/8/3B4/8/8/7K w - - 0 1', from: 'd4', to: ['g6'],
    },
    {
        title: 'The queen',
        text: 'The queen slides as a rook or as a bishop: ten ways.',
        task: 'Take the knight on g2.',
        fen: 'k7/8/8/8/3Q4/8/6n1/7K w - - 0 1', from: 'd4', to: ['g2'],
    },
    {
        title: 'The king',
        text: 'The king goes one step in any of the ten ways of the queen, unless it could be captured there.',
        task: 'Take the pawn on f3.',
        fen: 'k7/8/8/8/3K4/5p2/8/8 w - - 0 1', from: 'd4', to: ['f3'],
    },
    {
        title: 'The knight',
        text: 'A step as a rook, then one slantwise outward: that is where the knight lands. It leaps over whatever stands between.',
        task: 'Leap over the pawn and take the bishop on f6.',
        fen: 'k7/8/5b2/4p3/3N4/8/8/7K w - - 0 1', from: 'd4', to: ['f6'],
    },
    {
        title: 'The pawn captures',
        text: 'A pawn goes one step ahead along either cant, without capturing. It captures slantwise ahead, as a bishop would.',
        task: 'Take the knight on f5.',
        fen: 'k7/8/8/5n2/3P4/8/8/7K w - - 0 1', from: 'd4', to: ['f5'],
    },
    {
        title: 'The double step',
        text: 'From its first rank a pawn may go two steps along one cant, if both bricks are empty.',
        task: 'Go two steps with the pawn.',
        fen: 'k7/8/8/8/8/8/3P4/7K w - - 0 1', from: 'd2', to: ['c4', 'e4'],
    },
    {
        title: 'Castling',
        text: 'The king goes two bricks towards a rook, which goes to its other side, as in chess.',
        task: 'Castle: move the king to g1 or c1.',
        fen: '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', from: 'e1', to: ['g1', 'c1'],
    },
];

const ALQUERQUE = [
    {
        title: 'The step on a plain point',
        text: 'A man goes one point along a line to an empty point: ahead or sideways, never back. On a small point only the lines of rank and file meet.',
        task: 'Go a step with the man.',
        fen: 'm4/5/5/2M2/5 w - - 0 1', from: 'c2',
    },
    {
        title: 'The step on a diagonal point',
        text: 'On a large point slanting lines meet too: there a man may also step slantwise ahead.',
        task: 'Step slantwise, to b4 or d4.',
        fen: 'm4/5/2M2/5/5 w - - 0 1', from: 'c3', to: ['b4', 'd4'],
    },
    {
        title: 'The jump',
        text: 'A man beside an enemy man jumps over it to the empty point beyond, and takes it. A side that can jump must jump.',
        task: 'Jump over the man on c3.',
        fen: 'm4/5/2m2/2M2/5 w - - 0 1', from: 'c2', to: ['c4'],
    },
    {
        title: 'The series of jumps',
        text: 'A man that has jumped goes on jumping, in any direction, as long as it can: all in one move.',
        task: 'Take two men in one move.',
        fen: '5/1m1m1/5/1m3/M4 w - - 0 1', from: 'a1', to: ['a5', 'e5'],
    },
    {
        title: 'The last rank',
        text: 'A man that has crossed the board does not step any more, but it may still jump, first to a side and then on in any direction.',
        task: 'Jump with the man that has crossed the board.',
        fen: '2Mm1/5/m4/5/1M3 w - - 0 1', from: 'c5', to: ['e5'],
    },
    {
        title: 'To win: take every man',
        text: 'A side that has no man left has lost.',
        task: 'Take the last two men in one move.',
        fen: '5/1m3/5/1m3/M4 w - - 0 1', from: 'a1', to: ['a5'],
    },
    {
        title: 'To win: leave no move',
        text: 'A side that has to move and cannot has lost, too. Black’s only man may still step to d2; and if c2 were empty, it could jump there over a man on d2.',
        task: 'Leave Black without a move.',
        fen: '5/5/4M/2M1m/3MM w - - 0 1', from: 'd1', to: ['d2'],
    },
];

/** The lessons of each game. */
export const LESSONS = { chesquerque: CHESQUERQUE, masonic: MASONIC, alquerque: ALQUERQUE };
