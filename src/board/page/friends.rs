//! Friends on other devices: links with which somebody plays one side of one game or looks on, and
//! the connections of those who came by them. The session that has the game open answers them.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::page::game_tree::NodeId;
use crate::page::protocol::{LinkShown, QrCode, Replies, Reply, Seat};

const MAX_LINKS: usize = 48;
/// The most connections by one link: several tabs, or an old one that is not given up yet.
const MAX_BY_LINK: usize = 8;
/// More by one link are refused, so that others find room. A few take the place of older ones.
const MAX_ADMITTED: usize = MAX_BY_LINK + 2;

#[derive(Debug)]
struct Link {
    token: String,
    game: String,
    seat: Seat,
    /// Counts the connections by it that have been let in.
    admitted: Arc<()>,
}

pub(crate) struct Guest {
    pub number: u64,
    pub game: String,
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
struct Table {
    links: Vec<Link>,
    guests: Vec<Guest>,
    next: u64,
}

/// All links and those who came by them.
#[derive(Clone, Default)]
pub(crate) struct Friends {
    /// None where no other device can come.
    pub maker: Option<Arc<LinkMaker>>,
    table: Arc<Mutex<Table>>,
}

impl Friends {
    /// Makes the link to a seat of a game, unless there is one; returns whether there is one now.
    pub fn share(&self, game: &str, seat: Seat) -> bool {
        let mut table = self.table.lock();
        if table.links.iter().any(|link| link.game == game && link.seat == seat) {
            return true;
        }
        // Links to games that nobody looks at make room.
        if table.links.len() >= MAX_LINKS
            && let Some(idle) = table.links.iter().position(|link| {
                link.game != game && table.guests.iter().all(|guest| guest.game != link.game)
            })
        {
            table.links.remove(idle);
        }
        let token = self.maker.as_ref().and_then(|maker| (maker.token)());
        let Some(token) = token.filter(|_| table.links.len() < MAX_LINKS) else { return false };
        table.links.push(Link { token, game: game.to_owned(), seat, admitted: Arc::default() });
        true
    }

    /// Ends the links to a game, or that to one seat, with their connections.
    pub fn end(&self, game: &str, seat: Option<Seat>) {
        let mut table = self.table.lock();
        let stays = |of: &str, at| of != game || seat.is_some_and(|seat| seat != at);
        table.links.retain(|link| stays(&link.game, link.seat));
        table.guests.retain(|guest| stays(&guest.game, guest.seat));
    }

    pub fn links(&self, game: &str, maker: &LinkMaker) -> Vec<LinkShown> {
        let table = self.table.lock();
        let links = table.links.iter().filter(|link| link.game == game);
        let shown = |link: &Link| {
            let address = format!("{}{}/", maker.base, link.token);
            LinkShown { seat: link.seat, code: (maker.code)(&address), address }
        };
        links.map(shown).collect()
    }

    pub fn admit(&self, is_token: impl Fn(&str) -> bool) -> Option<Arc<()>> {
        let table = self.table.lock();
        let link = table.links.iter().find(|link| is_token(&link.token))?;
        (Arc::strong_count(&link.admitted) <= MAX_ADMITTED).then(|| Arc::clone(&link.admitted))
    }

    pub fn knows(&self, is_token: impl Fn(&str) -> bool) -> bool {
        self.table.lock().links.iter().any(|link| is_token(&link.token))
    }

    /// For White and Black, whether a friend has the seat, and if so whether one is connected.
    pub fn seats(&self, game: &str) -> [Option<bool>; 2] {
        let table = self.table.lock();
        [Seat::White, Seat::Black].map(|seat| {
            let link = table.links.iter().find(|link| link.game == game && link.seat == seat);
            link.map(|_| table.guests.iter().any(|one| one.game == game && one.seat == seat))
        })
    }

    /// A connection by a link: its number and its game. Of too many the oldest goes.
    pub fn join(
        &self,
        is_token: impl Fn(&str) -> bool,
        replies: Replies,
        hello: impl FnOnce(Seat) -> Reply,
    ) -> Option<(u64, String)> {
        let mut table = self.table.lock();
        let link = table.links.iter().find(|link| is_token(&link.token))?;
        let (game, seat) = (link.game.clone(), link.seat);
        let by_link = |guest: &Guest| guest.game == game && guest.seat == seat;
        if table.guests.iter().filter(|guest| by_link(guest)).count() >= MAX_BY_LINK
            && let Some(oldest) = table.guests.iter().position(by_link)
        {
            table.guests.remove(oldest).send(&Reply::TakenOver);
        }
        let number = table.next;
        table.next += 1;
        let mut guest =
            Guest { number, game: game.clone(), seat, node: NodeId::MAX, bad_messages: 0, replies };
        guest.send(&hello(seat));
        table.guests.push(guest);
        Some((number, game))
    }

    pub fn leave(&self, number: u64) {
        self.table.lock().guests.retain(|guest| guest.number != number);
    }

    /// Does something for each connection to a game, such as sending what is new. Those for which
    /// it fails are ended: they read too slowly.
    pub fn each(&self, game: &str, mut what: impl FnMut(&mut Guest) -> bool) {
        self.table.lock().guests.retain_mut(|guest| guest.game != game || what(guest));
    }

    /// The same for one connection to a game; none if it is not there any more.
    pub fn with<T>(
        &self,
        game: &str,
        number: u64,
        what: impl FnOnce(&mut Guest) -> T,
    ) -> Option<T> {
        let mut table = self.table.lock();
        let here = table.guests.iter_mut().find(|one| one.number == number && one.game == game);
        here.map(what)
    }
}
