//! What a review shows on the screen or in lines.

use super::super::annotate::{graph, report};
use super::super::terminal;
use super::news::News;
use super::review_task::Wanted;
use crate::pgn::PgnGame;
use crate::review::GameReview;

/// The page that is wanted.
pub(super) fn page(game: &PgnGame, review: &GameReview, wanted: Wanted, ascii: bool) -> News {
    let unicode = terminal::shows_unicode() && !ascii;
    match wanted {
        Wanted::Graph => News::Page {
            title: "White's chances, by a search of each position".to_owned(),
            text: graph::text(review, terminal::width(), unicode),
        },
        Wanted::Report => {
            News::Page { title: "Review".to_owned(), text: report::text(game, 1, review, true) }
        }
    }
}
