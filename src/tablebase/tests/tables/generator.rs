//! The parts of the generator: symmetries of the boards, pairs of kings, and its own move
//! generator.

use qirkat_game::Color;
use qirkat_game::splitmix::splitmix64;
use qirkat_rules::chess::{
    ChessPosition, Geometry, Kind, Square, SquareSet, pawn_captures, pawn_steps,
};
use qirkat_rules::{chesquerque, masonic};
use qirkat_testing::effort;

use super::chess_game::{ChessBoardGame, IDENTITY, KingPairs, Symmetries, points};
use super::chess_material::{Placed, Placement};

fn attacks<G: ChessBoardGame>(kind: G::Kind, from: G::Square) -> G::Bitboard {
    G::Geometry::attacks(kind, from, G::Bitboard::EMPTY)
}

fn officers<G: ChessBoardGame>() -> impl Iterator<Item = G::Kind> {
    G::Kind::ALL.iter().copied().filter(|&kind| kind != G::Kind::PAWN)
}

fn assert_symmetries_preserve_moves<G: ChessBoardGame>() {
    let symmetries = Symmetries::<G>::get();
    for symmetry in 0..G::SYMMETRIES as u8 {
        for point in points::<G>() {
            let image = symmetries.image(symmetry, point);
            assert_eq!(symmetries.image(symmetries.inverse(symmetry), image), point);
            let moved = |to: G::Bitboard| -> G::Bitboard {
                to.into_iter().map(|to| symmetries.image(symmetry, to)).collect()
            };
            for kind in officers::<G>() {
                assert_eq!(moved(attacks::<G>(kind, point)), attacks::<G>(kind, image));
            }
            for color in Color::ALL.into_iter().filter(|_| symmetry < G::PAWN_SYMMETRIES as u8) {
                for moves in [pawn_captures::<G::Geometry>, pawn_steps::<G::Geometry>] {
                    assert_eq!(moved(moves(color, point)), moves(color, image));
                }
            }
        }
    }
}

/// The number of ways to extend the images to the remaining points so that king steps are
/// preserved.
fn count_symmetries(steps: &[Vec<bool>], images: &mut Vec<usize>) -> usize {
    let next = images.len();
    if next == steps.len() {
        return 1;
    }
    let mut count = 0;
    for image in 0..steps.len() {
        let keeps = |(point, &known): (usize, &usize)| {
            steps[point][next] == steps[known][image] && known != image
        };
        if images.iter().enumerate().all(keeps) {
            images.push(image);
            count += count_symmetries(steps, images);
            images.pop();
        }
    }
    count
}

/// The boards have no other symmetries, even beyond rotations and reflections.
fn assert_no_symmetry_is_missing<G: ChessBoardGame>() {
    let steps = |from| attacks::<G>(G::Kind::KING, from);
    let steps: Vec<Vec<bool>> = points::<G>()
        .map(|from| points::<G>().map(|to| steps(from).contains(to)).collect())
        .collect();
    assert_eq!(count_symmetries(&steps, &mut Vec::new()), G::SYMMETRIES);
}

fn assert_moves_can_be_undone<G: ChessBoardGame>() {
    let mut state = 3;
    for _ in 0..effort([20, 200, 200]) {
        let taken = |point: &G::Square| splitmix64(&mut state) >> (point.index() % 2 + 61) == 0;
        let others: G::Bitboard = points::<G>().filter(taken).collect();
        for (from, kind) in
            (!others).into_iter().flat_map(|at| officers::<G>().map(move |it| (at, it)))
        {
            let before = others | G::Bitboard::of(from);
            for to in G::Geometry::attacks(kind, from, before) & !before {
                let back = G::Geometry::attacks(kind, to, others | G::Bitboard::of(to));
                assert!(back.contains(from), "{kind:?} {from} {to}");
            }
        }
    }
}

fn pairs_of_kings<G: ChessBoardGame>() -> [usize; 2] {
    [false, true].map(|folded| {
        let pairs = KingPairs::<G>::get(folded);
        for pair in 0..pairs.count() {
            let [white, black] = pairs.kings(pair);
            assert_eq!(pairs.find(white, black), Some((pair as u32, IDENTITY)));
        }
        pairs.count()
    })
}

