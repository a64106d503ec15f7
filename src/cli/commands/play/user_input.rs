//! What the user types or clicks: moves in any usual notation or point by point, and commands.

use clap::ValueEnum;

use super::options::Side;
use crate::commands::rules;
use crate::shared::terminal;
use qirkat_analysis::casual::points_of;
use qirkat_game::text::Excerpt;
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyMove, AnyPosition, Place, Variant};

/// Parses a typed move: exactly, or otherwise ignoring case and marks if only one legal move fits.
pub(crate) fn read(position: &AnyPosition, text: &str) -> Result<AnyMove, String> {
    let error = match position.read_move(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let wanted = bare(text);
    let is_meant = |mv: &AnyMove| {
        !wanted.is_empty()
            && (bare(&position.san(*mv)) == wanted || bare(&mv.to_string()) == wanted)
    };
    let mut meant = position.legal_moves().into_iter().filter(is_meant);
    match (meant.next(), meant.next()) {
        (Some(mv), None) => Ok(mv),
        _ => Err(error.to_string()),
    }
}

/// A move without case and marks; `x` is a mark, since no board has such a file.
fn bare(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_ascii_alphanumeric());
    let letters = letters.map(|letter| letter.to_ascii_lowercase());
    letters
        .filter(|&letter| letter != 'x')
        .map(|letter| if letter == '0' { 'o' } else { letter })
        .collect()
}

/// The legal moves that a typed text can be completed to, in algebraic notation and by points. Case
/// counts only where it makes a difference.
pub(crate) fn completions(position: &AnyPosition, text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut exact = Vec::new();
    let mut loose = Vec::new();
    for mv in position.legal_moves() {
        for written in [position.san(mv), mv.to_string()] {
            if written.starts_with(text) {
                exact.push(written);
            } else if written.to_lowercase().starts_with(&text.to_lowercase()) {
                loose.push(written);
            }
        }
    }
    let mut found = if exact.is_empty() { loose } else { exact };
    found.sort();
    found.dedup();
    found
}

/// The next points of a move: after the points in the text, or the destinations of the moves that
/// it can be completed to.
pub(crate) fn targets(position: &AnyPosition, text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    if text.is_empty() {
        return targets;
    }
    for mv in position.legal_moves() {
        let (points, _) = points_of(mv);
        if let Some(next) = next_point(&points, text) {
            targets.push(next.to_owned());
        } else if position.san(mv).starts_with(text) {
            targets.extend(points.last().cloned());
        }
    }
    targets.sort();
    targets.dedup();
    targets
}

/// The point after those in the text, if the points begin with them.
fn next_point<'a>(points: &'a [String], text: &str) -> Option<&'a str> {
    let mut rest = text;
    for point in points {
        if rest.is_empty() {
            return Some(point);
        }
        rest = rest.strip_prefix(point.as_str())?;
    }
    None
}

