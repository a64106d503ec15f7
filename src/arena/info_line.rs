//! `info` lines: an engine's report on its search. The parser is lenient, since a game should not
//! end for a small fault, but keeps the first error for the compliance tests.

use std::time::Duration;

use qirkat_game::text::read_number;

/// The keywords of an `info` line. A list of moves has no end mark, so it extends to the next
/// keyword. `wdl` is not in the protocol of 2006, but many engines write it.
#[rustfmt::skip]
const WORDS: [&str; 22] = [
    "depth", "seldepth", "time", "nodes", "pv", "multipv", "score", "cp", "mate", "lowerbound",
    "upperbound", "wdl", "currmove", "currmovenumber", "hashfull", "nps", "tbhits", "sbhits",
    "cpuload", "string", "refutation", "currline",
];

const PERMILLE: i64 = 1000;

/// The score that an engine reports, from its own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportedScore {
    Centipawns(i32),
    /// Moves to mate; zero or negative when the player is mated.
    Mate(i32),
}

impl ReportedScore {
    /// In centipawns; mates lie beyond any material.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 100_000;
        match self {
            ReportedScore::Centipawns(value) => value,
            ReportedScore::Mate(moves) if moves > 0 => MATE,
            ReportedScore::Mate(_) => -MATE,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct InfoLine<'a> {
    pub depth: Option<i64>,
    pub seldepth: Option<i64>,
    pub time: Option<i64>,
    pub nodes: Option<i64>,
    pub nps: Option<i64>,
    pub hashfull: Option<i64>,
    pub multipv: Option<i64>,
    pub score: Option<ReportedScore>,
    pub is_bound: bool,
    /// The moves of the PV as written; `None` if empty.
    pub pv: Option<&'a str>,
    /// Moves by the keyword before them: `pv`, `currmove`, `refutation` or `currline`.
    pub moves: Vec<(&'a str, &'a str)>,
    pub unknown: Option<&'a str>,
    pub error: Option<String>,
}

impl<'a> InfoLine<'a> {
    pub fn parse(text: &'a str) -> InfoLine<'a> {
        let mut line = InfoLine::default();
        let mut rest = text;
        while let Some((word, after)) = split_word(rest) {
            rest = after;
            let mut number = |least: i64, most: i64| line.number(&mut rest, word, least, most);
            match word {
                "string" => break,
                "depth" => line.depth = number(0, i64::MAX),
                "seldepth" => line.seldepth = number(0, i64::MAX),
                "time" => line.time = number(0, i64::MAX),
                "nodes" => line.nodes = number(0, i64::MAX),
                "nps" => line.nps = number(0, i64::MAX),
                "hashfull" => line.hashfull = number(0, PERMILLE),
                "multipv" => line.multipv = number(1, i64::MAX),
                "tbhits" | "sbhits" => _ = number(0, i64::MAX),
                "currmovenumber" => _ = number(1, i64::MAX),
                "cpuload" => _ = number(0, PERMILLE),
                "cp" | "mate" => {
                    let value = number(i64::MIN, i64::MAX).map(saturated);
                    let kind =
                        if word == "cp" { ReportedScore::Centipawns } else { ReportedScore::Mate };
                    line.score = value.map(kind);
                }
                "wdl" => {
                    let parts = [(); 3].map(|()| number(0, PERMILLE));
                    if let [Some(win), Some(draw), Some(loss)] = parts
                        && win + draw + loss != PERMILLE
                    {
                        let parts = [win, draw, loss];
                        line.complain(|| format!("wdl {parts:?}, whose sum is not {PERMILLE}"));
                    }
                }
                "score" => {
                    let next = split_word(rest).map_or("nothing", |(next, _)| next);
                    if !["cp", "mate", "lowerbound", "upperbound"].contains(&next) {
                        line.complain(|| format!("`{next}` after `score`, not `cp` or `mate`"));
                    }
                }
                "lowerbound" | "upperbound" => line.is_bound = true,
                "currmove" => {
                    let (mv, after) = split_word(rest).unwrap_or(("nothing", rest));
                    line.moves.push((word, mv));
                    rest = after;
                }
                "pv" | "refutation" | "currline" => {
                    let (moves, after) = split_moves(rest);
                    if word == "pv" {
                        line.pv = Some(moves).filter(|moves| !moves.is_empty());
                    }
                    line.moves.push((word, moves));
                    rest = after;
                }
                other => _ = line.unknown.get_or_insert(other),
            }
        }
        if line.score.is_none() && line.is_bound {
            line.complain(|| "a bound without a score".to_owned());
        }
        line
    }

    /// Parses the number after a keyword; outside these bounds it is an error.
    fn number(&mut self, rest: &mut &'a str, word: &str, least: i64, most: i64) -> Option<i64> {
        let (text, after) = split_word(rest).unwrap_or(("nothing", rest));
        let number = read_number(text);
        if number.is_some() {
            *rest = after;
        }
        if !number.is_some_and(|number| (least..=most).contains(&number)) {
            self.complain(|| {
                let wanted = match (least, most) {
                    (i64::MIN, _) => "a whole number".to_owned(),
                    (_, i64::MAX) => format!("a whole number from {least} up"),
                    _ => format!("a whole number from {least} to {most}"),
                };
                format!("`{text}` after `{word}`, which is not {wanted}")
            });
        }
        number
    }

    fn complain(&mut self, error: impl FnOnce() -> String) {
        self.error.get_or_insert_with(error);
    }
}

fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = text.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn split_moves(text: &str) -> (&str, &str) {
    let text = text.trim_ascii_start();
    let mut rest = text;
    while let Some((word, after)) = split_word(rest)
        && !WORDS.contains(&word)
    {
        rest = after;
    }
    let (moves, rest) = text.split_at(text.len() - rest.len());
    (moves.trim_ascii_end(), rest)
}

fn saturated(number: i64) -> i32 {
    number.clamp(i64::from(i32::MIN + 1), i64::from(i32::MAX)) as i32
}

/// The latest report on a search; with MultiPV that of the first line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    pub score: Option<ReportedScore>,
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    /// Use of the hash table, in permille.
    pub hashfull: Option<u32>,
    /// The PV as the player wrote it; empty if none.
    pub pv: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveReport {
    pub info: SearchInfo,
    pub time: Duration,
}

/// Characters of a PV to keep: more than two hundred moves.
const LONGEST_PV: usize = 1200;

impl SearchInfo {
    /// Updates the values by a line. A line without a score, such as one with `currmove`, does not
    /// change score and depths; lines of other variations (MultiPV) are ignored.
    pub(super) fn update(&mut self, line: &InfoLine<'_>) {
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
    fn every_figure_of_a_line_is_read() {
        let line = InfoLine::parse(
            "depth 12 seldepth 20 multipv 1 score cp 31 lowerbound wdl 300 500 200 nodes 123456 \
             nps 99000 hashfull 17 tbhits 0 time 1247 pv e2e4",
        );
        let expected = InfoLine {
            multipv: Some(1),
            time: Some(1247),
            score: Some(ReportedScore::Centipawns(31)),
            is_bound: true,
            depth: Some(12),
            seldepth: Some(20),
            nodes: Some(123_456),
            nps: Some(99_000),
            hashfull: Some(17),
            pv: Some("e2e4"),
            moves: vec![("pv", "e2e4")],
            ..InfoLine::default()
        };
        assert_eq!(line, expected);
    }

    #[test]
    fn the_first_variation_is_noted() {
        use ReportedScore::{Centipawns as Cp, Mate};
        let mut info = SearchInfo::default();
        for (line, score, depth, nodes, pv) in [
            ("depth 3 score cp 15 pv e2e4 e8e6", Cp(15), 3, None, "e2e4 e8e6"),
            ("depth 4 multipv 2 score cp 99 pv d2d4", Cp(15), 3, None, "e2e4 e8e6"),
            ("string score cp 7 pv a1a2", Cp(15), 3, None, "e2e4 e8e6"),
            ("depth 5 currmove a2a3 nodes 77", Cp(15), 3, Some(77), "e2e4 e8e6"),
            ("depth 9 seldepth 12 multipv 1 score mate -3", Mate(-3), 9, Some(77), "e2e4 e8e6"),
            ("pv  b2b3   b8b7 depth 10 score cp 1 nodes -5", Cp(1), 10, Some(77), "b2b3   b8b7"),
            ("depth x score cp y nodes z pv", Cp(1), 10, Some(77), "b2b3   b8b7"),
        ] {
            info.update(&InfoLine::parse(line));
            assert_eq!((info.score, info.depth), (Some(score), Some(depth)), "{line}");
            assert_eq!((info.nodes, info.pv.as_str()), (nodes, pv), "{line}");
        }
    }

    #[test]
    fn a_long_line_of_moves_is_cut() {
        let text = format!("score cp 1 pv {}", "ä".repeat(LONGEST_PV));
        let mut info = SearchInfo::default();
        info.update(&InfoLine::parse(&text));
        assert_eq!(info.pv.len(), LONGEST_PV);
    }
}
