//! Where a piece can go from a point, according to the move generator.

use std::collections::{BTreeMap, BTreeSet};

use qirkat_board::drawing::Mark;
use qirkat_game::Rules;
use qirkat_rules::fen::placement_text;
use qirkat_rules::variant::{AnyPosition, Place, Variant};

pub(crate) struct Reach {
    /// The pieces on the board: the moving one, and those needed for its move.
    pub pieces: Vec<(Place, char)>,
    pub marks: BTreeMap<Place, Mark>,
}

/// Where a white piece goes on a board that is empty except for kings. `None` if it can never stand
/// there.
pub(crate) fn on_empty_board(variant: Variant, piece: char, at: Place) -> Option<Reach> {
    let mut pieces = vec![(at, piece)];
    let castling = castling_rooks(variant, piece, at);
    pieces.extend(&castling);
    let rights = if castling.is_empty() { "-" } else { "KQ" };
    let position = with_others(variant, &pieces, rights)?;
    let mut marks: BTreeMap<Place, Mark> =
        quiet_ends(&position, at).into_iter().map(|to| (to, Mark::Quiet)).collect();
    for to in Place::all(variant).filter(|to| position.piece_on(*to).is_none()) {
        if position.attackers(to).contains(&at) {
            marks.entry(to).and_modify(|mark| *mark = Mark::Any).or_insert(Mark::Capture);
        }
    }
    Some(Reach { pieces, marks })
}

/// Where a white man jumps from a point over one enemy man on each side in turn; the drawing shows
/// all of them.
pub(crate) fn by_jumps(variant: Variant, piece: char, at: Place) -> Reach {
    let enemy = piece.to_ascii_lowercase();
    let mut reach = Reach { pieces: vec![(at, piece)], marks: BTreeMap::new() };
    for over in Place::all(variant).filter(|&over| over != at) {
        let Some(position) = set_up(variant, &[(at, piece), (over, enemy)], "-") else { continue };
        for mv in position.legal_moves() {
            if position.captures(mv) && !reach.pieces.contains(&(over, enemy)) {
                reach.pieces.push((over, enemy));
                reach.marks.insert(mv.ends().1, Mark::Capture);
            }
        }
    }
    reach
}

fn castling_rooks(variant: Variant, piece: char, at: Place) -> Vec<(Place, char)> {
    let start = variant.start().pieces();
    if piece != 'K' || !start.contains(&(at, 'K')) {
        return Vec::new();
    }
    start.into_iter().filter(|&(_, letter)| letter == 'R').collect()
}

/// Completes the position with kings or an enemy man, on the edge points that leave the first piece
/// most of its moves and are furthest away.
fn with_others(variant: Variant, pieces: &[(Place, char)], rights: &str) -> Option<AnyPosition> {
    let &(at, piece) = pieces.first()?;
    let edge: Vec<Place> = Place::all(variant).filter(|place| place.is_on_edge(variant)).collect();
    let mut placements: Vec<Vec<(Place, char)>> = Vec::new();
    match (variant, piece) {
        (Variant::Alquerque, _) => placements.extend(edge.iter().map(|&man| vec![(man, 'm')])),
        (_, 'K') => placements.extend(edge.iter().map(|&enemy| vec![(enemy, 'k')])),
        _ => {
            for &own in &edge {
                placements.extend(edge.iter().map(|&enemy| vec![(own, 'K'), (enemy, 'k')]));
            }
        }
    }
    let tried = placements.into_iter().filter_map(|others| {
        let all: Vec<(Place, char)> = pieces.iter().chain(&others).copied().collect();
        let position = set_up(variant, &all, rights)?;
        let distance = others.iter().map(|(place, _)| place.distance(at)).min();
        let moves = quiet_ends(&position, at).len();
        Some(((moves, distance), position))
    });
    tried.max_by_key(|&(worth, _)| worth).map(|(_, position)| position)
}

