//! Looking through games: going from node to node, variations, comments, and
//! games from files and for them.

use super::Session;
use crate::page::game_tree::NodeId;
use crate::page::move_notes::note_shapes;
use crate::page::point::PointShown;
use crate::page::record::{Record, tag_shown};
use crate::page::reply::Reply;
use crate::page::store::LoadError;
use qirkat_game::GameResult;
use qirkat_game::text::counted;
use qirkat_rules::pgn::PgnReader;
use qirkat_rules::variant::Variant;

const MAX_COMMENT: usize = 4000;
/// Marks of a move.
const MAX_NAGS: usize = 8;
/// Games read at once.
const MAX_GAMES: usize = 2000;
const LISTED_AT_ONCE: usize = 50;
/// Faults shown of games that could not be read.
const MAX_FAULTS: usize = 20;

impl Session {
    /// Tells what attacks a point, and where the piece on it may go.
    pub(super) fn tell_point(&mut self, node: NodeId, point: String) {
        let position = self.record.tree.get(node).map(|node| node.position);
        if let Some(shown) = position.and_then(|position| PointShown::of(&position, &point)) {
            self.send(&Reply::Point { node, point, shown });
        }
    }

    /// Opens a game by its name; without one the last that no other tab has open.
    pub(super) fn open(&mut self, id: Option<String>) {
        if let Some(id) = id {
            if id == self.record.id && self.record.is_worth_keeping() {
                return self.send_all();
            }
            self.shared.open.take_over(&id, self.number);
            match self.shared.store.load(&id) {
                Ok(record) => return self.take_up(record),
                Err(LoadError::Gone | LoadError::Name) => {
                    self.note("That game is not there any more.");
                }
                Err(error) => {
                    let text = format!("that game cannot be read: {error}");
                    self.send(&Reply::Error { text });
                }
            }
        }
        let names = self.shared.store.names();
        let mut free = names.into_iter().filter(|(id, _)| !self.shared.open.is_open(id));
        match free.find_map(|(id, _)| self.shared.store.load(&id).ok()) {
            Some(record) => self.take_up(record),
            None => self.send_all(),
        }
    }

    fn send_all(&mut self) {
        self.send_tree();
        self.send_state();
    }

    /// Throws a game away that no tab has open.
    pub(super) fn forget(&mut self, id: &str) {
        if self.shared.open.is_open(id) {
            return self.note("This game is open.");
        }
        match self.shared.store.remove(id) {
            Ok(()) => {
                self.shared.trainer.forget(id);
                self.send(&Reply::Forgotten { id: id.to_owned() });
            }
            Err(error) => {
                let text = format!("the game cannot be deleted: {error}");
                self.send(&Reply::Error { text });
            }
        }
    }

    /// Begins to list the games that are kept.
    pub(super) fn begin_list(&mut self) {
        self.to_list = self.shared.store.names().into();
        self.go_on_with_list();
    }

    /// Lists the next games. All of them at once would keep the session from its game: each
    /// is read and played through.
    pub(super) fn go_on_with_list(&mut self) {
        let next = self.to_list.drain(..self.to_list.len().min(LISTED_AT_ONCE));
        let (mut games, mut unreadable) = (Vec::new(), Vec::new());
        for (id, time) in next {
            match self.shared.store.listed(&id, time) {
                Some(Ok(game)) => games.push(game),
                Some(Err(file)) => unreadable.push(file),
                None => {}
            }
        }
        self.send(&Reply::Games { games, unreadable, left: self.to_list.len() });
    }

    pub(super) fn go_to(&mut self, node: NodeId) {
        if self.record.tree.get(node).is_some() && node != self.record.current {
            self.record.current = node;
            if self.analysing {
                self.search_where_one_looks();
            }
        }
        self.send_state();
    }

    pub(super) fn comment(&mut self, node: NodeId, text: String) {
        if let Some(node) = self.record.tree.get_mut(node) {
            node.comment = text.chars().take(MAX_COMMENT).collect();
        }
        self.changed();
    }

    /// Keeps drawn arrows and circles with a node.
    pub(super) fn draw(&mut self, node: NodeId, shapes: &[String]) {
        if let Some(node) = self.record.tree.get_mut(node) {
            note_shapes(&mut node.notes, shapes);
        }
        self.changed();
    }

