//! Parses UCI commands.
//!
//! `vampirc-uci` parses what does not depend on the game. It only knows the 8×8 board and panics on
//! large numbers, so moves, FENs and `go` are parsed here, as are commands that UCI does not have.

use std::collections::BTreeMap;
use std::time::Duration;

use vampirc_uci::{Serializable, UciMessage};

use crate::protocol::options::VARIANT_OPTION;
use crate::{SearchLimits, Settings, clock_budget};
use qirkat_game::distance::Depth;
use qirkat_game::text::{Excerpt, read_number};
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{Clock, TimeBudget};
use qirkat_system::time_text::milliseconds;

/// The longest message that `vampirc-uci` parses; no option value is longer.
const LONGEST_PARSED_MESSAGE: usize = 16 << 10;

/// Parses a message that does not depend on the game, ignoring extra arguments.
pub(super) fn read_message(command: &str, rest: &[&str]) -> Option<UciMessage> {
    let text = match command {
        "setoption" | "debug" | "register" => format!("{command} {}", rest.join(" ")),
        _ => command.to_owned(),
    };
    if text.len() > LONGEST_PARSED_MESSAGE {
        return None;
    }
    let message = vampirc_uci::parse_one(&text);
    // The parser also accepts a command as the prefix of a longer word.
    (message.serialize().split(' ').next() == Some(command)).then_some(message)
}

/// Whether a command must wait until a perft, bench or speed test has ended.
pub(super) fn waits_for_job(line: &str) -> bool {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    match words.split_first() {
        Some((&("position" | "go" | "d" | "eval" | "moves" | "flip"), _)) => true,
        Some((&("bench" | "speedtest" | "ucinewgame" | "quit"), _)) => true,
        Some((&"setoption", rest)) => read_message("setoption", rest).is_some(),
        _ => false,
    }
}

/// The answer to `help`.
pub(super) const HELP: &str = "\
uci                        say who this is and what options it has
isready                    answer readyok, also during a search
setoption name N value V   set an option
ucinewgame                 forget earlier games
position startpos|fen F [moves M...]
                           set up a position
go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder]
   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
   [searchmoves M...]      search, until stop if nothing bounds it
go perft N                 count the move sequences of N plies
stop                       end the search and answer
ponderhit                  the expected move was played
d                          draw the board
moves                      list the legal moves
eval                       show what the evaluation is made of
flip                       exchange the sides
bench [DEPTH]              search a fixed set of positions
speedtest [THREADS] [HASH] [SECONDS]
                           tell the nodes per second on this machine
debug on|off               say more, in info strings
help [options]             show this list, or what each option does
quit                       end the program
Moves are written e2e4, a8a9q, castling as the king's move: e1h1, e1b1.";

/// The parameters that take a number.
const NUMBERS: [&str; 10] =
    ["depth", "nodes", "mate", "perft", "movetime", "wtime", "btime", "winc", "binc", "movestogo"];

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GoCommand {
    /// As given, but saturated.
    numbers: BTreeMap<&'static str, i64>,
    infinite: bool,
    ponder: bool,
    /// The words after `searchmoves`, if it was given.
    search_moves: Option<Vec<String>>,
    notices: Vec<String>,
}

const MAX_NOTICES: usize = 3;

/// The time for a search without a valid limit.
const FALLBACK_TIME: Duration = Duration::from_millis(500);

