use qirkat_game::{Board, Color, PackedMove, PieceCode, Rules};
use qirkat_rules::chess::{Geometry, Kind, Move, Piece, Position, Sources, Square, SquareSet};
use qirkat_rules::{alquerque, chesquerque::Chesquerque, masonic, masonic::Masonic};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn squares<G: Geometry>() -> impl Iterator<Item = G::Square> {
    (0..G::Square::COUNT).filter_map(G::Square::from_index)
}

/// Attacks, computed by subtraction or look-up, are those from a source with nothing between.
fn assert_attacks<G: Geometry>() {
    let mut rng = StdRng::seed_from_u64(5);
    for round in 0..100 {
        let occupied = squares::<G>().filter(|_| round > 0 && rng.random_bool(0.3)).collect();
        for (to, &kind) in
            squares::<G>().flat_map(|to| G::Kind::ALL.iter().map(move |kind| (to, kind)))
        {
            let all = |other| if other == kind { G::Bitboard::ALL } else { G::Bitboard::EMPTY };
            let Sources { near, far } = G::piece_sources(to, all);
            for from in squares::<G>() {
                let is_open = (G::between(from, to) & occupied).is_empty();
                let expected = near.contains(from) || far.contains(from) && is_open;
                let attacks = G::attacks(kind, from, occupied).contains(to);
                assert_eq!(attacks, expected, "{kind:?} {from} {to}");
            }
        }
    }
}

fn assert_kinds<G: Geometry>() {
    for &kind in G::Kind::ALL {
        let code = PieceCode::new(Color::White, kind.index());
        let piece = Piece { color: Color::White, kind };
        assert_eq!(Position::<G>::letter(code), Some(piece.letter()));
        assert_eq!(Position::<G>::KIND_NAMES[kind.index()], kind.name());
        assert_eq!(G::Kind::ALL[kind.index()], kind);
    }
    assert_eq!(Position::<G>::KIND_LETTERS.len(), G::Kind::ALL.len());
    assert_eq!(G::PIECE_VALUES.len(), G::Kind::ALL.len());
    assert_eq!(Position::<G>::KING, Some(G::Kind::KING.index()));
}

fn assert_moves_unpack<G: Geometry>() {
    for (from, to) in squares::<G>().flat_map(|from| squares::<G>().map(move |to| (from, to))) {
        let promotions = G::Kind::PROMOTIONS.iter().copied().map(Some);
        for promotion in promotions.chain([None]).filter(|_| from != to) {
            let mv: Move<G::Square, G::Kind> = Move { from, to, promotion };
            assert_ne!(mv.pack(), PackedMove::NONE);
            assert_eq!(Move::unpack(mv.pack()), Some(mv));
            assert_eq!(Move::parse(&mv.to_string()), Some(mv));
        }
    }
}

#[test]
fn attacks_kinds_and_moves_are_consistent() {
    assert_attacks::<Chesquerque>();
    assert_attacks::<Masonic>();
    assert_kinds::<Chesquerque>();
    assert_kinds::<Masonic>();
    assert_moves_unpack::<Chesquerque>();
    assert_moves_unpack::<Masonic>();
}

/// [`masonic::MAX_MOVES`] relies on these.
#[test]
fn max_moves_bounds_the_moves_of_a_piece() {
    use masonic::{Bitboard, Cell, PieceKind, piece_attacks};
    for (kind, most) in [(PieceKind::Queen, 31), (PieceKind::Knight, 12)] {
        let attacks = Cell::all().map(|cell| piece_attacks(kind, cell, Bitboard::EMPTY).len());
        assert_eq!(attacks.max(), Some(most));
    }
}

#[test]
fn rotation_preserves_neighbours() {
    for (from, half_files) in masonic::Cell::all().flat_map(|from| (-5..=5).map(move |x| (from, x)))
    {
        let turned = from.turned().offset(-half_files, -1);
        assert_eq!(turned, from.offset(half_files, 1).map(masonic::Cell::turned), "{from}");
    }
}

#[test]
fn alquerque_points_survive_a_round_trip() {
    use alquerque::{Point, Position};
    let start = Position::start();
    let points: Vec<usize> = start.occupied().into_iter().map(Point::index).collect();
    assert_eq!(start.occupied_points().into_iter().collect::<Vec<_>>(), points);
    for point in Point::all() {
        assert_eq!(Point::from_index(point.index()), Some(point));
        let letter = start.piece_at(point.index()).and_then(Position::letter);
        let expected = start.man_on(point).map(|color| ['M', 'm'][color.index()]);
        assert_eq!(letter, expected);
    }
    assert_eq!(Point::from_index(Point::COUNT), None);
}