/// The points in a text, if a legal move begins with them.
pub(crate) fn points_in(position: &AnyPosition, text: &str) -> Vec<String> {
    let begins =
        |points: &[String]| (1..=points.len()).find(|&count| points[..count].concat() == text);
    let mut found = position.legal_moves().into_iter().filter_map(|mv| {
        let (mut points, _) = points_of(mv);
        let count = begins(&points)?;
        points.truncate(count);
        Some(points)
    });
    found.next().unwrap_or_default()
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Click {
    /// These points are selected; empty if the piece was deselected.
    Chosen(String),
    /// A promotion: the piece must be chosen, by one of these letters.
    Promotion(String, Vec<char>),
    Move(AnyMove),
    /// No move is possible, and why.
    Refused(String),
}

/// Handles a click on a point, with these points already selected.
pub(crate) fn click(position: &AnyPosition, chosen: &str, point: &str) -> Click {
    if chosen == point {
        return Click::Chosen(String::new());
    }
    let moves: Vec<(AnyMove, Vec<String>)> =
        position.legal_moves().into_iter().map(|mv| (mv, points_of(mv).0)).collect();
    let begins_with = |text: &str| {
        let fits = |points: &[String]| points.concat().starts_with(text);
        moves.iter().filter(|(_, points)| fits(points)).collect::<Vec<_>>()
    };
    if chosen.is_empty() {
        return match why_not_from(position, point) {
            None => Click::Chosen(point.to_owned()),
            Some(reason) => Click::Refused(reason),
        };
    }
    let next = format!("{chosen}{point}");
    let fitting = begins_with(&next);
    match fitting.as_slice() {
        [(mv, _)] => return Click::Move(*mv),
        [] => {}
        all if all.iter().all(|(_, points)| points.concat() == next) => {
            let letters = all.iter().filter_map(|(mv, _)| points_of(*mv).1).collect();
            return Click::Promotion(next, letters);
        }
        _ => return Click::Chosen(next),
    }
    let mut ending = begins_with(chosen);
    ending.retain(|(_, points)| points.last().is_some_and(|last| last == point));
    match ending.as_slice() {
        [(mv, _)] => Click::Move(*mv),
        [] if !begins_with(point).is_empty() => Click::Chosen(point.to_owned()),
        [] => Click::Refused(match position.read_move(&next) {
            Err(error) => error.to_string(),
            Ok(_) => format!("nothing leads from {chosen} to {point}"),
        }),
        _ => Click::Refused(format!(
            "several ways lead to {point}: click the points one after another"
        )),
    }
}

/// Why no move begins on a point; `None` if one does.
pub(crate) fn why_not_from(position: &AnyPosition, point: &str) -> Option<String> {
    let moves = position.legal_moves();
    if moves.iter().any(|&mv| points_of(mv).0.first().is_some_and(|first| first == point)) {
        return None;
    }
    if !Place::all(position.variant()).any(|place| place.to_string() == point) {
        return Some(format!("`{}` is not a point", Excerpt::of(point)));
    }
    let to_move = position.side_to_move();
    let piece = position.pieces().into_iter().find(|(place, _)| place.to_string() == point);
    Some(match piece {
        None => format!("there is no piece on {point}"),
        Some((_, letter)) if color_of(letter) != to_move => format!("it is {to_move:?}'s turn"),
        Some(_) => match moves.first() {
            Some(jump) if position.variant() == Variant::Alquerque && position.captures(*jump) => {
                format!("a jump is compulsory, such as {jump}")
            }
            _ if position.in_check() => {
                format!("the king is in check, and nothing on {point} can help")
            }
            _ => format!("nothing on {point} can move now"),
        },
    })
}

pub(crate) fn color_of(letter: char) -> Color {
    if letter.is_uppercase() { Color::White } else { Color::Black }
}

/// The pieces and their points in words, one line per side.
pub(crate) fn in_words(position: &AnyPosition) -> String {
    let mut pieces = position.pieces();
    pieces.sort_by_key(|(place, _)| (place.rank, place.file));
    let line = |color: Color| {
        let kinds = rules::pieces(position.variant()).iter().filter_map(|kind| {
            let is_such = |(_, letter): &&(Place, char)| {
                color_of(*letter) == color && letter.eq_ignore_ascii_case(&kind.letter)
            };
            let places = pieces.iter().filter(is_such).map(|(place, _)| format!(" {place}"));
            let places: String = places.collect();
            (!places.is_empty()).then(|| format!(" {}{places}", kind.name))
        });
        format!("{color:?}:{}", kinds.collect::<Vec<_>>().join(","))
    };
    Color::ALL.map(line).join("\n")
}

/// Each command as typed, and what it does.
const COMMANDS: [(&str, &str); 18] = [
    ("hint", "a good move for you"),
    ("back", "take back your last move"),
    ("flip", "see the board from the other side"),
    ("draw", "offer a draw"),
    ("resign", "give up"),
    ("graph", "the chances from move to move"),
    ("review", "what the moves were worth, and why"),
    ("save [FILE]", "add the game to a PGN file"),
    ("load [FILE]", "continue its last unfinished game"),
    ("new [white|black|both] [GAME]", "begin another game"),
    ("level N", "let the engine play better or worse, 0 to 20"),
    ("elo N", "the same as a rating, 500 to 2550"),
    ("moves [POINT]", "list the legal moves"),
    ("board", "draw the board; so does an empty line"),
    ("pieces", "list all pieces and their points"),
    ("clock", "show the remaining times"),
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
pub(crate) fn takes_no_argument(word: &str) -> bool {
    COMMANDS.iter().any(|(usage, _)| *usage == word)
}

/// The commands that a text can be completed to; none if it has a capital, which names a piece.
pub(crate) fn command_completions(text: &str) -> Vec<String> {
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
    number.ok_or_else(|| format!("a number from {least} to {most} must follow"))
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
            return Err("`new` takes white, black or both, and the name of a game".to_owned());
        }
    }
    Ok((side, variant))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(variant: Variant, fen: &str) -> AnyPosition {
        if fen.is_empty() { variant.start() } else { variant.read_fen(fen).expect(fen).position }
    }

    /// White's knights can come out.
    const OPEN: &str = "rnbqkabnr/p1ppppppp/1p7/9/9/9/1P7/P1PPPPPPP/RNBQKABNR w KQkq - 0 2";
    const CASTLES: &str = "4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1";

    #[test]
    fn moves_are_read_as_people_write_them() {
        for (fen, text, mv) in [
            (OPEN, "e4", "e2e4"),
            (OPEN, "E2-E4", "e2e4"),
            (OPEN, "e2 e4", "e2e4"),
            (OPEN, "nc3", "b1c3"),
            (OPEN, "Nc3!", "b1c3"),
            (CASTLES, "0-0", "e1h1"),
            (CASTLES, "o-o-o", "e1b1"),
        ] {
            let read = read(&position(Variant::Chesquerque, fen), text).map(|mv| mv.to_string());
            assert_eq!(read, Ok(mv.to_owned()), "{text}");
        }
        let start = position(Variant::Chesquerque, "");
        assert_eq!(read(&start, "c1e3"), Err("the path is blocked on d2".to_owned()));
        for text in ["", "x", "-", "é4", "hello", "e2e4e6", "\u{1b}[2J"] {
            assert!(read(&start, text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_is_typed_can_become_these_moves() {
        let open = position(Variant::Chesquerque, OPEN);
        for (text, found) in
            [("e", "e2e3 e2e4 e3 e4"), ("e2", "e2e3 e2e4"), ("n", "Na3 Nc3"), ("z", ""), ("", "")]
        {
            let found: Vec<&str> = found.split_whitespace().collect();
            assert_eq!(completions(&open, text), found, "{text}");
        }
        assert_eq!(targets(&open, "e2"), ["e3", "e4"]);
        assert_eq!(targets(&open, "Nc"), ["c3"]);
        assert!(targets(&open, "e5").is_empty() && targets(&open, "é").is_empty());
        assert_eq!(points_in(&open, "e2e4"), ["e2", "e4"]);
        assert!(points_in(&open, "e2e").is_empty() && points_in(&open, "e4").is_empty());
    }

    #[test]
    fn clicks_lead_to_moves_or_reasons() {
        let chosen = |text: &str| Click::Chosen(text.to_owned());
        let refused = |text: &str| Click::Refused(text.to_owned());
        let wrong = "a pawn on a plain point moves and captures one step straight ahead";
        for (fen, before, point, expected) in [
            ("", "", "e2", chosen("e2")),
            ("", "e2", "e2", chosen("")),
            ("", "e2", "d2", chosen("d2")),
            (CASTLES, "e1", "i1", chosen("i1")),
            ("", "", "e5", refused("there is no piece on e5")),
            ("", "", "e8", refused("it is White's turn")),
            ("", "", "a1", refused("nothing on a1 can move now")),
            ("", "c2", "e5", refused(wrong)),
        ] {
            let found = click(&position(Variant::Chesquerque, fen), before, point);
            assert_eq!(found, expected, "{fen} {before} {point}");
        }
        for (fen, before, point, mv) in [("", "e2", "e4", "e4"), (CASTLES, "e1", "h1", "O-O")] {
            let position = position(Variant::Chesquerque, fen);
            let mv = position.read_move(mv).expect(mv);
            assert_eq!(click(&position, before, point), Click::Move(mv));
        }
    }

    #[test]
    fn a_pawn_that_arrives_asks_what_it_becomes() {
        let position = position(Variant::Chesquerque, "4k4/P8/9/9/9/9/9/9/4K4 w - - 0 1");
        let Click::Promotion(text, mut letters) = click(&position, "a8", "a9") else {
            panic!("a pawn has to become something")
        };
        letters.sort_unstable();
        assert_eq!((text.as_str(), letters), ("a8a9", vec!['a', 'b', 'n', 'q', 'r']));
    }

    #[test]
    fn jumps_are_clicked_point_by_point_or_at_their_end() {
        for (fen, point, mv) in [
            ("5/1m1m1/2M2/5/5 w - - 0 1", "a5", "c3a5"),
            ("5/1m1m1/2M2/5/5 w - - 0 1", "e5", "c3e5"),
            ("5/3mm/2M2/5/5 w - - 0 1", "e5", "c3e5e3"),
            ("5/3mm/2M2/5/5 w - - 0 1", "e3", "c3e5e3"),
        ] {
            let position = position(Variant::Alquerque, fen);
            let mv = position.read_move(mv).expect(mv);
            assert_eq!(click(&position, "c3", point), Click::Move(mv), "{fen} {point}");
        }
        let compulsory = position(Variant::Alquerque, "5/1m1m1/2M2/5/M4 w - - 0 1");
        let Click::Refused(reason) = click(&compulsory, "", "a1") else { panic!("a jump") };
        assert!(reason.starts_with("a jump is compulsory, such as c3"), "{reason}");
        let start = position(Variant::Alquerque, "");
        assert_eq!(click(&start, "", "d3"), Click::Chosen("d3".to_owned()));
    }

    #[test]
    fn pieces_are_told_in_words() {
        let fen = "4k4/9/9/9/9/9/9/1P5P1/R3K4 w Q - 0 1";
        let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        assert_eq!(in_words(&position), "White: king e1, rook a1, pawn b2 h2\nBlack: king e9");
    }

    #[test]
    fn every_command_is_completed_and_explained() {
        assert_eq!(command_completions("h"), ["hint", "help"]);
        assert_eq!(command_completions("re"), ["resign", "review"]);
        assert!(command_completions("").is_empty() && command_completions("N").is_empty());
        for columns in [40, 69, 80, 200] {
            let help = help(columns);
            assert!(COMMANDS.iter().all(|(usage, _)| help.contains(usage)), "{help}");
            assert!(help.lines().all(|line| line.len() <= columns.min(MAX_WIDTH)), "{help}");
        }
    }
}
