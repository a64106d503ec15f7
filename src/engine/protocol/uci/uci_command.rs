//! UCI commands.
//!
//! `vampirc-uci` reads the messages that any game shares. It knows only the
//! 8×8 board and panics on large numbers, so whatever holds a move, a FEN or
//! a `go` is read here, as are the commands that go beyond the protocol.

use vampirc_uci::{Serializable, UciMessage};

/// A command, with what follows it where that is read elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command<'a> {
    Uci,
    IsReady,
    NewGame,
    Debug(bool),
    Register,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Position(Vec<&'a str>),
    Go(Vec<&'a str>),
    Stop,
    PonderHit,
    Quit,
    Display,
    Eval,
    Moves,
    Flip,
    Bench(Vec<&'a str>),
    Help,
    HelpOptions,
    /// An empty line.
    Nothing,
    /// A known command that lacks something, with what it needs.
    Incomplete(&'static str),
    Unknown(&'a str),
}

/// The longest text that is parsed: no option value is longer.
const LONGEST_PLAIN_MESSAGE: usize = 16 << 10;

impl<'a> Command<'a> {
    /// Reads a line. Words are separated by any white space.
    pub fn read(line: &'a str) -> Command<'a> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Command::Nothing };
        let rest: Vec<&str> = words.collect();
        match first {
            "position" => Command::Position(rest),
            "go" => Command::Go(rest),
            "d" => Command::Display,
            "eval" => Command::Eval,
            "moves" => Command::Moves,
            "flip" => Command::Flip,
            "bench" => Command::Bench(rest),
            "help" if rest == ["options"] => Command::HelpOptions,
            "help" => Command::Help,
            "setoption" | "debug" | "register" => {
                let text = format!("{first} {}", rest.join(" "));
                Command::read_plain(&text).unwrap_or(Command::Incomplete(match first {
                    "setoption" => "setoption name NAME [value VALUE]",
                    "debug" => "debug on|off",
                    _ => "register later",
                }))
            }
            // Text after a command without arguments is ignored.
            _ => Command::read_plain(first).unwrap_or(Command::Unknown(first)),
        }
    }

    /// Whether it is executed at once even while a perft or bench is running.
    pub fn is_urgent(&self) -> bool {
        use Command::*;
        matches!(self, Uci | IsReady | Debug(_) | Register | Stop | PonderHit | Nothing)
            || matches!(self, Help | HelpOptions | Incomplete(_) | Unknown(_))
    }

    fn read_plain(text: &str) -> Option<Command<'static>> {
        if text.len() > LONGEST_PLAIN_MESSAGE {
            return None;
        }
        let message = vampirc_uci::parse_one(text);
        // The parser also takes a command for the beginning of a longer word.
        let word = text.split(' ').next();
        if message.serialize().split(' ').next() != word {
            return None;
        }
        Some(match message {
            UciMessage::Uci => Command::Uci,
            UciMessage::IsReady => Command::IsReady,
            UciMessage::UciNewGame => Command::NewGame,
            UciMessage::Debug(on) => Command::Debug(on),
            UciMessage::Register { .. } => Command::Register,
            UciMessage::SetOption { name, value } => Command::SetOption { name, value },
            UciMessage::Stop => Command::Stop,
            UciMessage::PonderHit => Command::PonderHit,
            UciMessage::Quit => Command::Quit,
            _ => return None,
        })
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
debug on|off               say more, in info strings
help [options]             show this list, or what each option does
quit                       end the program
Moves are written e2e4, a8a9q, castling as the king's move: e1h1, e1b1.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_match_as_whole_words() {
        let option = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        for (line, command) in [
            ("uci", Command::Uci),
            ("  isready\t \r", Command::IsReady),
            ("ucinewgame now", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("debug on", Command::Debug(true)),
            ("debug", Command::Incomplete("debug on|off")),
            ("register later", Command::Register),
            ("", Command::Nothing),
            (" \t ", Command::Nothing),
            ("ucix", Command::Unknown("ucix")),
            ("isreadyy", Command::Unknown("isreadyy")),
            ("stopp", Command::Unknown("stopp")),
            ("bestmove e2e4", Command::Unknown("bestmove")),
            ("id name x", Command::Unknown("id")),
            ("go depth 3", Command::Go(vec!["depth", "3"])),
            ("setoption name Hash value 16", option("Hash", Some("16"))),
            ("setoption  name  Clear\tHash", option("Clear Hash", None)),
            ("setoption name move OVERHEAD value 5", option("move OVERHEAD", Some("5"))),
            ("setoption Hash 3", Command::Incomplete("setoption name NAME [value VALUE]")),
        ] {
            assert_eq!(Command::read(line), command, "{line:?}");
        }
    }
}
