//! What the user types: a move, or one of a few commands.

use std::path::PathBuf;

use clap::ValueEnum;

use super::Side;
use crate::shared::terminal;
use qirkat_analysis::casual::Strength;
use qirkat_engine::{ELO_RANGE, FULL_SKILL};
use qirkat_rules::variant::Variant;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Move(String),
    Hint,
    TakeBack,
    Flip,
    OfferDraw,
    Resign,
    Graph,
    Review,
    /// Add the game to a file; without a name, to the default one.
    Save(Option<PathBuf>),
    /// Resume a game from a file; without a name, from the default one.
    Load(Option<PathBuf>),
    New(Option<Side>, Option<Variant>),
    Strength(Strength),
    Moves(Option<String>),
    Board,
    Pieces,
    Clocks,
    Help,
    Quit,
}

const WORDS: [(&str, &str, &str); 18] = [
    ("hint", "hint", "a good move for you"),
    ("back", "back", "take back your last move"),
    ("flip", "flip", "see the board from the other side"),
    ("draw", "draw", "offer a draw"),
    ("resign", "resign", "give up"),
    ("graph", "graph", "the chances from move to move"),
    ("review", "review", "what the moves were worth, and why"),
    ("save", "save [FILE]", "add the game to a PGN file"),
    ("load", "load [FILE]", "go on with its last unfinished game"),
    ("new", "new [white|black|both] [GAME]", "begin another game"),
    ("level", "level N", "let the engine play better or worse, 0 to 20"),
    ("elo", "elo N", "the same as a rating, 500 to 2550"),
    ("moves", "moves [POINT]", "list the legal moves"),
    ("board", "board", "draw the board; so does an empty line"),
    ("pieces", "pieces", "tell where everything stands"),
    ("clock", "clock", "tell the time that is left"),
    ("help", "help", "this list"),
    ("quit", "quit", "leave"),
];

impl Command {
    /// Parses the input. What does not begin with a command is a move.
    pub fn read(text: &str) -> Result<Command, String> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let word = word.to_lowercase();
        let alone = |command: Command| {
            if rest.is_empty() { Ok(command) } else { Err(format!("`{word}` stands alone")) }
        };
        match word.as_str() {
            "hint" => alone(Command::Hint),
            "back" => alone(Command::TakeBack),
            "flip" => alone(Command::Flip),
            "draw" => alone(Command::OfferDraw),
            "resign" => alone(Command::Resign),
            "graph" => alone(Command::Graph),
            "review" => alone(Command::Review),
            "save" => Ok(Command::Save(named(rest).map(path))),
            "load" => Ok(Command::Load(named(rest).map(path))),
            "new" => new_game(rest),
            "level" => {
                let level = number(rest, (0, FULL_SKILL));
                level.map(|level| Command::Strength(Strength::Level(level)))
            }
            "elo" => number(rest, ELO_RANGE).map(|elo| Command::Strength(Strength::Elo(elo))),
            "moves" => Ok(Command::Moves(named(rest).map(str::to_lowercase))),
            "board" => alone(Command::Board),
            "pieces" => alone(Command::Pieces),
            "clock" => alone(Command::Clocks),
            "help" | "?" => alone(Command::Help),
            "quit" | "exit" => alone(Command::Quit),
            _ => Ok(Command::Move(text.to_owned())),
        }
    }
}

/// The commands that a text can be completed to; capitals are pieces.
pub(crate) fn completions(text: &str) -> Vec<String> {
    let begins = |word: &&str| !text.is_empty() && word.starts_with(text);
    WORDS.iter().map(|(word, ..)| *word).filter(begins).map(str::to_owned).collect()
}

const HOW_TO_MOVE: &str = "Moves are typed as e4, Nc3, exd5, O-O or by their points, as e2e4, \
    and in Alquerque by all points that the man visits, as d3b5b3. A promotion needs a \
    letter: a8a9q. Where there is a mouse, click the piece and then where it goes.";
const USAGE_WIDTH: usize = 30;
/// The widest help, and the narrowest that shows the usage beside the description.
const MOST_WIDTH: usize = 78;
const LEAST_BESIDE: usize = 70;

/// The help: all commands, one per line if wide enough.
pub(crate) fn help(columns: usize) -> String {
    let width = columns.min(MOST_WIDTH);
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut text = terminal::wrapped("", &words(HOW_TO_MOVE), width, 0);
    text.push_str("\n\n");
    for (_, usage, meaning) in WORDS {
        text.push_str(&if width >= LEAST_BESIDE {
            format!("{usage:<USAGE_WIDTH$} {meaning}\n")
        } else {
            format!("{usage}\n{}\n", terminal::wrapped("    ", &words(meaning), width, 4))
        });
    }
    text
}

fn named(rest: &str) -> Option<&str> {
    Some(rest).filter(|rest| !rest.is_empty())
}

/// A path; `~/` is expanded, since no shell has done so.
fn path(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), dirs::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(text),
    }
}

fn number(text: &str, (least, most): (u32, u32)) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number: &u32| (least..=most).contains(number));
    number.ok_or_else(|| format!("a number from {least} to {most} has to follow"))
}

fn new_game(rest: &str) -> Result<Command, String> {
    let (mut side, mut variant) = (None, None);
    for word in rest.split_whitespace() {
        if let Ok(named) = Side::from_str(word, true) {
            side = Some(named);
        } else if let Ok(named) = word.parse() {
            variant = Some(named);
        } else {
            return Err("after `new` come white, black or both, and the name of a game".to_owned());
        }
    }
    Ok(Command::New(side, variant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_moves_are_told_apart() {
        for (text, command) in [
            (" Hint ", Command::Hint),
            ("e4", Command::Move("e4".to_owned())),
            ("e2 e4", Command::Move("e2 e4".to_owned())),
            ("save", Command::Save(None)),
            ("save a b.pgn", Command::Save(Some(PathBuf::from("a b.pgn")))),
            ("load ~x.pgn", Command::Load(Some(PathBuf::from("~x.pgn")))),
            ("new", Command::New(None, None)),
            ("new Masonic BLACK", Command::New(Some(Side::Black), Some(Variant::Masonic))),
            ("level 20", Command::Strength(Strength::FULL)),
            ("elo 1500", Command::Strength(Strength::Elo(1500))),
            ("moves e2", Command::Moves(Some("e2".to_owned()))),
            ("?", Command::Help),
        ] {
            assert_eq!(Command::read(text), Ok(command), "{text}");
        }
        for text in ["level", "level 21", "level -1", "elo 10", "new chess", "flip it", "hint e4"] {
            assert!(Command::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_word_is_known_and_told() {
        for (word, usage, _) in WORDS {
            let text = if usage.contains(" N") { format!("{word} 500") } else { word.to_owned() };
            let read = Command::read(&text);
            assert!(!matches!(read, Ok(Command::Move(_))), "{word}");
            assert!(help(80).contains(usage));
        }
        assert_eq!(completions("h"), ["hint", "help"]);
        assert_eq!(completions("re"), ["resign", "review"]);
        assert!(completions("").is_empty() && completions("N").is_empty());
        for columns in [40, 69, 80, 200] {
            let help = help(columns);
            assert!(help.lines().all(|line| line.len() <= columns.min(MOST_WIDTH)), "{help}");
        }
    }
}
