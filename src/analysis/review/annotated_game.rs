//! A review as annotations in PGN.

use super::game_review::{GameReview, MoveReview, RatedLine};
use super::mark::Mark;
use qirkat_notation::pgn::{self, PgnGame, PgnMove};

/// The glyph of PGN for the only move (`□`).
const ONLY_MOVE_NAG: u8 = 7;
/// Glyphs that a review replaces: `!` to `?!`, and the only move.
const REPLACED_NAGS: [u8; 7] = [1, 2, 3, 4, 5, 6, ONLY_MOVE_NAG];
/// Commands in comments that a review replaces.
const REPLACED_COMMANDS: [&str; 2] = ["eval", "wdl"];

/// How annotations are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnnotationStyle {
    /// Plies of a variation; a mate is shown to its end.
    pub variation_plies: usize,
    /// Leave out what stood in comments before, but for commands such as `[%clk ...]`.
    pub drop_comments: bool,
}

impl Default for AnnotationStyle {
    /// Ten plies, with the old comments.
    fn default() -> AnnotationStyle {
        AnnotationStyle { variation_plies: 10, drop_comments: false }
    }
}

/// A game with what its review has found: after each move `[%eval ...]` as lichess
/// writes it (pawns from White's view, or `#` and moves to mate, and the depth) and
/// `[%wdl ...]` (White's wins, draws and losses in a thousand); marks as glyphs (NAGs);
/// reasons in words, the better line as a variation, and the refutation as another one where
/// the game departs from it. Old comments and variations stay.
pub fn annotate(game: &PgnGame, review: &GameReview, style: AnnotationStyle) -> PgnGame {
    let mut annotated = game.clone();
    if style.drop_comments {
        annotated.opening_comment = annotated.opening_comment.as_deref().and_then(commands_of);
    }
    if style.drop_comments {
        let variations = annotated.moves.iter_mut().flat_map(|played| &mut played.variations);
        variations.for_each(|line| drop_words(line));
    }
    let reviewed = annotated.moves.iter_mut().skip(review.unreviewed).zip(&review.moves);
    for (played, review) in reviewed {
        annotate_move(played, review, style);
    }
    for (at, marked) in review.moves.iter().enumerate() {
        if marked.mark.is_some() {
            refute(&mut annotated.moves[review.unreviewed..], review, at, style);
        }
    }
    annotated
}

/// Shows what refutes a marked move: as a variation where the game departs from it, unless
/// the move that departs has a variation by its own mark, or in words behind the last move.
fn refute(moves: &mut [PgnMove], review: &GameReview, at: usize, style: AnnotationStyle) {
    let MoveReview { line, position, played, .. } = &review.moves[at];
    let shown = &line.moves[..shown_plies(line, style.variation_plies + 1)];
    let game = review.moves[at..].iter().map(|found| found.played);
    let common = shown.iter().zip(game).take_while(|(mv, played)| **mv == *played).count();
    let rest = &shown[common..];
    match (moves.get_mut(at + common), review.moves.get(at + common)) {
        (Some(departing), Some(found)) if found.mark.is_none() && !rest.is_empty() => {
            departing.variations.push(rest.iter().copied().map(PgnMove::from).collect());
        }
        (None, _) if common == 1 && !rest.is_empty() => {
            let san = position.play(*played).san_line(rest).join(" ");
            let comment = moves[at].comment.take().unwrap_or_default();
            let played = position.san(*played);
            moves[at].comment = Some(format!("{comment} After {played}: {san}."));
        }
        _ => {}
    }
}

fn annotate_move(played: &mut PgnMove, review: &MoveReview, style: AnnotationStyle) {
    played.nags.retain(|nag| !REPLACED_NAGS.contains(nag));
    played.nags.extend(review.mark.map(Mark::nag));
    if review.is_only_move {
        played.nags.push(ONLY_MOVE_NAG);
    }
    let old = played.comment.take().unwrap_or_default();
    let (commands, words) = parted(&old);
    let new = [eval_command(review), wdl_command(review)].into_iter();
    let mut parts: Vec<String> =
        new.chain(commands.into_iter().map(str::to_owned)).chain(words_of(review)).collect();
    if !style.drop_comments && !words.is_empty() {
        parts.push(words);
    }
    played.comment = Some(parts.join(" "));
    if let (Some(_), Some(better)) = (review.mark, &review.alternative) {
        played.variations.push(variation(better, style.variation_plies));
    }
}

/// Leaves out the words in a variation.
fn drop_words(line: &mut [PgnMove]) {
    for played in line {
        played.comment = played.comment.as_deref().and_then(commands_of);
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

fn variation(line: &RatedLine, plies: usize) -> Vec<PgnMove> {
    let shown = &line.moves[..shown_plies(line, plies)];
    shown.iter().copied().map(PgnMove::from).collect()
}

/// So many plies of a line, or all where it mates.
fn shown_plies(line: &RatedLine, plies: usize) -> usize {
    if line.score.is_mate() { line.moves.len() } else { plies.min(line.moves.len()) }
}

pub(super) fn eval_command(review: &MoveReview) -> String {
    let score = review.white_score();
    let depth = review.line.depth.0;
    // The position after the last move may be mate itself.
    let value = match score.moves_to_mate() {
        Some(_) if score.plies_to_mate() == Some(0) => "#-0".to_owned(),
        Some(moves) => format!("#{moves}"),
        None => format!("{:.2}", f64::from(score.value()) / 100.0),
    };
    if depth > 0 { format!("[%eval {value},{depth}]") } else { format!("[%eval {value}]") }
}

pub(super) fn wdl_command(review: &MoveReview) -> String {
    let [win, draw, loss] = review.white_chances().permille();
    format!("[%wdl {win} {draw} {loss}]")
}

/// The commands of a comment that stay, and its words.
pub(super) fn parted(comment: &str) -> (Vec<&str>, String) {
    let (mut commands, words) = pgn::parted(comment);
    commands.retain(|command| {
        REPLACED_COMMANDS.iter().all(|name| pgn::said_by(command, name).is_none())
    });
    (commands, words)
}

fn commands_of(comment: &str) -> Option<String> {
    let (commands, _) = parted(comment);
    (!commands.is_empty()).then(|| commands.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_review_finds_itself_does_not_stay() {
        let comment = "so [%eval 0.35,18] [%clk 1:00]  [%wdl 1 2 3][%emt 5] it is";
        let commands = vec!["[%clk 1:00]", "[%emt 5]"];
        assert_eq!(parted(comment), (commands, "so it is".to_owned()));
    }
}