impl GoCommand {
    /// Parses the words after `go`. Unknown words are skipped with a notice.
    pub fn read(words: &[&str]) -> GoCommand {
        let mut go = GoCommand::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let listed = go.search_moves.get_or_insert_default();
                    while let Some(text) = words.next_if(|next| !is_parameter(next)) {
                        listed.push(text.to_owned());
                    }
                }
                _ => match NUMBERS.into_iter().find(|name| *name == word) {
                    None => go.add_notice(format!("unknown word `{}`", Excerpt::of(word))),
                    Some(name) => match words.peek().and_then(|next| read_number(next)) {
                        Some(number) => {
                            go.numbers.insert(name, number);
                            words.next();
                        }
                        None => {
                            // Skips a word in place of the number.
                            let wrong = words.next_if(|next| !is_parameter(next)).unwrap_or("");
                            let wrong = Excerpt::of(wrong);
                            go.add_notice(format!("{word} needs a number, not `{wrong}`"));
                        }
                    },
                },
            }
        }
        go
    }

    fn add_notice(&mut self, text: String) {
        if self.notices.len() < MAX_NOTICES {
            self.notices.push(text);
        } else if self.notices.len() == MAX_NOTICES {
            self.notices.push("and more".to_owned());
        }
    }

    /// Sets the time that a side has left.
    pub fn set_remaining(&mut self, side: Color, ms: u64) {
        self.numbers.insert(["wtime", "btime"][side.index()], ms.min(i64::MAX as u64) as i64);
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.numbers.get(name).copied()
    }

    /// The only moves to search in this position, the search limits, and notices about both.
    pub fn root_and_limits(
        &self,
        position: &AnyPosition,
        settings: &Settings,
    ) -> (Vec<AnyMove>, SearchLimits, Vec<String>) {
        let mut notices = self.notices.clone();
        let search_moves = self.search_moves(position, &mut notices);
        let time = self.time_budget(position, settings.move_overhead);
        let mut limits = SearchLimits::time(time).with_multi_pv(settings.multi_pv);
        limits.depth = self.number("depth").map(Depth::saturating);
        limits.nodes = self.number("nodes").map(|nodes| nodes.max(1) as u64);
        limits.mate = self.number("mate").map(|moves| moves.clamp(1, i64::from(u16::MAX)) as u16);
        limits.hurry_single_reply = !settings.analyse_mode;
        limits.infinite = self.infinite;
        limits.ponder = self.ponder;
        let bounded = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some()
            || limits.time.hard.is_some();
        if self.number("movestogo").is_some() && limits.time.soft.is_none() {
            notices.push("movestogo without a clock".to_owned());
        }
        // A bare `go` searches until `stop`, but an invalid one does not, and after a ponder hit the
        // engine must move, with or without a clock.
        let must_end = !self.infinite && (self.ponder || !notices.is_empty());
        if !bounded && must_end {
            if !self.ponder {
                notices
                    .push(format!("nothing bounds the search: {} ms", FALLBACK_TIME.as_millis()));
            }
            limits.time = TimeBudget::fixed(FALLBACK_TIME, Duration::ZERO);
        } else if !bounded {
            limits.infinite = true;
        }
        (search_moves, limits, notices)
    }

    fn search_moves(&self, position: &AnyPosition, notices: &mut Vec<String>) -> Vec<AnyMove> {
        let Some(listed) = &self.search_moves else { return Vec::new() };
        let (legal, wrong): (Vec<_>, Vec<_>) = listed
            .iter()
            .map(|text| {
                AnyMove::parse(position.variant(), text)
                    .filter(|&mv| position.is_legal(mv))
                    .ok_or(text)
            })
            .partition(Result::is_ok);
        if let Some(Err(text)) = wrong.first() {
            notices.push(format!("searchmoves: `{}` is not legal", Excerpt::of(text)));
        }
        if legal.is_empty() {
            notices.push("searchmoves: no legal move given, all are searched".to_owned());
        }
        legal.into_iter().flatten().collect()
    }

    fn time_budget(&self, position: &AnyPosition, overhead: Duration) -> TimeBudget {
        let clock = self
            .clock(position.side_to_move())
            .map(|clock| clock_budget(position, clock, overhead));
        let time = self.number("movetime");
        let fixed = time.map(|time| TimeBudget::fixed(milliseconds(time), overhead));
        clock.unwrap_or_default().tighter(fixed.unwrap_or_default())
    }

    /// The side's clock, or the opponent's if only that is given. With only an increment, 0 ms.
    pub fn clock(&self, side: Color) -> Option<Clock> {
        let own_first =
            |names: [&str; 2]| [side, !side].map(|side| self.number(names[side.index()]));
        let [time, other_time] = own_first(["wtime", "btime"]);
        let [increment, other_increment] = own_first(["winc", "binc"]);
        let any_increment = increment.or(other_increment);
        let remaining = time.or(other_time).or(any_increment.map(|_| 0))?;
        let moves_to_go = self.number("movestogo").filter(|&moves| moves > 0);
        Some(Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment.unwrap_or(0)),
            moves_to_go: moves_to_go.map(|moves| moves.min(i64::from(u32::MAX)) as u32),
        })
    }
}

fn is_parameter(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves") || NUMBERS.contains(&word)
}

