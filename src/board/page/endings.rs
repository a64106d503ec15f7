//! What the tables prove about each move, and endings to practise: a ladder from easy mates to a
//! pawn that has to promote. Positions are random, and the defender plays the longest defence.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::page::game_tree::NodeId;
use crate::page::shown::{MoveText, replay};
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, KnownResult, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_tablebase::{AllTables, KnownMove, KnownMoves, TableResult};

/// The results of the legal moves that tables and rules know. Empty if the tables know nothing.
pub(crate) fn known_moves(tables: &AllTables, game: &AnyGame) -> KnownMoves<AnyMove> {
    let position = game.position();
    let mut moves = tables.known_moves(position);
    if game.outcome().is_some() || moves.known.is_empty() {
        return KnownMoves::default();
    }
    // The tables do not know the game's history.
    let mut history = game.history().clone();
    history.push(position);
    let ended = |mv: AnyMove| {
        let outcome = position.after(mv).outcome(&history)?;
        // A move that ends the game never loses it for the side that made it.
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
    // Stable: the tables' order stays among equal results.
    moves.known.sort_by_key(|known| Reverse(known.result));
    moves
}

/// What tables and rules prove about the moves at a node.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Known {
    pub node: NodeId,
    /// Moves with a known result, the best first.
    known: Vec<ProvenMove>,
    unknown: Vec<MoveText>,
    /// Whether a certificate that may know more is still being fetched.
    pub waits: bool,
}

#[derive(Clone, Debug, Serialize)]
struct ProvenMove {
    #[serde(flatten)]
    named: MoveText,
    #[serde(flatten)]
    truth: ProvenResult,
}

/// The proven result of a move, for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct ProvenResult {
    /// `win`, `draw`, `loss`, and what the 100-ply rule makes a draw: `cursed-win`, `blessed-loss`.
    result: &'static str,
    /// Moves of the winning side to the end of the game; this one counts if it is the winner's.
    moves: Option<u16>,
    /// Whether `moves` is only an upper bound.
    bound: bool,
}

impl ProvenResult {
    pub fn of(known: &KnownMove<AnyMove>) -> ProvenResult {
        // The winner makes the last move of the game.
        let moves = known.plies.map(|plies| plies.div_ceil(2));
        ProvenResult { result: known.result.text(), moves, bound: known.is_bound }
    }
}

