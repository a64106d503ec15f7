//! Drawings of where a piece goes, side by side where there is room.

use console::style;

use super::reach::{Reach, Way};
use qirkat_board::drawing::Diagram;
use qirkat_rules::variant::{Place, Variant};

/// Columns between two drawings.
const GAP: usize = 4;

/// A board with a piece and the points that it can go to.
pub(super) struct Drawing {
    title: String,
    lines: Vec<String>,
    /// The pieces and the points.
    pub reach: Reach,
}

impl Drawing {
    /// Draws where a piece goes.
    pub fn new(variant: Variant, title: String, reach: Reach) -> Drawing {
        let text = variant.draw_board(|file, rank| {
            let place = Place { file, rank };
            let piece = reach.pieces.iter().find(|(at, _)| *at == place);
            piece
                .map(|&(_, letter)| letter)
                .or_else(|| reach.ways.get(&place).map(|&way| mark(way)))
        });
        Drawing { title, lines: text.lines().map(str::to_owned).collect(), reach }
    }

    /// The board for an SVG.
    pub fn diagram(&self) -> Diagram {
        let marks = self.reach.ways.iter().map(|(&place, way)| (place, way.mark())).collect();
        Diagram { pieces: self.reach.pieces.clone(), marks, flipped: false }
    }

    /// The points in words, as in `goes to e6; takes on d6 f6`.
    pub fn in_words(&self) -> String {
        let points = |way: Way| -> Vec<String> {
            let with_way = self.reach.ways.iter().filter(|(_, known)| **known == way);
            with_way.map(|(place, _)| place.to_string()).collect()
        };
        let parts = [
            (Way::Any, "goes to or takes on"),
            (Way::Quiet, "goes to"),
            (Way::Capture, "takes on"),
        ]
        .map(|(way, what)| (what, points(way)));
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(_, points)| !points.is_empty())
            .map(|(what, points)| format!("{what} {}", points.join(" ")))
            .collect();
        if parts.is_empty() { "goes nowhere".to_owned() } else { parts.join("; ") }
    }

    fn width(&self) -> usize {
        let lines = self.lines.iter().chain([&self.title]);
        lines.map(|line| line.chars().count()).max().unwrap_or_default()
    }
}

const fn mark(way: Way) -> char {
    match way {
        Way::Any => 'o',
        Way::Quiet => '.',
        Way::Capture => 'x',
    }
}

/// The meaning of the marks that are there in some drawings.
pub(super) fn meanings(drawings: &[Drawing]) -> Vec<(Way, &'static str)> {
    let mut meanings = vec![
        (Way::Any, "it goes there, and takes what stands there"),
        (Way::Quiet, "it goes there, but takes nothing"),
        (Way::Capture, "it goes there only to take"),
    ];
    let is_there = |way: Way| {
        drawings.iter().any(|drawing| drawing.reach.ways.values().any(|known| *known == way))
    };
    meanings.retain(|&(way, _)| is_there(way));
    meanings
}

/// The meaning of the marks in some drawings, a line for each that is there.
pub(super) fn legend(drawings: &[Drawing]) -> String {
    let lines = meanings(drawings).into_iter();
    lines.map(|(way, meaning)| format!("  {}  {meaning}\n", coloured(mark(way)))).collect()
}

/// The drawings side by side in two columns, if `width` is enough for that, and otherwise
/// one below the other.
pub(super) fn arranged(drawings: &[Drawing], width: usize) -> String {
    let column = drawings.iter().map(Drawing::width).max().unwrap_or_default();
    let per_row = if 2 * column + GAP <= width { 2 } else { 1 };
    let mut text = String::new();
    for row in drawings.chunks(per_row) {
        let titles: Vec<&str> = row.iter().map(|drawing| drawing.title.as_str()).collect();
        text.push_str(&joined(&titles, column, str::to_owned));
        let height = row.iter().map(|drawing| drawing.lines.len()).max().unwrap_or_default();
        for line in 0..height {
            let parts: Vec<&str> = row
                .iter()
                .map(|drawing| drawing.lines.get(line).map_or("", String::as_str))
                .collect();
            text.push_str(&joined(&parts, column, |part| part.chars().map(coloured).collect()));
        }
        text.push('\n');
    }
    text
}

/// Parts of a line in columns; `show` adds what takes no room.
fn joined(parts: &[&str], column: usize, show: impl Fn(&str) -> String) -> String {
    let Some((last, others)) = parts.split_last() else { return String::new() };
    let mut line = String::new();
    for part in others {
        let room = (column + GAP).saturating_sub(part.chars().count());
        line.push_str(&show(part));
        line.push_str(&" ".repeat(room));
    }
    line.push_str(&show(last));
    format!("{}\n", line.trim_end())
}

/// A character of a drawing, in colour if it is a mark and colours are shown.
fn coloured(letter: char) -> String {
    match letter {
        'o' => style(letter).green().bold().to_string(),
        '.' => style(letter).cyan().bold().to_string(),
        'x' => style(letter).red().bold().to_string(),
        _ => letter.to_string(),
    }
}
