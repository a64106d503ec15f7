//! Answers to a person's questions: reviews, moves and clocks.

use super::Session;
use crate::play::move_input;
use crate::play::news::News;
use crate::play::review::{self, ReviewTask, Wanted};
use crate::shared::terminal;
use qirkat_analysis::casual::{clock_text, points_of};
use qirkat_game::{Color, Rules};

/// Columns of a list of moves at most.
const LIST_WIDTH: usize = 78;

impl Session {
    pub(super) fn begin_review(&mut self, wanted: Wanted, news: &mut Vec<News>) {
        let record = self.record();
        if record.moves.is_empty() {
            return news.push(News::refused("there is nothing to review yet"));
        }
        if let Some((known, _)) = &mut self.reviewed
            && known.moves == record.moves
        {
            // The result may be new.
            *known = record;
            return self.show_review(wanted, news);
        }
        if let Some(task) = &mut self.review
            && task.game().moves == record.moves
        {
            return task.want(wanted);
        }
        // One that goes on is about other moves.
        self.review = None;
        match ReviewTask::start(record, wanted, &self.options) {
            Ok(task) => {
                self.review = Some(task);
                news.push(News::Said("Going through the moves ...".to_owned()));
            }
            Err(error) => news.push(News::refused(&format!("{error:#}"))),
        }
    }

    pub(super) fn show_review(&self, wanted: Wanted, news: &mut Vec<News>) {
        if let Some((game, review)) = &self.reviewed {
            news.push(review::page(game, review, wanted, self.options.ascii));
        }
    }

    /// Breaks a review or the search for a hint off. Whether there was any.
    pub fn break_off(&mut self) -> bool {
        let reviewing = self.review.take().is_some();
        let hinting = self.hint_search.take().is_some();
        reviewing || hinting
    }

    pub(super) fn list_moves(&self, from: Option<&str>, news: &mut Vec<News>) {
        let position = self.game.position();
        if let Some(point) = from
            && let Some(reason) = move_input::why_not_from(position, point)
        {
            return news.push(News::refused(&reason));
        }
        let moves = position.legal_moves().into_iter();
        let moves = moves.filter(|&mv| {
            from.is_none_or(|from| points_of(mv).0.first().is_some_and(|point| point == from))
        });
        let mut written: Vec<String> = moves.map(|mv| position.san(mv)).collect();
        written.sort();
        if written.is_empty() {
            return news.push(News::refused("there is no legal move"));
        }
        let lead = format!("{} legal: ", written.len());
        let text = terminal::wrapped(&lead, &written, LIST_WIDTH.min(terminal::width()), 2);
        news.push(News::Page { title: "Moves".to_owned(), text });
    }

    pub(super) fn clocks_in_words(&self) -> String {
        let side = |color: Color| {
            let left = self.game.left(color)?;
            Some(format!("{color:?} {}", clock_text(left)))
        };
        match (side(Color::White), side(Color::Black)) {
            (Some(white), Some(black)) => format!("{white}, {black}"),
            _ => "There are no clocks.".to_owned(),
        }
    }
}
