//! `info` lines, parsed strictly: any deviation from the protocol is reported.

use crate::uci_info_words::is_info_word;
use qirkat_game::text::read_number;
use qirkat_rules::chesquerque::Move;

/// The parsed contents of an `info` line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Info {
    pub depth: Option<i64>,
    pub time: Option<i64>,
    pub nodes: Option<i64>,
    /// Counted from 1.
    pub multipv: Option<i64>,
    pub score: Option<Score>,
    /// Whether the score is only a bound.
    pub is_bound: bool,
    pub pv: Vec<Move>,
    /// The first word that is not part of the protocol.
    pub unknown: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Score {
    Centipawns(i64),
    Mate(i64),
}

/// Thousandths in a whole.
const WHOLE: i64 = 1000;

impl Info {
    /// Reads a line that begins with `info`, or says what is wrong with it.
    pub fn read(line: &str) -> Result<Info, String> {
        let mut info = Info::default();
        let mut words = line.split_ascii_whitespace().skip(1).peekable();
        while let Some(word) = words.next() {
            let mut number = |least: i64, most: i64| {
                let text = words.next().unwrap_or("nothing");
                read_number(text)
                    .filter(|number| (least..=most).contains(number))
                    .ok_or_else(|| no_number(word, text, least, most))
            };
            match word {
                "string" => break,
                "depth" => info.depth = Some(number(0, i64::MAX)?),
                "time" => info.time = Some(number(0, i64::MAX)?),
                "nodes" => info.nodes = Some(number(0, i64::MAX)?),
                "multipv" => info.multipv = Some(number(1, i64::MAX)?),
                "seldepth" | "nps" | "tbhits" | "sbhits" => {
                    number(0, i64::MAX)?;
                }
                "currmovenumber" => {
                    number(1, i64::MAX)?;
                }
                "hashfull" | "cpuload" => {
                    number(0, WHOLE)?;
                }
                "cp" => info.score = Some(Score::Centipawns(number(i64::MIN, i64::MAX)?)),
                "mate" => info.score = Some(Score::Mate(number(i64::MIN, i64::MAX)?)),
                "wdl" => {
                    let parts = [number(0, WHOLE)?, number(0, WHOLE)?, number(0, WHOLE)?];
                    if parts.iter().sum::<i64>() != WHOLE {
                        return Err(format!("wdl {parts:?}, which is not {WHOLE} together"));
                    }
                }
                "score" => check_score_kind(words.peek().copied())?,
                "lowerbound" | "upperbound" => info.is_bound = true,
                "currmove" => {
                    let text = words.next().unwrap_or("nothing");
                    read_move(word, text)?;
                }
                "pv" | "refutation" | "currline" => {
                    let listed = std::iter::from_fn(|| words.next_if(|next| !is_info_word(next)));
                    let moves = read_line(word, listed)?;
                    if word == "pv" {
                        info.pv = moves;
                    }
                }
                other => {
                    info.unknown.get_or_insert_with(|| other.to_owned());
                }
            }
        }
        if info.score.is_none() && info.is_bound {
            return Err("a bound without a score".to_owned());
        }
        Ok(info)
    }
}

/// Sees that a kind of score comes behind `score`.
fn check_score_kind(next: Option<&str>) -> Result<(), String> {
    match next {
        Some("cp" | "mate" | "lowerbound" | "upperbound") => Ok(()),
        other => {
            let other = other.unwrap_or("nothing");
            Err(format!("`{other}` behind `score`, not `cp` or `mate`"))
        }
    }
}

/// The moves of a line of play.
fn read_line<'a>(word: &str, texts: impl Iterator<Item = &'a str>) -> Result<Vec<Move>, String> {
    let mut moves = Vec::new();
    for (index, text) in texts.enumerate() {
        // The line of a processor begins with its number.
        let is_cpu = word == "currline" && index == 0 && read_number(text).is_some();
        if !is_cpu {
            moves.push(read_move(word, text)?);
        }
    }
    Ok(moves)
}

fn read_move(word: &str, text: &str) -> Result<Move, String> {
    Move::parse(text).ok_or_else(|| format!("`{text}` behind `{word}`, which is not a move"))
}

fn no_number(word: &str, text: &str, least: i64, most: i64) -> String {
    let wanted = match (least, most) {
        (i64::MIN, _) => "a whole number".to_owned(),
        (_, i64::MAX) => format!("a whole number from {least} up"),
        _ => format!("a whole number from {least} to {most}"),
    };
    format!("`{text}` behind `{word}`, which is not {wanted}")
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
            match Info::read(&format!("info {line}")) {
                Ok(_) => assert_eq!(wrong, "", "{line}"),
                Err(error) => {
                    assert!(!wrong.is_empty() && error.starts_with(wrong), "{line}: {error}");
                }
            }
        }
        let info =
            Info::read("info depth 3 speed 7 score cp 1").expect("an unknown word is no fault");
        assert_eq!((info.unknown.as_deref(), info.depth), (Some("speed"), Some(3)));
    }
}
