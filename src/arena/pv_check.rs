//! Checks the PVs that an engine reports: legal moves, none after the end of the game, mates where
//! they are announced, and the played move first.

use derive_more::Display;
use serde::{Deserialize, Serialize};

use qirkat_game::text::one_line;
use qirkat_game::{Outcome, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove};

use crate::info_line::{InfoLine, ReportedScore};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Display, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PvFault {
    #[display("illegal move")]
    IllegalMove,
    #[display("moves after mate")]
    AfterMate,
    #[display("moves after a draw")]
    AfterDraw,
    /// The last line does not begin with the move played.
    #[display("best move not first")]
    OtherMove,
    /// The score announces a mate, but the line does not end in one.
    #[display("mate score without mate")]
    NoMate,
    /// It mates in fewer or more moves than announced.
    #[display("mate score of wrong length")]
    MateLength,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PvComplaint {
    pub fault: PvFault,
    pub what: String,
    pub line: String,
    pub fen: String,
}

/// Moves of a PV that are checked.
const MAX_PV_MOVES: usize = 300;
const SHOWN: usize = 240;

/// Checks the `info` lines of one search (without `info`) against the position and the move
/// played. Each kind of fault is reported once, for the last line that has it.
pub(crate) fn check_pvs(game: &AnyGame, made: AnyMove, lines: &[String]) -> Vec<PvComplaint> {
    let variant = game.position().variant();
    let mut complaints: Vec<PvComplaint> = Vec::new();
    let mut first_move_is_open = true;
    let mut previous = None;
    for text in lines.iter().rev() {
        let line = InfoLine::parse(text);
        let Some(pv) = line.pv else { continue };
        let mate = match line.score {
            Some(ReportedScore::Mate(moves)) if moves != 0 && !line.is_bound => Some(moves),
            _ => None,
        };
        let mut complain = |fault, what| {
            if complaints.iter().all(|known| known.fault != fault) {
                let (line, fen) = (shortened(text), game.position().fen());
                complaints.push(PvComplaint { fault, what, line, fen });
            }
        };
        if first_move_is_open && line.multipv.unwrap_or(1) == 1 {
            let first = pv.split_ascii_whitespace().next().unwrap_or_default();
            let is_made = AnyMove::parse(variant, first) == Some(made);
            // A bound on another move does not count: that move may have been dropped later. One on
            // the move played does: it may be the only report on it.
            first_move_is_open = line.is_bound && !is_made;
            if !line.is_bound && !is_made {
                let first = shortened(first);
                let what = format!("{made} was played, the line begins with {first}");
                complain(PvFault::OtherMove, what);
            }
        }
        // Iterations often repeat the same line.
        if previous == Some((pv, mate)) {
            continue;
        }
        previous = Some((pv, mate));
        if let Err((fault, what)) = check_pv(game, pv, mate) {
            complain(fault, what);
        }
    }
    complaints
}

fn check_pv(game: &AnyGame, pv: &str, mate: Option<i32>) -> Result<(), (PvFault, String)> {
    let mut game = game.clone();
    let mut outcome = None;
    let mut plies = 0_i64;
    for text in pv.split_ascii_whitespace().take(MAX_PV_MOVES) {
        match outcome {
            None => {}
            Some(Outcome::Draw(reason)) => {
                return Err((PvFault::AfterDraw, format!("{text} follows {reason}")));
            }
            Some(_) => {
                return Err((PvFault::AfterMate, format!("{text} follows mate")));
            }
        }
        match AnyMove::parse(game.position().variant(), text)
            .filter(|&mv| game.position().is_legal(mv))
        {
            Some(mv) => game.play(mv),
            None => {
                let what = format!("{} is not legal at ply {}", shortened(text), plies + 1);
                return Err((PvFault::IllegalMove, what));
            }
        }
        plies += 1;
        outcome = game.outcome();
    }
    let Some(mate) = mate else { return Ok(()) };
    let promised = 2 * i64::from(mate).abs() - i64::from(mate > 0);
    let score = format!("mate {mate} takes {promised} plies");
    match outcome {
        Some(outcome) if outcome.winner().is_some() && plies == promised => Ok(()),
        Some(outcome) if outcome.winner().is_some() => {
            Err((PvFault::MateLength, format!("{score}, the line mates after {plies}")))
        }
        _ => Err((PvFault::NoMate, format!("{score}, the line has {plies} without mate"))),
    }
}

fn shortened(text: &str) -> String {
    one_line(text, SHOWN)
}

#[cfg(test)]
mod tests {
    use qirkat_rules::variant::Variant;

    use super::*;

    /// The king in the corner is mated by Rh8-h9 or Rg7-g9.
    const MATE: &str = "k8/7R1/6R2/9/9/9/9/9/4K4 w - - 0 1";

    fn faults(fen: &str, made: &str, lines: &[&str]) -> Vec<PvFault> {
        let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let made = AnyMove::parse(Variant::Chesquerque, made).expect("a move");
        let complaints = check_pvs(&AnyGame::from_position(position), made, &lines);
        complaints.into_iter().map(|complaint| complaint.fault).collect()
    }

    #[test]
    fn lines_are_looked_through() {
        use PvFault::*;
        let quiet = "k8/9/9/9/9/9/9/4P4/4K4 w - - 98 60";
        let bare = "k8/9/9/9/9/9/9/4p4/4K4 w - - 0 1";
        for (fen, made, lines, expected) in [
            (MATE, "g7g9", ["score cp 5 pv g7g9"].as_slice(), [].as_slice()),
            (MATE, "g7g9", &["score mate 1 pv g7g9"], &[]),
            (MATE, "g7g9", &["score cp 5", "string pv x", "depth 3 nodes 7"], &[]),
            (MATE, "g7g9", &["score mate 1 pv g7g9 a9a8"], &[AfterMate]),
            (MATE, "g7g9", &["score mate 2 pv g7g9"], &[MateLength]),
            (MATE, "g7g9", &["score mate -1 pv g7g9"], &[MateLength]),
            (MATE, "g7g8", &["score mate 1 pv g7g8"], &[NoMate]),
            (MATE, "g7g8", &["score mate 1 lowerbound pv g7g8"], &[]),
            (MATE, "g7g8", &["pv g7g8 a9a8x"], &[IllegalMove]),
            (MATE, "g7g8", &["pv g7g8 e1e2"], &[IllegalMove]),
            (MATE, "g7g8", &["pv g7g9", "upperbound pv g7g9", "multipv 2 pv g7g9"], &[OtherMove]),
            (MATE, "g7g8", &["pv g7g9", "pv g7g8"], &[]),
            (MATE, "g7g8", &["pv g7g9", "lowerbound pv g7g8"], &[]),
            (MATE, "g7g8", &["pv g7g8", "lowerbound pv g7g9"], &[]),
            (MATE, "g7g8", &["multipv 2 pv g7g9 a9a8", "multipv 1 pv g7g8"], &[AfterMate]),
            // Each kind once, whatever the number of lines.
            (MATE, "g7g8", &["pv e1e9", "pv e1e8", "pv e2e9"], &[OtherMove, IllegalMove]),
            (quiet, "e1f1", &["pv e1f1 a9b9"], &[]),
            (quiet, "e1f1", &["pv e1f1 a9b9 f1e1"], &[AfterDraw]),
            (bare, "e1e2", &["pv e1e2"], &[]),
            (bare, "e1e2", &["pv e1e2 a9a8"], &[AfterDraw]),
        ] {
            assert_eq!(faults(fen, made, lines), expected, "{fen} {made} {lines:?}");
        }
    }

    #[test]
    fn positions_of_the_game_count_for_repetitions() {
        let shuffle = ["a1a2", "a9a8", "a2a1", "a8a9"];
        let rooks = "r3k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let position = Variant::Chesquerque.read_fen(rooks).expect(rooks).position;
        let mut game = AnyGame::from_position(position);
        for text in shuffle {
            game.play(AnyMove::parse(Variant::Chesquerque, text).expect("a move"));
        }
        let line = format!("pv {} e1e2", shuffle.join(" "));
        let made = AnyMove::parse(Variant::Chesquerque, shuffle[0]).expect("a move");
        let complaints = check_pvs(&game, made, std::slice::from_ref(&line));
        assert_eq!(complaints.len(), 1);
        assert_eq!(complaints[0].fault, PvFault::AfterDraw);
        assert_eq!(complaints[0].what, "e1e2 follows threefold repetition");
        assert_eq!(complaints[0].line, line);
    }
}
