//! One game between two players, with the arbiter watching.

use std::sync::atomic::{AtomicBool, Ordering};

use super::adjudication::{AdjudicationRules, Adjudicator, Verdict};
use super::openings::Opening;
use super::player::{Choice, Fault, Judgement, Player, Turn};
use super::time_control::{GameClock, TimeControl};
use crate::pgn::{GameResult, PgnMove};
use crate::position::{Color, Game, Move, Outcome, Position};

/// What a game is played by.
pub struct GameRules<'a> {
    /// Where it begins.
    pub opening: &'a Opening,
    /// White's and Black's time control.
    pub controls: [TimeControl; 2],
    /// When it ends early.
    pub adjudication: AdjudicationRules,
    /// Raised when it is to be broken off.
    pub stop: &'a AtomicBool,
}

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Termination {
    /// By the rules of the game.
    Normal,
    /// By agreed scores or by its length.
    Adjudication,
    /// By the clock.
    TimeForfeit,
    /// By an illegal move.
    IllegalMove,
    /// By a player that broke down.
    Abandoned,
}

impl Termination {
    /// As in the PGN tag of that name.
    pub const fn tag(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "rules infraction",
            Termination::Abandoned => "abandoned",
        }
    }
}

/// A game from its first move to its result.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Where it began.
    pub start: Position,
    /// The moves, with what the players said of them.
    pub moves: Vec<PgnMove>,
    /// What the player of each move thought of the position; nothing of the
    /// opening's.
    pub judgements: Vec<Option<Judgement>>,
    /// The result.
    pub result: GameResult,
    /// How it came to its end.
    pub termination: Termination,
    /// The same in words: `White mates`.
    pub reason: String,
}

/// Plays a game. Returns nothing when it was broken off.
pub fn play_game(players: [&mut dyn Player; 2], rules: &GameRules<'_>) -> Option<FinishedGame> {
    let mut record = Record::new(rules);
    let mut players = players;
    let end = record.play_on(&mut players, rules);
    for (player, color) in players.iter_mut().zip(Color::ALL) {
        let fault = match &end {
            End::Fault(guilty, fault) if *guilty == color => Some(fault),
            _ => None,
        };
        player.end_game(fault);
    }
    record.finish(end)
}

/// Why a game ended.
enum End {
    Outcome(Outcome),
    Verdict(Verdict),
    Fault(Color, Fault),
    BrokenOff,
}

/// A game while it is played.
struct Record {
    start: Position,
    game: Game,
    moves: Vec<Move>,
    comments: Vec<Option<String>>,
    judgements: Vec<Option<Judgement>>,
    clocks: [GameClock; 2],
}

impl Record {
    fn new(rules: &GameRules<'_>) -> Record {
        let start = rules.opening.start;
        let mut record = Record {
            start,
            game: Game::from_position(start),
            moves: Vec::new(),
            comments: Vec::new(),
            judgements: Vec::new(),
            clocks: rules.controls.map(GameClock::new),
        };
        for &mv in &rules.opening.moves {
            record.make(mv, Some("book".to_owned()), None);
        }
        record
    }

    fn make(&mut self, mv: Move, comment: Option<String>, judgement: Option<Judgement>) {
        self.judgements.push(judgement);
        self.game.play(mv);
        self.moves.push(mv);
        self.comments.push(comment);
    }

    fn play_on(&mut self, players: &mut [&mut dyn Player; 2], rules: &GameRules<'_>) -> End {
        for (player, color) in players.iter_mut().zip(Color::ALL) {
            if let Err(fault) = player.start_game() {
                return fault_of(color, fault);
            }
        }
        let mut adjudicator = Adjudicator::new(rules.adjudication);
        loop {
            if let Some(outcome) = self.game.outcome() {
                return End::Outcome(outcome);
            }
            if rules.stop.load(Ordering::Relaxed) {
                return End::BrokenOff;
            }
            let mover = self.game.position().side_to_move();
            let choice = match self.next_choice(&mut *players[mover.index()], rules) {
                Ok(choice) => choice,
                Err(fault) => return fault_of(mover, fault),
            };
            self.clocks[mover.index()].spend(choice.time);
            self.make(choice.mv, Some(comment_on(&choice)), choice.judgement);
            // Mate or a draw by rule counts before what players think.
            if self.game.outcome().is_none()
                && let Some(verdict) = adjudicator.judge(mover, choice.judgement)
            {
                return End::Verdict(verdict);
            }
        }
    }

    /// The player's move, if it is legal and in time.
    fn next_choice(&self, player: &mut dyn Player, rules: &GameRules<'_>) -> Result<Choice, Fault> {
        let turn = Turn {
            start: &self.start,
            moves: &self.moves,
            game: &self.game,
            clocks: [&self.clocks[0], &self.clocks[1]],
            stop: rules.stop,
        };
        let choice = player.choose(&turn)?;
        if turn.own_clock().latest_answer().is_some_and(|latest| choice.time > latest) {
            return Err(Fault::OutOfTime);
        }
        if !self.game.position().is_legal(choice.mv) {
            return Err(Fault::IllegalMove(choice.mv.to_string()));
        }
        Ok(choice)
    }

