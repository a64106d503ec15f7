//! What an engine writes in the XBoard protocol (CECP, version 2, as H. G. Muller and T. Mann
//! describe it): features, answers and thinking output.

use qirkat_game::text::{push, read_number};
use qirkat_game::{GameResult, Rules};
use qirkat_rules::variant::{AnyMove, AnyPosition};

use crate::announced_option::{AnnouncedOption, OptionKind};

/// An answer that ends a wait, or changes the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reply<'a> {
    Move(&'a str),
    Resigns,
    OffersDraw,
    /// A result with its comment.
    Claims(GameResult, &'a str),
    /// It takes a move for illegal.
    Refuses(&'a str),
    Pong(&'a str),
    /// The rest of a line of features.
    Features(&'a str),
}

impl<'a> Reply<'a> {
    pub fn read(text: &'a str) -> Option<Reply<'a>> {
        let end = text.find(|letter: char| letter.is_ascii_whitespace() || letter == '{');
        let (first, rest) = text.split_at(end.unwrap_or(text.len()));
        let rest = rest.trim();
        Some(match first {
            "move" => Reply::Move(rest),
            "resign" => Reply::Resigns,
            "offer" if rest == "draw" => Reply::OffersDraw,
            "Illegal" if rest.starts_with("move") => {
                let refused = rest.split_once(':').map_or("", |(_, text)| text.trim());
                // Some engines take commands that they do not know for moves, and others quote the
                // command with the move.
                let text = refused.strip_prefix("usermove ").unwrap_or(refused);
                if !text.contains(|letter: char| letter.is_ascii_digit()) || text.contains(' ') {
                    return None;
                }
                Reply::Refuses(text)
            }
            "pong" => Reply::Pong(rest),
            "feature" => Reply::Features(rest),
            "1-0" | "0-1" | "1/2-1/2" => Reply::Claims(GameResult::parse(first)?, text),
            _ => return None,
        })
    }
}

pub(super) fn is_answer(text: &str) -> bool {
    Reply::read(text).is_some()
}

/// Scores beyond this are mates: the excess is the number of moves.
const MATE: i64 = 100_000;
const LONGEST_MATE: i64 = 1000;

/// Thinking output (depth, score, centiseconds, nodes, moves) as a UCI `info` line without `info`,
/// whose moves are still as the engine wrote them; `None` if it is something else.
pub(super) fn info_line(text: &str) -> Option<String> {
    let mut words = text.split_ascii_whitespace();
    let depth = words.next()?;
    // Some engines mark the iteration: `7.`, `7+`.
    let depth: u32 = depth.trim_end_matches(|mark: char| !mark.is_ascii_digit()).parse().ok()?;
    let [score, time, nodes] = [(); 3].map(|()| words.next().and_then(read_number));
    let (score, time, nodes) = (score?, time?, nodes?);
    let mut line = match score.saturating_abs() - MATE {
        moves @ 1..=LONGEST_MATE => format!("depth {depth} score mate {}", moves * score.signum()),
        _ => format!("depth {depth} score cp {score}"),
    };
    // Further numbers are the selective depth and the like.
    let mut moves: Vec<&str> = words
        .skip_while(|word| read_number(word).is_some())
        .map(|word| {
            let rest = word.trim_start_matches(|mark: char| mark.is_ascii_digit());
            // A number of a move; `0-0` is a move.
            if rest.is_empty() || rest.starts_with('.') {
                rest.trim_start_matches('.')
            } else {
                word
            }
        })
        .filter(|word| !word.is_empty())
        .collect();
    // As XBoard shows fail highs and fail lows.
    if let Some(last) = moves.last_mut() {
        let mark = last.chars().last();
        *last = last.trim_end_matches(['!', '?']);
        line.push_str(match mark {
            Some('!') => " lowerbound",
            Some('?') => " upperbound",
            _ => "",
        });
    }
    push(&mut line, format_args!(" nodes {nodes} time {}", time.saturating_mul(10)));
    if !moves.is_empty() {
        push(&mut line, format_args!("{PV}{}", moves.join(" ")));
    }
    Some(line)
}

/// The moves come last in such a line.
const PV: &str = " pv ";

/// An `info` line of [`info_line`] with its moves in coordinate form, up to and including the first
/// illegal one. At a word that is no move (engines may end a line with remarks) the line is cut and
/// marked as a bound, since a mate that it announces may come later.
pub(super) fn in_coordinates(line: &str, position: &AnyPosition) -> String {
    let Some((start, words)) = line.split_once(PV) else { return line.to_owned() };
    let (mut moves, mut position, mut is_cut) = (String::new(), *position, false);
    for word in words.split_ascii_whitespace() {
        let Some(mv) = read_move(word, &position) else {
            is_cut = true;
            break;
        };
        push(&mut moves, format_args!(" {mv}"));
        if !position.is_legal(mv) {
            break;
        }
        position.make(mv);
    }
    let bound = if is_cut { " lowerbound" } else { "" };
    format!("{start}{bound}{}{}", PV.trim_end(), moves)
}

/// A move in coordinate form, which may be illegal, or a legal one in algebraic notation.
pub(super) fn read_move(text: &str, position: &AnyPosition) -> Option<AnyMove> {
    AnyMove::parse(position.variant(), text).or_else(|| position.parse_san(text).ok())
}

/// The features of a line: names and values, which may be in quotation marks.
pub(super) fn features(mut text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let (value, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => {
                rest.split_once(|letter: char| letter.is_ascii_whitespace()).unwrap_or((rest, ""))
            }
        };
        found.push((name.trim(), value));
        text = after;
    }
    found
}

/// The option of the feature `option`: `Style -combo Solid /// *Wild`.
pub(super) fn option(text: &str) -> Option<AnnouncedOption> {
    let (name, rest) = text.split_once(" -")?;
    let (kind, values) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut numbers = values.split_ascii_whitespace().map(read_number);
    let kind = match kind {
        "spin" | "slider" => {
            let [_, min, max] = [(); 3].map(|()| numbers.next().flatten());
            OptionKind::Spin { min, max }
        }
        "check" => OptionKind::Check,
        "combo" => {
            let choices = values.split("///").map(str::trim);
            let plain = choices.map(|choice| choice.strip_prefix('*').unwrap_or(choice).to_owned());
            OptionKind::Combo(plain.collect())
        }
        "string" | "file" | "path" => OptionKind::Text,
        "button" | "save" | "reset" => OptionKind::Button,
        other => OptionKind::Other(other.to_owned()),
    };
    Some(AnnouncedOption { name: name.trim().to_owned(), kind, default: None })
}

#[cfg(test)]
mod tests {
    use qirkat_rules::variant::Variant;

    use super::*;

    #[test]
    fn thinking_is_read() {
        for (line, info, moves) in [
            ("9 100000 0 4 0-0", "depth 9 score cp 100000 nodes 4 time 0 pv 0-0", ""),
            (
                " 3. -12 0 7 20 900 0\t1. e4 e6 2.d3!",
                "depth 3 score cp -12 lowerbound nodes 7 time 0 pv e4 e6 d3",
                "e2e4 e8e6 d2d3",
            ),
            ("4& +100003 1 2 e2e4", "depth 4 score mate 3 nodes 2 time 10 pv e2e4", "e2e4"),
            (
                "5 -100001 1 2 (hash) e2e4 ?",
                "depth 5 score mate -1 upperbound nodes 2 time 10 pv (hash) e2e4 ",
                "",
            ),
            ("6 9999999 1 2", "depth 6 score cp 9999999 nodes 2 time 10", ""),
            (
                "6 0 1 2 e2e4 e2e4 e6",
                "depth 6 score cp 0 nodes 2 time 10 pv e2e4 e2e4 e6",
                "e2e4 e2e4",
            ),
        ] {
            let read = info_line(line).expect(line);
            assert_eq!(read, info);
            let usual = in_coordinates(&read, &Variant::Chesquerque.start());
            assert_eq!(usual.split_once(PV).map_or("", |(_, moves)| moves), moves, "{line}");
        }
        for line in ["", "1. e2e4", "move e2e4", "1-0 {White mates}", "7 x 1 2", "9 1 1", "1 2 3 x"]
        {
            assert_eq!(info_line(line), None, "{line}");
        }
    }

    #[test]
    fn replies_are_read() {
        use Reply::*;
        for (line, reply) in [
            ("move e2e4", Some(Move("e2e4"))),
            ("move", Some(Move(""))),
            ("moves e2e4", None),
            ("offer draw", Some(OffersDraw)),
            ("offer", None),
            ("1-0{White mates}", Some(Claims(GameResult::WhiteWins, "1-0{White mates}"))),
            ("1/2-1/2", Some(Claims(GameResult::Draw, "1/2-1/2"))),
            ("Illegal move (no such piece): e2e4", Some(Refuses("e2e4"))),
            ("Illegal move: usermove e2e4", Some(Refuses("e2e4"))),
            ("Illegal move: variant chesquerque", None),
            ("Illegal move: easy", None),
            ("Illegal position", None),
            ("pong 7", Some(Pong("7"))),
            ("resign", Some(Resigns)),
            ("# a remark", None),
        ] {
            assert_eq!(Reply::read(line), reply, "{line}");
        }
    }

    #[test]
    fn features_are_read() {
        let line = r#"ping=1 myname="A b" option="Style -combo Solid /// *Very wild" x="open"#;
        let found = features(line);
        let expected =
            [("ping", "1"), ("myname", "A b"), ("option", "Style -combo Solid /// *Very wild")];
        assert_eq!((&found[..3], found[3]), (&expected[..], ("x", "open")));
        for (text, kind) in [
            ("Hash -spin 16 1 1024", OptionKind::Spin { min: Some(1), max: Some(1024) }),
            ("Own Book -check 1", OptionKind::Check),
            ("A -combo S /// *Very wild", OptionKind::Combo(vec!["S".into(), "Very wild".into()])),
            ("A -file /x y", OptionKind::Text),
            ("A -button", OptionKind::Button),
            ("A -knob 3", OptionKind::Other("knob".into())),
        ] {
            assert_eq!(option(text).map(|option| option.kind), Some(kind), "{text}");
        }
        assert_eq!(option("Hash"), None);
    }
}
