//! The answer to a `go`, judged strictly.

use std::time::Duration;

use qirkat_game::text::read_number;
use qirkat_rules::chesquerque::Move;

use crate::uci_client::{InfoLine, Line};

/// A `bestmove`, and what came before it.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The `info` lines before it.
    pub infos: Vec<String>,
    pub line: String,
    /// The move as text.
    pub best: String,
    /// From the last line sent to the answer.
    pub took: Duration,
}

impl Answer {
    /// The answer in this line, of which nothing else is known.
    pub fn of(line: Line) -> Answer {
        Answer {
            infos: Vec::new(),
            best: line.text.split_ascii_whitespace().nth(1).unwrap_or("").to_owned(),
            line: line.text,
            took: Duration::ZERO,
        }
    }

    /// The `info` lines that are in good form, each as text and parsed.
    pub fn sound_infos(&self) -> impl Iterator<Item = (&str, Info<'_>)> {
        self.infos.iter().filter_map(|line| Some((line.as_str(), Info::parse(line).ok()?)))
    }
}

/// An `info` line without a fault.
pub(super) struct Info<'a> {
    pub line: InfoLine<'a>,
    pub pv: Vec<Move>,
}

impl Info<'_> {
    /// Parses a whole `info` line, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Info<'_>, String> {
        let mut line = InfoLine::parse(text.strip_prefix("info").unwrap_or(text));
        if let Some(error) = line.error.take() {
            return Err(error);
        }
        let mut pv = Vec::new();
        for &(word, texts) in &line.moves {
            let mut texts = texts.split_ascii_whitespace().peekable();
            // The line of a processor may begin with its number.
            texts.next_if(|text| word == "currline" && read_number(text).is_some());
            let moves = texts.map(|text| {
                let error = || format!("`{text}` behind `{word}`, which is not a move");
                Move::parse(text).ok_or_else(error)
            });
            let moves = moves.collect::<Result<Vec<Move>, String>>()?;
            if word == "pv" {
                pv = moves;
            }
        }
        Ok(Info { line, pv })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_or_refused() {
        for (line, wrong) in [
            (
                "depth 1 seldepth 2 multipv 1 score cp -5 nodes 7 nps 8 hashfull 0 time 9 pv a2a3",
                "",
            ),
            ("depth 1 score mate -3 upperbound wdl 0 0 1000 tbhits 0", ""),
            ("depth 1 score lowerbound cp 3", ""),
            ("pv a8a9a i2i4 depth 3", ""),
            ("currmove e2e4 currmovenumber 1", ""),
            ("refutation d2d4 e8e6", ""),
            ("currline 1 d2d4 e8e6", ""),
            ("string depth x", ""),
            ("", ""),
            ("depth x", "`x` behind `depth`, which is not a whole number from 0 up"),
            ("depth", "`nothing` behind `depth`"),
            ("depth 1.5", "`1.5` behind `depth`"),
            ("nodes -1", "`-1` behind `nodes`"),
            (
                "hashfull 1001",
                "`1001` behind `hashfull`, which is not a whole number from 0 to 1000",
            ),
            ("multipv 0", "`0` behind `multipv`"),
            ("score 15", "`15` behind `score`, not `cp` or `mate`"),
            ("score", "`nothing` behind `score`"),
            ("score cp +0.31", "`+0.31` behind `cp`, which is not a whole number"),
            ("score mate soon", "`soon` behind `mate`"),
            ("score cp 1 wdl 500 500 500", "wdl [500, 500, 500], which is not 1000 together"),
            ("depth 3 lowerbound", "a bound without a score"),
            ("pv e2e4 xx", "`xx` behind `pv`, which is not a move"),
            ("pv e2-e4", "`e2-e4` behind `pv`"),
            ("currmove Nf3", "`Nf3` behind `currmove`"),
        ] {
            match Info::parse(&format!("info {line}")) {
                Ok(_) => assert_eq!(wrong, "", "{line}"),
                Err(error) => {
                    assert!(!wrong.is_empty() && error.starts_with(wrong), "{line}: {error}");
                }
            }
        }
        let info =
            Info::parse("info depth 3 speed 7 score cp 1").expect("an unknown word is no fault");
        assert_eq!((info.line.unknown, info.line.depth), (Some("speed"), Some(3)));
    }
}
