//! What an engine reports of its search in its `info` lines.

use std::time::Duration;

use crate::uci_info_words::is_info_word;
use qirkat_game::text::read_number;

/// The score that an engine reports, from its own view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportedScore {
    /// In centipawns.
    Centipawns(i32),
    /// Moves to mate; negative or zero when the player is mated.
    Mate(i32),
}

impl ReportedScore {
    /// In centipawns; a mate counts as more than any material.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 100_000;
        match self {
            ReportedScore::Centipawns(value) => value,
            ReportedScore::Mate(moves) if moves > 0 => MATE,
            ReportedScore::Mate(_) => -MATE,
        }
    }
}

/// The latest that a player reported of its search: of the first variation, if it
/// shows several.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    /// What it thinks of the position.
    pub score: Option<ReportedScore>,
    /// Plies that it looked ahead.
    pub depth: Option<u32>,
    /// Plies that it looked ahead in its longest line.
    pub seldepth: Option<u32>,
    /// Positions that it visited.
    pub nodes: Option<u64>,
    /// Positions that it visited in a second.
    pub nps: Option<u64>,
    /// How full its table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The moves that it expects, as it wrote them; empty if it reported none.
    pub pv: String,
}

/// What a player said of a move, and how long it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// What it reported of its search.
    pub info: SearchInfo,
    /// From the question to the answer.
    pub time: Duration,
}

/// Characters of a PV that are kept: more than two hundred moves.
const LONGEST_PV: usize = 1200;

impl SearchInfo {
    /// Takes over what a line says. Lines that only count, such as those with
    /// `currmove`, change only the counts; lines of other variations nothing.
    pub(super) fn note(&mut self, line: &InfoLine<'_>) {
        if line.multipv != 1 {
            return;
        }
        if line.score.is_some() {
            self.score = line.score;
            self.depth = line.depth;
            self.seldepth = line.seldepth;
        }
        self.nodes = line.nodes.or(self.nodes);
        self.nps = line.nps.or(self.nps);
        self.hashfull = line.hashfull.or(self.hashfull);
        if let Some(pv) = line.pv {
            self.pv.clear();
            let end = pv.floor_char_boundary(LONGEST_PV);
            self.pv.push_str(&pv[..end]);
        }
    }

    /// As before anything was said, without giving memory back.
    pub(super) fn forget(&mut self) {
        let mut pv = std::mem::take(&mut self.pv);
        pv.clear();
        *self = SearchInfo { pv, ..SearchInfo::default() };
    }
}

/// One `info` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InfoLine<'a> {
    /// Which variation it is about, from 1.
    pub multipv: i64,
    pub score: Option<ReportedScore>,
    /// Whether the score is only a bound.
    pub is_bound: bool,
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u32>,
    pub pv: Option<&'a str>,
}

impl<'a> InfoLine<'a> {
    /// Reads what stands behind the word `info`; what makes no sense is passed
    /// over.
    pub fn read(text: &'a str) -> InfoLine<'a> {
        let mut line = InfoLine {
            multipv: 1,
            score: None,
            is_bound: false,
            depth: None,
            seldepth: None,
            nodes: None,
            nps: None,
            hashfull: None,
            pv: None,
        };
        let mut rest = text;
        while let Some((word, behind)) = split_word(rest) {
            rest = behind;
            let number = split_word(rest).and_then(|(word, _)| read_number(word));
            let small = number.and_then(|number| u32::try_from(number).ok());
            let large = number.and_then(|number| u64::try_from(number).ok());
            match word {
                "string" => break,
                "multipv" => line.multipv = number.unwrap_or(1),
                "depth" => line.depth = small,
                "seldepth" => line.seldepth = small,
                "nodes" => line.nodes = large,
                "nps" => line.nps = large,
                "hashfull" => line.hashfull = small,
                "cp" => line.score = number.map(|cp| ReportedScore::Centipawns(clamped(cp))),
                "mate" => line.score = number.map(|moves| ReportedScore::Mate(clamped(moves))),
                "lowerbound" | "upperbound" => line.is_bound = true,
                "pv" => {
                    let (moves, behind) = split_moves(rest);
                    line.pv = Some(moves).filter(|moves| !moves.is_empty());
                    rest = behind;
                }
                _ => {}
            }
        }
        line
    }
}

/// The next word and what stands behind it.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The moves at the beginning, and what stands behind them.
fn split_moves(text: &str) -> (&str, &str) {
    let text = text.trim_ascii_start();
    let mut rest = text;
    while let Some((word, behind)) = split_word(rest)
        && !is_info_word(word)
    {
        rest = behind;
    }
    let (moves, rest) = text.split_at(text.len() - rest.len());
    (moves.trim_ascii_end(), rest)
}

fn clamped(number: i64) -> i32 {
    number.clamp(i64::from(i32::MIN + 1), i64::from(i32::MAX)) as i32
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
            info.note(&InfoLine::read(line));
            assert_eq!((info.score, info.depth), (Some(score), Some(depth)), "{line}");
            assert_eq!((info.nodes, info.pv.as_str()), (nodes, pv), "{line}");
        }
        info.forget();
        assert_eq!(info, SearchInfo::default());
    }

    #[test]
    fn every_figure_of_a_line_is_read() {
        let line = InfoLine::read(
            "depth 12 seldepth 20 multipv 1 score cp 31 lowerbound wdl 300 500 200 nodes 123456 \
             nps 99000 hashfull 17 tbhits 0 time 1247 pv e2e4",
        );
        let expected = InfoLine {
            multipv: 1,
            score: Some(ReportedScore::Centipawns(31)),
            is_bound: true,
            depth: Some(12),
            seldepth: Some(20),
            nodes: Some(123_456),
            nps: Some(99_000),
            hashfull: Some(17),
            pv: Some("e2e4"),
        };
        assert_eq!(line, expected);
    }

    #[test]
    fn a_long_line_of_moves_is_cut() {
        let text = format!("score cp 1 pv {}", "ä".repeat(LONGEST_PV));
        let mut info = SearchInfo::default();
        info.note(&InfoLine::read(&text));
        assert_eq!(info.pv.len(), LONGEST_PV);
    }
}
