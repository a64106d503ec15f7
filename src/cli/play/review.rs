//! The review of a game, in the background, and the page that shows it.

use std::sync::Arc;

use indicatif::ProgressBar;

use super::background::Background;
use super::news::News;
use super::options::PlayOptions;
use crate::shared::review_report::{self, ReportStyle};
use crate::shared::terminal;
use qirkat_analysis::review::{AnalystBudget, EngineAnalyst, GameReview, review_game};
use qirkat_rules::pgn::PgnGame;

/// Positions to visit for each move: a long game takes some ten seconds.
const NODES: u64 = 40_000;

/// The part of a review that is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// The chances from move to move.
    Graph,
    Report,
}

/// A review under way. Dropping it breaks it off.
pub(super) struct ReviewTask {
    wanted: Wanted,
    game: PgnGame,
    bar: ProgressBar,
    work: Background<GameReview>,
}

impl ReviewTask {
    /// Begins to review a game.
    ///
    /// # Errors
    /// When there is no thread for it.
    pub fn start(
        game: PgnGame,
        wanted: Wanted,
        options: &Arc<PlayOptions>,
    ) -> anyhow::Result<ReviewTask> {
        let bar = ProgressBar::hidden();
        let (record, told, options) = (game.clone(), bar.clone(), Arc::clone(options));
        let work = Background::start("review", move |stop| {
            let moves = record.moves.len() as u64;
            let mut analyst = EngineAnalyst::new(AnalystBudget::Nodes(NODES), moves, stop);
            let variant = record.start.variant();
            analyst.begin(variant, || options.resources.searcher(variant))?;
            analyst.on_reviewed(move |_| told.inc(1));
            Ok(review_game(&record, &mut analyst))
        })?;
        Ok(ReviewTask { wanted, game, bar, work })
    }

    /// The part of it that is to be shown.
    pub fn wanted(&self) -> Wanted {
        self.wanted
    }

    /// Something else is to be shown of it.
    pub fn want(&mut self, wanted: Wanted) {
        self.wanted = wanted;
    }

    pub fn game(&self) -> &PgnGame {
        &self.game
    }

    /// Moves reviewed, and moves in all.
    pub fn progress(&self) -> (u64, usize) {
        (self.bar.position(), self.game.moves.len())
    }

    /// The review, once it is done.
    pub fn result(&mut self) -> Option<anyhow::Result<GameReview>> {
        self.work.result()
    }
}

/// Columns at either side of a page of the screen.
const MARGIN: usize = 1;

pub(super) fn page(game: &PgnGame, review: &GameReview, wanted: Wanted, ascii: bool) -> News {
    let unicode = terminal::shows_unicode() && !ascii;
    let width = terminal::width() - 2 * MARGIN;
    match wanted {
        Wanted::Graph => News::Page {
            title: "White's chances, by a search of each position".to_owned(),
            text: review_report::graph(review, width, unicode),
        },
        Wanted::Report => {
            let style = ReportStyle { all_moves: true, width, unicode };
            News::Page {
                title: "Review".to_owned(),
                text: review_report::text(game, 1, review, style),
            }
        }
    }
}
