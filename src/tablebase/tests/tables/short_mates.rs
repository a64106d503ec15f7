//! Short mates in tables of four pieces of Masonic chess, against a search that goes
//! forwards and tries every move.

use qirkat_game::{Color, Rules, Terminal};
use qirkat_rules::masonic::{PieceKind, Position};
use qirkat_tablebase::{Material, TableResult, Tables};
use qirkat_testing::effort;

use super::files::build_in;

/// Plies that the search looks ahead.
const PLIES: u16 = 3;

/// How a position ends within this many plies, if it does whatever the loser plays.
fn forced<G: Rules>(position: &G, plies: u16) -> Option<(TableResult, u16)> {
    let (mut win, mut loss) = (None, Some(0));
    let moves = position.legal_moves();
    if moves.is_empty() {
        return (position.without_moves() == Terminal::Lost).then_some((TableResult::Loss, 0));
    }
    if plies == 0 {
        return None;
    }
    for mv in moves {
        match forced(&position.after(mv), plies - 1) {
            Some((TableResult::Loss, plies)) => {
                win = Some(win.map_or(plies + 1, |known: u16| known.min(plies + 1)));
            }
            Some((_, plies)) => loss = loss.map(|known: u16| known.max(plies + 1)),
            None => loss = None,
        }
    }
    let lost = loss.map(|plies| (TableResult::Loss, plies));
    win.map(|plies| (TableResult::Win, plies)).or(lost)
}

/// Of all positions, every one at this distance is compared.
const STRIDE: usize = 4_999;

/// Compares positions of a table with the search.
fn compare(tables: &Tables<Position>, name: &str) {
    let material: Material<PieceKind> = name.parse().expect("a material");
    let (mut compared, mut short) = (0, 0);
    for index in (0..7_000_000).step_by(STRIDE) {
        for side in Color::ALL {
            let Some(position) = tables.position(material, index, side) else { continue };
            let value = tables.value(&position).expect("sound").expect("built");
            let known = value.dtm.filter(|&plies| plies <= PLIES);
            let expected = forced(&position, PLIES);
            assert_eq!(known.map(|plies| (value.result, plies)), expected, "{position}");
            compared += 1;
            short += usize::from(known.is_some());
        }
    }
    assert!(compared > 1000 && short > 0, "{name}: {compared} {short}");
}

/// With a pawn on each side captures en passant are among the moves.
#[test]
fn short_mates_of_four_pieces_agree_with_a_search() {
    let names: &[&str] = effort([&[], &["KQvKR"], &["KQvKR", "KPvKP"]]);
    let folder = tempfile::tempdir().expect("a folder");
    build_in::<Position>(folder.path(), names);
    let mut tables: Tables<Position> = Tables::with_embedded();
    tables.add_folder(folder.path()).expect("read");
    names.iter().for_each(|name| compare(&tables, name));
}
