//! Tables with random contents: reading always ends, and positions share a cell with their images.

use qirkat_game::Color;
use qirkat_game::splitmix::splitmix64;
use qirkat_rules::chess::{ChessPosition, Kind, Piece, Square};
use qirkat_rules::variant::Variant;
use qirkat_rules::{chesquerque, masonic};
use qirkat_tablebase::{ChessTableGame, Material, TableResult, Tables};
use qirkat_testing::effort;

use super::files::add;

/// A table with the same bytes in every part, with White to move and wide distances.
fn table<G: ChessTableGame>(name: &str, blocks: usize, part: &[u8]) -> Tables<G> {
    let mut bytes = b"QIRKTAB\0\x03\0".to_vec();
    bytes.extend([u8::from(G::VARIANT == Variant::Masonic), 0, 3]);
    bytes.extend(name.bytes());
    bytes.resize(13 + 16 + 200, 0);
    bytes.extend((G::Square::COUNT.pow(2) as u32).to_le_bytes());
    bytes.extend((blocks as u32).to_le_bytes());
    bytes.extend([0; 6]);
    let extent = (part.len() as u16, crc32fast::hash(part) as u16);
    for _ in 0..2 * blocks {
        bytes.extend(extent.0.to_le_bytes());
        bytes.extend(extent.1.to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(part.repeat(2 * blocks));
    add(bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

type Pieces<G> = Vec<(Piece<<G as ChessPosition>::Kind>, <G as ChessPosition>::Square)>;

/// The pieces of a material on random points, if that is a valid position with White to move.
fn random_pieces<G: ChessTableGame>(
    material: Material<G::Kind>,
    state: &mut u64,
) -> (Pieces<G>, G) {
    loop {
        let pieces = Color::ALL.into_iter().flat_map(|color| {
            let kinds = std::iter::once(G::Kind::KING).chain(material.others(color));
            kinds.map(move |kind| Piece { color, kind })
        });
        let mut point = |_| G::Square::from_index(splitmix64(state) as usize % G::Square::COUNT);
        let pieces: Pieces<G> = pieces.filter_map(|piece| Some((piece, point(piece)?))).collect();
        let are_apart =
            (1..pieces.len()).all(|at| pieces[..at].iter().all(|it| it.1 != pieces[at].1));
        if let Some(position) = G::from_pieces(pieces.clone(), Color::White).filter(|_| are_apart) {
            return (pieces, position);
        }
    }
}

/// 0xFF bytes decode as no to every question; an empty part as yes, for retrograde coding. Either
/// way no stored position is a draw. With random contents, too, images of a position normally
/// share its value.
fn assert_positions_have_cells<G: ChessTableGame>(cases: &[(&str, usize)]) {
    let (mut state, mut compared) = (7, 0);
    for &(name, blocks) in cases {
        let material: Material<G::Kind> = name.parse().expect("a material");
        let symmetries = if material.has_pawns() { G::PAWN_SYMMETRIES } else { G::SYMMETRIES };
        let single = |kind: &G::Kind| material.count(Color::White, *kind) == 1;
        let is_retrograde = G::VARIANT == Variant::Chesquerque
            && name.ends_with("vK")
            && material.pieces() > 3
            && material.others(Color::White).any(|kind| kind != G::Kind::PAWN && single(&kind));
        let decided = if is_retrograde { Vec::new() } else { vec![u8::MAX; 800] };
        let noise: Vec<u8> = (0..300).map(|_| splitmix64(&mut state) as u8).collect();
        let [decided, noise] = [decided, noise].map(|part| table::<G>(name, blocks, &part));
        for _ in 0..effort([4, 100, 1000]) {
            let (pieces, position) = random_pieces::<G>(material, &mut state);
            let value = decided.value(&position).expect("sound").expect("a table");
            assert_ne!(value.result, TableResult::Draw, "{name}: {position}");
            let images = (1..symmetries).map(|symmetry| -> Pieces<G> {
                pieces.iter().map(|&(piece, at)| (piece, G::image(symmetry, at))).collect()
            });
            // Positions that share points with an image may have several cells.
            let is_apart = |image: &Pieces<G>| !image.iter().any(|it| pieces.contains(it));
            if images.clone().all(|image| is_apart(&image)) {
                let value = noise.value(&position).expect("sound");
                for image in images {
                    let image = G::from_pieces(image, Color::White).expect("an image");
                    let found = noise.value(&image).expect("sound");
                    assert_eq!(found, value, "{name}: {position} and {image}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10, "{compared}");
}

/// With and without pawns and equal pieces, and with a lone king.
#[test]
fn every_position_shares_a_cell_with_its_images() {
    assert_positions_have_cells::<chesquerque::Position>(&[
        ("KBvK", 15),
        ("KPvK", 35),
        ("KRvKN", 846),
        ("KNNvK", 15 * 81),
        ("KRvKP", 35 * 81),
        ("KPvKP", 1974),
        ("KPPvK", 1001),
        ("KABvK", 846),
        ("KRPvK", 35 * 81),
        ("KQBBvK", 846 * 81),
    ]);
    assert_positions_have_cells::<masonic::Position>(&[
        ("KNvK", 32),
        ("KPvK", 48),
        ("KRBvK", 2016),
        ("KNNvK", 32 * 64),
        ("KRvKP", 48 * 64),
        ("KPvKP", 48 * 47),
    ]);
}
