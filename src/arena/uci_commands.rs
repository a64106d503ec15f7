//! The UCI commands that the arbiter sends to an engine.

use super::player::Turn;
use qirkat_game::Color;
use qirkat_game::text::push;

/// A button has no value.
pub(super) fn set_option_command(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

/// Where the game stands.
pub(super) fn position_command(turn: &Turn<'_>) -> String {
    let start = turn.start;
    let mut command = if *start == start.variant().start() {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    };
    if !turn.moves.is_empty() {
        command.push_str(" moves");
    }
    for mv in turn.moves {
        push(&mut command, format_args!(" {mv}"));
    }
    command
}

/// The question for a move, with its limits.
pub(super) fn go_command(turn: &Turn<'_>, beginning: &str) -> String {
    let mut command = beginning.to_owned();
    for (color, letter) in [(Color::White, 'w'), (Color::Black, 'b')] {
        if let Some(clock) = turn.clocks[color.index()].reading() {
            push(
                &mut command,
                format_args!(
                    " {letter}time {} {letter}inc {}",
                    clock.remaining.as_millis(),
                    clock.increment.as_millis()
                ),
            );
        }
    }
    let clock = turn.own_clock();
    if let Some(moves) = clock.reading().and_then(|clock| clock.moves_to_go) {
        push(&mut command, format_args!(" movestogo {moves}"));
    }
    let control = clock.control();
    if let Some(time) = control.move_time {
        push(&mut command, format_args!(" movetime {}", time.as_millis()));
    }
    if let Some(nodes) = control.nodes {
        push(&mut command, format_args!(" nodes {nodes}"));
    }
    if let Some(depth) = control.depth {
        push(&mut command, format_args!(" depth {depth}"));
    }
    command
}
