//! Friends: those who play one side of the game on another device, or look on there.

use std::sync::Arc;

use crate::page::backend::Event;
use crate::page::friends::Guest;
use crate::page::game_tree::NodeId;
use crate::page::protocol::{GuestRequest, Offer, Replies, Reply, Seat};
use crate::page::session::{Act, MAX_BAD_MESSAGES, Session, Shared};
use crate::page::shown::PointShown;
use qirkat_analysis::casual::GameEnding;
use qirkat_game::{Color, Rules};

impl Shared {
    pub fn knows_link(&self, matches: impl Fn(&str) -> bool) -> bool {
        self.friends.knows(matches)
    }

    /// Counts a connection by a link until the value is dropped; none if there are too many, or the
    /// link has ended.
    pub fn admit_friend(&self, matches: impl Fn(&str) -> bool) -> Option<Arc<()>> {
        self.friends.admit(matches)
    }

    /// A friend has come by a link. Returns a number for the connection and the name of the game, or
    /// none if the link has ended. `replies` is dropped when the connection is to end: with
    /// the link, or because a newer one takes its place or the friend reads too slowly.
    pub fn friend_comes(
        &self,
        matches: impl Fn(&str) -> bool,
        replies: Replies,
    ) -> Option<(u64, String)> {
        let hello = |seat| Reply::Hello(Box::new(self.hello(Some(seat))));
        let (number, game_id) = self.friends.join(matches, replies, hello)?;
        self.friend_says(number, &game_id, None);
        Some((number, game_id))
    }

    /// Passes a message to the session that has the game open, with its permit for a place in the
    /// queue, to be dropped once the message has been handled. No message means that the friend has
    /// come. If no session has the game open, the friend is told so.
    pub fn friend_says(&self, number: u64, game_id: &str, text: Option<(String, Box<dyn Send>)>) {
        let away = match text {
            None => Reply::Away,
            Some(_) => {
                Reply::Note { text: "Nothing was done: your friend is not here.".to_owned() }
            }
        };
        if !self.open.tell(game_id, Event::Guest(number, text)) {
            self.friends.with(game_id, number, |guest| guest.send(&away));
        }
    }

    pub fn friend_goes(&self, number: u64, game_id: &str) {
        self.friends.leave(number);
        self.open.tell(game_id, Event::Guest(number, None));
    }
}

impl Session {
    /// For White and Black, whether a friend on another device plays it, and is connected.
    pub(super) fn seats(&self) -> [Option<bool>; 2] {
        self.play().map_or([None; 2], |_| self.shared.friends.seats(&self.record.id))
    }

    pub(super) fn is_shared(&self) -> bool {
        self.seats().iter().any(Option::is_some)
    }

    pub(super) fn plays_friend(&self) -> bool {
        self.running_play().is_some() && self.is_shared()
    }

    pub(super) fn each_guest(&self, mut what: impl FnMut(&mut Guest) -> bool) {
        let last = self.play().map_or(self.record.current, |play| play.last);
        self.shared.friends.each(&self.record.id, |guest| {
            if self.record.tree.get(guest.node).is_none() {
                guest.node = last;
            }
            what(guest)
        });
    }

    pub(super) fn send_to_guests(&self, reply: &Reply) {
        self.each_guest(|guest| guest.send(reply));
    }

    /// Sends the state to one friend or to all, to each at the move that is shown there.
    pub(super) fn send_state_to_guests(&self, only: Option<u64>) {
        let seats = self.seats();
        self.each_guest(|guest| {
            if only.is_some_and(|only| only != guest.number) {
                return true;
            }
            let own = guest.seat.side();
            // The other side may be played here, by whoever has the game open.
            let friends = Color::ALL.map(|side| {
                let here = seats[side.index()].unwrap_or(true);
                (own != Some(side)).then_some(here)
            });
            let mut state = self.state_at(guest.node, friends);
            (state.analysing, state.threat, state.sweeping) = (false, false, false);
            guest.send(&Reply::State(Box::new(state)))
        });
    }

    /// A move was made: friends who look at the end of the game stay there.
    pub(super) fn take_guests_along(&self, from: NodeId, to: NodeId) {
        self.each_guest(|guest| {
            guest.node = if guest.node == from { to } else { guest.node };
            true
        });
    }

    fn guest<T>(&self, number: u64, what: impl FnOnce(&mut Guest) -> T) -> Option<T> {
        self.shared.friends.with(&self.record.id, number, what)
    }

    fn reply_to(&self, number: u64, reply: &Reply) {
        self.guest(number, |guest| guest.send(reply));
    }

    /// Tells a friend that a message was refused. One who sends too many is cut off.
    fn refuse(&self, number: u64, text: &str) {
        let reply = Reply::Error { text: text.to_owned() };
        self.each_guest(|guest| {
            let is_it = guest.number == number;
            guest.bad_messages += u32::from(is_it);
            !is_it || guest.send(&reply) && guest.bad_messages <= MAX_BAD_MESSAGES
        });
    }

