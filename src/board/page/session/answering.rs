//! The events that come to a session: requests of the page, and reports of searches and
//! reviews. Each is handed to what answers it.

use super::Session;
use crate::page::event::Event;
use crate::page::game_tree::GameTree;
use crate::page::record::Record;
use crate::page::reply::Reply;
use crate::page::request::Request;

/// Messages that are not understood before the connection is given up.
const MAX_GARBAGE: u32 = 100;

impl Session {
    pub fn handle(&mut self, event: Event) {
        match event {
            Event::Request(text, _guard) => match serde_json::from_str(&text) {
                Ok(request) => self.answer(request),
                Err(error) => self.reject_garbage(&error),
            },
            Event::Line(number, line) => self.take_line(number, *line),
            Event::Finished(number, result) => self.take_result(number, &result),
            Event::Broken(number) => self.search_failed(number),
            Event::Review(number, news) => self.review_progress(number, news),
            Event::Openings(number, progress) => self.openings_progress(number, progress),
            Event::Certificate(bytes) => self.take_certificate(&bytes),
            Event::Leave(done) => {
                self.leave();
                self.record = Record::new(GameTree::new(self.record.variant.start()));
                self.send(&Reply::TakenOver);
                drop(done);
            }
            Event::Closed => self.gone = true,
        }
    }

    fn reject_garbage(&mut self, error: &serde_json::Error) {
        self.garbage += 1;
        self.send(&Reply::Error { text: format!("the message was not understood: {error}") });
        self.gone |= self.garbage > MAX_GARBAGE;
    }

    fn answer(&mut self, request: Request) {
        match request {
            Request::Open { id } => self.open(id),
            Request::List => self.begin_list(),
            Request::ListMore => self.go_on_with_list(),
            Request::Save => self.save_again(),
            Request::Forget { id } => self.forget(&id),
            Request::New(new) => self.begin(&new),
            Request::Move { node, text } => self.make_move(node, &text),
            Request::Goto { node } => self.go_to(node),
            Request::TakeBack => self.take_back(),
            Request::Hint => self.give_hint(),
            Request::Resign => self.resign(),
            Request::OfferDraw => self.consider_draw(),
            Request::Pause { on } => self.pause(on),
            Request::BreakOff => self.break_off(),
            Request::Analyse { on, threat } => self.analyse(on, threat),
            Request::Values { node } => self.send_values(node),
            Request::Point { node, point } => self.tell_point(node, point),
            Request::Known { node } => self.tell_known(node),
            Request::Sweep => self.begin_sweep(),
            Request::Settings { lines, threads, hash } => self.set(lines, threads, hash),
            Request::Prefer { preferences } => self.shared.store.prefer(&preferences),
            Request::Comment { node, text } => self.comment(node, text),
            Request::Draw { node, shapes } => self.draw(node, &shapes),
            Request::Mark { node, nags } => self.mark(node, nags),
            Request::Promote { node } => self.promote(node),
            Request::Remove { node } => self.remove(node),
            Request::Check { game, fen } => self.check(game, fen),
            Request::Import { pgn } => self.import(&pgn),
            Request::Pick { index } => self.pick(index),
            Request::Export => self.write_down(),
            Request::ExportKept { id } => self.write_kept(id),
            Request::Review(request) => self.answer_review(&request),
            Request::Exercise(request) => self.answer_exercise(&request),
            Request::Train(request) => self.train(&request),
            Request::Ponder { on } => self.let_ponder(on),
            Request::Watch { on } => self.watch(on),
            Request::OpenWatched { game } => self.open_watched(game),
            Request::LoadOpenings { name } => self.load_openings(&name),
            Request::OpeningsPiece { text, last } => self.take_piece(text, last),
            Request::ForgetOpenings => self.forget_openings(),
        }
    }
}
