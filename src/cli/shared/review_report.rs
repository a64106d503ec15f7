//! A review as text for the terminal, with a graph of White's chances.

use std::ops::Range;

use super::terminal::{self, words};
use qirkat_analysis::review::{
    Accuracy, GameReview, Mark, MoveReview, Phase, PlayerAccuracy, RatedLine,
};
use qirkat_game::Color;
use qirkat_game::score::score_text;
use qirkat_game::text::one_line;
use qirkat_rules::pgn::PgnGame;

const NAME_WIDTH: usize = 17;
/// Up to this many turning points, inaccuracies are shown too.
const FEW_TURNING_POINTS: usize = 12;
const MOVE_WIDTH: usize = 30;

#[derive(Clone, Copy)]
pub(crate) struct ReportStyle {
    pub all_moves: bool,
    pub width: usize,
    pub unicode: bool,
}

pub(crate) fn text(game: &PgnGame, number: u64, review: &GameReview, style: ReportStyle) -> String {
    let ReportStyle { all_moves, width, unicode } = style;
    let head = head(game, number, review);
    let mut text = terminal::wrapped_text(&head, width, 2);
    if review.moves.is_empty() {
        return text + "There are no moves.\n\n";
    }
    text.push('\n');
    text.push_str(&graph(review, width, unicode));
    text.push('\n');
    if all_moves {
        text.push_str(&move_table(review, width));
    }
    text.push_str(&turning_points(review, width));
    text.push_str(&other_notes(review, width));
    if let Some((at, left)) = review.left_book_text() {
        text.push_str(&format!("\n{:<MOVE_WIDTH$} {left}\n", move_text(&review.moves[at])));
    }
    text.push('\n');
    text.push_str(&accuracy_table(game, review));
    text.push('\n');
    text
}