/// A position with White to move and only these pieces; `None` if illegal.
fn set_up(variant: Variant, pieces: &[(Place, char)], rights: &str) -> Option<AnyPosition> {
    let places: BTreeSet<Place> = pieces.iter().map(|&(place, _)| place).collect();
    if places.len() < pieces.len() {
        return None;
    }
    let size = variant.board_size();
    let board = placement_text([size, size], |file, rank| {
        let here = Place { file, rank };
        pieces.iter().find(|(place, _)| *place == here).map(|&(_, letter)| letter)
    });
    Some(variant.read_fen(&format!("{board} w {rights} - 0 1")).ok()?.position)
}

fn quiet_ends(position: &AnyPosition, at: Place) -> BTreeSet<Place> {
    let quiet = position.legal_moves().into_iter().filter(|&mv| !position.captures(mv));
    quiet.map(|mv| mv.ends()).filter(|(from, _)| *from == at).map(|(_, to)| to).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(variant: Variant, piece: char, at: &str) -> [String; 3] {
        let at = Place::parse(variant, at).expect(at);
        let reach = on_empty_board(variant, piece, at).expect("it can stand there");
        [Mark::Any, Mark::Quiet, Mark::Capture].map(|mark| {
            let points = reach.marks.iter().filter(|(_, known)| **known == mark);
            points.map(|(place, _)| place.to_string()).collect::<Vec<_>>().join(" ")
        })
    }

    #[test]
    fn pieces_go_where_the_rules_say() {
        let chesquerque = Variant::Chesquerque;
        for (variant, piece, at, any, quiet, capture) in [
            (chesquerque, 'N', "e4", "c3 c5 d2 d6 f2 f6 g3 g5", "", ""),
            (chesquerque, 'N', "a1", "b3 c2", "", ""),
            (chesquerque, 'B', "e4", "d4 e3 e5 f4", "", ""),
            (chesquerque, 'K', "a1", "a2 b1 b2", "", ""),
            // Both rooks stand at home: castling is no capture.
            (chesquerque, 'K', "e1", "d1 d2 e2 f1 f2", "b1 h1", ""),
            (chesquerque, 'P', "e4", "e5", "", ""),
            (chesquerque, 'P', "e5", "", "e6", "d6 f6"),
            (chesquerque, 'P', "d2", "", "d3 d4", "c3 e3"),
            (chesquerque, 'P', "e2", "e3", "e4", ""),
            (chesquerque, 'P', "e8", "e9", "", ""),
            (Variant::Masonic, 'P', "d4", "", "d5 e5", "c5 f5"),
            (Variant::Masonic, 'N', "a1", "b3 c2 c3", "", ""),
            (Variant::Alquerque, 'M', "c3", "", "b3 b4 c4 d3 d4", ""),
            (Variant::Alquerque, 'M', "c2", "", "b2 c3 d2", ""),
            (Variant::Alquerque, 'M', "c5", "", "", ""),
        ] {
            assert_eq!(reached(variant, piece, at), [any, quiet, capture], "{piece} on {at}");
        }
    }

    #[test]
    fn long_lines_reach_the_edges() {
        for (piece, at, count) in
            [('Q', "e5", 32), ('Q', "e4", 16), ('R', "e5", 20), ('B', "e5", 20)]
        {
            let at = Place::parse(Variant::Chesquerque, at).expect(at);
            let reach =
                on_empty_board(Variant::Chesquerque, piece, at).expect("it can stand there");
            assert_eq!(reach.marks.len(), count, "{piece} on {at}");
        }
    }

    #[test]
    fn what_never_stands_somewhere_is_told() {
        for (variant, at) in [(Variant::Chesquerque, "e9"), (Variant::Masonic, "d1")] {
            let at = Place::parse(variant, at).expect(at);
            assert!(on_empty_board(variant, 'P', at).is_none(), "{at}");
        }
    }

    #[test]
    fn men_jump_forward_and_sideways() {
        for (at, landings) in
            [("c3", "a3 a5 c5 e3 e5"), ("c2", "a2 c4 e2"), ("c5", "a5 e5"), ("a1", "a3 c1 c3")]
        {
            let place = Place::parse(Variant::Alquerque, at).expect(at);
            let reach = by_jumps(Variant::Alquerque, 'M', place);
            let points: Vec<String> = reach.marks.keys().map(Place::to_string).collect();
            assert_eq!(points.join(" "), landings, "{at}");
        }
    }
}
