//! The effect of a line for a side, read off the board.

use super::board_facts::{
    LEAST_GAIN, Material, MaterialChange, attacked, captured_worth, fork, is_quiet, safety, takes,
};
use super::game_review::RatedLine;
use qirkat_evaluation::Chances;
use qirkat_game::score::Score;
use qirkat_game::{Color, DrawReason, Outcome, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove};

/// Plies of a line that are considered: later ones are mostly guesses.
const PLIES_TRUSTED: usize = 12;
/// Material must be won within this many plies in the first search, not counting compulsory jumps:
/// the other side may prevent a slower gain.
pub(super) const FIRST_SEARCH_PLIES: usize = 5;
/// The same in later searches, where the other side may delay it.
pub(super) const LATER_SEARCH_PLIES: usize = 8;

/// A mate in more moves than this says less than the material won on the way.
const LONG_MATE: u16 = 6;
/// Gains that differ by no more centipawns than this count as equal.
const SAME_GAIN: u32 = 50;

#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// The side mates, or wins in games without mate, in this many of its moves.
    Mates(u16),
    /// The side wins material and keeps it, worth this many centipawns.
    Wins(i32, MaterialChange),
    /// The side reaches an ending that it wins by endgame tables.
    WinsEnding,
    /// The line ends in a draw, or reaches an ending drawn by endgame tables.
    Draws(Option<DrawReason>),
    Nothing,
}

impl Effect {
    /// This effect if a longer search, which has the second effect, confirms it, else `Nothing`. The
    /// words are about the line that is shown, so this one is returned.
    pub fn confirmed(self, second: Effect) -> Effect {
        match (self, second) {
            (Effect::Wins(first, _), Effect::Wins(gain, _)) if first.abs_diff(gain) > SAME_GAIN => {
                Effect::Nothing
            }
            (Effect::Wins(..), Effect::Wins(..) | Effect::Mates(_) | Effect::WinsEnding)
            | (Effect::Mates(_), Effect::Mates(_))
            | (Effect::WinsEnding, Effect::WinsEnding | Effect::Mates(_))
            | (Effect::Draws(_), Effect::Draws(_)) => self,
            _ => Effect::Nothing,
        }
    }

    fn or(self, other: Effect) -> Effect {
        if let Effect::Nothing = self { other } else { self }
    }

    /// This effect, unless it is a material gain that another defence clearly reduces or prevents:
    /// then `Nothing`. A defence that loses more changes nothing.
    pub fn against(self, defence: Effect) -> Effect {
        match (self, defence) {
            (Effect::Wins(gain, _), Effect::Wins(then, _))
                if then.saturating_add_unsigned(SAME_GAIN) < gain =>
            {
                Effect::Nothing
            }
            (Effect::Wins(..), Effect::Draws(_) | Effect::Nothing) => Effect::Nothing,
            _ => self,
        }
    }
}

pub(crate) struct Line<'a> {
    pub game: &'a AnyGame,
    pub moves: &'a [AnyMove],
    /// Its score for the side that moves first.
    pub score: Score,
    pub is_drawn: bool,
}

