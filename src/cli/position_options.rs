//! The options that choose a game and a position.

use clap::Args;

use qirkat_rules::variant::Variant;

/// The game that a command is about.
#[derive(Args)]
pub(super) struct GameChoice {
    /// Which game: chesquerque, masonic or alquerque
    #[arg(long = "game", value_name = "GAME", default_value_t, hide_default_value = true)]
    pub variant: Variant,
}

/// A position on the command line.
#[derive(Args)]
pub(super) struct PositionOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// The position; the usual starting position when not given
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves made from there, such as `e2e4 e8e6` or `e4 e6`
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
}
