//! The position that a command works on: its options, and how it is set up.

use std::str::FromStr;

use anyhow::{Context, anyhow};
use clap::Args;

use super::terminal::print_message;
use super::value_names::named;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};

/// The game that a command is about.
#[derive(Args)]
pub(super) struct GameChoice {
    /// Which game: chesquerque, masonic or alquerque
    #[arg(long = "game", value_name = "GAME", default_value_t, hide_default_value = true, value_parser = named(Variant::from_str, Variant::ALL.map(Variant::name)), hide_possible_values = true)]
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

/// Sets up the position and makes the moves, written either way.
pub(super) fn game(options: &PositionOptions) -> anyhow::Result<AnyGame> {
    let mut game = start(options.game.variant, options.fen.as_deref())?;
    make_moves(&mut game, &options.moves)?;
    Ok(game)
}

/// A game that begins at a position, or at the usual start.
pub(super) fn start(variant: Variant, fen: Option<&str>) -> anyhow::Result<AnyGame> {
    fen.map_or_else(
        || Ok(variant.new_game()),
        |fen| position(variant, fen).map(AnyGame::from_position),
    )
}

/// The position of `--fen`; `startpos`, as in UCI, is the usual start.
pub(super) fn position(variant: Variant, fen: &str) -> anyhow::Result<AnyPosition> {
    if fen.trim() == "startpos" {
        return Ok(variant.start());
    }
    let parsed = variant.read_fen(fen).map_err(|error| {
        let likely = Variant::with_board_of(fen).filter(|&likely| likely != variant);
        let hint = likely
            .map(|game| {
                let note = match game {
                    Variant::Masonic => "; orthodox chess is not played here",
                    _ => "",
                };
                format!(" (it looks like {}: try --game {game}){note}", game.title())
            })
            .unwrap_or_default();
        anyhow!("--fen: {error}{hint}")
    })?;
    if let Some(notice) = parsed.notice {
        print_message(format_args!("--fen: {notice}"));
    }
    Ok(parsed.position)
}

/// Makes the moves of `--moves`; one argument may hold several.
pub(super) fn make_moves(game: &mut AnyGame, moves: &[String]) -> anyhow::Result<()> {
    let texts = moves.iter().flat_map(|text| text.split_ascii_whitespace());
    for (index, text) in (1..).zip(texts) {
        let mv = game.position().read_move(text);
        game.play(mv.with_context(|| format!("--moves: move {index} `{text}` is not legal"))?);
    }
    Ok(())
}
