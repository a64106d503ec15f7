//! The commands of the protocol.

/// Whether a first line selects this protocol.
pub fn is_greeting(line: &str) -> bool {
    matches!(Command::read(line), Command::Greeting | Command::ProtocolVersion(_))
}

/// A command, with what follows it where that is read elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command<'a> {
    /// `xboard`, the first command.
    Greeting,
    /// `protover N`.
    ProtocolVersion(&'a str),
    /// `rejected FEATURE`: the GUI does not support a feature.
    Rejected(&'a str),
    New,
    Variant(&'a str),
    SetBoard(&'a str),
    Edit,
    Force,
    Go,
    PlayOther,
    /// `white` and `black`: set that side on move, the engine plays the other.
    White,
    Black,
    UserMove(&'a str),
    MoveNow,
    Undo,
    Remove,
    /// Limits of the engine's searches.
    Limit(Limit<'a>),
    Ping(&'a str),
    Draw,
    Result,
    Hint,
    Book,
    /// `hard` or `easy`: think on the opponent's time or not.
    Ponder(bool),
    /// `post` or `nopost`: show the thinking or not.
    Post(bool),
    Analyze,
    Exit,
    /// `.`: how far the analysis has come.
    Status,
    Exclude(&'a str),
    Include(&'a str),
    Memory(&'a str),
    Cores(&'a str),
    Option(&'a str),
    Lift(&'a str),
    Quit,
    /// A command that needs no answer.
    Nothing,
    Unknown(&'a str),
}

/// A command that bounds the engine's searches, with what follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit<'a> {
    /// `level`: a time control.
    Level(&'a str),
    /// `st`: a time for each move.
    TimePerMove(&'a str),
    /// `sd`: a depth.
    Depth(&'a str),
    /// `time`: the engine's clock.
    OwnTime(&'a str),
    /// `otim`: the opponent's clock.
    OtherTime(&'a str),
}

impl<'a> Command<'a> {
    /// Reads a line. Words are separated by any white space, which is removed around
    /// arguments.
    pub fn read(line: &'a str) -> Command<'a> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match word {
            "xboard" => Command::Greeting,
            "protover" => Command::ProtocolVersion(rest),
            "new" => Command::New,
            "variant" => Command::Variant(rest),
            "setboard" => Command::SetBoard(rest),
            "edit" => Command::Edit,
            "force" => Command::Force,
            "go" => Command::Go,
            "playother" => Command::PlayOther,
            "white" => Command::White,
            "black" => Command::Black,
            "usermove" => Command::UserMove(rest),
            "?" => Command::MoveNow,
            "undo" => Command::Undo,
            "remove" => Command::Remove,
            "level" => Command::Limit(Limit::Level(rest)),
            "st" => Command::Limit(Limit::TimePerMove(rest)),
            "sd" => Command::Limit(Limit::Depth(rest)),
            "time" => Command::Limit(Limit::OwnTime(rest)),
            "otim" => Command::Limit(Limit::OtherTime(rest)),
            "ping" => Command::Ping(rest),
            "draw" => Command::Draw,
            "result" => Command::Result,
            "hint" => Command::Hint,
            "bk" => Command::Book,
            "hard" => Command::Ponder(true),
            "easy" => Command::Ponder(false),
            "post" => Command::Post(true),
            "nopost" => Command::Post(false),
            "analyze" => Command::Analyze,
            "exit" => Command::Exit,
            "." => Command::Status,
            "exclude" => Command::Exclude(rest),
            "include" => Command::Include(rest),
            "memory" => Command::Memory(rest),
            "cores" => Command::Cores(rest),
            "option" => Command::Option(rest),
            "lift" => Command::Lift(rest),
            "quit" => Command::Quit,
            // Information from the GUI that needs no answer.
            "" | "accepted" | "random" | "put" | "hover" | "computer" | "name" | "rating"
            | "ics" => Command::Nothing,
            "rejected" => Command::Rejected(rest),
            // Without the feature `usermove` a move comes as a bare word.
            _ if looks_like_move(word) => Command::UserMove(word),
            _ => Command::Unknown(word),
        }
    }

    /// Whether it has to wait until the engine has moved or found the hint.
    /// A `ping` is only answered when everything before it has been done.
    pub fn waits_for_answer(&self) -> bool {
        use Command::*;
        matches!(self, Ping(_) | Option(_) | Memory(_) | Cores(_) | Hint)
    }
}

/// Whether a word begins with two points, such as `e2e4` or `i8i9q`.
fn looks_like_move(word: &str) -> bool {
    matches!(
        *word.as_bytes(),
        [b'a'..=b'i', b'1'..=b'9', b'a'..=b'i', b'1'..=b'9']
            | [b'a'..=b'i', b'1'..=b'9', b'a'..=b'i', b'1'..=b'9', _]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        for (line, command) in [
            ("xboard", Command::Greeting),
            (" protover 2\r", Command::ProtocolVersion("2")),
            ("usermove e2e4", Command::UserMove("e2e4")),
            ("e2e4", Command::UserMove("e2e4")),
            ("i8i9k", Command::UserMove("i8i9k")),
            ("level 40 5 0", Command::Limit(Limit::Level("40 5 0"))),
            ("setboard  9/9 w", Command::SetBoard("9/9 w")),
            ("option Clear Hash", Command::Option("Clear Hash")),
            ("?", Command::MoveNow),
            (".", Command::Status),
            ("hover e4", Command::Nothing),
            ("", Command::Nothing),
            ("level", Command::Limit(Limit::Level(""))),
            ("newer", Command::Unknown("newer")),
            ("uci", Command::Unknown("uci")),
        ] {
            assert_eq!(Command::read(line), command, "{line:?}");
        }
    }
}
