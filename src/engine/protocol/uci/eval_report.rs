//! The answer to `eval`: material and placement, and piece values by the network.

use qirkat_evaluation::network::{Network, NetworkInput};
use qirkat_evaluation::{AnyEvaluation, GameEvaluation, MaterialEvaluation};
use qirkat_game::Rules;
use qirkat_game::score::Score;
use qirkat_game::text::push;
use qirkat_rules::of_each_game;
use qirkat_rules::variant::AnyPosition;

/// The answer to `eval`.
pub(super) fn eval_report(position: &AnyPosition, evaluation: &AnyEvaluation) -> String {
    let mut text = of_each_game!(
        (AnyPosition, AnyEvaluation), (position, evaluation), (own, evaluation) => {
            let draw =
                |value: ValueOf<'_>| own.captioned_picture(|point| value(point.index())).to_string();
            report(own, evaluation, draw)
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

/// Material and placement, and piece values where there is a network.
fn report<G: MaterialEvaluation>(
    position: &G,
    evaluation: &GameEvaluation<G>,
    draw: impl Fn(ValueOf<'_>) -> String,
) -> String {
    let material = position.material_and_placement();
    let material = format!("Material and placement: {:+}", material.value());
    match evaluation.network() {
        Some(network) => format!("{material}\n\n{}", piece_values(position, network, draw)),
        None => material,
    }
}

/// The text of the value of the piece on a point, by the point's number.
type ValueOf<'a> = &'a dyn Fn(usize) -> Option<String>;

/// Piece values by the network: how much the evaluation of a side loses without
/// the piece.
fn piece_values<G: NetworkInput>(
    position: &G,
    network: &Network<G>,
    draw: impl Fn(ValueOf<'_>) -> String,
) -> String {
    let values = network.piece_values(position);
    let value = |point| {
        let (_, value) = values.iter().find(|(place, _)| *place == point)?;
        Some(format!("{value:+}"))
    };
    format!(
        "Network {:08x} ({}): piece values in centipawns\n\n{}",
        network.checksum(),
        network.kernel().name(),
        draw(&value)
    )
}
