//! The neighbours of a position: one piece moved, taken away or added.

use derive_more::Display;

use qirkat_game::{Board, Color, PieceCode};
use qirkat_rules::fen_fields::placement_text;
use qirkat_rules::variant::{AnyPosition, Member, Variant};

use super::mate_game::{ProblemError, in_mate_game};

/// A position that differs from another by one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// The position, without en passant; castling rights as far as they are still possible.
    pub position: AnyPosition,
    pub change: Change,
}

/// The change, shown as in `Qb6-b7`, `-nd4` and `+Pe2`.
#[derive(Clone, PartialEq, Eq, Debug, Display)]
pub enum Change {
    /// A piece stands elsewhere.
    #[display("{piece}{from}-{to}")]
    Moved {
        /// Its letter, as in FEN.
        piece: char,
        from: String,
        to: String,
    },
    /// A piece is gone.
    #[display("-{piece}{from}")]
    Removed {
        /// Its letter, as in FEN.
        piece: char,
        from: String,
    },
    /// A piece has come.
    #[display("+{piece}{to}")]
    Added {
        /// Its letter, as in FEN.
        piece: char,
        to: String,
    },
}

/// All neighbours that are possible positions with the same side to move; none in games
/// without kings. Kings are moved, but neither added nor taken away.
pub fn neighbours(position: &AnyPosition) -> Vec<Neighbour> {
    in_mate_game!(position, own => of_game(own)).unwrap_or_default()
}

/// The piece on a point, if there is one.
type Piece = Option<PieceCode>;

fn of_game<G: Member + Board>(position: &G) -> Vec<Neighbour> {
    let pieces: Vec<Piece> = (0..G::POINTS).map(|point| position.piece_at(point)).collect();
    let mut all = Vec::new();
    let mut add = |pieces: &[Piece], change: Change| {
        if let Some(position) = rebuilt::<G>(position, pieces) {
            all.push(Neighbour { position, change });
        }
    };
    for (from, piece) in (0..).zip(&pieces).filter_map(|(at, piece)| Some((at, (*piece)?))) {
        let letter = G::letter(piece).unwrap_or('?');
        let mut changed = pieces.clone();
        changed[from] = None;
        if Some(piece.kind()) != G::KING {
            add(&changed, Change::Removed { piece: letter, from: name::<G>(from) });
        }
        for to in (0..G::POINTS).filter(|&to| pieces[to].is_none()) {
            changed[to] = Some(piece);
            let (from, to_name) = (name::<G>(from), name::<G>(to));
            add(&changed, Change::Moved { piece: letter, from, to: to_name });
            changed[to] = None;
        }
    }
    for to in (0..G::POINTS).filter(|&to| pieces[to].is_none()) {
        for piece in addable::<G>() {
            let mut changed = pieces.clone();
            changed[to] = Some(piece);
            let letter = G::letter(piece).unwrap_or('?');
            add(&changed, Change::Added { piece: letter, to: name::<G>(to) });
        }
    }
    all
}

/// Every piece but the kings.
fn addable<G: Board>() -> impl Iterator<Item = PieceCode> {
    let kinds = (0..G::KINDS.len()).filter(|&kind| Some(kind) != G::KING);
    kinds.flat_map(|kind| Color::ALL.map(|color| PieceCode::new(color, kind)))
}

/// The name of a point, such as `e5`.
fn name<G: Board>(point: usize) -> String {
    let file = char::from(b'a' + (point % G::FILES) as u8);
    format!("{file}{}", point / G::FILES + 1)
}

/// The position with other pieces, if it is possible.
fn rebuilt<G: Member + Board>(position: &G, pieces: &[Piece]) -> Option<AnyPosition> {
    let old = position.to_string();
    let mut fields = old.split(' ');
    let (_, side, castling) = (fields.next()?, fields.next()?, fields.next()?);
    let fen = format!("{} {side} {castling} - 0 1", placement::<G>(pieces));
    let variant: Variant = G::VARIANT;
    Some(variant.read_fen(&fen).ok()?.position)
}

/// The first field of FEN.
fn placement<G: Board>(pieces: &[Piece]) -> String {
    let letter = |file: u8, rank: u8| {
        pieces[usize::from(rank) * G::FILES + usize::from(file)].and_then(G::letter)
    };
    placement_text([G::FILES as u8, G::RANKS as u8], letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_is_moved_taken_away_and_added() {
        let fen = "k8/9/K8/9/9/9/9/8R/9 w - - 0 1";
        let position = Variant::Chesquerque.read_fen(fen).expect("a FEN").position;
        let all = neighbours(&position);
        let has = |change: &str| all.iter().any(|it| it.change.to_string() == change);
        assert!(has("Ri2-h2") && has("-Ri2") && has("+Pe2") && has("+qe5") && has("Ka7-b5"));
        // No pawn on the last rank, and nothing that lets Black stand in check.
        assert!(!has("+Pe9") && !has("+Ra8") && !has("-ka9") && !has("+Ke4"));
        let added = all.iter().find(|it| it.change.to_string() == "+ne5").expect("possible");
        assert_eq!(added.position.fen(), "k8/9/K8/9/4n4/9/9/8R/9 w - - 0 1");
        assert!(all.iter().all(|it| it.position != position));
    }
}
