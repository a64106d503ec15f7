//! Positions, moves, points and search lines as the page shows them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qirkat_analysis::casual::points_of;
use qirkat_analysis::review::Material;
use qirkat_engine::{SearchLine, line_chances};
use qirkat_game::{Color, Outcome, Rules};
use qirkat_rules::pgn::{GameResult, PgnGame};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Place, Variant};
use qirkat_search::Bound;

use crate::page::game_tree::{NodeId, Verdict};
use crate::page::rule::{PieceRule, rule_of};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PositionShown {
    pub fen: String,
    pub turn: &'static str,
    pub last: Vec<String>,
    pub check: Option<String>,
    pub legal: Vec<MoveShown>,
    /// How the game ended by the rules, if it did.
    pub outcome: Option<String>,
    /// White's material minus Black's in centipawns; in Alquerque 100 per man.
    pub material: i32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct MoveShown {
    text: String,
    points: Vec<String>,
    capture: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<char>,
}

impl MoveShown {
    fn of(position: &AnyPosition, mv: AnyMove) -> MoveShown {
        let (points, promotion) = points_of(mv);
        MoveShown { text: mv.to_string(), points, capture: position.captures(mv), promotion }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct MoveText {
    text: String,
    san: String,
    points: Vec<String>,
}

impl MoveText {
    pub fn of(position: &AnyPosition, mv: AnyMove) -> MoveText {
        MoveText { text: mv.to_string(), san: position.san(mv), points: points_of(mv).0 }
    }
}

pub const fn side_word(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl PositionShown {
    pub fn of(
        position: &AnyPosition,
        last: Option<AnyMove>,
        outcome: Option<Outcome>,
    ) -> PositionShown {
        let moves = if outcome.is_some() { Vec::new() } else { position.legal_moves() };
        PositionShown {
            fen: position.fen(),
            turn: side_word(position.side_to_move()),
            last: last.map_or_else(Vec::new, |mv| points_of(mv).0),
            check: position.king_of_side_to_move().filter(|_| position.in_check()),
            legal: moves.into_iter().map(|mv| MoveShown::of(position, mv)).collect(),
            outcome: outcome.map(|outcome| outcome.to_string()),
            material: Material::of(position).balance(Color::White),
        }
    }
}

/// The game after these moves, by their points or in SAN.
pub(crate) fn replay<T: AsRef<str>>(
    start: AnyPosition,
    moves: impl IntoIterator<Item = T>,
) -> Result<AnyGame, String> {
    let mut game = AnyGame::from_position(start);
    for text in moves {
        let mv = game.position().read_move(text.as_ref()).map_err(|error| error.to_string())?;
        game.play(mv);
    }
    Ok(game)
}

/// The placement, the first field of a FEN.
pub fn placement_of(position: &AnyPosition) -> String {
    position.fen().split(' ').next().unwrap_or_default().to_owned()
}

/// The board after each move of a legal line.
pub(crate) fn boards_after(position: &AnyPosition, moves: &[AnyMove]) -> Vec<String> {
    let mut at = *position;
    let board = |&mv: &AnyMove| {
        at = at.after(mv);
        placement_of(&at)
    };
    moves.iter().map(board).collect()
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct PointShown {
    node: NodeId,
    point: String,
    /// The points of all pieces that attack it, pinned or not. Those of the same side as its own
    /// piece defend it. In Alquerque: pieces that may jump over it.
    pub attackers: Vec<String>,
    /// How its piece moves; none if it is empty.
    pub rule: Option<PieceRule>,
    /// The moves of its piece, if it were its side's turn.
    pub legal: Vec<MoveShown>,
}

impl PointShown {
    /// Describes a point by name; none for an invalid name.
    pub fn of(node: NodeId, position: &AnyPosition, name: &str) -> Option<PointShown> {
        let place = Place::parse(position.variant(), name)?;
        let attackers = position.attackers(place).iter().map(Place::to_string).collect();
        let turns = std::iter::once(*position).chain(position.after_null_move().ok());
        let moves_of = |turn: AnyPosition| {
            let shown = move |mv| MoveShown::of(&turn, mv);
            turn.legal_moves().into_iter().map(shown).collect::<Vec<_>>()
        };
        let is_here = |mv: &MoveShown| mv.points.first().is_some_and(|from| from == name);
        let legal = turns.flat_map(moves_of).filter(is_here).collect();
        let rule = rule_of(position, place);
        Some(PointShown { node, point: name.to_owned(), attackers, rule, legal })
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Lines {
    pub node: NodeId,
    /// Whether the other side has the move, to show the threat.
    pub threat: bool,
    pub lines: Vec<Line>,
    pub nodes: u64,
    pub nps: u64,
    /// Hash table use, in thousandths.
    pub hashfull: u32,
    pub depth: [u16; 2],
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Line {
    pub rank: usize,
    #[serde(flatten)]
    verdict: Verdict,
    /// White's wins, draws and losses in permille.
    wdl: [u32; 3],
    /// `>` or `<` where White's score is only a bound.
    bound: &'static str,
    points: Vec<String>,
    san: Vec<String>,
    /// The board after each move, the first field of its FEN.
    boards: Vec<String>,
}

const MAX_SHOWN: usize = 24;

impl Line {
    pub fn of(line: &SearchLine, position: &AnyPosition) -> Line {
        let white = position.side_to_move() == Color::White;
        let chances = line_chances(position.variant(), line);
        let moves = &line.moves[..line.moves.len().min(MAX_SHOWN)];
        let san = position.san_line(moves);
        Line {
            rank: line.rank,
            verdict: Verdict::of(line, position.side_to_move()),
            wdl: if white { chances } else { chances.flipped() }.permille(),
            bound: match (line.bound, white) {
                (Bound::Exact, _) => "",
                (Bound::Lower, true) | (Bound::Upper, false) => ">",
                (Bound::Upper, true) | (Bound::Lower, false) => "<",
            },
            points: moves.first().map_or_else(Vec::new, |&mv| points_of(mv).0),
            boards: boards_after(position, &moves[..san.len()]),
            san,
        }
    }
}

pub trait WatchedMatch: Send + Sync {
    /// The current state. An unchanged view is the same allocation.
    fn view(&self) -> Arc<MatchView>;

    fn game(&self, wanted: WatchedGame) -> Option<PgnGame>;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WatchedGame {
    /// The finished game with this number in the file, from 1.
    Finished(u64),
    /// The game in progress with this number of the match (its tag `GameNumber`), from 1.
    Running(usize),
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MatchView {
    pub file: String,
    /// What is wrong with the match, or what it waits for.
    pub trouble: Option<String>,
    pub games: u64,
    pub faults: u64,
    pub table: Vec<TableRow>,
    /// The games in progress; none if they are not shown.
    pub running: Option<Vec<RunningGame>>,
    /// The latest finished games, the last first.
    pub finished: Vec<FinishedGame>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TableRow {
    pub name: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// A win counts 1, a draw 0.5.
    pub points: f64,
    /// With its 95 % error, as `qirkat match` reports it. For two players, the difference between
    /// them, by pairs if all games are paired; for more, the rating relative to the average.
    pub elo: Option<[f64; 2]>,
    /// Points and games against the player of each row; none against oneself.
    pub against: Vec<Option<(f64, u64)>>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunningGame {
    pub number: usize,
    pub game: Variant,
    pub names: [String; 2],
    /// Milliseconds left on the clocks after the last move.
    pub left: [Option<u64>; 2],
    /// Score, depth and time of their last moves.
    pub thoughts: [Option<String>; 2],
    /// The placement, the first field of the FEN.
    pub pieces: String,
    pub turn: &'static str,
    pub last: Vec<String>,
    pub check: Option<String>,
    pub moves: String,
    pub plies: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FinishedGame {
    /// Its ordinal number in the file, from 1.
    pub ordinal: u64,
    #[serde(skip)]
    pub offset: u64,
    pub number: Option<usize>,
    pub game: Variant,
    pub white: String,
    pub black: String,
    pub result: GameResult,
    pub reason: String,
    /// Full moves, rounded up.
    pub moves: usize,
}

#[cfg(test)]
mod tests {
    use Variant::{Alquerque, Chesquerque, Masonic};

    use super::*;

    const A_FILE_AND_RANK: &str = "a1 a2 a3 a4 a6 a7 a8 a9 b4 b5 b6 c5 d5";

    fn position(variant: Variant, board: &str) -> AnyPosition {
        variant.read_fen(&format!("{board} w - - 0 1")).expect("a position").position
    }

    #[test]
    fn material_of_a_position() {
        for (variant, board, material) in [
            (Chesquerque, "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR", 0),
            (Chesquerque, "4k4/9/9/9/9/9/9/P8/4K4", 100),
            (Masonic, "4k2q/8/8/8/8/8/8/4K3", -880),
            (Alquerque, "mm3/5/5/5/M4", -100),
        ] {
            let shown = PositionShown::of(&position(variant, board), None, None);
            assert_eq!(shown.material, material, "{board}");
        }
    }

    fn sorted(mut names: Vec<String>) -> String {
        names.sort();
        names.join(" ")
    }

    #[test]
    fn attackers_and_ways_of_a_point() {
        for (variant, board, point, attackers, moves, captures) in [
            // A pawn on a diagonal point attacks slantwise, and a rook along its file.
            (Chesquerque, "4k4/9/9/4p4/4P4/3P5/9/9/R2RK4", "d4", "d1", "d5", ""),
            // Black's knight on d7 protects e5 over d6, White's bishop attacks it.
            (Chesquerque, "4k4/9/3n5/9/4p4/9/9/7B1/4K4", "e5", "d7 h2", "e4", ""),
            // Of the side that is not to move: it would take the pawn on e5.
            (Chesquerque, "4k4/9/9/9/r3P4/9/9/9/4K4", "a5", "", A_FILE_AND_RANK, "e5"),
            // A man that may be jumped over, and the man that jumps.
            (Alquerque, "5/5/5/1m3/2M2", "b2", "c1", "a1 a2 b1 c2", ""),
            (Alquerque, "5/5/5/1m3/2M2", "c1", "", "", "a3"),
        ] {
            let position = position(variant, board);
            let seen = PointShown::of(0, &position, point).expect("a point");
            let ends = |capture| {
                let ways = seen.rule.iter().flat_map(|rule| &rule.ways);
                let of_kind = ways.filter(|way| way.capture == capture);
                of_kind.filter_map(|way| way.points.last().cloned()).collect()
            };
            let (moves_seen, captures_seen) = (ends(false), ends(true));
            let told = [seen.attackers, moves_seen, captures_seen].map(sorted);
            assert_eq!(told, [attackers, moves, captures], "{point} in {board}");
        }
        let start = Masonic.start();
        assert_eq!(PointShown::of(0, &start, "j9"), None);
        assert_eq!(PointShown::of(0, &start, ""), None);
    }
}
