//! The rule of a piece on its point, in words: how it moves from there, and what keeps it from
//! going elsewhere now. Both come from the geometry and the move generator of the game.

use std::fmt::Display;

use serde::Serialize;

use qirkat_game::{Color, ReadMove, Rules, text};
use qirkat_rules::alquerque::{self, Direction};
use qirkat_rules::chesquerque::Point;
use qirkat_rules::chess::{
    Geometry, IllegalMove, Kind, Move, Piece, Position, Square, SquareSet, Wing, double_step,
    pawn_captures, pawn_steps,
};
use qirkat_rules::masonic::Cell;
use qirkat_rules::variant::{AnyPosition, Place, Variant};

/// How a piece moves from its point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct PieceRule {
    pub text: String,
    /// Its legal moves, as if its side were to move. A side that gives check cannot be to move:
    /// then the points that the piece attacks.
    pub ways: Vec<Way>,
}

/// A move by the points that it leads over, its ends included.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Way {
    pub points: Vec<String>,
    pub capture: bool,
}

/// The rule of the piece on a point; none where there is none.
pub(crate) fn rule_of(position: &AnyPosition, place: Place) -> Option<PieceRule> {
    position.piece_on(place)?;
    let Place { file, rank } = place;
    match position {
        AnyPosition::Chesquerque(position) => {
            chess_rule(position, Point::new(file, rank), &lines_of(place))
        }
        AnyPosition::Masonic(position) => {
            chess_rule(position, Cell::new(file, rank), &format!("On {place}"))
        }
        AnyPosition::Alquerque(position) => man_rule(position, place),
    }
}

/// Which lines meet on a point of a lined board.
fn lines_of(place: Place) -> String {
    let is_diagonal = Variant::Chesquerque.is_diagonal_point(place.file, place.rank);
    format!("{place} has {}:", if is_diagonal { "diagonal lines too" } else { "no diagonal lines" })
}

fn chess_rule<G: Geometry>(
    position: &Position<G>,
    from: G::Square,
    intro: &str,
) -> Option<PieceRule> {
    let Piece { color, kind } = position.piece_on(from)?;
    let waits = color != position.side_to_move();
    let movement = format!("{intro} {}.", movement::<G>(color, kind, from));
    if waits && position.in_check() {
        // Its side cannot be to move: it would take the king.
        let reached = match kind == G::Kind::PAWN {
            true => pawn_captures::<G>(color, from) & position.of_color(!color),
            false => G::attacks(kind, from, position.occupied()) & !position.of_color(color),
        };
        let check = if position.checkers().contains(from) { " It gives check." } else { "" };
        let ways = ways_to(position, kind, from, reached, None);
        return Some(PieceRule { text: format!("{movement}{check}"), ways });
    }
    let turn = if waits { position.after_null_move() } else { *position };
    let moves = turn.legal_moves().into_iter().filter(|mv| mv.from == from);
    let legal: G::Bitboard = moves.map(|mv| mv.to).collect();
    let en_passant = turn.en_passant().filter(|target| {
        legal.contains(target.passed) && turn.is_en_passant(Move::new(from, target.passed))
    });
    let ways = ways_to(&turn, kind, from, legal, en_passant.map(|target| target.passed));
    let mut notes = obstacles(&turn, Piece { color, kind }, from, legal);
    if let Some(target) = en_passant {
        let (pawn, passed) = (target.pawn, target.passed);
        notes.push(format!("it may capture the pawn on {pawn} en passant, on {passed}"));
    }
    Some(PieceRule { text: rule_text(&movement, legal.is_empty(), waits, &notes), ways })
}

/// How a piece moves from a point of an empty board.
fn movement<G: Geometry>(color: Color, kind: G::Kind, from: G::Square) -> String {
    let mut movement = G::movement(kind, from);
    if kind == G::Kind::PAWN {
        let mut steps = pawn_steps::<G>(color, from).into_iter();
        if steps.any(|over| double_step::<G>(color, from, over).is_some()) {
            movement += &format!("; at first it may also go two {}s", G::Square::NAME);
        }
        if pawn_steps::<G>(color, from).into_iter().any(is_last_rank) {
            let names: Vec<&str> = G::Kind::PROMOTIONS.iter().map(|kind| kind.name()).collect();
            movement += &format!("; on the last rank it becomes a {}", listed(&names, "or"));
        }
    }
    movement
}

/// Whether a pawn that reaches this point has crossed the board.
fn is_last_rank<S: Square>(square: S) -> bool {
    [0, S::RANKS - 1].contains(&square.rank())
}

