//! Many games, several at a time.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use super::adjudication::AdjudicationRules;
use super::openings::{OpeningBook, OpeningError};
use super::play::{FinishedGame, GameRules, play_game};
use super::schedule::ScheduledGame;
use super::time_control::TimeControl;
use super::uci_player::{EngineSetup, UciPlayer};

/// Somebody who takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contestant {
    /// The name in reports and PGN.
    pub name: String,
    /// How the engine is started.
    pub setup: EngineSetup,
    /// Its time control.
    pub control: TimeControl,
}

/// What happens in a tournament.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// A game begins.
    Started(&'a ScheduledGame),
    /// A game has ended.
    Finished(&'a ScheduledGame, &'a FinishedGame),
}

/// A tournament between engines.
pub struct Tournament {
    /// Who takes part, in the order of the schedule's numbers.
    pub contestants: Vec<Contestant>,
    /// Where games begin.
    pub openings: OpeningBook,
    /// When games end early.
    pub adjudication: AdjudicationRules,
    /// Games at a time.
    pub concurrency: usize,
    /// The pause between two games of a thread.
    pub wait: Duration,
}

/// What a game thread tells the counting thread.
enum Message {
    Started(ScheduledGame),
    Finished(ScheduledGame, Box<FinishedGame>),
    Failed(OpeningError),
}

impl Tournament {
    /// Plays the games in their order. `heard` hears of each event on the
    /// calling thread; when it returns false, or `stop` is raised, running
    /// games are broken off and nothing is left running.
    ///
    /// # Errors
    /// When an opening cannot be had.
    pub fn run(
        &self,
        games: impl IntoIterator<Item = ScheduledGame>,
        stop: &Arc<AtomicBool>,
        heard: &mut dyn FnMut(TournamentEvent<'_>) -> bool,
    ) -> Result<(), OpeningError> {
        let waiting = Mutex::new(games.into_iter().collect::<VecDeque<_>>());
        let (sender, messages) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let waiting = &waiting;
                scope.spawn(move || self.play_waiting(waiting, stop, &sender));
            }
            drop(sender);
            let mut result = Ok(());
            let mut is_over = false;
            for message in messages {
                let goes_on = match message {
                    // A decision may have been reached while others finished.
                    // A stop from outside loses none of them.
                    _ if is_over => false,
                    Message::Started(game) => heard(TournamentEvent::Started(&game)),
                    Message::Finished(game, finished) => {
                        heard(TournamentEvent::Finished(&game, &finished))
                    }
                    Message::Failed(error) => {
                        result = Err(error);
                        false
                    }
                };
                if !goes_on {
                    is_over = true;
                    stop.store(true, Ordering::Relaxed);
                }
            }
            result
        })
    }

    /// One thread: takes the next game until there is none. Engines live as
    /// long as the thread does.
    fn play_waiting(
        &self,
        waiting: &Mutex<VecDeque<ScheduledGame>>,
        stop: &Arc<AtomicBool>,
        sender: &mpsc::Sender<Message>,
    ) {
        let mut players = BTreeMap::new();
        let mut is_first = true;
        while !stop.load(Ordering::Relaxed) {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(game) = next else { return };
            if !std::mem::take(&mut is_first) {
                pause(self.wait, stop);
            }
            let message = match self.play(&game, &mut players, stop, sender) {
                Ok(Some(finished)) => Message::Finished(game, Box::new(finished)),
                Ok(None) => continue,
                Err(error) => Message::Failed(error),
            };
            if sender.send(message).is_err() {
                return;
            }
        }
    }

    fn play(
        &self,
        game: &ScheduledGame,
        players: &mut BTreeMap<usize, UciPlayer>,
        stop: &Arc<AtomicBool>,
        sender: &mpsc::Sender<Message>,
    ) -> Result<Option<FinishedGame>, OpeningError> {
        let opening = self.openings.opening(game.opening)?;
        let rules = GameRules {
            opening: &opening,
            controls: [game.white, game.black].map(|player| self.contestants[player].control),
            adjudication: self.adjudication,
            stop,
        };
        if sender.send(Message::Started(*game)).is_err() {
            return Ok(None);
        }
        let mut take = |number: usize| {
            let setup = &self.contestants[number].setup;
            players
                .remove(&number)
                .unwrap_or_else(|| UciPlayer::new(setup.clone(), Arc::clone(stop)))
        };
        let (mut white, mut black) = (take(game.white), take(game.black));
        let finished = play_game([&mut white, &mut black], &rules);
        players.insert(game.white, white);
        players.insert(game.black, black);
        Ok(finished)
    }
}

/// Time between two looks at the stop flag in a pause.
const LOOK: Duration = Duration::from_millis(20);

fn pause(time: Duration, stop: &AtomicBool) {
    let end = Instant::now() + time;
    while !stop.load(Ordering::Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(LOOK));
    }
}
