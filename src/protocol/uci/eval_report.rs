//! The answer to `eval`: the terms of the evaluation, and piece values by the network.

use qirkat_evaluation::network::{Network, NetworkInput};
use qirkat_evaluation::{
    AnyEvaluation, Evaluation, GameEvaluation, HandcraftedEvaluation, Tapered, Term,
};
use qirkat_game::Rules;
use qirkat_game::score::Score;
use qirkat_game::text::push;
use qirkat_rules::chesquerque::Position;
use qirkat_rules::variant::AnyPosition;

/// The answer to `eval`.
pub(super) fn eval_report(position: &AnyPosition, evaluation: &AnyEvaluation) -> String {
    let mut text = match (position, evaluation) {
        (AnyPosition::Chesquerque(position), AnyEvaluation::Chesquerque(evaluation)) => {
            parts(position, evaluation)
        }
        (AnyPosition::Masonic(position), AnyEvaluation::Masonic(evaluation)) => {
            let draw = |value: ValueOf<'_>| {
                position.captioned_picture(|cell| value(cell.index())).to_string()
            };
            network_or_material(position, evaluation, draw)
        }
        (AnyPosition::Alquerque(position), AnyEvaluation::Alquerque(evaluation)) => {
            let draw = |value: ValueOf<'_>| {
                position.captioned_picture(|point| value(point.index())).to_string()
            };
            network_or_material(position, evaluation, draw)
        }
        _ => String::new(),
    };
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

/// The report for Chesquerque.
fn parts(position: &Position, evaluation: &Evaluation) -> String {
    let mut text = terms(position);
    if let Some(network) = evaluation.network() {
        let handcrafted = Evaluation::Handcrafted.evaluate(position);
        push(&mut text, format_args!("\nHand-crafted: {:+}\n\n", handcrafted.value()));
        let draw = |value: ValueOf<'_>| {
            position.captioned_picture(|point| value(point.index())).to_string()
        };
        text.push_str(&piece_values(position, network, draw));
    }
    text
}

/// The report for a game without hand-crafted terms.
fn network_or_material<G: HandcraftedEvaluation>(
    position: &G,
    evaluation: &GameEvaluation<G>,
    draw: impl Fn(ValueOf<'_>) -> String,
) -> String {
    let material = format!("Material: {:+}", position.handcrafted().value());
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

/// The terms of the hand-crafted evaluation.
fn terms(position: &Position) -> String {
    let [white, black] = qirkat_evaluation::counts(position);
    let mut text = format!(
        "Centipawns in the middle game and in the endgame\n\
         {:<14}{:>14}{:>14}{:>14}",
        "", "White", "Black", "Both"
    );
    let mut totals = [Tapered::ZERO; 2];
    for term in Term::ALL {
        let values = [white.value(term), black.value(term)];
        push_row(&mut text, term.name(), values);
        totals = [totals[0] + values[0], totals[1] + values[1]];
    }
    push_row(&mut text, "Total", totals);
    push(
        &mut text,
        format_args!(
            "\nPhase: {} of {} to the middle game",
            qirkat_evaluation::phase(position),
            qirkat_evaluation::WHOLE_PHASE,
        ),
    );
    text
}

/// A row for a term: White's values, Black's, and the difference.
fn push_row(text: &mut String, name: &str, [white, black]: [Tapered; 2]) {
    let [white, black, both] =
        [white, black, white - black].map(|value| (value.middle_game(), value.endgame()));
    push(
        text,
        format_args!(
            "\n{name:<14}{:>7}{:>7}{:>7}{:>7}{:>+7}{:>+7}",
            white.0, white.1, black.0, black.1, both.0, both.1
        ),
    );
}
