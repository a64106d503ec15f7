//! What a review shows on the screen or in lines.

use super::super::annotate::graph;
use super::super::annotate::report::{self, ReportStyle};
use super::super::terminal;
use super::news::News;
use super::review_task::Wanted;
use qirkat_analysis::review::GameReview;
use qirkat_notation::pgn::PgnGame;

/// Columns at either side of a page of the screen.
const MARGIN: usize = 1;

/// The page that is wanted.
pub(super) fn page(game: &PgnGame, review: &GameReview, wanted: Wanted, ascii: bool) -> News {
    let unicode = terminal::shows_unicode() && !ascii;
    let width = terminal::width() - 2 * MARGIN;
    match wanted {
        Wanted::Graph => News::Page {
            title: "White's chances, by a search of each position".to_owned(),
            text: graph::text(review, width, unicode),
        },
        Wanted::Report => {
            let style = ReportStyle { all_moves: true, width, unicode };
            News::Page { title: "Review".to_owned(), text: report::text(game, 1, review, style) }
        }
    }
}
