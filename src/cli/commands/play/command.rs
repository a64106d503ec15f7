//! The commands that the user can type besides moves, and their help.

use clap::ValueEnum;

use super::Side;
use crate::shared::terminal;
use qirkat_rules::variant::Variant;

/// What is typed for each command, and what it does.
const COMMANDS: [(&str, &str); 18] = [
    ("hint", "a good move for you"),
    ("back", "take back your last move"),
    ("flip", "see the board from the other side"),
    ("draw", "offer a draw"),
    ("resign", "give up"),
    ("graph", "the chances from move to move"),
    ("review", "what the moves were worth, and why"),
    ("save [FILE]", "add the game to a PGN file"),
    ("load [FILE]", "go on with its last unfinished game"),
    ("new [white|black|both] [GAME]", "begin another game"),
    ("level N", "let the engine play better or worse, 0 to 20"),
    ("elo N", "the same as a rating, 500 to 2550"),
    ("moves [POINT]", "list the legal moves"),
    ("board", "draw the board; so does an empty line"),
    ("pieces", "tell where everything stands"),
    ("clock", "tell the time that is left"),
    ("help", "this list"),
    ("quit", "leave"),
];

/// The first word of a line in lower case, without aliases, and the rest.
pub(crate) fn split(line: &str) -> (String, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let word = match word.to_lowercase().as_str() {
        "" => "board".to_owned(),
        "?" => "help".to_owned(),
        "exit" => "quit".to_owned(),
        word => word.to_owned(),
    };
    (word, rest.trim())
}

/// Whether nothing may follow this command.
pub(crate) fn stands_alone(word: &str) -> bool {
    COMMANDS.iter().any(|(usage, _)| *usage == word)
}

/// The commands that a text can be completed to; capitals are pieces.
pub(crate) fn completions(text: &str) -> Vec<String> {
    let words = COMMANDS.iter().map(|(usage, _)| split(usage).0);
    words.filter(|word| !text.is_empty() && word.starts_with(text)).collect()
}

const HOW_TO_MOVE: &str = "Moves are typed as e4, Nc3, exd5, O-O or by their points, as e2e4, \
    and in Alquerque by all points that the man visits, as d3b5b3. A promotion needs a \
    letter: a8a9q. Where there is a mouse, click the piece and then where it goes.";
const USAGE_WIDTH: usize = 30;
/// The widest help, and the narrowest that shows the usage beside the description.
const MAX_WIDTH: usize = 78;
const MIN_BESIDE: usize = 70;

/// The help: all commands, one per line if wide enough.
pub(crate) fn help(columns: usize) -> String {
    let width = columns.min(MAX_WIDTH);
    let mut text = terminal::wrapped_text(HOW_TO_MOVE, width, 0);
    text.push_str("\n\n");
    for (usage, meaning) in COMMANDS {
        text.push_str(&if width >= MIN_BESIDE {
            format!("{usage:<USAGE_WIDTH$} {meaning}\n")
        } else {
            let meaning = terminal::words(meaning);
            format!("{usage}\n{}\n", terminal::wrapped("    ", &meaning, width, 4))
        });
    }
    text
}

pub(crate) fn number(text: &str, (least, most): (u32, u32)) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number: &u32| (least..=most).contains(number));
    number.ok_or_else(|| format!("a number from {least} to {most} has to follow"))
}

/// The side and the variant that `new` names.
pub(crate) fn side_and_variant(text: &str) -> Result<(Option<Side>, Option<Variant>), String> {
    let (mut side, mut variant) = (None, None);
    for word in text.split_whitespace() {
        if let Ok(named) = Side::from_str(word, true) {
            side = Some(named);
        } else if let Ok(named) = word.parse() {
            variant = Some(named);
        } else {
            return Err("after `new` come white, black or both, and the name of a game".to_owned());
        }
    }
    Ok((side, variant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_completed_and_explained() {
        assert_eq!(completions("h"), ["hint", "help"]);
        assert_eq!(completions("re"), ["resign", "review"]);
        assert!(completions("").is_empty() && completions("N").is_empty());
        for columns in [40, 69, 80, 200] {
            let help = help(columns);
            assert!(COMMANDS.iter().all(|(usage, _)| help.contains(usage)), "{help}");
            assert!(help.lines().all(|line| line.len() <= columns.min(MAX_WIDTH)), "{help}");
        }
    }
}