impl Known {
    pub fn of(node: NodeId, tables: &AllTables, game: &AnyGame) -> Known {
        let moves = known_moves(tables, game);
        let position = game.position();
        let shown = |known: &KnownMove<AnyMove>| ProvenMove {
            named: MoveText::of(position, known.mv),
            truth: ProvenResult::of(known),
        };
        Known {
            node,
            known: moves.known.iter().map(shown).collect(),
            unknown: moves.unknown.iter().map(|&mv| MoveText::of(position, mv)).collect(),
            waits: false,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Endgame {
    pub id: &'static str,
    pub game: Variant,
    title: &'static str,
    /// The FEN letters of all pieces: White has to win.
    #[serde(skip)]
    pieces: &'static str,
    /// Moves to the end from the start position.
    #[serde(rename = "moves")]
    distance: RangeInclusive<u16>,
}

const fn endgame(
    game: Variant,
    id: &'static str,
    title: &'static str,
    pieces: &'static str,
    distance: RangeInclusive<u16>,
) -> Endgame {
    Endgame { id, game, title, pieces, distance }
}

/// The endgames, a ladder for each game. A "far" one takes nearly as long as any with these pieces.
pub(crate) const ENDGAMES: &[Endgame] = &[
    endgame(Variant::Chesquerque, "queen-near", "Queen", "KQk", 2..=4),
    endgame(Variant::Chesquerque, "queen-far", "Queen", "KQk", 7..=10),
    endgame(Variant::Chesquerque, "rook-near", "Rook", "KRk", 2..=4),
    endgame(Variant::Chesquerque, "rook-far", "Rook", "KRk", 8..=12),
    endgame(Variant::Chesquerque, "archbishop-near", "Archbishop", "KAk", 2..=5),
    endgame(Variant::Chesquerque, "archbishop-far", "Archbishop", "KAk", 8..=13),
    endgame(Variant::Chesquerque, "bishop-near", "Bishop", "KBk", 2..=5),
    endgame(Variant::Chesquerque, "bishop-middle", "Bishop", "KBk", 6..=11),
    endgame(Variant::Chesquerque, "bishop-far", "Bishop", "KBk", 12..=18),
    endgame(Variant::Chesquerque, "pawn-near", "Pawn", "KPk", 6..=14),
    endgame(Variant::Chesquerque, "pawn-middle", "Pawn", "KPk", 15..=26),
    endgame(Variant::Chesquerque, "pawn-far", "Pawn", "KPk", 27..=45),
    endgame(Variant::Masonic, "masonic-queen-near", "Queen", "KQk", 2..=3),
    endgame(Variant::Masonic, "masonic-queen-far", "Queen", "KQk", 5..=8),
    endgame(Variant::Masonic, "masonic-rook-near", "Rook", "KRk", 2..=5),
    endgame(Variant::Masonic, "masonic-rook-far", "Rook", "KRk", 8..=13),
    endgame(Variant::Masonic, "masonic-bishop-near", "Bishop", "KBk", 2..=5),
    endgame(Variant::Masonic, "masonic-bishop-far", "Bishop", "KBk", 8..=14),
    endgame(Variant::Masonic, "masonic-knight-near", "Knight", "KNk", 3..=9),
    endgame(Variant::Masonic, "masonic-knight-far", "Knight", "KNk", 18..=46),
    endgame(Variant::Masonic, "masonic-pawn-near", "Pawn", "KPk", 5..=11),
    endgame(Variant::Masonic, "masonic-pawn-far", "Pawn", "KPk", 12..=28),
    endgame(Variant::Alquerque, "men-2-1-near", "Two men against one", "MMm", 2..=5),
    endgame(Variant::Alquerque, "men-2-1-far", "Two men against one", "MMm", 8..=14),
    endgame(Variant::Alquerque, "men-1-1", "A man against a man", "Mm", 5..=15),
    endgame(Variant::Alquerque, "men-3-1", "Three men against one", "MMMm", 7..=15),
    endgame(Variant::Alquerque, "men-2-2-near", "Two men against two", "MMmm", 4..=8),
    endgame(Variant::Alquerque, "men-2-2-far", "Two men against two", "MMmm", 12..=25),
];

/// The most random placements tried to find one at the right distance.
const MAX_PLACEMENTS: usize = 100_000;
/// The most plies of an endgame: the 100-ply rule ends most of them before.
const MAX_PLIES: usize = 400;

pub(crate) fn endgame_named(id: &str) -> Option<&'static Endgame> {
    ENDGAMES.iter().find(|endgame| endgame.id == id)
}

impl Endgame {
    /// A random position of it, with White to move.
    pub fn random_position(&self, tables: &AllTables, mut seed: u64) -> Option<AnyPosition> {
        (0..MAX_PLACEMENTS).find_map(|_| {
            let fen = self.placement(&mut seed);
            let position = self.game.read_fen(&fen).ok()?.position;
            let Some(KnownResult::Win(Some(plies))) = tables.known(&position) else { return None };
            let is_open = AnyGame::from_position(position).outcome().is_none();
            (is_open && self.distance.contains(&plies.div_ceil(2))).then_some(position)
        })
    }

    /// A FEN with its pieces on random points, which may be invalid.
    fn placement(&self, seed: &mut u64) -> String {
        let size = usize::from(self.game.board_size());
        let mut points = vec!['1'; size * size];
        for letter in self.pieces.chars() {
            loop {
                let at = splitmix64(seed) as usize % points.len();
                if points[at] == '1' {
                    points[at] = letter;
                    break;
                }
            }
        }
        let ranks: Vec<String> = points.chunks(size).map(|rank| rank.iter().collect()).collect();
        format!("{} w - - 0 1", ranks.join("/"))
    }
}

pub(crate) fn endgame_at(variant: Variant, fen: &str, moves: &[String]) -> Result<AnyGame, String> {
    let start = variant.read_fen(fen).map_err(|error| error.to_string())?.position;
    if moves.len() > MAX_PLIES {
        return Err("this goes on for too long".to_owned());
    }
    replay(start, moves)
}

/// The best move with its value for the side to move.
pub(crate) fn best_move(tables: &AllTables, game: &AnyGame) -> Option<KnownMove<AnyMove>> {
    known_moves(tables, game).known.first().copied()
}

/// A move in an endgame, what it is worth, and the reply.
#[derive(Clone, Debug)]
pub(crate) struct JudgedEndgameMove {
    pub truth: ProvenResult,
    pub best: ProvenResult,
    pub wins: bool,
    pub is_over: bool,
    /// The longest defence, if the game continues and is still won.
    pub reply: Option<AnyMove>,
}

/// Plays a legal move in an endgame, and the defender's reply. None if the tables do not know it.
pub(crate) fn play(
    tables: &AllTables,
    game: &AnyGame,
    mv: AnyMove,
    chance: u64,
) -> Option<JudgedEndgameMove> {
    let best = best_move(tables, game)?;
    let side: Color = game.position().side_to_move();
    let mut after = game.clone();
    after.play(mv);
    let outcome = after.outcome();
    let has_won = outcome.map(|outcome| outcome.winner() == Some(side));
    let (result, plies, is_bound, replies) = match has_won {
        Some(true) => (TableResult::Win, Some(1), false, Vec::new()),
        Some(false) => (TableResult::Draw, None, false, Vec::new()),
        None => {
            let mut replies = known_moves(tables, &after).known;
            let KnownMove { result, plies, is_bound, .. } = *replies.first()?;
            replies.retain(|it| (it.result, it.plies) == (result, plies));
            // The opponent's result decides what the move is worth: a repetition may be a draw now.
            let plies = plies.map(|plies| plies + 1);
            match result {
                TableResult::Loss => (TableResult::Win, plies, is_bound, replies),
                TableResult::Win => (TableResult::Loss, plies, is_bound, replies),
                _ => (TableResult::Draw, None, false, replies),
            }
        }
    };
    let truth = KnownMove { mv, result, plies, is_bound };
    let (wins, reply) = (result == TableResult::Win, chance as usize % replies.len().max(1));
    Some(JudgedEndgameMove {
        truth: ProvenResult::of(&truth),
        best: ProvenResult::of(&best),
        wins,
        is_over: outcome.is_some(),
        reply: replies.get(reply).filter(|_| wins).map(|reply| reply.mv),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        use Variant::{Alquerque, Chesquerque, Masonic};
        let start = Chesquerque.start().fen();
        for (variant, fen, result, moves, least_known, least_unknown) in [
            // All of them, the shortest mate first.
            (Chesquerque, "9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1", "win", Some(16), 10, 0),
            // A capture alone leads to three pieces.
            (Chesquerque, "9/9/9/9/4k1q2/4R4/9/9/4K4 b - - 0 1", "win", None, 1, 2),
            (Chesquerque, start.as_str(), "", None, 0, 0),
            (Masonic, "8/8/8/3k4/8/8/8/K3Q3 w - - 0 1", "win", Some(8), 10, 0),
            (Alquerque, "5/2m2/5/2M2/5 w - - 0 1", "loss", Some(8), 3, 0),
        ] {
            let game = game(variant, fen, "");
            let said = known(&game);
            let (found, left) = (&said["known"], &said["unknown"]);
            let count = |list: &serde_json::Value| list.as_array().map_or(0, Vec::len);
            if least_known == 0 {
                assert_eq!((count(found), count(left)), (0, 0), "{said}");
                continue;
            }
            assert!(count(found) >= least_known && count(left) >= least_unknown, "{said}");
            assert_eq!(count(found) + count(left), game.position().legal_moves().len());
            assert_eq!(found[0]["result"], result, "{said}");
            if let Some(moves) = moves {
                assert_eq!(found[0]["moves"], moves, "{said}");
            }
        }
    }

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

    /// Each endgame has positions, and who always makes the best move wins in time.
    #[test]
    fn every_endgame_is_won_from_the_start() {
        let tables = AllTables::with_embedded();
        for (seed, endgame) in (0..).zip(ENDGAMES) {
            let position = endgame.random_position(&tables, seed).expect(endgame.id);
            let mut game = AnyGame::from_position(position);
            let best = best_move(&tables, &game).expect("known");
            assert_eq!(best.result, TableResult::Win, "{}: {position}", endgame.id);
            let moves = best.plies.expect("a distance").div_ceil(2);
            assert!(endgame.distance.contains(&moves), "{}: {moves} {position}", endgame.id);
            let mut made = 0;
            loop {
                let best = best_move(&tables, &game).expect("known");
                let played = play(&tables, &game, best.mv, seed).expect("known");
                assert!(played.wins && played.truth == played.best, "{}: {played:?}", endgame.id);
                game.play(best.mv);
                made += 1;
                if played.is_over {
                    break;
                }
                game.play(played.reply.expect("a defence"));
            }
            let winner = game.outcome().and_then(|end| end.winner());
            assert_eq!((made, winner), (moves, Some(Color::White)));
        }
        assert!(endgame_named("bishop-far").is_some() && endgame_named("bishop").is_none());
    }

    #[test]
    fn a_move_that_gives_the_win_away_is_drawn() {
        let tables = AllTables::with_embedded();
        let fen = "9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1";
        let game = endgame_at(Variant::Chesquerque, fen, &[]).expect("an endgame");
        let read = |text| game.position().read_move(text).expect("a legal move");
        let played = play(&tables, &game, read("Bc5+"), 0).expect("known");
        assert!(!played.wins && !played.is_over && played.reply.is_none());
        let longer = play(&tables, &game, read("Bf1"), 0).expect("known");
        assert!(longer.wins && longer.truth != longer.best && longer.reply.is_some());
    }
}
