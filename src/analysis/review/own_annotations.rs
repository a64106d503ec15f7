//! The annotations of a review, told from those of people, so that a later review takes
//! their place.
//!
//! In a game whose tag `Annotator` names the program, its own are: in the comment to a move
//! all from `[%eval ...]` to `[%wdl ...]`, with its words between the two; and a variation
//! with nothing but `[%eval ...]` behind its first move.

use super::annotated_game::{self, AnnotationStyle, eval_command, parted, wdl_command};
use super::game_review::{GameReview, MoveReview};
use qirkat_notation::pgn::{PgnGame, PgnMove};

/// What the tag `Annotator` says of the program.
pub const ANNOTATOR: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));
/// How that begins in any version.
const PROGRAM: &str = "Qirkat ";

/// A game with what its review has found: after each move `[%eval ...]` as lichess
/// writes it (pawns from White's view, or `#` and moves to mate, and the depth) and
/// `[%wdl ...]` (White's wins, draws and losses in a thousand), reasons in words between the
/// two; marks as glyphs (NAGs); and better lines as variations, their value behind the first
/// move. What an earlier review by this program has found goes, comments and variations of
/// people stay, and the tag `Annotator` names the program behind them.
pub fn annotate(game: &PgnGame, review: &GameReview, style: AnnotationStyle) -> PgnGame {
    let is_again = annotators(game).any(is_program);
    let mut bare = game.clone();
    let mut words = Vec::new();
    for played in bare.moves.iter_mut().skip(review.unreviewed) {
        if is_again {
            take_own(played);
        }
        words.push(take_words(played));
    }
    let mut annotated = annotated_game::annotate(&bare, review, style);
    let moves = annotated.moves.iter_mut().zip(&bare.moves).skip(review.unreviewed);
    for (((played, bare), words), found) in moves.zip(words).zip(&review.moves) {
        mark_own(played, bare.variations.len(), found);
        if let (Some(comment), false, false) =
            (&mut played.comment, words.is_empty(), style.drop_comments)
        {
            *comment = format!("{comment} {words}");
        }
    }
    let people = annotators(game).filter(|name| !is_program(name));
    let names: Vec<&str> = people.chain([ANNOTATOR]).collect();
    annotated.set_tag("Annotator", names.join(", "));
    annotated
}

/// Who has annotated a game.
fn annotators(game: &PgnGame) -> impl Iterator<Item = &str> {
    let names = game.tag("Annotator").unwrap_or_default().split(',').map(str::trim);
    names.filter(|&name| !name.is_empty() && name != "?")
}

fn is_program(name: &str) -> bool {
    name.starts_with(PROGRAM)
}

/// Takes away what an earlier review has said of a move.
fn take_own(played: &mut PgnMove) {
    played.variations.retain(|line| !is_own(line));
    let Some(comment) = &mut played.comment else { return };
    let Some(start) = comment.find("[%eval ") else { return };
    let Some(wdl) = comment[start..].find("[%wdl ") else { return };
    let Some(length) = comment[start + wdl..].find(']') else { return };
    comment.replace_range(start..=start + wdl + length, "");
}

/// Whether a variation is that of a review.
fn is_own(line: &[PgnMove]) -> bool {
    let is_value =
        |text: &str| text.starts_with("[%eval ") && text.find(']') == Some(text.len() - 1);
    let is_bare = |played: &PgnMove| played.nags.is_empty() && played.variations.is_empty();
    let Some((first, rest)) = line.split_first() else { return false };
    first.comment.as_deref().is_some_and(is_value)
        && is_bare(first)
        && rest.iter().all(|played| is_bare(played) && played.comment.is_none())
}

/// Takes the words out of a comment, so that all that come in are those of the review.
fn take_words(played: &mut PgnMove) -> String {
    let (commands, words) = parted(played.comment.as_deref().unwrap_or_default());
    played.comment = Some(commands.join(" ")).filter(|commands| !commands.is_empty());
    words
}

/// Puts the words of a review between its commands, and the value of its variations, all
/// behind the first `old` ones, behind their first moves.
fn mark_own(played: &mut PgnMove, old: usize, found: &MoveReview) {
    let (others, words) = parted(played.comment.as_deref().unwrap_or_default());
    let own = [eval_command(found), words, wdl_command(found)]
        .into_iter()
        .chain(others.into_iter().map(str::to_owned));
    let parts: Vec<String> = own.filter(|part| !part.is_empty()).collect();
    played.comment = Some(parts.join(" "));
    let best = MoveReview { line: found.best().clone(), ..found.clone() };
    for line in played.variations.iter_mut().skip(old) {
        if let Some(first) = line.first_mut() {
            first.comment = Some(eval_command(&best));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_notation::pgn::PgnReader;

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
            ("1. e4 {[%eval 0.3,12] mine} *", "1. e4 {[%eval 0.3,12] mine} *"),
            ("1. e4 (1. d4 {[%eval 0.3,12]} 1... d7) (1. c4) *", "1. e4 (1. c4) *"),
            (
                "1. e4 (1. d4 {[%eval 0.3] mine}) (1. c4 $1 {[%eval 0.3]}) *",
                "1. e4 (1. d4 {[%eval 0.3] mine}) (1. c4 $1 {[%eval 0.3]}) *",
            ),
        ] {
            let mut game = game(text);
            game.moves.iter_mut().for_each(take_own);
            assert!(game.to_string().ends_with(&format!("\n\n{left}\n\n")), "{game}");
        }
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
}
