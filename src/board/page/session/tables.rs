//! What is known for certain where one looks: endgame tables, and the certificate of Alquerque,
//! which a page without a server fetches when it is first of use.

use std::sync::Arc;

use super::Session;
use crate::page::game_tree::NodeId;
use crate::page::known::Known;
use crate::page::reply::Reply;
use qirkat_rules::variant::Variant;
use qirkat_tablebase::alquerque::MenTables;

/// Where a certificate is to be had that is not in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Fetched {
    /// Nobody has asked for it.
    #[default]
    Never,
    OnItsWay,
    /// It is here, or could not be had.
    Done,
}

impl Session {
    /// Tells what is known of each move at a node. Nothing is told of a game that is being played.
    pub(super) fn tell_known(&mut self, node: NodeId) {
        if self.record.is_being_played() || self.record.tree.get(node).is_none() {
            return;
        }
        self.known_told = Some(node);
        self.fetch_certificate_if_needed();
        let game = self.record.tree.game_at(node);
        let mut known = Known::of(node, &self.tables, &game);
        known.waits =
            self.record.variant == Variant::Alquerque && self.fetched == Fetched::OnItsWay;
        self.send(&Reply::Known(known));
    }

    pub(super) fn fetch_certificate_if_needed(&mut self) {
        let is_needed = self.record.variant == Variant::Alquerque && !self.has_certificate();
        if is_needed && self.fetched == Fetched::Never {
            let is_coming = self.shared.backend.fetch_certificate(&self.own_events);
            self.fetched = if is_coming { Fetched::OnItsWay } else { Fetched::Done };
        }
    }

    pub(crate) fn has_certificate(&self) -> bool {
        self.tables.alquerque.certificates() > 0
    }

    /// A certificate has come, or could not be had.
    pub(super) fn take_certificate(&mut self, bytes: &[u8]) {
        self.fetched = Fetched::Done;
        let mut men = MenTables::with_embedded();
        match men.add_certificate(bytes) {
            Ok(()) => self.tables.alquerque = Arc::new(men),
            Err(_) if bytes.is_empty() => {}
            Err(error) => {
                self.send(&Reply::Error { text: format!("the certificate of Alquerque: {error}") });
            }
        }
        if let Some(node) = self.known_told {
            self.tell_known(node);
        }
    }
}
