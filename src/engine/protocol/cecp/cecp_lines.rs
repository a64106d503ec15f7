//! Formats the lines that the engine sends.

use super::cecp_complaint::MoveError;
use crate::NAME;
use crate::SearchLine;
use crate::protocol::option_table::{EngineOption, OPTIONS, OptionKind, Protocol};
use qirkat_game::GameResult;
use qirkat_game::score::Score;
use qirkat_game::text::Excerpt;
use qirkat_rules::chesquerque::{Color, DrawReason, MoveTextError, Outcome, START_FEN};
use qirkat_rules::variant::{AnyMove, Variant};
use qirkat_search::Bound;

/// Letters of the pieces by XBoard's own order of piece types, White's and
/// Black's: pawn, knight, bishop, rook, queen, two that are not used,
/// archbishop, king.
const PIECE_LETTERS: &str = "PNBRQ..AKpnbrq..ak";
/// Nine by nine points without pieces in hand; castling and promotion as in Capablanca
/// chess, XBoard's most similar variant.
const BOARD: &str = "9x9+0_capablanca";

/// The answer to `protover`: what this engine can do, and its options.
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
        text.push_str(&format!("feature option=\"{}\"\n", announced(option)));
    }
    text.push_str("feature done=1");
    text
}

fn announced(option: &EngineOption) -> String {
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

/// The answer to `variant`: letters, board and starting position.
pub(super) fn setup() -> String {
    format!("setup ({PIECE_LETTERS}) {BOARD} {START_FEN}")
}

/// A line of search as thinking output: depth, score, hundredths of a second,
/// nodes, and the moves. The protocol allows more numbers, but XBoard
/// shows them to the player as they are. The moves are written by their points, so that
/// it can step through them without knowing how a piece moves.
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

/// A score in centipawns; a mate in `n` moves as 100000 + n.
fn score(score: Score) -> i32 {
    const MATE: i32 = 100_000;
    match score.moves_to_mate() {
        Some(moves) if score.is_win() => MATE + i32::from(moves),
        Some(moves) => i32::from(moves) - MATE,
        None => score.value(),
    }
}

/// The answer to an illegal move. XBoard takes the move back but does not show the reason,
/// so `telluser` repeats it for the player.
pub(super) fn refusal(text: &Excerpt, reason: &MoveError) -> String {
    let refusal = format!("Illegal move ({reason}): {text}");
    match reason {
        MoveError::Text(MoveTextError::Illegal(rule)) => {
            format!("{refusal}\ntelluser {text} is illegal: {rule}")
        }
        // No rule of the game that the player should know.
        MoveError::Text(MoveTextError::San(_)) | MoveError::NotYourTurn => refusal,
    }
}

/// The claim at the end of a game.
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

/// The line with which the engine resigns.
pub(super) const fn resignation(side: Color) -> &'static str {
    match side {
        Color::White => "0-1 {White resigns}",
        Color::Black => "1-0 {Black resigns}",
    }
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
}