/// Parses the words after `position`, for the current variant, or returns why they are rejected.
pub(super) fn read_position(
    words: &[&str],
    variant: Variant,
) -> Result<(AnyGame, Option<String>), String> {
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (setup, moves) = words.split_at(split);
    let (position, notice) = match setup {
        ["startpos"] => (variant.start(), None),
        ["startpos", wrong, ..] => {
            return Err(format!("`{}` where `moves` was expected", Excerpt::of(wrong)));
        }
        ["fen", fields @ ..] => {
            let fen = fields.join(" ");
            let parsed = variant.read_fen(&fen).map_err(|error| {
                let likely = Variant::with_board_of(&fen).filter(|&likely| likely != variant);
                let hint = likely.map_or_else(String::new, |game| {
                    let title = game.title();
                    format!(
                        " (it looks like {title}: setoption name {VARIANT_OPTION} value {game})"
                    )
                });
                format!("{error}{hint}")
            })?;
            (parsed.position, parsed.notice.map(|notice| notice.to_string()))
        }
        _ => {
            let wrong = Excerpt::of(setup.first().copied().unwrap_or(""));
            return Err(format!("needs `startpos` or `fen`, not `{wrong}`"));
        }
    };
    let mut game = AnyGame::from_position(position);
    for (index, text) in (1..).zip(moves.iter().skip(1)) {
        let refused = || format!("move {index} `{}` is not legal", Excerpt::of(text));
        let mv = AnyMove::parse(variant, text).ok_or_else(refused)?;
        if let Some(reason) = game.position().why_illegal(mv) {
            return Err(format!("{}: {reason}", refused()));
        }
        game.play(mv);
    }
    Ok((game, notice))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use qirkat_testing::{ANY, effort, texts_like};

    fn read(line: &str) -> GoCommand {
        GoCommand::read(&line.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn invalid_words_never_swallow_parameters() {
        let go = read("depth nodes 100 foo searchmoves e2e4 xx depth 4 movetime -5 wtime");
        let numbers = ["nodes", "depth", "movetime"].map(|name| go.number(name));
        assert_eq!(numbers, [100, 4, -5].map(Some));
        assert_eq!(go.search_moves, Some(vec!["e2e4".to_owned(), "xx".to_owned()]));
        assert_eq!(go.notices.len(), 3);
    }

    #[test]
    fn any_clock_is_enough() {
        let clock = |line| read(line).clock(Color::White).map(|clock| clock.remaining.as_millis());
        for (line, remaining) in [
            ("wtime 500", Some(500)),
            ("ponder btime 2000 wtime 1000 winc 10 binc 20 movestogo 5", Some(1000)),
            ("btime 700", Some(700)),
            ("wtime -3 btime 700", Some(0)),
            ("winc 1000", Some(0)),
            ("binc 1000", Some(0)),
            ("movestogo 3", None),
        ] {
            assert_eq!(clock(line), remaining, "{line}");
        }
    }

    #[test]
    fn messages_match_as_whole_words() {
        let option = |name: &str, value: Option<&str>| UciMessage::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        for (line, message) in [
            ("uci", Some(UciMessage::Uci)),
            ("  isready\t \r", Some(UciMessage::IsReady)),
            ("ucinewgame now", Some(UciMessage::UciNewGame)),
            ("debug on", Some(UciMessage::Debug(true))),
            ("debug", None),
            ("ucix", None),
            ("isreadyy", None),
            ("stopp", None),
            ("setoption name Hash value 16", Some(option("Hash", Some("16")))),
            ("setoption  name  Clear\tHash", Some(option("Clear Hash", None))),
            ("setoption name move OVERHEAD value 5", Some(option("move OVERHEAD", Some("5")))),
            ("setoption Hash 3", None),
        ] {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            assert_eq!(read_message(words[0], &words[1..]), message, "{line:?}");
            let waits = line.starts_with("ucinewgame") || line.starts_with("setoption ");
            assert_eq!(waits_for_job(line), waits && message.is_some(), "{line:?}");
        }
    }

    /// Words that make sense somewhere.
    const WORDS: &str = "\
        uci isready go position startpos fen moves setoption name value debug on \
        register later depth nodes mate movetime wtime btime winc binc movestogo \
        infinite ponder searchmoves perft stop quit e2e4 a8a9q 0000 i9i1 w b - KQkq \
        Hash Clear 999 -1 99999999999999999999 0 \
        rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR";

    /// One of those, one that is nearly one, or any other.
    fn word() -> impl Strategy<Value = String> {
        prop_oneof![
            prop::sample::select(WORDS.split(' ').collect::<Vec<_>>()).prop_map(str::to_owned),
            texts_like("[a-i][1-9][a-i][1-9][qrbna]?"),
            texts_like("-?[0-9]{1,30}"),
            texts_like(r"\PC{0,12}"),
            texts_like(ANY),
        ]
    }

    fn line() -> impl Strategy<Value = String> {
        let blank = prop::sample::select(vec![" ", "  ", "\t", "\r", "\u{b}"]);
        prop::collection::vec((word(), blank), 0..14).prop_map(|words| {
            words.into_iter().map(|(word, blank)| word + blank).collect::<String>()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(effort([400, 4_000, 4_000])) })]

        #[test]
        fn lines_are_read_without_panic(line in line()) {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let _ = (waits_for_job(&line), GoCommand::read(&words));
            let _ = read_position(&words, Variant::Chesquerque);
            if let Some((first, rest)) = words.split_first() {
                let _ = read_message(first, rest);
            }
        }

        #[test]
        fn go_always_leads_to_sound_limits(words in prop::collection::vec(word(), 0..12)) {
            let position = Variant::Chesquerque.start();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let go = GoCommand::read(&words);
            let (moves, limits, notices) = go.root_and_limits(&position, &Settings::default());
            prop_assert!(moves.iter().all(|&mv| position.is_legal(mv)));
            prop_assert!(limits.time.soft <= limits.time.hard || limits.time.hard.is_none());
            prop_assert!(notices.iter().all(|notice| !notice.contains('\n')));
        }

        #[test]
        fn accepted_positions_are_legal_games(
            variant in prop::sample::select(&Variant::ALL),
            words in prop::collection::vec(word(), 0..12),
        ) {
            let words: Vec<&str> = ["startpos", "moves"].into_iter()
                .chain(words.iter().map(String::as_str))
                .collect();
            if let Ok((game, _)) = read_position(&words, variant) {
                let fen = game.position().fen();
                let reread = variant.read_fen(&fen).expect("own FENs are read").position;
                prop_assert_eq!(&reread, game.position());
            }
        }
    }
}
