//! Live games: the games in progress, for programs that show them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};

use crate::finished_game::PlayedMove;
use crate::player::{SearchInfo, Thought};
use crate::schedule::ScheduledGame;
use crate::time_control::GameClock;

#[derive(Clone, Debug)]
pub struct LiveGame {
    pub game: ScheduledGame,
    pub start: AnyPosition,
    /// The moves so far, the opening's first, without PVs.
    pub moves: Vec<PlayedMove>,
    /// White's and Black's remaining time after the last move; `None` before the first move or
    /// without a clock.
    pub clocks: [Option<Duration>; 2],
}

#[derive(Debug, Default)]
struct Games {
    by_number: BTreeMap<usize, LiveGame>,
    changes: u64,
}

/// The games in progress. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct LiveGames(Arc<Mutex<Games>>);

impl LiveGames {
    /// Counts changes: as long as it is equal, the games are.
    pub fn changes(&self) -> u64 {
        self.0.lock().changes
    }

    pub fn snapshot(&self) -> Vec<LiveGame> {
        self.0.lock().by_number.values().cloned().collect()
    }

    /// Removes a game. It stays after its last move until then, so that it is never missing before
    /// it is saved elsewhere.
    pub fn end(&self, number: usize) {
        let mut games = self.0.lock();
        games.by_number.remove(&number);
        games.changes += 1;
    }

    pub(super) fn begin(&self, game: &ScheduledGame, opening: &AnyGame) {
        let played = |&mv: &AnyMove| PlayedMove { mv, thought: None };
        let live = LiveGame {
            game: *game,
            start: *opening.start(),
            moves: opening.moves().iter().map(played).collect(),
            clocks: [None; 2],
        };
        let mut games = self.0.lock();
        games.by_number.insert(game.number, live);
        games.changes += 1;
    }

    pub(super) fn moved(
        &self,
        number: usize,
        mv: AnyMove,
        thought: &Thought,
        clocks: [&GameClock; 2],
    ) {
        // A PV may be long.
        let info = SearchInfo { pv: String::new(), ..thought.info.clone() };
        let thought = Some(Thought { info, time: thought.time });
        let mut games = self.0.lock();
        if let Some(game) = games.by_number.get_mut(&number) {
            game.moves.push(PlayedMove { mv, thought });
            game.clocks = clocks.map(|clock| Some(clock.reading()?.remaining));
            games.changes += 1;
        }
    }
}

/// A file beside that of finished games.
pub fn live_file(games: &Path) -> PathBuf {
    games.with_added_extension("live")
}

#[cfg(test)]
mod tests {
    use qirkat_game::Rules;
    use qirkat_rules::variant::Variant;

    use super::*;
    use crate::time_control::TimeControl;

    #[test]
    fn a_game_is_shown_from_its_opening_until_it_is_put_away() {
        let start = Variant::default().start();
        let moves = start.legal_moves();
        let mut opening = AnyGame::from_position(start);
        opening.play(moves[0]);
        let scheduled = ScheduledGame {
            number: 7,
            pair: 3,
            is_return: true,
            white: 1,
            black: 0,
            opening: 3,
            round: 0,
        };
        let live = LiveGames::default();
        let before = live.changes();
        live.begin(&scheduled, &opening);
        assert_ne!(live.changes(), before);
        let info = SearchInfo { nodes: Some(5), pv: "e2e4".to_owned(), ..SearchInfo::default() };
        let thought = Thought { info, time: Duration::from_millis(3) };
        let clock = "10+0.1".parse().ok();
        let clocked = GameClock::new(TimeControl { clock, ..TimeControl::default() });
        let unbounded = GameClock::new(TimeControl::default());
        live.moved(7, moves[1], &thought, [&clocked, &unbounded]);
        // A game that nobody has begun.
        live.moved(8, moves[1], &thought, [&clocked, &unbounded]);
        let games = live.snapshot();
        let [game] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!(game.game, scheduled);
        let played: Vec<_> = game.moves.iter().map(|played| played.mv).collect();
        assert_eq!(played, moves[..2]);
        assert_eq!(game.clocks, [Some(Duration::from_secs(10)), None]);
        let last = game.moves[1].thought.as_ref().expect("a thought");
        assert_eq!((last.info.nodes, last.info.pv.as_str()), (Some(5), ""));
        let seen = live.changes();
        live.end(7);
        assert_ne!(live.changes(), seen);
        assert!(live.snapshot().is_empty());
    }
}
