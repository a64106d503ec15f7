//! Friends on other devices: links with which somebody plays one side of one game or looks on, and
//! the connections of those who came by them. The session that has the game open answers them.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::page::game_tree::NodeId;
use crate::page::protocol::{LinkShown, QrCode, Replies, Reply, Seat};

const MAX_LINKS: usize = 48;
/// The most connections by one link: several tabs, or an old one that is not given up yet.
const MAX_BY_LINK: usize = 8;
/// The most connections by one link, counting those that are about to replace older ones. More are
/// refused.
const MAX_ADMITTED: usize = MAX_BY_LINK + 2;

#[derive(Debug)]
struct Link {
    token: String,
    game_id: String,
    seat: Seat,
    /// Counts the connections by it that have been let in.
    admitted: Arc<()>,
}

/// A friend's connection, come by a [`Link`].
pub(crate) struct Guest {
    pub number: u64,
    pub game_id: String,
    pub seat: Seat,
    /// The node that is shown there; no node of the game at first.
    pub node: NodeId,
    pub bad_messages: u32,
    replies: Replies,
}

impl Guest {
    /// Sends a message; returns false if it is not accepted.
    pub fn send(&mut self, reply: &Reply) -> bool {
        let text = serde_json::to_string(reply);
        text.is_ok_and(|text| (self.replies)(text))
    }
}

/// What a host provides for links.
#[derive(Clone, Debug)]
pub struct LinkMaker {
    /// What stands before the token in an address for other devices.
    pub base: String,
    /// Whether only this machine reaches it.
    pub is_local: bool,
    /// A token that cannot be guessed; none without random bytes.
    pub token: fn() -> Option<String>,
    pub code: fn(address: &str) -> Option<QrCode>,
}

#[derive(Default)]
struct Registry {
    links: Vec<Link>,
    guests: Vec<Guest>,
    next: u64,
}

/// All links and those who came by them.
#[derive(Clone, Default)]
pub(crate) struct Friends {
    /// None where no other device can come.
    pub maker: Option<Arc<LinkMaker>>,
    all: Arc<Mutex<Registry>>,
}

impl Friends {
    /// Makes the link to a seat of a game, unless there is one; returns whether there is one now.
    pub fn share(&self, game_id: &str, seat: Seat) -> bool {
        let mut all = self.all.lock();
        if all.links.iter().any(|link| link.game_id == game_id && link.seat == seat) {
            return true;
        }
        // Links to games that nobody looks at make room.
        if all.links.len() >= MAX_LINKS
            && let Some(idle) = all.links.iter().position(|link| {
                link.game_id != game_id && all.guests.iter().all(|it| it.game_id != link.game_id)
            })
        {
            all.links.remove(idle);
        }
        let token = self.maker.as_ref().and_then(|maker| (maker.token)());
        let Some(token) = token.filter(|_| all.links.len() < MAX_LINKS) else { return false };
        all.links.push(Link { token, game_id: game_id.to_owned(), seat, admitted: Arc::default() });
        true
    }

    /// Ends the links to a game, or that to one seat, with their connections.
    pub fn end(&self, game_id: &str, seat: Option<Seat>) {
        let mut all = self.all.lock();
        let stays = |of: &str, at| of != game_id || seat.is_some_and(|seat| seat != at);
        all.links.retain(|link| stays(&link.game_id, link.seat));
        all.guests.retain(|guest| stays(&guest.game_id, guest.seat));
    }

    pub fn links(&self, game_id: &str, maker: &LinkMaker) -> Vec<LinkShown> {
        let all = self.all.lock();
        let links = all.links.iter().filter(|link| link.game_id == game_id);
        let shown = |link: &Link| {
            let address = format!("{}{}/", maker.base, link.token);
            LinkShown { seat: link.seat, code: (maker.code)(&address), address }
        };
        links.map(shown).collect()
    }

    pub fn admit(&self, matches: impl Fn(&str) -> bool) -> Option<Arc<()>> {
        let all = self.all.lock();
        let link = all.links.iter().find(|link| matches(&link.token))?;
        (Arc::strong_count(&link.admitted) <= MAX_ADMITTED).then(|| Arc::clone(&link.admitted))
    }

    pub fn knows(&self, matches: impl Fn(&str) -> bool) -> bool {
        self.all.lock().links.iter().any(|link| matches(&link.token))
    }

    /// For White and Black, whether a friend has the seat, and if so whether one is connected.
    pub fn seats(&self, game_id: &str) -> [Option<bool>; 2] {
        let all = self.all.lock();
        [Seat::White, Seat::Black].map(|seat| {
            let link = all.links.iter().find(|link| link.game_id == game_id && link.seat == seat);
            link.map(|_| all.guests.iter().any(|one| one.game_id == game_id && one.seat == seat))
        })
    }

    /// A connection by a link: its number and its game. Of too many the oldest goes.
    pub fn join(
        &self,
        matches: impl Fn(&str) -> bool,
        replies: Replies,
        hello: impl FnOnce(Seat) -> Reply,
    ) -> Option<(u64, String)> {
        let mut all = self.all.lock();
        let link = all.links.iter().find(|link| matches(&link.token))?;
        let (game_id, seat) = (link.game_id.clone(), link.seat);
        let by_link = |guest: &Guest| guest.game_id == game_id && guest.seat == seat;
        if all.guests.iter().filter(|guest| by_link(guest)).count() >= MAX_BY_LINK
            && let Some(oldest) = all.guests.iter().position(by_link)
        {
            all.guests.remove(oldest).send(&Reply::TakenOver);
        }
        let number = all.next;
        all.next += 1;
        let joined = (number, game_id.clone());
        let node = NodeId::MAX;
        let mut guest = Guest { number, game_id, seat, node, bad_messages: 0, replies };
        guest.send(&hello(seat));
        all.guests.push(guest);
        Some(joined)
    }

    pub fn leave(&self, number: u64) {
        self.all.lock().guests.retain(|guest| guest.number != number);
    }

    /// Does something for each connection to a game, such as sending what is new. Those for which
    /// it fails are ended: they read too slowly.
    pub fn each(&self, game_id: &str, mut what: impl FnMut(&mut Guest) -> bool) {
        self.all.lock().guests.retain_mut(|guest| guest.game_id != game_id || what(guest));
    }

    /// Does something for one connection to a game, and returns its result; none if the connection
    /// is not there any more. Unlike with [`Friends::each`], a failure ends nothing.
    pub fn with<T>(
        &self,
        game_id: &str,
        number: u64,
        what: impl FnOnce(&mut Guest) -> T,
    ) -> Option<T> {
        let mut all = self.all.lock();
        let here = all.guests.iter_mut().find(|one| one.number == number && one.game_id == game_id);
        here.map(what)
    }
}