    pub(super) fn hear_guest(&mut self, number: u64, message: Option<(String, Box<dyn Send>)>) {
        let seat = self.guest(number, |guest| guest.seat);
        let Some((text, _permit)) = message else {
            if seat.is_some() {
                self.reply_to(number, &self.tree_for_guests());
            }
            // The others see who is there.
            return self.send_state();
        };
        let Some(seat) = seat else { return };
        let Ok(request) = serde_json::from_str(&text) else {
            return self.refuse(number, "this link does not allow that");
        };
        match (request, seat.side()) {
            (GuestRequest::Goto { node }, _) => {
                self.guest(number, |guest| guest.node = node);
                self.send_state_to_guests(Some(number));
            }
            (GuestRequest::Point { node, point }, _) => {
                let position = self.record.tree.position(node);
                if let Some(shown) = position.and_then(|at| PointShown::of(node, &at, &point)) {
                    self.reply_to(number, &Reply::Point(shown));
                }
            }
            (_, None) => self.refuse(number, "this link is for looking on"),
            (GuestRequest::Move { node, text }, Some(side)) => {
                let position = self.record.tree.position(node);
                match position.map(|at| self.person_move(node, &at, &text, Some(side))) {
                    Some(Ok(mv)) => self.play_move(node, mv),
                    refused => {
                        if let Some(Err(reason)) = refused {
                            self.reply_to(number, &Reply::Refused { reason });
                        }
                        self.send_state_to_guests(Some(number));
                    }
                }
            }
            (GuestRequest::TakeBack, Some(side)) => self.act(side, Act::Offer(Offer::TakeBack)),
            (GuestRequest::OfferDraw, Some(side)) => self.act(side, Act::Offer(Offer::Draw)),
            (GuestRequest::Resign, Some(side)) => self.act(side, Act::Resign),
            (GuestRequest::Answer { offer, accept }, Some(side)) => {
                self.act(side, Act::Answer(offer, accept));
            }
        }
    }

    /// Does something for the side that is played here.
    pub(super) fn act_here(&mut self, act: Act) {
        match self.seats() {
            [None, Some(_)] => self.act(Color::White, act),
            [Some(_), None] => self.act(Color::Black, act),
            [Some(_), Some(_)] => {
                self.note("Friends play both sides: end a link to play yourself.");
            }
            [None, None] => {}
        }
    }

    /// Resigns, offers or answers for one side of a game between friends.
    fn act(&mut self, by: Color, act: Act) {
        let Some(last) = self.running_play().map(|play| play.last) else { return };
        match (act, self.offers.open) {
            (Act::Resign, _) => {
                self.end_by(|game, position| {
                    game.end(GameEnding::resigned(by), position.side_to_move());
                    true
                });
            }
            (Act::Offer(offer) | Act::Answer(offer, true), Some((open, other)))
                if offer == open && other != by =>
            {
                self.accept(offer, other);
            }
            // One at a time: nobody can flood the other side with them.
            (Act::Offer(_), Some((_, other))) if other == by => {}
            (Act::Offer(offer), _) => {
                let game = self.record.tree.game_at(last);
                let plies = game.moves().len();
                if self.offers.declined.contains(&(offer, by, last)) {
                    self.tell(by, "That was declined.");
                } else if offer == Offer::TakeBack
                    && plies < plies_back(by, game.position().side_to_move())
                {
                    self.tell(by, "There is no move of yours to take back.");
                } else {
                    self.offers.open = Some((offer, by));
                    self.send_state();
                }
            }
            (Act::Answer(offer, false), Some((open, other))) if offer == open && other != by => {
                self.offers.open = None;
                self.offers.declined.retain(|&(.., at)| at == last);
                self.offers.declined.push((offer, other, last));
                self.tell(other, "Your friend would like to play on.");
                self.send_state();
            }
            // It may have been withdrawn meanwhile.
            (Act::Answer(..), _) => {}
        }
    }

    fn accept(&mut self, offer: Offer, by: Color) {
        self.offers.open = None;
        match offer {
            Offer::Draw => {
                self.end_by(|game, position| game.offer_draw(None, position));
            }
            Offer::TakeBack => self.take_back(plies_back(by, self.side_to_play())),
        }
    }

    /// Tells something to whoever plays a side.
    fn tell(&mut self, side: Color, text: &str) {
        if self.seats()[side.index()].is_none() {
            return self.note(text);
        }
        let note = Reply::Note { text: text.to_owned() };
        self.each_guest(|guest| guest.seat.side() != Some(side) || guest.send(&note));
    }

    /// Makes a link to the game that is played.
    pub(super) fn share(&mut self, seat: Seat) {
        let people = self.running_play().map(|play| play.game.people);
        if people != Some([true; 2]) {
            return self.note("Only a game of two people can be shared.");
        }
        if !self.shared.friends.share(&self.record.id, seat) {
            self.fail("no more links can be made: end some of other games");
        }
        self.links_changed();
    }

    pub(super) fn end_link(&mut self, seat: Seat) {
        self.shared.friends.end(&self.record.id, Some(seat));
        self.links_changed();
    }

    fn links_changed(&mut self) {
        self.offers.open = None;
        self.send_links();
        self.send_state();
    }

    pub(super) fn send_links(&mut self) {
        if let Some(maker) = self.shared.friends.maker.clone() {
            let links = self.shared.friends.links(&self.record.id, &maker);
            self.send(&Reply::Links { links, local: maker.is_local });
        }
    }
}

/// How many plies go back so that a side is to move again.
fn plies_back(by: Color, to_move: Color) -> usize {
    if by == to_move { 2 } else { 1 }
}
