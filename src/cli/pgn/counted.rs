//! Numbers of things in words.

/// A number of things, as in `1 game`.
pub(in crate::cli) fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
