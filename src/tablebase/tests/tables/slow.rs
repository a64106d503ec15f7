//! A slow solver: sweeps over all positions of two kings and a white piece, on the whole board,
//! until nothing changes. It shares only the rules with the tables.

use qirkat_game::{Color, Terminal};
use qirkat_rules::chess::{Kind, Piece, Square};
use qirkat_tablebase::ChessTableGame;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Win { dtm: u16, dtz: u16 },
    Draw,
    Loss { dtm: u16, dtz: u16 },
}

#[derive(Clone, Copy)]
pub enum Next {
    /// In the same table, without a capture or pawn move.
    Quiet(u32),
    /// In the same table after a pawn move.
    PawnMove(u32),
    Elsewhere(Value),
}

pub struct SlowTable<G: ChessTableGame> {
    kind: G::Kind,
    values: Vec<Value>,
}

fn index<S: Square>(white: S, black: S, piece: S, side: Color) -> usize {
    ((white.index() * S::COUNT + black.index()) * S::COUNT + piece.index()) * 2 + side as usize
}

fn position_of<G: ChessTableGame>(kind: G::Kind, index: usize) -> Option<G> {
    let points = G::Square::COUNT;
    let side = Color::ALL[index % 2];
    let point = |at: usize| G::Square::from_index(at % points).expect("a remainder");
    let (piece, black, white) =
        (point(index / 2), point(index / 2 / points), point(index / 2 / points / points));
    if white == black || white == piece || black == piece {
        return None;
    }
    let king = |color| Piece { color, kind: G::Kind::KING };
    let pieces = [
        (king(Color::White), white),
        (king(Color::Black), black),
        (Piece { color: Color::White, kind }, piece),
    ];
    G::from_pieces(pieces, side)
}

fn index_of<G: ChessTableGame>(position: &G, kind: G::Kind) -> Option<usize> {
    let is_it = Some(Piece { color: Color::White, kind });
    let piece = position
        .chess()
        .occupied()
        .into_iter()
        .find(|&at| position.chess().piece_on(at) == is_it)?;
    let [white, black] = Color::ALL.map(|color| position.chess().king(color));
    Some(index(white, black, piece, position.side_to_move()))
}

impl<G: ChessTableGame> SlowTable<G> {
    pub fn solve(kind: G::Kind, promoted: &[SlowTable<G>]) -> SlowTable<G> {
        let positions = G::Square::COUNT.pow(3) * 2;
        let moves: Vec<Option<(bool, Vec<Next>)>> = (0..positions)
            .map(|index| {
                let position = position_of::<G>(kind, index)?;
                let next = |mv| {
                    let child = position.after(mv);
                    match index_of(&child, kind) {
                        Some(at) if child.clock() == 0 => Next::PawnMove(at as u32),
                        Some(at) => Next::Quiet(at as u32),
                        None => Next::Elsewhere(
                            promoted
                                .iter()
                                .find_map(|table| Some(table.values[index_of(&child, table.kind)?]))
                                .unwrap_or(Value::Draw),
                        ),
                    }
                };
                let moves: Vec<Next> = position.legal_moves().into_iter().map(next).collect();
                let is_mate = moves.is_empty() && position.without_moves() == Terminal::Lost;
                Some((is_mate, moves))
            })
            .collect();
        let values = sweep(&moves, !promoted.is_empty());
        SlowTable { kind, values }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn position(&self, index: usize) -> Option<G> {
        position_of(self.kind, index)
    }

    pub fn value(&self, index: usize) -> Value {
        self.values[index]
    }
}

/// Sweeps over the moves of all positions, with a flag for mate, until no value changes.
pub fn sweep(moves: &[Option<(bool, Vec<Next>)>], has_pawns: bool) -> Vec<Value> {
    let mut values = vec![Value::Draw; moves.len()];
    // No table of this size takes longer.
    for _ in 0..400 {
        let next = moves.iter().zip(&values).map(|(moves, &value)| match moves {
            None => Value::Draw,
            // Without pawn moves, each sweep decides what is one ply longer.
            Some(_) if !has_pawns && value != Value::Draw => value,
            Some((is_mate, moves)) => from_moves(&values, *is_mate, moves),
        });
        let next: Vec<Value> = next.collect();
        if next == values {
            break;
        }
        values = next;
    }
    values
}

/// Plies to mate and to the next capture or pawn move, if they are known.
type Distances = Option<(u16, u16)>;

/// The value for the side to move, as far as the values of its moves are known.
fn from_moves(values: &[Value], is_mate: bool, moves: &[Next]) -> Value {
    let (mut win, mut loss): (Distances, Distances) = (None, Some((0, 0)));
    for next in moves {
        let (value, is_zeroing) = match *next {
            Next::Quiet(at) => (values[at as usize], false),
            Next::PawnMove(at) => (values[at as usize], true),
            Next::Elsewhere(value) => (value, true),
        };
        let from_here = |dtm: u16, dtz: u16| (dtm + 1, if is_zeroing { 1 } else { dtz + 1 });
        match value {
            Value::Loss { dtm, dtz } => {
                let (dtm, dtz) = from_here(dtm, dtz);
                win = Some(win.map_or((dtm, dtz), |win| (win.0.min(dtm), win.1.min(dtz))));
            }
            Value::Win { dtm, dtz } => {
                let (dtm, dtz) = from_here(dtm, dtz);
                loss = loss.map(|loss| (loss.0.max(dtm), loss.1.max(dtz)));
            }
            Value::Draw => loss = None,
        }
    }
    match (win, loss) {
        (Some((dtm, dtz)), _) => Value::Win { dtm, dtz },
        (None, Some((dtm, dtz))) if !moves.is_empty() || is_mate => Value::Loss { dtm, dtz },
        _ => Value::Draw,
    }
}
