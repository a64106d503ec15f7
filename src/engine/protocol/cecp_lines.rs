//! Formats output in the Chess Engine Communication Protocol.

use thiserror::Error;

use crate::book::{Book, USUAL_LOSS};
use crate::protocol::options::{EngineOption, OPTIONS, OptionKind, Protocol};
use crate::{NAME, SearchLine};
use qirkat_game::score::{Score, score_text};
use qirkat_game::text::{Excerpt, counted};
use qirkat_game::{GameResult, Rules};
use qirkat_rules::chesquerque::{
    DrawReason, Move, MoveTextError, Outcome, Point, Position, START_FEN,
};
use qirkat_rules::chess::board_text;
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};
use qirkat_search::Bound;

/// Piece letters in XBoard's order of piece types, White's and Black's: pawn, knight, bishop, rook,
/// queen, two unused, archbishop, king.
const PIECE_LETTERS: &str = "PNBRQ..AKpnbrq..ak";
/// Nine by nine points, no pieces in hand; castling and promotion as in Capablanca chess, the most
/// similar variant that XBoard knows.
const BOARD: &str = "9x9+0_capablanca";

pub(super) fn features() -> String {
    let mut text = format!(
        "feature done=0\n\
         feature myname=\"{NAME}\" setboard=1 usermove=1 ping=1 colors=0 san=0 sigint=0 sigterm=0\n\
         feature reuse=1 analyze=1 playother=1 time=1 draw=1 debug=1 name=0 ics=0 pause=0 nps=0\n\
         feature memory=1 smp=1 exclude=1 setscore=0 highlight=1\n\
         feature variants=\"{}\"\n",
        Variant::Chesquerque
    );
    for option in OPTIONS.iter().filter(|option| option.is_for(Protocol::Cecp)) {
        text.push_str(&format!("feature option=\"{}\"\n", feature_of(option)));
    }
    text.push_str("feature done=1");
    text
}

fn feature_of(option: &EngineOption) -> String {
    let name = option.name;
    match &option.kind {
        OptionKind::Spin { default, min, max, .. } => {
            format!("{name} -spin {default} {min} {max}")
        }
        OptionKind::Check { default, .. } => format!("{name} -check {}", u8::from(*default)),
        OptionKind::Combo { default, choices, .. } => {
            let marked = |&choice: &&str| {
                if choice == *default { format!("*{choice}") } else { choice.to_owned() }
            };
            format!(
                "{name} -combo {}",
                choices.iter().map(marked).collect::<Vec<_>>().join(" /// ")
            )
        }
        OptionKind::Text { default, .. } => format!("{name} -file {default}"),
        OptionKind::Button { .. } => format!("{name} -button"),
    }
}

/// The answer to `variant`: letters, board and start position.
pub(super) fn setup() -> String {
    format!("setup ({PIECE_LETTERS}) {BOARD} {START_FEN}")
}

/// A search line as thinking output: depth, score, hundredths of a second, nodes, and the PV. The
/// protocol allows more numbers, but XBoard shows them to the player unlabelled. Moves are in
/// coordinate form, so that XBoard can step through them without knowing how pieces move.
pub(super) fn thinking(line: &SearchLine) -> String {
    let mut text = format!(
        "{} {} {} {} ",
        line.depth.0,
        score(line.score),
        line.time.as_millis() / 10,
        line.nodes,
    );
    let moves: Vec<String> = line.moves.iter().map(AnyMove::to_string).collect();
    text.push_str(&moves.join(" "));
    text.push_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => "!",
        Bound::Upper => "?",
    });
    text
}

/// A score in centipawns; a mate in `n` moves is 100000 + n.
fn score(score: Score) -> i32 {
    const MATE: i32 = 100_000;
    match score.moves_to_mate() {
        Some(moves) if score.is_win() => MATE + i32::from(moves),
        Some(moves) => i32::from(moves) - MATE,
        None => score.value(),
    }
}

