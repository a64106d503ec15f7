//! What is known for certain of each move, by endgame tables and by the certificate of Alquerque.

use std::cmp::Reverse;

use serde::Serialize;

use super::game_tree::NodeId;
use super::shown::NamedMove;
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyGame, AnyMove};
use qirkat_tablebase::{AllTables, KnownMove, KnownMoves, TableResult};

/// What is known of the legal moves where a game stands: by the tables, or by the rules, which may
/// end it. If nothing is known by the tables, nothing is known.
pub(crate) fn known_moves(tables: &AllTables, game: &AnyGame) -> KnownMoves<AnyMove> {
    let position = game.position();
    let mut moves = tables.known_moves(position);
    if game.outcome().is_some() || moves.known.is_empty() {
        return KnownMoves::default();
    }
    // The tables know nothing of the game so far.
    let mut history = game.history().clone();
    history.push(position);
    let ended = |mv: AnyMove| {
        let outcome = position.after(mv).outcome(&history)?;
        // Nobody loses by a move of one's own.
        let (result, plies) = match outcome.winner() {
            Some(_) => (TableResult::Win, Some(1)),
            None => (TableResult::Draw, None),
        };
        Some(KnownMove { mv, result, plies, is_bound: false })
    };
    for known in &mut moves.known {
        *known = ended(known.mv).unwrap_or(*known);
    }
    for mv in std::mem::take(&mut moves.unknown) {
        match ended(mv) {
            Some(known) if known.result == TableResult::Win => moves.known.insert(0, known),
            Some(known) => moves.known.push(known),
            None => moves.unknown.push(mv),
        }
    }
    // The order of the tables stays among equal results.
    moves.known.sort_by_key(|known| Reverse(known.result));
    moves
}

/// What is known of the moves at a node.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Known {
    pub node: NodeId,
    /// The moves of which something is known, the best first.
    known: Vec<KnownShown>,
    unknown: Vec<NamedMove>,
    /// Whether a certificate is still to come that may know more.
    pub waits: bool,
}

#[derive(Clone, Debug, Serialize)]
struct KnownShown {
    #[serde(flatten)]
    named: NamedMove,
    #[serde(flatten)]
    truth: Truth,
}

/// The truth of a move, for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Truth {
    /// `win`, `draw`, `loss`, and what the 100-ply rule makes a draw: `cursed-win`,
    /// `blessed-loss`.
    result: &'static str,
    /// Moves to the end of the game of the side that wins, this one counted.
    moves: Option<u16>,
    /// Whether it may take less.
    bound: bool,
}

impl Truth {
    pub fn of(known: &KnownMove<AnyMove>) -> Truth {
        // Whoever wins makes the last move.
        let moves = known.plies.map(|plies| plies.div_ceil(2));
        Truth { result: known.result.text(), moves, bound: known.is_bound }
    }
}

impl Known {
    /// What is known at a node where a game stands.
    pub fn of(node: NodeId, tables: &AllTables, game: &AnyGame) -> Known {
        let moves = known_moves(tables, game);
        let position = game.position();
        let shown = |known: &KnownMove<AnyMove>| KnownShown {
            named: NamedMove::of(position, known.mv),
            truth: Truth::of(known),
        };
        Known {
            node,
            known: moves.known.iter().map(shown).collect(),
            unknown: moves.unknown.iter().map(|&mv| NamedMove::of(position, mv)).collect(),
            waits: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    fn game(variant: Variant, fen: &str, moves: &str) -> AnyGame {
        let mut game = AnyGame::from_position(variant.read_fen(fen).expect("a FEN").position);
        for text in moves.split_whitespace() {
            game.play(game.position().read_move(text).expect("a legal move"));
        }
        game
    }

    fn known(game: &AnyGame) -> serde_json::Value {
        let known = Known::of(0, &AllTables::with_embedded(), game);
        serde_json::to_value(known).expect("JSON")
    }

    #[test]
    fn moves_are_known_as_far_as_tables_and_rules_go() {
        for (variant, fen, moves, best, known_count, unknown_count) in [
            // All of them, the shortest mate first.
            (
                Variant::Chesquerque,
                "9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1",
                "",
                ("win", Some(16)),
                10,
                0,
            ),
            // A capture alone leads to three pieces.
            (Variant::Chesquerque, "9/9/9/9/4k1q2/4R4/9/9/4K4 b - - 0 1", "", ("win", None), 1, 2),
            (Variant::Chesquerque, "", "", ("", None), 0, 0),
            (Variant::Masonic, "8/8/8/3k4/8/8/8/K3Q3 w - - 0 1", "", ("win", Some(8)), 20, 0),
            (Variant::Alquerque, "5/2m2/5/2M2/5 w - - 0 1", "", ("loss", Some(8)), 3, 0),
        ] {
            let fen = if fen.is_empty() { variant.start().fen() } else { fen.to_owned() };
            let game = game(variant, &fen, moves);
            let said = known(&game);
            let (found, left) = (&said["known"], &said["unknown"]);
            let count = |list: &serde_json::Value| list.as_array().map_or(0, Vec::len);
            if known_count == 0 {
                assert_eq!((count(found), count(left)), (0, 0), "{said}");
                continue;
            }
            assert!(
                count(found) >= known_count.min(10) && count(left) >= unknown_count.min(10),
                "{said}"
            );
            assert_eq!(count(found) + count(left), game.position().legal_moves().len());
            assert_eq!(found[0]["result"], best.0, "{said}");
            if let Some(moves) = best.1 {
                assert_eq!(found[0]["moves"], moves, "{said}");
            }
        }
    }

    /// A move that repeats the position for the third time draws, whatever the tables say.
    #[test]
    fn the_game_so_far_counts() {
        let shuffle = "Kd1 Kd7 Ke1 Kd6";
        let fen = "9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1";
        let once = game(Variant::Chesquerque, fen, shuffle);
        let san = |said: &serde_json::Value, result: &str| -> Vec<String> {
            let moves = said["known"].as_array().expect("a list");
            let fitting = moves.iter().filter(|shown| shown["result"] == result);
            fitting.filter_map(|shown| shown["san"].as_str().map(str::to_owned)).collect()
        };
        assert_eq!(san(&known(&once), "draw"), ["Bc5+"], "it is taken");
        let twice = game(Variant::Chesquerque, fen, &format!("{shuffle} Kd1 Kd7 Ke1"));
        assert_eq!(san(&known(&twice), "draw"), ["Kd6"]);
    }
}
