//! What has to be answered or closed before the game goes on.

use super::page::Page;

/// What has to be answered or closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Dialog {
    /// Whether the person really gives up.
    Resign,
    /// Whether a game that is in no file is to be added to this one.
    Leave(String),
    /// A text to be read.
    Page(Page),
}

impl Dialog {
    /// The question, if it is one.
    pub fn question(&self) -> Option<String> {
        match self {
            Dialog::Resign => Some("Give the game up?  y: yes   n: no".to_owned()),
            Dialog::Leave(file) => Some(format!(
                "Save the game before you leave?  y: yes, add it to {file}   n: no   Esc: stay"
            )),
            Dialog::Page(_) => None,
        }
    }
}
