//! Which material of Masonic chess can never mate, by trying every position: bare kings only.
//! `Position::is_dead` must agree exactly.
//!
//! A mate on the board is not enough, since it must be reachable: no legal move leads to a lone
//! king mated in the open, with all its escapes covered by the enemy king. So mates are traced
//! back.
//!
//! More pieces can mate too: superfluous ones can be captured.

use qirkat_game::{ReadMove, Rules};
use qirkat_rules::masonic::{Color, GameHistory, Outcome, PieceKind, Position};

use qirkat_testing::effort;

/// All positions with White's king and at most one more white piece against Black's bare king, with
/// either side to move.
struct Table {
    positions: Vec<Position>,
    /// The positions that moves other than captures lead to, by index.
    following: Vec<Vec<usize>>,
}

impl Table {
    fn of(kind: Option<PieceKind>) -> Table {
        let cells = || 0..64usize;
        let extra = || if kind.is_some() { 0..64 } else { 0..1 };
        let places = cells().flat_map(|white| {
            cells().flat_map(move |black| extra().map(move |piece| (white, black, piece)))
        });
        let positions: Vec<Position> = places
            .flat_map(|place| {
                ["w", "b"].into_iter().filter_map(move |side| position(place, kind, side))
            })
            .collect();
        let mut index = vec![None; 2 * 64 * 64 * 64];
        for (number, position) in positions.iter().enumerate() {
            index[place(position)] = Some(number);
        }
        let following = positions
            .iter()
            .map(|position| {
                let moves = position.legal_moves();
                let quiet = moves.iter().filter(|&&mv| position.captured(mv).is_none());
                quiet.filter_map(|&mv| index[place(&position.after(mv))]).collect()
            })
            .collect();
        Table { positions, following }
    }

    fn mates(&self) -> Vec<bool> {
        let is_mate = |position: &Position| {
            matches!(position.outcome(&GameHistory::new()), Some(Outcome::Checkmate(_)))
        };
        self.positions.iter().map(is_mate).collect()
    }

    /// The number of positions from which legal moves can lead to mate.
    fn can_mate(&self) -> usize {
        let mut can = self.mates();
        loop {
            let found: Vec<usize> = (0..can.len())
                .filter(|&index| !can[index] && self.following[index].iter().any(|&next| can[next]))
                .collect();
            if found.is_empty() {
                return can.into_iter().filter(|&can| can).count();
            }
            found.into_iter().for_each(|index| can[index] = true);
        }
    }

    /// In how many positions White to move forces mate, in how many it does not, and the maximum
    /// number of moves to mate.
    fn forced(&self) -> (usize, usize, usize) {
        let is_whites = |index: &usize| self.positions[*index].side_to_move() == Color::White;
        let (whites, blacks): (Vec<usize>, Vec<usize>) =
            (0..self.positions.len()).partition(is_whites);
        // Positions that White wins, and positions that Black loses.
        let mut decided = self.mates();
        for moves in 0.. {
            let decided_next =
                |index: &usize| self.following[*index].iter().any(|&next| decided[next]);
            let won: Vec<usize> =
                whites.iter().copied().filter(|i| !decided[*i] && decided_next(i)).collect();
            if won.is_empty() {
                let won = whites.iter().filter(|&&index| decided[index]).count();
                return (won, whites.len() - won, moves);
            }
            won.into_iter().for_each(|index| decided[index] = true);
            for &index in &blacks {
                // Captures leave the table, so they are not counted here.
                let count = self.positions[index].count_legal_moves() as usize;
                let next = &self.following[index];
                let is_lost =
                    count > 0 && next.len() == count && next.iter().all(|&next| decided[next]);
                decided[index] |= is_lost;
            }
        }
        unreachable!("the positions end before the numbers")
    }
}

/// A number for each position of a table.
fn place(position: &Position) -> usize {
    let kings = [Color::White, Color::Black].map(|color| position.king(color));
    let piece = position.occupied().into_iter().find(|cell| !kings.contains(cell));
    let cells = kings.into_iter().chain(piece).fold(0, |place, cell| place * 64 + cell.index());
    cells * 2 + position.side_to_move().index()
}

fn position(
    (white, black, piece): (usize, usize, usize),
    kind: Option<PieceKind>,
    side: &str,
) -> Option<Position> {
    let mut board = [b'1'; 64];
    let letter = kind.map(|kind| (piece, kind.letter().to_ascii_uppercase() as u8));
    for (cell, letter) in [(white, b'K'), (black, b'k')].into_iter().chain(letter) {
        if board[cell] != b'1' {
            return None;
        }
        board[cell] = letter;
    }
    let ranks: Vec<&str> =
        board.chunks(8).rev().filter_map(|rank| str::from_utf8(rank).ok()).collect();
    let fen = format!("{} {side} - -", ranks.join("/"));
    Position::from_fen(&fen).ok().map(|parsed| parsed.position)
}

#[test]
fn bare_kings_never_mate_and_are_dead() {
    let table = Table::of(None);
    // Ordered pairs of cells except the 252 pairs of neighbours, for each side to move.
    assert_eq!(table.positions.len(), 2 * (64 * 63 - 2 * 252));
    assert_eq!(table.can_mate(), 0);
    assert!(table.positions.iter().all(Position::is_dead));
}

/// Knight, bishop, rook and queen can mate a bare king from nearly everywhere by cooperative play
/// (not if Black is stalemated or has to capture), and a pawn can promote to one of them.
#[test]
fn any_single_piece_can_mate() {
    let kinds = [
        (PieceKind::Knight, 412_566, 412_050),
        (PieceKind::Bishop, 397_826, 395_178),
        (PieceKind::Rook, 375_112, 373_288),
        (PieceKind::Queen, 353_048, 347_078),
    ];
    for (kind, positions, can_mate) in kinds.into_iter().take(effort([1, 4, 4])) {
        let table = Table::of(Some(kind));
        assert_eq!((table.positions.len(), table.can_mate()), (positions, can_mate), "{kind:?}");
        assert!(!table.positions.iter().any(Position::is_dead), "{kind:?}");
    }
    let pawns = Position::from_fen("8/P7/8/8/8/8/8/K6k w - -").expect("a position").position;
    assert!(!pawns.is_dead());
    assert!(pawns.read_move("a7a8n").is_ok_and(|mv| !pawns.after(mv).is_dead()));
}

/// The result that each piece forces. A lone knight mates in at most 46 moves.
#[test]
#[ignore = "takes a minute, and the rules do not depend on it"]
fn single_pieces_force_mate_as_known() {
    for (kind, won, not_won, moves) in [
        (PieceKind::Knight, 193_648, 182, 46),
        (PieceKind::Bishop, 179_090, 0, 14),
        (PieceKind::Rook, 156_376, 0, 13),
        (PieceKind::Queen, 134_312, 0, 8),
    ] {
        assert_eq!(Table::of(Some(kind)).forced(), (won, not_won, moves), "{kind:?}");
    }
}
