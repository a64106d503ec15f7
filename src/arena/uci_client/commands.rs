//! UCI commands that are made in several places.

use std::fmt::Display;

use qirkat_game::text::push;

pub(crate) fn set_option_command(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

/// Where a game stands: `start` is `startpos`, or `fen` and a FEN.
pub(crate) fn position_command(
    start: &str,
    moves: impl IntoIterator<Item = impl Display>,
) -> String {
    let mut command = format!("position {start}");
    for (index, mv) in moves.into_iter().enumerate() {
        push(&mut command, format_args!("{} {mv}", if index == 0 { " moves" } else { "" }));
    }
    command
}