    fn finish(self, end: End) -> Option<FinishedGame> {
        let (result, termination, reason) = match end {
            End::BrokenOff => return None,
            End::Outcome(Outcome::Checkmate(winner)) => {
                (GameResult::won_by(winner), Termination::Normal, format!("{winner:?} mates"))
            }
            End::Outcome(Outcome::Draw(reason)) => {
                (GameResult::Draw, Termination::Normal, format!("Draw by {reason}"))
            }
            End::Verdict(Verdict::Win(winner)) => (
                GameResult::won_by(winner),
                Termination::Adjudication,
                format!("{winner:?} wins by adjudication"),
            ),
            End::Verdict(Verdict::Draw) => {
                (GameResult::Draw, Termination::Adjudication, "Draw by adjudication".to_owned())
            }
            End::Verdict(Verdict::TooLong) => (
                GameResult::Draw,
                Termination::Adjudication,
                "Draw by adjudication: maximal game length".to_owned(),
            ),
            End::Fault(loser, fault) => {
                let termination = match fault {
                    Fault::OutOfTime => Termination::TimeForfeit,
                    Fault::IllegalMove(_) => Termination::IllegalMove,
                    _ => Termination::Abandoned,
                };
                (GameResult::won_by(!loser), termination, format!("{loser:?} {fault}"))
            }
        };
        let moves = self
            .moves
            .into_iter()
            .zip(self.comments)
            .map(|(mv, comment)| PgnMove { comment, ..PgnMove::from(mv) })
            .collect();
        let (start, judgements) = (self.start, self.judgements);
        Some(FinishedGame { start, moves, judgements, result, termination, reason })
    }
}

fn fault_of(color: Color, fault: Fault) -> End {
    match fault {
        Fault::BrokenOff => End::BrokenOff,
        fault => End::Fault(color, fault),
    }
}

/// `score/depth time`, as cutechess writes it.
fn comment_on(choice: &Choice) -> String {
    let time = format!("{:.3}s", choice.time.as_secs_f64());
    let score = match choice.judgement {
        None => return time,
        Some(Judgement::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(Judgement::Mate(moves)) if moves > 0 => format!("+M{moves}"),
        Some(Judgement::Mate(moves)) => format!("-M{}", moves.unsigned_abs()),
    };
    format!("{score}/{} {time}", choice.depth.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Opening, ResignRule, SearchPlayer};

    fn play(rules: &GameRules<'_>) -> Option<FinishedGame> {
        let mut players = [0, 1].map(|_| SearchPlayer::new(1).expect("a thread is there"));
        let [white, black] = &mut players;
        play_game([white, black], rules)
    }

    #[test]
    fn games_are_played_in_process() {
        let depth = |depth| TimeControl { depth: Some(depth), ..TimeControl::default() };
        // Time that even a busy machine cannot use up.
        let clock = "60+1".parse().ok();
        let tempo = TimeControl { clock, nodes: Some(500), ..TimeControl::default() };
        let stop = AtomicBool::new(false);
        let resign = ResignRule { moves_in_a_row: 2, score: 900, two_sided: true };
        let resigning = AdjudicationRules { resign: Some(resign), ..AdjudicationRules::default() };
        let usual = Opening { start: Position::start(), moves: Vec::new() };
        let won = Position::from_fen("4k4/9/9/9/9/9/9/R2Q5/4K4 w - - 0 1").expect("a FEN").position;
        let won = Opening { start: won, moves: Vec::new() };
        for (opening, controls, adjudication, termination) in [
            (&usual, [depth(2), depth(1)], AdjudicationRules::default(), Termination::Normal),
            (&usual, [tempo, tempo], AdjudicationRules::default(), Termination::Normal),
            (&won, [depth(1), depth(1)], resigning, Termination::Adjudication),
        ] {
            let rules = GameRules { opening, controls, adjudication, stop: &stop };
            let game = play(&rules).expect("nobody broke it off");
            assert_eq!(game.termination, termination, "{}", game.reason);
            let mut replayed = Game::from_position(game.start);
            for played in &game.moves {
                assert!(replayed.position().is_legal(played.mv));
                assert!(played.comment.is_some());
                replayed.play(played.mv);
            }
            match replayed.outcome() {
                Some(outcome) => assert_eq!(game.result, outcome.into()),
                None => assert_eq!(game.result, GameResult::WhiteWins),
            }
        }
    }

    #[test]
    fn a_game_can_be_broken_off() {
        let stop = AtomicBool::new(true);
        let opening = Opening { start: Position::start(), moves: Vec::new() };
        let control = TimeControl { depth: Some(1), ..TimeControl::default() };
        let rules = GameRules {
            opening: &opening,
            controls: [control, control],
            adjudication: AdjudicationRules::default(),
            stop: &stop,
        };
        assert!(play(&rules).is_none());
    }
}
