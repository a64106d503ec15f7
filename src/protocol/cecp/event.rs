//! What a conversation waits for.

use crate::protocol::input_lines::Input;

/// What the conversation has to react to.
pub(super) enum Event {
    Input(Input),
    /// The search of this number has ended.
    SearchEnded(u64),
}
