//! A player's report on its search, as its `info` lines have it.

use std::time::Duration;

use crate::uci_client::{InfoLine, ReportedScore};

/// The latest that a player reported of its search: of the first variation, if it
/// shows several.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    pub score: Option<ReportedScore>,
    /// Plies that it looked ahead.
    pub depth: Option<u32>,
    /// Plies that it looked ahead in its longest line.
    pub seldepth: Option<u32>,
    /// Positions that it visited.
    pub nodes: Option<u64>,
    /// Positions that it visited in a second.
    pub nps: Option<u64>,
    /// How full its transposition table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The moves that it expects, as it wrote them; empty if it reported none.
    pub pv: String,
}

/// A player's report on a move, and how long it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    pub info: SearchInfo,
    /// From the question to the answer.
    pub time: Duration,
}

/// Characters of a PV that are kept: more than two hundred moves.
const LONGEST_PV: usize = 1200;

impl SearchInfo {
    /// Takes over the figures of a line. Lines that only count, such as those with
    /// `currmove`, change only the counts; lines of other variations nothing.
    pub(super) fn note(&mut self, line: &InfoLine<'_>) {
        let small = |number: Option<i64>| number.and_then(|number| u32::try_from(number).ok());
        let large = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        if line.multipv.unwrap_or(1) != 1 {
            return;
        }
        if line.score.is_some() {
            self.score = line.score;
            self.depth = small(line.depth);
            self.seldepth = small(line.seldepth);
        }
        self.nodes = large(line.nodes).or(self.nodes);
        self.nps = large(line.nps).or(self.nps);
        self.hashfull = small(line.hashfull).or(self.hashfull);
        if let Some(pv) = line.pv {
            self.pv = pv[..pv.floor_char_boundary(LONGEST_PV)].to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variation_is_noted() {
        use ReportedScore::{Centipawns, Mate};
        let mut info = SearchInfo::default();
        for (line, score, depth, nodes, pv) in [
            ("depth 3 score cp 15 pv e2e4 e8e6", Centipawns(15), 3, None, "e2e4 e8e6"),
            ("depth 4 multipv 2 score cp 99 pv d2d4", Centipawns(15), 3, None, "e2e4 e8e6"),
            ("string score cp 7 pv a1a2", Centipawns(15), 3, None, "e2e4 e8e6"),
            ("depth 5 currmove a2a3 nodes 77", Centipawns(15), 3, Some(77), "e2e4 e8e6"),
            ("depth 9 seldepth 12 multipv 1 score mate -3", Mate(-3), 9, Some(77), "e2e4 e8e6"),
            (
                "pv  b2b3   b8b7 depth 10 score cp 1 nodes -5",
                Centipawns(1),
                10,
                Some(77),
                "b2b3   b8b7",
            ),
            ("depth x score cp y nodes z pv", Centipawns(1), 10, Some(77), "b2b3   b8b7"),
        ] {
            info.note(&InfoLine::parse(line));
            assert_eq!((info.score, info.depth), (Some(score), Some(depth)), "{line}");
            assert_eq!((info.nodes, info.pv.as_str()), (nodes, pv), "{line}");
        }
    }

    #[test]
    fn a_long_line_of_moves_is_cut() {
        let text = format!("score cp 1 pv {}", "ä".repeat(LONGEST_PV));
        let mut info = SearchInfo::default();
        info.note(&InfoLine::parse(&text));
        assert_eq!(info.pv.len(), LONGEST_PV);
    }
}