    pub(super) fn mark(&mut self, node: NodeId, mut nags: Vec<u8>) {
        nags.truncate(MAX_NAGS);
        if let Some(node) = self.record.tree.get_mut(node) {
            node.nags = nags;
        }
        self.changed();
    }

    pub(super) fn promote(&mut self, node: NodeId) {
        if self.may_rearrange() {
            self.record.tree.promote(node);
            self.changed();
        }
    }

    pub(super) fn remove(&mut self, node: NodeId) {
        if !self.may_rearrange() {
            return;
        }
        let before = self.record.tree.remove(node);
        if self.record.tree.get(self.record.current).is_none() {
            self.record.current = before;
            self.search_where_one_looks();
        }
        let last = self.play().map(|play| play.last);
        if last.is_some_and(|last| self.record.tree.get(last).is_none())
            && let Some(play) = &mut self.record.play
        {
            play.last = before;
        }
        self.changed();
    }

    /// While a game is played, its moves are what they are.
    fn may_rearrange(&mut self) -> bool {
        let playing = self.record.is_being_played();
        if playing {
            self.note("The game is still being played.");
        }
        !playing
    }

    fn changed(&mut self) {
        self.save();
        self.send_all();
    }

    /// Whether a FEN is a position, and if not, why.
    pub(super) fn check(&mut self, game: Variant, fen: String) {
        let (known, text) = match game.read_fen(&fen) {
            Ok(parsed) => (Some(parsed.position.fen()), parsed.notice),
            Err(error) => (None, Some(error.to_string())),
        };
        self.send(&Reply::Checked { asked: fen, fen: known, text });
    }

    /// Reads games. One is opened at once, of several one is chosen.
    pub(super) fn import(&mut self, pgn: &str) {
        let mut faults = Vec::new();
        self.imported.clear();
        self.picked.clear();
        let mut cut = 0;
        let mut reader = PgnReader::new(pgn.as_bytes());
        for read in reader.by_ref().take(MAX_GAMES) {
            match read {
                Ok(read) => {
                    cut += read.unread.len() as u64;
                    self.imported.push(read.game);
                }
                Err(error) if faults.len() < MAX_FAULTS => faults.push(error.to_string()),
                Err(_) => {}
            }
        }
        if reader.next().is_some() {
            self.note(format!("Only the first {MAX_GAMES} games were read"));
        }
        if cut > 0 {
            let places = counted(cut, "place");
            self.note(format!("Not all could be read in {places}; the rest is in comments"));
        }
        if self.imported.len() == 1 && faults.is_empty() {
            return self.pick(0);
        }
        if self.imported.is_empty() && faults.is_empty() {
            faults.push("There is no game in this text.".to_owned());
        }
        let titles = self.imported.iter().map(|game| {
            // A name in any direction of writing stands for itself.
            let tag =
                |name| format!("\u{2068}{}\u{2069}", tag_shown(game.tag(name).unwrap_or("?")));
            let result = match game.result {
                GameResult::Unfinished => String::new(),
                result => format!(", {result}"),
            };
            let moves = counted(game.moves.len().div_ceil(2) as u64, "move");
            format!("{} and {}{result}, {moves}", tag("White"), tag("Black"))
        });
        let games = titles.collect();
        self.send(&Reply::Imported { games, faults });
    }

    /// Opens a game that was read. Whoever comes back to it finds it as it was left.
    pub(super) fn pick(&mut self, index: usize) {
        let Some(game) = self.imported.get(index) else { return };
        let kept = self.picked.get(&index).filter(|id| self.shared.store.load(id).is_ok());
        if let Some(id) = kept.cloned() {
            return self.open(Some(id));
        }
        match Record::from_pgn(game) {
            Ok(record) => {
                self.picked.insert(index, record.id.clone());
                self.take_up(record);
            }
            Err(error) => self.send(&Reply::Error { text: error.to_string() }),
        }
    }

    pub(super) fn write_down(&mut self) {
        let here = self.record.tree.get(self.record.current);
        let fen = here.map_or_else(String::new, |node| node.position.fen());
        let pgn = self.record.to_pgn().to_string();
        self.send(&Reply::Written { pgn, fen });
    }

    /// Writes a game down that is kept.
    pub(super) fn write_kept(&mut self, id: String) {
        let record = self.shared.store.load(&id).ok();
        let pgn = record.map(|record| record.to_pgn().to_string());
        self.send(&Reply::KeptWritten { id, pgn });
    }
}