fn head(game: &PgnGame, number: u64, review: &GameReview) -> String {
    let [white, black] = Color::ALL.map(|color| player(game, color, 2 * NAME_WIDTH));
    let plies = match game.moves.len() {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    // A review runs from the end of the game.
    let partial = if review.is_complete() {
        String::new()
    } else {
        format!(", the last {} reviewed", review.moves.len())
    };
    let variant = game.start.variant().title();
    format!("Game {number}: {white} - {black}, {}, {variant}, {plies}{partial}\n", game.result)
}

fn player(game: &PgnGame, color: Color, longest: usize) -> String {
    let tag = if color == Color::White { "White" } else { "Black" };
    one_line(game.tag(tag).unwrap_or("?"), longest)
}

/// Mistakes and blunders with reasons, refutations and better lines; inaccuracies too if few.
fn turning_points(review: &GameReview, width: usize) -> String {
    let mut shown: Vec<&MoveReview> =
        review.moves.iter().filter(|review| review.mark.is_some()).collect();
    if shown.len() > FEW_TURNING_POINTS {
        shown.retain(|review| review.mark != Some(Mark::Inaccuracy));
    }
    if shown.is_empty() {
        return "No move changed the course of the game.\n".to_owned();
    }
    let mut text = "Turning points (White's chances before and after)\n".to_owned();
    for review in shown {
        let before = 100.0 * review.white_chances_before().expected();
        let after = 100.0 * review.white_chances().expected();
        let lead = format!("{:<14} {before:>3.0} % -> {after:>3.0} %", move_text(review));
        text.push_str(&with_reason(review, &lead, width));
        let line_of = |line: &RatedLine| review.position.san_line(&line.moves);
        let refutation = line_of(&review.line).split_off(1);
        let better = review.alternative.as_ref().map(line_of).unwrap_or_default();
        for (name, line) in [("Then:", refutation), ("Better:", better)] {
            if !line.is_empty() {
                let lead = format!("{:MOVE_WIDTH$} {name:<8}", "");
                let room = width.saturating_sub(lead.len());
                text.push_str(&format!("{lead}{}\n", terminal::fitting(&line, room)));
            }
        }
    }
    text
}

/// "Only moves", where every other move lost much, and missed short mates in games that were won
/// anyway.
fn other_notes(review: &GameReview, width: usize) -> String {
    let unmarked = review.moves.iter().filter(|review| review.mark.is_none());
    let lines: Vec<String> = unmarked
        .filter(|review| review.is_remarkable())
        .map(|review| with_reason(review, &move_text(review), width))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("\nOnly moves and missed mates\n{}", lines.concat())
}

fn with_reason(review: &MoveReview, lead: &str, width: usize) -> String {
    let reason = review.reason.as_deref().unwrap_or_default();
    let lead = format!("{lead:<MOVE_WIDTH$} ");
    let text = terminal::wrapped(&lead, &words(reason), width, MOVE_WIDTH + 1);
    format!("{}\n", text.trim_end())
}

/// The move with its number and mark, as in `12... Rxe4??`.
fn move_text(review: &MoveReview) -> String {
    let dots = if review.mover() == Color::White { " " } else { "" };
    let only = if review.is_only_move { "!" } else { "" };
    let mark = review.mark.map_or(only, Mark::symbol);
    format!("{}{dots}{}{mark}", review.number(), review.position.san(review.played))
}

fn move_table(review: &GameReview, width: usize) -> String {
    let mut text = format!(
        "{:<14} {:>7}  {:>3} {:>3} {:>3}  {:>5}  Best line (Score, W D L: White's)\n",
        "Move", "Score", "W", "D", "L", "Loss"
    );
    for review in &review.moves {
        let percent = review.white_chances().permille().map(|share| (share + 5) / 10);
        let [win, draw, loss] = percent;
        let row = format!(
            "{:<14} {:>7}  {win:>3} {draw:>3} {loss:>3}  {:>5.2}  ",
            move_text(review),
            score_text(review.white_score()),
            review.loss
        );
        let RatedLine { moves, .. } = review.best();
        let line = review.position.san_line(moves);
        let room = width.saturating_sub(row.chars().count());
        text.push_str(&format!("{row}{}\n", terminal::fitting(&line, room)));
    }
    text.push('\n');
    text
}

fn accuracy_table(game: &PgnGame, review: &GameReview) -> String {
    let mut text = format!("{:<NAME_WIDTH$}  {:>8}", "", "Accuracy");
    for phase in Phase::ALL {
        text.push_str(&format!("  {:>7}", phase.name().split(' ').next().unwrap_or_default()));
    }
    text.push_str("  Given away  ?!   ?  ??\n");
    for color in Color::ALL {
        let PlayerAccuracy { game: whole, opening, middlegame, endgame } =
            PlayerAccuracy::of(review, color);
        let name = player(game, color, NAME_WIDTH - 2);
        text.push_str(&format!("{name:<NAME_WIDTH$}  {:>8}", percent(&whole)));
        for phase in &[opening, middlegame, endgame] {
            text.push_str(&format!("  {:>7}", percent(phase)));
        }
        let Accuracy { inaccuracies, mistakes, blunders, .. } = whole;
        text.push_str(&format!(
            "  {:>10}  {inaccuracies:>2}  {mistakes:>2}  {blunders:>2}\n",
            format!("{:.2}", whole.given_away)
        ));
    }
    text
}

fn percent(accuracy: &Accuracy) -> String {
    accuracy.percent.map_or_else(|| "-".to_owned(), |percent| format!("{percent:.1}"))
}

const ROWS: usize = 8;
/// Columns of the scale on the left.
const SCALE_WIDTH: usize = 7;
const WIDEST_PLY: usize = 3;
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Draws White's expected points: full columns are won for White, empty ones for Black. Each
/// column's worst mark is above it for White and below it for Black.
pub(crate) fn graph(review: &GameReview, width: usize, unicode: bool) -> String {
    let expected = review.white_expectations();
    let room = width.saturating_sub(SCALE_WIDTH + 1).max(1);
    let wide = (room / expected.len().max(1)).clamp(1, WIDEST_PLY);
    let columns = (expected.len() * wide).min(room);
    let span = |column| points_of(column, columns, expected.len());
    let heights: Vec<f64> = (0..columns)
        .map(|column| {
            let values = &expected[span(column)];
            values.iter().sum::<f64>() / values.len().max(1) as f64
        })
        .collect();
    let marks = |color: Color| -> String {
        let marks = (0..columns).map(|column| {
            let is_first = column == 0 || span(column) != span(column - 1);
            if is_first { worst_mark(review, span(column), color) } else { ' ' }
        });
        marks.collect()
    };
    let mut text = marked("White", &marks(Color::White));
    for row in (0..ROWS).rev() {
        let scale = match row {
            _ if row == ROWS - 1 => "100 %",
            _ if row == ROWS / 2 => "50 %",
            0 => "0 %",
            _ => "",
        };
        let cells: String = heights.iter().map(|&height| cell(height, row, unicode)).collect();
        text.push_str(format!("{scale:>width$} {cells}", width = SCALE_WIDTH - 1).trim_end());
        text.push('\n');
    }
    text.push_str(&marked("Black", &marks(Color::Black)));
    text.push_str(&numbers(review, columns, expected.len()));
    text
}

/// The points of a column of the graph: at least one.
fn points_of(column: usize, columns: usize, points: usize) -> Range<usize> {
    let [start, end] = [column, column + 1].map(|edge| edge * points / columns);
    start..end.max(start + 1).min(points)
}

fn marked(name: &str, marks: &str) -> String {
    format!("{}\n", format!("{name:>width$} {marks}", width = SCALE_WIDTH - 1).trim_end())
}

fn cell(height: f64, row: usize, unicode: bool) -> &'static str {
    let filled = height * ROWS as f64 - row as f64;
    if unicode {
        EIGHTHS[(filled * 8.0).round().clamp(0.0, 8.0) as usize]
    } else if filled >= 0.5 {
        "#"
    } else {
        " "
    }
}

/// The letter of a side's worst move within these points of the graph. Each position has a point; a
/// move has that of the position after it.
fn worst_mark(review: &GameReview, points: Range<usize>, color: Color) -> char {
    let moves = points.filter_map(|point| review.moves.get(point.checked_sub(1)?));
    let worst = moves.filter(|review| review.mover() == color).filter_map(|review| review.mark);
    match worst.max() {
        Some(Mark::Blunder) => 'B',
        Some(Mark::Mistake) => 'm',
        Some(Mark::Inaccuracy) => 'i',
        None => ' ',
    }
}

fn numbers(review: &GameReview, columns: usize, points: usize) -> String {
    let mut line = " ".repeat(SCALE_WIDTH);
    for column in 0..columns {
        let points = points_of(column, columns, points);
        let mut moves = points.filter_map(|point| review.moves.get(point.checked_sub(1)?));
        let is_labelled = |review: &&MoveReview| {
            let is_round = review.position.fullmove_number().is_multiple_of(10);
            line.len() == SCALE_WIDTH || is_round && review.mover() == Color::White
        };
        let start = SCALE_WIDTH + column;
        let has_room = line.len() == SCALE_WIDTH || line.len() + 2 <= start;
        if let Some(labelled) = moves.find(is_labelled).filter(|_| has_room) {
            line.push_str(&" ".repeat(start - line.len()));
            line.push_str(&labelled.position.fullmove_number().to_string());
        }
    }
    format!("{}\n", line.trim_end())
}