/// Where a piece could go if nothing hindered it.
fn reach<G: Geometry>(
    position: &Position<G>,
    Piece { color, kind }: Piece<G::Kind>,
    from: G::Square,
) -> G::Bitboard {
    let more: G::Bitboard = if kind == G::Kind::PAWN {
        let steps = pawn_steps::<G>(color, from);
        let doubled = steps.into_iter().filter_map(|over| double_step::<G>(color, from, over));
        steps | pawn_captures::<G>(color, from) | doubled.collect()
    } else if kind == G::Kind::KING {
        let wings = Wing::ALL.into_iter().filter(|&wing| position.castling().has(color, wing));
        let files = wings.map(|wing| G::CASTLING.king_to[wing as usize]);
        files.map(|file| G::Square::new(file, from.rank())).collect()
    } else {
        G::Bitboard::EMPTY
    };
    more | G::attacks(kind, from, G::Bitboard::EMPTY)
}

/// What keeps a piece of the side to move from going where its kind could, in words.
fn obstacles<G: Geometry>(
    position: &Position<G>,
    piece: Piece<G::Kind>,
    from: G::Square,
    legal: G::Bitboard,
) -> Vec<String> {
    let [mut blockers, mut own, mut attacked, mut exposing] = [G::Bitboard::EMPTY; 4];
    let reached = G::attacks(piece.kind, from, position.occupied());
    let mut is_no_help = false;
    let mut castling: Vec<String> = Vec::new();
    for to in reach(position, piece, from) & !legal {
        let promotes = piece.kind == G::Kind::PAWN && is_last_rank(to);
        let promotion = G::Kind::PROMOTIONS.first().copied().filter(|_| promotes);
        match position.why_illegal(Move { from, to, promotion }) {
            Some(IllegalMove::Blocked(at) | IllegalMove::PawnBlocked(at)) => {
                blockers |= G::Bitboard::of(at);
            }
            Some(IllegalMove::OwnPiece { .. }) => {
                // It may also stand behind another piece.
                let between = position.occupied() & between::<G>(piece.kind, from, to);
                if between.is_empty() {
                    own |= G::Bitboard::of(to);
                } else {
                    // Of several pieces on a line the nearest blocks: the one that is attacked. A
                    // knight has only its leg between, which it does not attack.
                    blockers |= if between.more_than_one() { between & reached } else { between };
                }
            }
            Some(IllegalMove::DoubleStep) => {
                let path = G::between(from, to) | G::Bitboard::of(to);
                // What it can capture there does not hinder it.
                blockers |= path & position.occupied() & !legal;
            }
            Some(IllegalMove::IntoCheck(at)) => attacked |= G::Bitboard::of(at),
            Some(IllegalMove::Pinned) => exposing |= G::Bitboard::of(to),
            Some(IllegalMove::StillInCheck) => is_no_help = true,
            // The rule of the pawn says that there must be something to capture.
            None | Some(IllegalMove::NothingToCapture(_)) => {}
            Some(IllegalMove::CastlingBlocked(at)) => {
                castling.push(format!("{to} ({at} is occupied)"));
            }
            Some(IllegalMove::CastlingThroughCheck(at)) => {
                castling.push(format!("{to} ({at} is attacked)"));
            }
            Some(_) => castling.push(to.to_string()),
        }
    }
    let mut notes = Vec::new();
    let goes_to = listed(legal, "or");
    if is_no_help && legal.is_empty() {
        notes.push("the king is in check, and this piece cannot help".to_owned());
    } else if is_no_help {
        notes.push(format!("the king is in check, so it may only go to {goes_to}"));
    } else if exposing.any() && !position.pinned().contains(from) {
        let to = listed(exposing, "or");
        notes.push(format!("going to {to} would leave the king in check"));
    } else if exposing.any() && legal.is_empty() {
        notes.push("it is pinned, and any move would leave the king in check".to_owned());
    } else if exposing.any() {
        notes.push(format!("it is pinned, so it may only go to {goes_to}"));
    }
    if attacked.any() {
        notes.push(format!("it would be in check on {}", listed(attacked, "or")));
    }
    // What stands elsewhere does not matter to a piece that is pinned or has to help.
    if exposing.is_empty() && !is_no_help {
        notes.extend(in_the_way(blockers, own & !blockers));
    }
    if !castling.is_empty() {
        notes.push(match position.in_check() {
            true => "no castling out of check".to_owned(),
            false => format!("no castling to {}", listed(castling, "or")),
        });
    }
    notes
}

