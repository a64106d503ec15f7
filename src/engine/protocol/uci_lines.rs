//! Formats the engine's UCI output.

use crate::protocol::options::{EngineOption, OPTIONS, OptionKind, Protocol};
use crate::{NAME_OF_BUILD, SearchLine, SearchResult, line_chances};
use qirkat_evaluation::{AnyEvaluation, MaterialEvaluation};
use qirkat_game::score::Score;
use qirkat_game::text::push;
use qirkat_game::{Rules, Terminal};
use qirkat_rules::of_each_game;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::Bound;

const AUTHOR: &str = "the Qirkat authors";

/// The answer to `uci`.
pub(super) fn greeting() -> String {
    let mut text = format!("id name {NAME_OF_BUILD}\nid author {AUTHOR}\n");
    for option in OPTIONS.iter().filter(|option| option.is_for(Protocol::Uci)) {
        push(&mut text, format_args!("option name {} type {}\n", option.name, type_of(option)));
    }
    text.push_str("uciok");
    text
}

fn type_of(option: &EngineOption) -> String {
    match &option.kind {
        OptionKind::Spin { default, min, max, .. } => {
            format!("spin default {default} min {min} max {max}")
        }
        OptionKind::Check { default, .. } => format!("check default {default}"),
        OptionKind::Combo { default, choices, .. } => {
            format!("combo default {default} var {}", choices.join(" var "))
        }
        OptionKind::Text { default, .. } => format!("string default {default}"),
        OptionKind::Button { .. } => "button".to_owned(),
    }
}

/// Describes the board to programs that host any variant, in the form that `uci2wb` reads.
pub(super) fn variant_description(variant: Variant) -> String {
    let size = variant.board_size();
    format!(
        "info string variant {variant} files {size} ranks {size} pocket 0 template fairy startpos {}",
        variant.start()
    )
}

/// A search line as `info`, with WDL chances for a game if these are to be shown.
pub(super) fn info(line: &SearchLine, show_wdl: Option<Variant>) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        line.depth.0, line.selective_depth.0, line.rank, line.score
    );
    text.push_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if let Some(variant) = show_wdl {
        let [win, draw, loss] = line_chances(variant, line).permille();
        push(&mut text, format_args!(" wdl {win} {draw} {loss}"));
    }
    push(
        &mut text,
        format_args!(
            " nodes {} nps {} hashfull {}",
            line.nodes,
            line.nodes_per_second(),
            line.hashfull
        ),
    );
    if line.tablebase_hits > 0 {
        push(&mut text, format_args!(" tbhits {}", line.tablebase_hits));
    }
    push(&mut text, format_args!(" time {} pv", line.time.as_millis()));
    for mv in &line.moves {
        push(&mut text, format_args!(" {mv}"));
    }
    text
}

/// The answer to `go`.
pub(super) fn best_move(result: &SearchResult) -> String {
    match (result.best, result.ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
    }
}

/// The `info` line before the answer in a position without legal moves.
pub(super) fn no_move_info(position: &AnyPosition) -> &'static str {
    if position.without_moves() == Terminal::Lost {
        "info depth 0 score mate 0"
    } else {
        "info depth 0 score cp 0"
    }
}

/// The answer to `d`.
pub(super) fn display(game: &AnyGame) -> String {
    let position = game.position();
    let mut text = format!(
        "\n{}\nFen: {position}\nKey: {:016X}\nChecked: {}",
        position.picture(),
        position.key().0,
        if position.in_check() { "yes" } else { "no" },
    );
    if let Some(outcome) = game.outcome() {
        push(&mut text, format_args!("\nResult: {outcome}"));
    }
    text
}

/// The answer to `moves`.
pub(super) fn move_list(position: &AnyPosition) -> String {
    let moves = position.legal_moves();
    let mut text = format!("Legal moves ({}):", moves.len());
    for mv in moves {
        push(&mut text, format_args!(" {mv}"));
    }
    text
}

/// The answer to `go perft`.
pub(super) fn perft(counts: &[(AnyMove, u64)], total: u64) -> String {
    let mut text = String::new();
    for (mv, count) in counts {
        push(&mut text, format_args!("{mv}: {count}\n"));
    }
    push(&mut text, format_args!("\nNodes searched: {total}"));
    text
}

/// The answer to `eval`: material and placement, and if there is a network how much a side's
/// evaluation drops without each piece.
pub(super) fn eval_report(position: &AnyPosition, evaluation: &AnyEvaluation) -> String {
    let mut text = of_each_game!(
        (AnyPosition, AnyEvaluation), (position, evaluation), (own, evaluation) => {
            let material = own.material_and_placement().value();
            let mut text = format!("Material and placement: {material:+}");
            if let Some(network) = evaluation.network() {
                let (checksum, kernel) = (network.checksum(), network.kernel().name());
                let values = network.piece_values(own);
                let picture = own.captioned_picture(|point| {
                    let (_, value) = values.iter().find(|(place, _)| *place == point.index())?;
                    Some(format!("{value:+}"))
                });
                push(&mut text, format_args!("\n\nNetwork {checksum:08x} ({kernel}): "));
                push(&mut text, format_args!("piece values in centipawns\n\n{picture}"));
            }
            text
        },
        String::new()
    );
    let score = evaluation.evaluate(position).unwrap_or(Score::DRAW);
    push(
        &mut text,
        format_args!(
            "\nEvaluation for {:?}, the side to move: {:+} centipawns",
            position.side_to_move(),
            score.value()
        ),
    );
    text
}