#[derive(Debug, Error)]
pub(super) enum MoveError {
    #[error("it is the engine's turn")]
    NotYourTurn,
    #[error(transparent)]
    Text(#[from] MoveTextError),
}

/// The answer to an illegal move. XBoard does not show the reason, so `telluser` repeats it.
pub(super) fn refusal(text: &Excerpt, reason: &MoveError) -> String {
    let refusal = format!("Illegal move ({reason}): {text}");
    match reason {
        MoveError::Text(MoveTextError::Illegal(rule)) => {
            format!("{refusal}\ntelluser {text} is illegal: {rule}")
        }
        // Not a rule of the game, so the player need not see it.
        MoveError::Text(_) | MoveError::NotYourTurn => refusal,
    }
}

/// The answer to `bk`, which XBoard shows to the player: lines that begin with a blank. The final
/// line break makes the empty line that ends the answer.
pub(super) fn book(book: Option<&Book>, position: &Position) -> String {
    let position = AnyPosition::from(*position);
    let Some(known) = book.and_then(|book| book.probe(&position)) else {
        return " The position is not in the opening book.\n".to_owned();
    };
    if known.moves.is_empty() {
        let score = score_text(known.entry.score);
        return format!(" A line of the opening book ends here: {score}\n");
    }
    let mut text = String::new();
    for known in known.good_moves(USUAL_LOSS) {
        let (san, score) = (position.san(known.mv), score_text(known.score));
        let games = match known.results.games() {
            0 => String::new(),
            games => format!(", {}", counted(games, "game")),
        };
        text.push_str(&format!(" {san:8} {score:>7}{games}\n"));
    }
    text
}

pub(super) fn claim(outcome: Outcome) -> String {
    let reason = match outcome {
        Outcome::Draw(DrawReason::Stalemate) => "Stalemate".to_owned(),
        Outcome::Draw(DrawReason::Repetition) => "Draw by repetition".to_owned(),
        Outcome::Draw(DrawReason::HundredPlies) => "Draw by fifty-move rule".to_owned(),
        Outcome::Draw(DrawReason::InsufficientMaterial) => "Insufficient material".to_owned(),
        won => won.to_string(),
    };
    format!("{} {{{reason}}}", GameResult::from(outcome))
}

const PROMOTION_CHOICE: &str = "QRBNA";

/// XBoard's letter for an unmarked point to which a move may be tried.
const TRANSPARENT: char = 'T';

/// The answer to `lift`: where the piece on a point may go, as a board of colours, and its
/// promotions.
///
/// Yellow is a quiet move, red a capture (en passant too), magenta a promotion. All other points
/// are transparent: they look empty, but XBoard sends a move there anyway, and the player learns
/// why it is illegal. Without a letter XBoard would refuse the move without a reason.
pub(super) fn highlight(position: &Position, from: Point) -> String {
    let moves: Vec<Move> =
        position.legal_moves().into_iter().filter(|mv| mv.from == from).collect();
    let mark = |point| {
        let Some(mv) = moves.iter().find(|mv| mv.to == point) else { return Some(TRANSPARENT) };
        Some(if mv.promotion.is_some() {
            'M'
        } else if position.captured(*mv).is_some() {
            'R'
        } else {
            'Y'
        })
    };
    let mut text = format!("highlight {}", board_text(mark));
    if moves.iter().any(|mv| mv.promotion.is_some()) {
        text.push_str("\nchoice ");
        text.push_str(PROMOTION_CHOICE);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::distance::Ply;

    #[test]
    fn scores_are_written_as_xboard_reads_them() {
        for (value, expected) in [
            (Score::centipawns(35), 35),
            (Score::centipawns(-120), -120),
            (Score::mating_at(Ply(1)), 100_001),
            (Score::mating_at(Ply(5)), 100_003),
            (Score::mated_at(Ply(2)), -100_001),
            (Score::mated_at(Ply(0)), -100_000),
        ] {
            assert_eq!(score(value), expected);
        }
    }

    /// Replaces the digits that count empty points by the letter for such a point.
    fn transparent(board: &str) -> String {
        let spelled = |letter: char| match letter.to_digit(10) {
            Some(count) => TRANSPARENT.to_string().repeat(count as usize),
            None => letter.to_string(),
        };
        board.chars().map(spelled).collect()
    }

    #[test]
    fn highlights_mark_the_destinations() {
        for (fen, from, expected) in [
            (START_FEN, "e2", "highlight 9/9/9/9/9/4Y4/4Y4/9/9"),
            (START_FEN, "a1", "highlight 9/9/9/9/9/9/9/9/9"),
            (START_FEN, "e5", "highlight 9/9/9/9/9/9/9/9/9"),
            (START_FEN, "e8", "highlight 9/9/9/9/9/9/9/9/9"),
            ("1n5k1/P8/9/9/9/9/9/9/4K4 w - -", "a8", "highlight M8/9/9/9/9/9/9/9/9\nchoice QRBNA"),
            ("4k4/9/7p1/5Pp2/9/9/9/9/4K4 w - g7 0 1", "f6", "highlight 9/9/5YR2/9/9/9/9/9/9"),
            ("4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1", "e1", "highlight 9/9/9/9/9/9/9/3YYY3/1Y1Y1Y1Y1"),
        ] {
            let position = Position::from_fen(fen).expect(fen).position;
            let from = Point::parse(from).expect(from);
            let marked = highlight(&position, from);
            let (board, choice) = marked.split_once('\n').unwrap_or((&marked, ""));
            let (expected, expected_choice) = expected.split_once('\n').unwrap_or((expected, ""));
            assert_eq!(board, transparent(expected), "{fen}");
            assert_eq!(choice, expected_choice, "{fen}");
        }
    }
}