/// The man on a point of Alquerque.
fn man_rule(position: &alquerque::Position, place: Place) -> Option<PieceRule> {
    let from = alquerque::Point::new(place.file, place.rank);
    let color = position.man_on(from)?;
    let waits = color != position.side_to_move();
    let turn = if waits { position.after_null_move() } else { *position };
    let mut moves = turn.legal_moves();
    moves.retain(|mv| mv.from() == from);
    let neighbours =
        Direction::ALL.into_iter().filter(|it| from.is_diagonal() || !it.is_diagonal());
    let neighbours = neighbours.filter_map(|direction| {
        let (files, ranks) = direction.step();
        from.offset(files, ranks)
    });
    let (mut blockers, mut notes) = (Vec::new(), Vec::new());
    let mut has_crossed = false;
    for to in neighbours {
        let step = alquerque::Move::from_points(&[from, to]);
        match step.and_then(|step| turn.why_illegal(step)) {
            Some(alquerque::IllegalMove::LastRank(_)) => has_crossed = true,
            Some(alquerque::IllegalMove::NotEmpty(at)) => blockers.push(at),
            Some(alquerque::IllegalMove::JumpIsCompulsory(jump)) if jump.from() != from => {
                notes.push(format!("another man must jump, as by {jump}"));
            }
            Some(reason @ alquerque::IllegalMove::StepsWhereItCameFrom { .. }) => {
                notes.push(reason.to_string());
            }
            _ => {}
        }
    }
    notes.dedup();
    let jumps = moves.iter().any(|mv| mv.is_jump());
    if jumps {
        notes = vec!["it must jump, as often as it can in this move".to_owned()];
    } else if !blockers.is_empty() && notes.is_empty() {
        blockers.sort_by_key(|at| (at.rank(), at.file()));
        notes = in_the_way(blockers, Vec::new());
    } else if has_crossed {
        notes.push("there is nothing that it could jump over".to_owned());
    }
    let movement = if has_crossed {
        format!(
            "On {place}, its last rank, a man does not step any more, but it may jump sideways."
        )
    } else {
        let lines = lines_of(place);
        let (kind, slanting) = if from.is_diagonal() {
            ("diagonal", "ahead, diagonally ahead or sideways")
        } else {
            ("plain", "ahead or sideways")
        };
        format!(
            "{lines} a man on a {kind} point steps one point {slanting}, or jumps that way over an enemy man to the empty point beyond, and from there on in any direction."
        )
    };
    let way = |mv: &alquerque::Move| Way {
        points: mv.points().map(|point| point.to_string()).collect(),
        capture: mv.is_jump(),
    };
    let text = rule_text(&movement, moves.is_empty(), waits, &notes);
    Some(PieceRule { text, ways: moves.iter().map(way).collect() })
}

/// The rule, and then what hinders the piece.
fn rule_text(movement: &str, is_stuck: bool, waits: bool, notes: &[String]) -> String {
    let notes = notes.join("; ");
    let it = if waits { "On its turn it" } else { "It" };
    let mut letters = notes.chars();
    match (is_stuck, letters.next()) {
        (true, None) => format!("{movement} {it} cannot move."),
        (true, Some(_)) => format!("{movement} {it} cannot move: {notes}."),
        (false, None) => movement.to_owned(),
        (false, Some(first)) => {
            format!("{movement} {}{}.", first.to_uppercase(), letters.as_str())
        }
    }
}

/// What stands in a piece's way, and the pieces of its own side where it could go.
fn in_the_way<S: Display>(
    blockers: impl IntoIterator<Item = S>,
    own: impl IntoIterator<Item = S>,
) -> Vec<String> {
    let lists = [
        ("its path is blocked on", listed(blockers, "and")),
        ("its own side stands on", listed(own, "and")),
    ];
    let filled = lists.into_iter().filter(|(_, names)| !names.is_empty());
    filled.map(|(words, names)| format!("{words} {names}")).collect()
}

/// `a1, b2 and c3`.
fn listed<S: Display>(names: impl IntoIterator<Item = S>, word: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    text::listed(&names, word)
}

/// The points between two that must be empty: for a leap none, even if a line joins the two.
fn between<G: Geometry>(kind: G::Kind, from: G::Square, to: G::Square) -> G::Bitboard {
    let is_far = G::sources(kind, to).far.contains(from);
    if is_far { G::between(from, to) } else { G::Bitboard::EMPTY }
}

/// The ways to these points, each over the points that must be empty.
fn ways_to<G: Geometry>(
    position: &Position<G>,
    kind: G::Kind,
    from: G::Square,
    targets: G::Bitboard,
    en_passant: Option<G::Square>,
) -> Vec<Way> {
    let shown = |to: G::Square| {
        let mut points: Vec<G::Square> = between::<G>(kind, from, to).into_iter().collect();
        points.push(to);
        points.sort_by_key(|at| (at.rank().abs_diff(from.rank()), at.file().abs_diff(from.file())));
        points.insert(0, from);
        Way {
            points: points.iter().map(G::Square::to_string).collect(),
            capture: position.piece_on(to).is_some() || en_passant == Some(to),
        }
    };
    targets.into_iter().map(shown).collect()
}

#[cfg(test)]
mod tests;
