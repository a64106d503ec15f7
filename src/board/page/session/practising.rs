//! Endings that are practised against the tables.

use super::Session;
use super::exercising::shown;
use crate::page::endings::{LADDER, best_move, ending, ending_after, play};
use crate::page::exercise::{Answer, Judgement};
use crate::page::known::Truth;
use crate::page::reply::{Reply, Tried};
use qirkat_rules::variant::Variant;
use qirkat_system::host::random;

impl Session {
    pub(super) fn list_endings(&mut self) {
        self.send(&Reply::Endings { endings: LADDER });
    }

    /// Draws a position of an ending by chance.
    pub(super) fn draw_ending(&mut self, number: u32, id: &str) {
        let drawn = ending(id).and_then(|ending| {
            let position = ending.draw(&self.tables, random())?;
            Some(Reply::EndingDrawn { number, game: ending.game, fen: position.fen() })
        });
        let nothing = || Reply::Error { text: "there is no such ending".to_owned() };
        self.send(&drawn.unwrap_or_else(nothing));
    }

    /// Tells the position of an ending after some moves, and what it is worth.
    pub(super) fn set_up_ending(
        &mut self,
        number: u32,
        game: Variant,
        fen: &str,
        moves: &[String],
    ) {
        match ending_after(game, fen, moves) {
            Ok(game) => {
                let truth = best_move(&self.tables, &game).map(|best| Truth::of(&best));
                self.send(&Reply::EndingTold { number, truth, best: truth });
                let last = game.moves().last().copied();
                let position = Box::new(shown(game.position(), last));
                self.send(&Reply::Exercise { number, position });
            }
            Err(text) => self.send(&Reply::Error { text }),
        }
    }

    /// Judges a move in an ending, and tells the longest defence.
    pub(super) fn try_in_ending(
        &mut self,
        number: u32,
        (game, fen, moves): (Variant, &str, &[String]),
        text: &str,
    ) {
        let game = match ending_after(game, fen, moves) {
            Ok(game) => game,
            Err(text) => return self.refuse(number, text),
        };
        let position = *game.position();
        let read = match game.outcome() {
            Some(outcome) => Err(format!("the game is over: {outcome}")),
            None => position.read_move(text).map_err(|error| error.to_string()),
        };
        let mv = match read {
            Ok(mv) => mv,
            Err(text) => return self.refuse(number, text),
        };
        let Some(played) = play(&self.tables, &game, mv, random()) else {
            return self.refuse(number, "the tables do not know this position".to_owned());
        };
        let judgement = match (played.wins, played.is_over) {
            (true, true) => Judgement::Solved,
            (true, false) => Judgement::Right,
            (false, _) => Judgement::Wrong,
        };
        let mut game = game;
        game.play(mv);
        let after = *game.position();
        let (truth, best) = (Some(played.truth), Some(played.best));
        self.send(&Reply::EndingTold { number, truth, best });
        let tried = Tried {
            number,
            judgement,
            text: position.san(mv),
            mv: Some(mv.to_string()),
            position: Some(shown(&after, Some(mv))),
            answer: played.reply.map(|reply| Answer::of(&after, &[reply])),
            loss: 0,
            mate: None,
        };
        self.send(&Reply::Tried(Box::new(tried)));
    }

    /// Tells the best move of an ending.
    pub(super) fn hint_in_ending(
        &mut self,
        number: u32,
        (game, fen, moves): (Variant, &str, &[String]),
    ) {
        let best = ending_after(game, fen, moves).ok().and_then(|game| {
            let best = best_move(&self.tables, &game)?;
            Some((best.mv.to_string(), game.position().san(best.mv)))
        });
        if let Some((text, san)) = best {
            self.send(&Reply::EndingHint { number, text, san });
        }
    }
}