impl<'a> Line<'a> {
    pub(super) fn of(game: &'a AnyGame, line: &'a RatedLine) -> Line<'a> {
        let is_drawn = line.chances == Chances::DRAWN;
        Line { game, moves: &line.moves, score: line.score, is_drawn }
    }

    /// The effect of the line for a side: material counts from `base`, if won within these plies.
    pub(super) fn effect(&self, side: Color, base: &Material, within: usize) -> Effect {
        let first = self.game.position().side_to_move();
        let score = if side == first { self.score } else { -self.score };
        let gain = self.lasting_gain(side, base, within);
        let wins = gain.map_or(Effect::Nothing, |(gain, change)| {
            if gain >= LEAST_GAIN { Effect::Wins(gain, change) } else { Effect::Nothing }
        });
        if score.is_win() {
            let plies = score.plies_to_mate().unwrap_or_default().unsigned_abs();
            // A line that the other side begins has an extra ply before.
            let moves = if side == first { plies.div_ceil(2) } else { plies / 2 };
            return if moves > LONG_MATE {
                wins.or(Effect::Mates(moves))
            } else {
                Effect::Mates(moves)
            };
        }
        match score.is_tablebase() {
            true if score > Score::DRAW => wins.or(Effect::WinsEnding),
            true => Effect::Nothing,
            false if self.is_drawn => Effect::Draws(self.drawn_end()),
            false => wins,
        }
    }

    /// The gain that a side keeps: the least at any quiet position from the first gain on.
    fn lasting_gain(
        &self,
        side: Color,
        base: &Material,
        within: usize,
    ) -> Option<(i32, MaterialChange)> {
        let mut position = *self.game.position();
        let before = base.balance(side);
        let mut least: Option<(i32, MaterialChange)> = None;
        let mut plies_without_jumps = 0;
        for ply in 0..=self.moves.len().min(PLIES_TRUSTED) {
            if is_quiet(&position) {
                let now = Material::of(&position);
                let gain = now.balance(side) - before;
                let counts = match least {
                    Some((known, _)) => gain < known,
                    None => gain >= LEAST_GAIN && plies_without_jumps <= within,
                };
                if counts {
                    least = Some((gain, now.change_since(base, side)));
                }
            }
            match self.moves.get(ply) {
                Some(&mv) if position.is_legal(mv) => {
                    plies_without_jumps +=
                        usize::from(!matches!(mv, AnyMove::Alquerque(mv) if mv.is_jump()));
                    position.make(mv);
                }
                _ => break,
            }
        }
        least
    }

    fn drawn_end(&self) -> Option<DrawReason> {
        let mut game = self.game.clone();
        for &mv in self.moves {
            if !game.position().is_legal(mv) {
                break;
            }
            game.play(mv);
        }
        if let Outcome::Draw(reason) = game.outcome()? { Some(reason) } else { None }
    }

    pub fn first_san(&self) -> Option<String> {
        self.moves.first().map(|&mv| self.game.position().san(mv))
    }

    /// Whether the first move forks pieces, and the line confirms it.
    pub fn forks(&self) -> bool {
        fork(self.game.position(), self.moves).is_some()
    }

    /// The pieces that the first move forks, unless its own capture is worth more.
    pub(super) fn fork(&self) -> Option<String> {
        let position = self.game.position();
        let fork = fork(position, self.moves)?;
        let taken = captured_worth(position, *self.moves.first()?);
        (taken < fork.gain).then_some(fork.names)
    }

    /// The tactical point of the first move, as in `takes the rook` and `forks king and rook`.
    pub(super) fn tactic(&self) -> Option<String> {
        let fork = self.fork().map(|names| format!("forks {names}"));
        fork.or_else(|| takes(self.game.position(), self.moves))
    }

    /// How the first move makes its own side safer. Nothing is safe if the side gets mated.
    pub(super) fn safety(&self) -> Option<String> {
        let is_mated = self.score.is_mate() && self.score < Score::DRAW;
        safety(self.game.position(), self.moves).filter(|_| !is_mated)
    }

    /// The first move's attack on a piece, as in `attacks the rook`.
    pub(super) fn attack(&self) -> Option<String> {
        let name = attacked(self.game.position(), self.moves)?;
        Some(format!("attacks the {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_lines::play;
    use qirkat_game::distance::Ply;
    use qirkat_rules::variant::Variant;

    /// A game, and the moves of a line from there.
    fn line(fen: &str, moves: &str) -> (AnyGame, Vec<AnyMove>) {
        let game = AnyGame::from_position(Variant::Chesquerque.read_fen(fen).expect(fen).position);
        let moves = play(&mut game.clone(), moves);
        (game, moves)
    }

    fn effect(fen: &str, moves: &str, score: Score, side: Color) -> Effect {
        let (game, moves) = line(fen, moves);
        let line = Line { game: &game, moves: &moves, score, is_drawn: score == Score::DRAW };
        line.effect(side, &Material::of(game.position()), FIRST_SEARCH_PLIES)
    }

    fn winnings(fen: &str, moves: &str, side: Color) -> Option<String> {
        match effect(fen, moves, Score::centipawns(300), side) {
            Effect::Wins(_, change) => change.winnings(),
            _ => None,
        }
    }

    /// The larger gain is told first, and nothing that the line itself takes away.
    #[test]
    fn tactics_are_borne_out_by_their_lines() {
        for (fen, moves, tactic) in [
            ("4k4/9/9/9/R7b/9/9/9/K8 w - - 0 1", "a5e5 e9d9 e5i5", "forks king and bishop"),
            // The rook takes the queen, and may be taken for it.
            ("4k4/9/9/9/R3q3b/9/9/9/K8 w - - 0 1", "a5e5 e9d9 e5i5", "takes the queen"),
            ("4k4/9/9/6b2/R3q3b/9/9/9/K8 w - - 0 1", "a5e5 e9d9 e5i5", "takes the queen"),
            ("4k4/9/6b2/9/R3q3b/9/9/9/K8 w - - 0 1", "a5e5 g7e5 a1a2", "takes the queen"),
            // The rook is taken for the pawn.
            ("4k4/9/6b2/9/R3p3b/9/9/9/K8 w - - 0 1", "a5e5 g7e5 a1a2", ""),
            // It takes a pawn on the way to the bishop.
            ("4k4/9/9/9/R3p3b/9/9/9/K8 w - - 0 1", "a5e5 e9d9 e5i5", "forks king and bishop"),
        ] {
            let (game, moves) = line(fen, moves);
            let score = Score::centipawns(300);
            let line = Line { game: &game, moves: &moves, score, is_drawn: false };
            assert_eq!(line.tactic().unwrap_or_default(), tactic, "{fen}");
        }
    }

    #[test]
    fn only_what_is_kept_is_won() {
        let free = "4k4/9/9/9/p8/9/9/9/R3K4 w - - 0 1";
        assert_eq!(winnings(free, "Rxa5 Ke8", Color::White).as_deref(), Some("a pawn"));
        assert_eq!(winnings(free, "Rxa5 Ke8", Color::Black), None);
        // Taken back: a pawn for a rook, and nothing to be proud of.
        let guarded = "4k4/9/9/r8/p8/9/9/9/R3K4 w - - 0 1";
        assert_eq!(winnings(guarded, "Rxa5 Rxa5 Ke2", Color::White), None);
        let lost = winnings(guarded, "Rxa5 Rxa5 Ke2", Color::Black);
        assert_eq!(lost.as_deref(), Some("a rook for a pawn"));
        // The line ends before the piece is taken back: nothing can be said.
        assert_eq!(winnings(guarded, "Rxa5", Color::White), None);
    }

    #[test]
    fn mates_are_counted_in_moves_of_the_side_that_mates() {
        let fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let mate = |score, side| match effect(fen, "", score, side) {
            Effect::Mates(moves) => Some(moves),
            _ => None,
        };
        assert_eq!(mate(Score::mating_at(Ply(3)), Color::White), Some(2));
        assert_eq!(mate(Score::mated_at(Ply(4)), Color::Black), Some(2));
        assert_eq!(mate(Score::mated_at(Ply(4)), Color::White), None);
    }

    #[test]
    fn draws_are_seen_on_the_board() {
        let fen = "4k4/9/9/9/9/9/9/4p4/4K4 w - - 0 1";
        let drawn = effect(fen, "Kxe2", Score::DRAW, Color::White);
        // A pawn was won too, but for nothing.
        let is_drawn = matches!(drawn, Effect::Draws(Some(DrawReason::InsufficientMaterial)));
        assert!(is_drawn, "{drawn:?}");
        let fen = "4k4/9/9/9/9/9/9/R8/4K4 w - - 0 1";
        let shuffle = "Ke2 Ke8 Ke1 Ke9 Ke2 Ke8 Ke1 Ke9";
        let drawn = effect(fen, shuffle, Score::DRAW, Color::Black);
        assert!(matches!(drawn, Effect::Draws(Some(DrawReason::Repetition))), "{drawn:?}");
    }
}
