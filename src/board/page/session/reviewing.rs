//! Reviews of whole games: in the background, kept with the game.

use std::time::Duration;

use super::exercising::Trial;
use super::searching::AnalysisSettings;
use super::{Session, Shared};
use crate::page::backend::ReviewJob;
use crate::page::reply::Reply;
use crate::page::request::ReviewRequest;
use crate::page::review::ReviewNews;
use crate::page::review::Reviewed;
use crate::page::review::{JobResources, ReviewTask};
use crate::page::store::LoadError;
use qirkat_system::host::Instant;
use qirkat_system::machine::cores;

/// Plies of a game that can be reviewed. More would take hours, and the longest real
/// games are far from it.
const MAX_PLIES: usize = 1200;
/// Milliseconds for each move.
const TIMES: (u32, u32) = (1, 10_000);
/// How often the page is told how far a review has come.
const NEWS_INTERVAL: Duration = Duration::from_millis(150);

/// The reviews of a session: of its game, and of a try in an exercise.
#[derive(Default)]
pub(super) struct Reviews {
    begun: u64,
    whole: Option<WholeReview>,
    /// The try that is being judged.
    pub(super) trial: Option<Trial>,
}

/// A review of the game, in progress.
struct WholeReview {
    job: ReviewJob,
    plies: usize,
    next_news: Instant,
}

impl Reviews {
    /// A number that no review had before.
    pub(super) fn next_number(&mut self) -> u64 {
        self.begun += 1;
        self.begun
    }

    /// Breaks all off.
    pub(super) fn stop(&mut self) {
        self.whole = None;
        self.trial = None;
    }
}

impl Session {
    pub(super) fn answer_review(&mut self, request: &ReviewRequest) {
        match *request {
            ReviewRequest::Begin { time } => self.begin_review(time),
            ReviewRequest::Stop => {
                self.reviews.whole = None;
                self.send_progress(None);
            }
        }
    }

    /// Reviews the main line, in place of an analysis.
    fn begin_review(&mut self, time: u32) {
        if self.record.is_being_played() {
            return self.note("The game is still being played. End it to review it.");
        }
        let game = self.record.to_pgn();
        let plies = game.moves.len();
        if plies == 0 {
            return self.note("There is no move to review.");
        }
        if plies > MAX_PLIES {
            let text = format!("a game of {plies} plies is too long: the limit is {MAX_PLIES}");
            return self.send(&Reply::Error { text });
        }
        self.reviews.whole = None;
        self.stop_search();
        self.stop_sweep();
        self.analysing = false;
        self.threat = false;
        // What the analysis had is free for the review.
        self.thinker = None;
        let AnalysisSettings { threads, hash, .. } = self.settings;
        let time = Duration::from_millis(time.clamp(TIMES.0, TIMES.1).into());
        // It ends in a minute, and takes all cores where nobody has chosen.
        let threads = threads.unwrap_or_else(cores);
        let resources = JobResources { time, threads, hash };
        let number = self.reviews.next_number();
        let tables = self.tables.clone();
        match self.start_review(ReviewTask { number, game, resources, gives_reasons: true, tables })
        {
            Ok(job) => {
                self.reviews.whole = Some(WholeReview { job, plies, next_news: Instant::now() });
                self.send_progress(Some([0, plies]));
            }
            Err(text) => self.send(&Reply::Error { text }),
        }
        self.send_state();
    }

    /// Begins a review in the background.
    ///
    /// # Errors
    /// In words, when there is no room for it.
    pub(super) fn start_review(&self, task: ReviewTask) -> Result<ReviewJob, String> {
        let Shared { backend, allowance, .. } = &self.shared;
        ReviewJob::start(task, &**backend, allowance, &self.own_events)
    }

    /// Whether a review goes on; says so, since nothing else is searched meanwhile.
    pub(super) fn is_reviewing(&mut self) -> bool {
        let reviewing = self.reviews.whole.is_some();
        if reviewing {
            self.note("The game is being reviewed. Stop the review to analyse.");
        }
        reviewing
    }

    pub(super) fn review_progress(&mut self, number: u64, news: ReviewNews) {
        let whole = self.reviews.whole.as_ref();
        let of_whole_game = whole.is_some_and(|whole| whole.job.number() == number);
        match news {
            ReviewNews::Left(left) if of_whole_game => self.send_progress_if_due(left),
            ReviewNews::Left(_) => {}
            ReviewNews::Done(review) if of_whole_game => self.keep_review(*review),
            ReviewNews::Done(review) => self.trial_reviewed(number, &review),
            ReviewNews::Failed(text) if of_whole_game => {
                self.reviews.whole = None;
                self.send_progress(None);
                self.send(&Reply::Error { text });
            }
            ReviewNews::Failed(text) => self.trial_failed(number, text),
        }
    }

    fn send_progress_if_due(&mut self, left: usize) {
        let now = Instant::now();
        if let Some(whole) = self.reviews.whole.as_mut().filter(|whole| whole.next_news <= now) {
            whole.next_news = now + NEWS_INTERVAL;
            let plies = whole.plies;
            self.send_progress(Some([plies.saturating_sub(left), plies]));
        }
    }

    /// Keeps a review that has ended, and tells it. The game may have gone on: it is the
    /// review of the game as it was.
    fn keep_review(&mut self, review: Reviewed) {
        self.reviews.whole = None;
        self.send_progress(None);
        if !review.is_complete {
            let text = "the review ended before it was through the game".to_owned();
            return self.send(&Reply::Error { text });
        }
        self.shared.store.keep_review(&self.record.id, &review.kept);
        self.send(&Reply::Review { kept: Some(review.kept) });
    }

    /// Tells the review that is kept with the game, if there is one: the page expects
    /// none of a game that it has just been told.
    pub(super) fn send_review(&mut self) {
        match self.shared.store.review(&self.record.id) {
            Ok(kept) => self.send(&Reply::Review { kept: Some(kept) }),
            Err(LoadError::Name | LoadError::Gone) => {}
            Err(error) => self.note(format!("The review of this game cannot be read: {error}")),
        }
    }

    fn send_progress(&mut self, progress: Option<[usize; 2]>) {
        self.send(&Reply::Reviewing { progress });
    }
}
