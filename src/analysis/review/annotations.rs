//! A review as PGN annotations, distinguishable from people's so that a later review can replace
//! them.
//!
//! If the game's `Annotator` tag names the program, these annotations are its own: in a move's comment
//! `[%eval ...]`, `[%wdl ...]`, and the sentences between them up to the first that no review writes;
//! and a variation whose only comment is `[%eval ...]` after its first move. If these sentences begin
//! with a mark, the last NAG of that mark is its own; any before it may be a person's.

use super::game_review::{GameReview, Mark, MoveReview, RatedLine};
use super::reason::ONLY_MOVE;
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{self, PgnGame, PgnMove};
use qirkat_rules::variant::AnyMove;

pub use qirkat_engine::NAME as ANNOTATOR;
const PROGRAM: &str = "Qirkat ";
/// The NAG of the only move (`□`).
const ONLY_MOVE_NAG: u8 = 7;
const REPLACED_COMMANDS: [&str; 2] = ["eval", "wdl"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnnotationStyle {
    /// Plies of a variation; a mate is shown to its end.
    pub variation_plies: usize,
    /// Removes existing comments, except commands such as `[%clk ...]`.
    pub drop_comments: bool,
}

impl Default for AnnotationStyle {
    fn default() -> AnnotationStyle {
        AnnotationStyle { variation_plies: 10, drop_comments: false }
    }
}

/// Annotates a game with its review: after each move `[%eval ...]` as on lichess (pawns from
/// White's view, or `#` and moves to mate, and the depth) and `[%wdl ...]` (White's wins, draws and
/// losses in permille), reasons in words between the two; marks as NAGs; and better lines as
/// variations, with their value after the first move. An earlier review by this program is
/// replaced. People's marks, comments and variations stay, and the program is added to the
/// `Annotator` tag.
pub fn annotate(game: &PgnGame, review: &GameReview, style: AnnotationStyle) -> PgnGame {
    let mut annotated = game.clone();
    let is_program = |name: &&str| name.starts_with(PROGRAM);
    if annotators(game).any(|name| is_program(&name)) {
        annotated.moves.iter_mut().skip(review.unreviewed).for_each(remove_own_annotations);
    }
    if style.drop_comments {
        annotated.opening_comment = annotated.opening_comment.as_deref().and_then(commands_only);
        drop_words(&mut annotated.moves);
    }
    let reviewed = annotated.moves.get_mut(review.unreviewed..).unwrap_or_default();
    let mut words: Vec<Option<String>> = review.moves.iter().map(words_of).collect();
    for (played, found) in reviewed.iter_mut().zip(&review.moves) {
        add_mark(played, found, style);
    }
    for (at, found) in review.moves.iter().enumerate() {
        if found.mark.is_some() {
            add_refutation(reviewed, &mut words, review, at, style);
        }
    }
    if let Some((at, left)) = review.left_book_text() {
        let said = words[at].take().map_or(String::new(), |said| said + " ");
        words[at] = Some(said + &left);
    }
    for ((played, found), words) in reviewed.iter_mut().zip(&review.moves).zip(words) {
        write_comment(played, found, words);
    }
    let people = annotators(game).filter(|name| !is_program(name));
    let names: Vec<&str> = people.chain([ANNOTATOR]).collect();
    annotated.set_tag("Annotator", names.join(", "));
    annotated
}

fn annotators(game: &PgnGame) -> impl Iterator<Item = &str> {
    let names = game.tag("Annotator").unwrap_or_default().split(',').map(str::trim);
    names.filter(|&name| !name.is_empty() && name != "?")
}

fn remove_own_annotations(played: &mut PgnMove) {
    played.variations.retain(|line| !is_own(line));
    let Some(comment) = &mut played.comment else { return };
    let Some(start) = comment.find("[%eval ") else { return };
    let Some(wdl) = comment[start..].find("[%wdl ") else { return };
    let Some(length) = comment[start + wdl..].find(']') else { return };
    let words = comment[start..start + wdl].split_once("] ").map_or("", |(_, words)| words);
    let says = |mark: &Mark| words.starts_with(&format!("{mark} ("));
    let mark = Mark::ALL.into_iter().find(says).map(Mark::nag);
    let only_move = words.contains(ONLY_MOVE).then_some(ONLY_MOVE_NAG);
    for nag in mark.into_iter().chain(only_move) {
        if let Some(own) = played.nags.iter().rposition(|&known| known == nag) {
            played.nags.remove(own);
        }
    }
    let others = user_text(words).to_owned();
    comment.replace_range(start..=start + wdl + length, &others);
}

fn user_text(words: &str) -> &str {
    let mut rest = words.trim();
    while !rest.is_empty() {
        let length = rest.find(". ").map_or(rest.len(), |end| end + 1);
        if !is_own_sentence(&rest[..length]) {
            break;
        }
        rest = rest[length..].trim_start();
    }
    rest
}

/// Whether a review could have written this sentence. A form is its start, middle and end.
fn is_own_sentence(sentence: &str) -> bool {
    const FORMS: [(&str, &str, &str); 23] = [
        ("", "", " was mate."),
        ("", "", " won the game at once."),
        ("There was a mate in ", ": ", "."),
        ("There was a win in ", ": ", "."),
        ("Throws away a won ending", "", "."),
        ("Turns a won ending", " into a lost one: ", "."),
        ("Loses a drawn ending: ", "", "."),
        ("Leads to a lost ending: ", "", "."),
        ("Leads to a draw", "", "."),
        ("Now it is a draw.", "", ""),
        ("It ends in a draw by ", "", "."),
        ("It gives up castling.", "", ""),
        ("White's ", "", " is mate."),
        ("Black's ", "", " is mate."),
        ("White's ", "", " wins the game at once."),
        ("Black's ", "", " wins the game at once."),
        ("White's ", " then ", "."),
        ("Black's ", " then ", "."),
        ("Better was ", ", ", "."),
        ("A missed win.", "", ""),
        (ONLY_MOVE, " the next best, ", "."),
        ("After ", ": ", "."),
        ("Leaves the book, ", "", "."),
    ];
    let is_mark = |mark: &Mark| sentence.starts_with(&format!("{mark} ("));
    Mark::ALL.iter().any(is_mark)
        || FORMS.iter().any(|(start, middle, end)| {
            sentence.starts_with(start) && sentence.contains(middle) && sentence.ends_with(end)
        })
}

fn is_own(line: &[PgnMove]) -> bool {
    let is_value =
        |text: &str| text.starts_with("[%eval ") && text.find(']') == Some(text.len() - 1);
    let is_bare = |played: &PgnMove| {
        played.nags.is_empty() && played.variations.is_empty() && played.starting_comment.is_none()
    };
    let Some((first, rest)) = line.split_first() else { return false };
    first.comment.as_deref().is_some_and(is_value)
        && is_bare(first)
        && rest.iter().all(|played| is_bare(played) && played.comment.is_none())
}

fn add_mark(played: &mut PgnMove, found: &MoveReview, style: AnnotationStyle) {
    played.nags.extend(found.mark.map(Mark::nag));
    if found.is_only_move {
        played.nags.push(ONLY_MOVE_NAG);
    }
    if let (Some(_), Some(better)) = (found.mark, &found.alternative) {
        let shown = &better.moves[..shown_plies(better, style.variation_plies)];
        played.variations.push(variation(shown, found));
    }
}

/// Adds what refutes a marked move: as a variation where the game departs from it, unless the
/// departing move gets a variation for its own mark; or in words after the last move.
fn add_refutation(
    moves: &mut [PgnMove],
    words: &mut [Option<String>],
    review: &GameReview,
    at: usize,
    style: AnnotationStyle,
) {
    let MoveReview { line, position, played, .. } = &review.moves[at];
    let shown = &line.moves[..shown_plies(line, style.variation_plies + 1)];
    let game = review.moves[at..].iter().map(|found| found.played);
    let common = shown.iter().zip(game).take_while(|(mv, played)| **mv == *played).count();
    let rest = &shown[common..];
    match (moves.get_mut(at + common), review.moves.get(at + common)) {
        (Some(departing), Some(found)) if found.mark.is_none() && !rest.is_empty() => {
            departing.variations.push(variation(rest, found));
        }
        (None, _) if common == 1 && !rest.is_empty() => {
            let san = position.after(*played).san_line(rest).join(" ");
            let said = words[at].take().unwrap_or_default();
            words[at] = Some(format!("{said} After {}: {san}.", position.san(*played)));
        }
        _ => {}
    }
}

/// Writes a review's values and words in front of the rest of the comment.
fn write_comment(played: &mut PgnMove, found: &MoveReview, words: Option<String>) {
    let old = played.comment.take().unwrap_or_default();
    let (commands, old_words) = commands_and_words(&old);
    let [win, draw, loss] = found.white_chances().permille();
    let mut parts = vec![eval_of(&found.line, found.mover())];
    parts.extend(words);
    parts.push(format!("[%wdl {win} {draw} {loss}]"));
    parts.extend(commands.into_iter().map(str::to_owned));
    parts.extend(Some(old_words).filter(|words| !words.is_empty()));
    played.comment = Some(parts.join(" "));
}

fn drop_words(line: &mut [PgnMove]) {
    for played in line {
        for comment in [&mut played.comment, &mut played.starting_comment] {
            *comment = comment.as_deref().and_then(commands_only);
        }
        played.variations.iter_mut().for_each(|line| drop_words(line));
    }
}

/// The mark as a word and the reason, as in `Blunder (64% to 22%). Rxe4 wins a rook.`
fn words_of(review: &MoveReview) -> Option<String> {
    let reason = review.reason.clone();
    let Some(mark) = review.mark else { return reason };
    let percent = |line: &RatedLine| (100.0 * line.chances.expected()).round();
    let (before, after) = (percent(review.best()), percent(&review.line));
    let said = format!("{mark} ({before}% to {after}%).");
    Some(reason.map_or(said.clone(), |reason| format!("{said} {reason}")))
}

fn variation(moves: &[AnyMove], found: &MoveReview) -> Vec<PgnMove> {
    let mut line: Vec<PgnMove> = moves.iter().copied().map(PgnMove::from).collect();
    if let Some(first) = line.first_mut() {
        first.comment = Some(eval_of(found.best(), found.mover()));
    }
    line
}

/// This many plies of a line, or all if it mates.
fn shown_plies(line: &RatedLine, plies: usize) -> usize {
    if line.score.is_mate() { line.moves.len() } else { plies.min(line.moves.len()) }
}

fn eval_of(line: &RatedLine, mover: Color) -> String {
    eval_command(line.for_white(mover).0, line.depth)
}

/// The command `[%eval ...]` for a score for White, with the depth unless that is zero.
pub fn eval_command(score: Score, depth: Depth) -> String {
    let value = match score.moves_to_mate() {
        Some(moves) => format!("#{moves}"),
        None => format!("{:.2}", f64::from(score.value()) / 100.0),
    };
    if depth.0 > 0 { format!("[%eval {value},{}]", depth.0) } else { format!("[%eval {value}]") }
}

/// The commands to keep in a comment, and its words.
fn commands_and_words(comment: &str) -> (Vec<&str>, String) {
    let (mut commands, words) = pgn::split_comment(comment);
    commands.retain(|command| {
        REPLACED_COMMANDS.iter().all(|name| pgn::command_value(command, name).is_none())
    });
    (commands, words)
}

/// The commands of a comment without its words.
fn commands_only(comment: &str) -> Option<String> {
    let (commands, _) = pgn::split_comment(comment);
    (!commands.is_empty()).then(|| commands.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::pgn::PgnReader;

    fn game(text: &str) -> PgnGame {
        PgnReader::new(text.as_bytes()).next().expect("a game").expect("a sound game").game
    }

    #[test]
    fn own_annotations_are_told_from_those_of_people() {
        for (text, left) in [
            (
                "1. e4 {so [%eval 0.3,12] Blunder (64% to 22%). [%wdl 1 2 3] [%clk 0:01:00] mine} *",
                "1. e4 {so [%clk 0:01:00] mine} *",
            ),
            (
                "1. e4 {[%eval 0.3,12] Better was h7, which keeps the balance. I disagree. So do \
                 others [%wdl 1 2 3] x} *",
                "1. e4 {I disagree. So do others x} *",
            ),
            (
                "1. e4 {[%eval 0.3,12] Black's d7 then wins a rook. Better was h7, the only good \
                 move: it mates in 2. After e4: d7 Ke5. Throws away a won ending. Turns a won ending \
                 into a lost one: White wins. Loses a drawn ending: White wins. Leads to a lost \
                 ending: Black wins in 3. [%wdl 1 2 3]} *",
                "1. e4 *",
            ),
            ("1. e4 {[%eval 0.3,12] mine [%wdl 1 2 3]} *", "1. e4 {mine} *"),
            ("1. e4 {[%eval 0.3,12] mine} *", "1. e4 {[%eval 0.3,12] mine} *"),
            ("1. e4 $4 $1 $4 {[%eval 0.3,1] Blunder (64% to 2%). [%wdl 1 2 3]} *", "1. e4 $4 $1 *"),
            (
                "1. e4 $7 $7 {[%eval 0.3,12] The only move: the next best, d4, loses less. [%wdl 1 2 3]} *",
                "1. e4 $7 *",
            ),
            ("1. e4 (1. d4 {[%eval 0.3,12]} 1... d7) (1. c4) *", "1. e4 (1. c4) *"),
            (
                "1. e4 (1. d4 {[%eval 0.3] mine}) (1. c4 $1 {[%eval 0.3]}) *",
                "1. e4 (1. d4 {[%eval 0.3] mine}) (1. c4 $1 {[%eval 0.3]}) *",
            ),
        ] {
            let mut game = game(text);
            game.moves.iter_mut().for_each(remove_own_annotations);
            assert!(game.to_string().ends_with(&format!("\n\n{left}\n\n")), "{game}");
        }
    }

    #[test]
    fn dropped_comments_leave_commands() {
        let text = "{so [%eval 0.1]} 1. e4 (1. d4 {mine [%eval 0.3,12] [%clk 1:00]} 1... d7 {x}) *";
        let style = AnnotationStyle { drop_comments: true, ..AnnotationStyle::default() };
        let annotated = annotate(&game(text), &GameReview::default(), style).to_string();
        let left = "{[%eval 0.1]} 1. e4 (1. d4 {[%eval 0.3,12] [%clk 1:00]} 1... d7) *";
        assert!(annotated.ends_with(&format!("\n\n{left}\n\n")), "{annotated}");
    }

    #[test]
    fn people_stay_in_the_tag() {
        for (tag, names) in [
            ("", ANNOTATOR.to_owned()),
            ("?", ANNOTATOR.to_owned()),
            ("Qirkat 0.0.1", ANNOTATOR.to_owned()),
            ("Cleo", format!("Cleo, {ANNOTATOR}")),
            ("Cleo, Qirkat 0.0.1", format!("Cleo, {ANNOTATOR}")),
        ] {
            let game = game(&format!("[Annotator \"{tag}\"]\n\n*"));
            let annotated = annotate(&game, &GameReview::default(), AnnotationStyle::default());
            assert_eq!(annotated.tag("Annotator"), Some(names.as_str()));
        }
    }

    #[test]
    fn what_a_review_finds_itself_does_not_stay() {
        let comment = "so [%eval 0.35,18] [%clk 1:00]  [%wdl 1 2 3][%emt 5] it is";
        let commands = vec!["[%clk 1:00]", "[%emt 5]"];
        assert_eq!(commands_and_words(comment), (commands, "so it is".to_owned()));
    }
}
