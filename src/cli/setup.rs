//! The position that a command works on.

use anyhow::{Context, anyhow};

use super::complaint::complain;
use super::position_options::PositionOptions;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};

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
            .map(|game| format!(" (it looks like {}: try --game {game})", game.title()))
            .unwrap_or_default();
        anyhow!("--fen: {error}{hint}")
    })?;
    if let Some(notice) = parsed.notice {
        complain(format_args!("--fen: {notice}"));
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