#[test]
fn boards_have_the_expected_symmetries() {
    assert_symmetries_preserve_moves::<chesquerque::Position>();
    assert_symmetries_preserve_moves::<masonic::Position>();
    assert_no_symmetry_is_missing::<chesquerque::Position>();
    assert_no_symmetry_is_missing::<masonic::Position>();
    assert_moves_can_be_undone::<chesquerque::Position>();
    assert_moves_can_be_undone::<masonic::Position>();
    assert_eq!(pairs_of_kings::<chesquerque::Position>()[1], 786);
    // No pair of points is its own image.
    let [all, folded] = pairs_of_kings::<masonic::Position>();
    assert_eq!(all, 2 * folded);
}

/// The pieces and their points, in a fixed order.
type Pieces<G> = Vec<(usize, Color, <G as ChessPosition>::Kind)>;

fn pieces<G: ChessBoardGame>(placement: &Placement<G>) -> Pieces<G> {
    let pieces = placement.pieces.iter().map(|it| (it.point.index(), it.color, it.kind));
    let mut pieces: Pieces<G> = pieces.collect();
    pieces.sort_by_key(|piece| piece.0);
    pieces
}

fn sorted<T: std::fmt::Debug>(mut all: Vec<T>) -> Vec<T> {
    all.sort_by_key(|pieces| format!("{pieces:?}"));
    all
}

/// The positions after the legal zeroing moves.
fn zeroing<G: ChessBoardGame>(position: &G) -> Vec<Pieces<G>> {
    let children = position.legal_moves().into_iter().map(|mv| position.after(mv));
    let zeroing = children.filter(|child| child.clock() == 0);
    sorted(zeroing.map(|it| pieces(&Placement::of(&it).expect("few pieces"))).collect())
}

/// A few pieces of random kinds on random points, half of them pawns.
fn random_placement<G: ChessBoardGame>(state: &mut u64) -> Placement<G> {
    let mut random = |bound: usize| (splitmix64(state) % bound as u64) as usize;
    let mut point = || G::Square::from_index(random(G::Square::COUNT)).expect("a point");
    let mut placement: Placement<G> = Placement::kings(point(), point());
    let points = [(); 4].map(|()| point());
    let others = G::Kind::ALL.len() - 1; // The king is the last.
    for point in points {
        let kind = G::Kind::ALL[random(2 * others).saturating_sub(others)];
        if !placement.occupied.contains(point) {
            placement.add(Placed { color: Color::ALL[random(2)], kind, point });
        }
    }
    placement
}

/// The moves of placements are those of positions, including en passant.
fn assert_generators_agree<G: ChessBoardGame>() {
    let mut state = 5;
    let (mut compared, mut en_passant) = (0, 0);
    let count = effort([10_000, 60_000, 600_000]);
    for _ in 0..count {
        let placement: Placement<G> = random_placement(&mut state);
        for side in Color::ALL {
            let Some(position) = placement.position(side) else { continue };
            let all = position.legal_moves().len();
            let expected = zeroing(&position);
            let quiet = placement.quiet_moves(side) as usize;
            assert_eq!(quiet, all - expected.len(), "{position}");
            assert_eq!(placement.has_moves(side), all > 0, "{position}");
            let mut found = Vec::new();
            placement.zeroing_moves(side, &mut |child, double_step| {
                found.push(pieces(&child));
                let Some(double_step) = double_step else { return };
                let mut captures = Vec::new();
                child.en_passant(!side, double_step, &mut |it| captures.push(pieces(&it)));
                let children = position.legal_moves().into_iter().map(|mv| position.after(mv));
                let is_twin = |it: &G| pieces(&Placement::of(it).expect("few")) == pieces(&child);
                for twin in children.filter(is_twin) {
                    let known = zeroing(&child.position(!side).expect("legal"));
                    let mut expected = zeroing(&twin);
                    expected.retain(|it| !known.contains(it));
                    assert_eq!(sorted(captures.clone()), expected, "{twin}");
                    en_passant += captures.len();
                }
            });
            assert_eq!(sorted(found), expected, "{position}");
            compared += 1;
        }
    }
    assert!(compared > count / 3 && en_passant > 0, "{compared} {en_passant}");
}

#[test]
fn both_move_generators_agree() {
    assert_generators_agree::<chesquerque::Position>();
    assert_generators_agree::<masonic::Position>();
}
