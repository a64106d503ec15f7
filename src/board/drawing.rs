//! Boards as SVG, drawn with the pieces and colours of the browser page, taken from its files.
//!
//! A [`Diagram`] is a board of any game with its pieces and [`Mark`]s; [`svg()`] draws several side
//! by side. It does not know the moves: the caller says what to mark.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde::Deserialize;
use svg::node::element::{Circle, Definitions, Group, Path, Rectangle, Symbol, Text, Title, Use};
use svg::{Document, Node};

use qirkat_rules::variant::{Place, Variant};

/// The browser's script; its pieces are JSON between these two texts.
const SCRIPT: &str = include_str!("page/site/board/pieces.js");
const SHAPES: (&str, &str) = ("const SHAPES = ", ";\n");
/// The browser's style sheet, whose first rule sets the colours.
const STYLE: &str = include_str!("page/site/board/board.css");

/// The distance between neighbouring points, in the drawing's units.
const UNIT: f64 = 100.0;
/// From the outermost points to the edge, and to the middle of the coordinates.
const MARGIN: f64 = 98.0;
const LABEL: f64 = 72.0;
/// The side of a piece, and how far it is drawn above the middle of its point.
const PIECE: f64 = 92.0;
const PIECE_RISE: f64 = 3.0;
/// The legend's distance below the frame, the height of its lines, and the indent of their text.
const LEGEND_TOP: f64 = 20.0;
const LEGEND_LINE: f64 = 50.0;
const LEGEND_INDENT: f64 = 40.0;
const DISC_RADIUS: f64 = 44.0;
/// Pixels per unit by default: two boards of Chesquerque fit side by side in the guide.
const PIXELS: f64 = 0.36;

/// A mark on a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A piece can go there, enemy piece or not: a disc.
    Any,
    /// Only if the point is empty: a ring.
    Quiet,
    /// Only by a capture: a cross.
    Capture,
    /// The last move began or ended there.
    Last,
    Check,
}

/// A board with its pieces and marks.
#[derive(Clone, Default, Debug)]
pub struct Diagram {
    pub pieces: Vec<(Place, char)>,
    pub marks: Vec<(Place, Mark)>,
    pub flipped: bool,
}

/// Boards of a game side by side, above a legend of their marks.
///
/// # Errors
///
/// If the letter of a piece is not a FEN letter of any game.
///
/// ```
/// use qirkat_board::drawing::{Diagram, Mark, svg};
/// use qirkat_rules::variant::{Place, Variant};
///
/// let variant = Variant::Alquerque;
/// let marks = vec![(Place { file: 2, rank: 2 }, Mark::Any)];
/// let board = Diagram { pieces: variant.start().pieces(), marks, flipped: false };
/// let drawing = svg(variant, "Alquerque", &[board], &[])?;
/// assert!(drawing.starts_with("<svg ") && drawing.contains("Alquerque"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(
    variant: Variant,
    title: &str,
    diagrams: &[Diagram],
    legend: &[(Mark, &str)],
) -> Result<String> {
    let (each, height) = Board { variant, flipped: false }.frame();
    let size = (each * diagrams.len() as f64, height + LEGEND_LINE * legend.len() as f64);

    let pieces = diagrams.iter().flat_map(|diagram| &diagram.pieces);
    let letters: BTreeSet<char> = pieces.map(|&(_, letter)| letter).collect();
    let ground = Rectangle::new().set("width", size.0).set("height", size.1).set("rx", 16);
    let mut document = Document::new()
        .set("viewBox", (0, 0, size.0, size.1))
        .set("width", (size.0 * PIXELS).round())
        .set("height", (size.1 * PIXELS).round())
        .set("role", "img")
        .add(Title::new(title))
        .add(definitions(&letters)?)
        .add(ground.set("fill", colour("ground")));
    for (column, diagram) in diagrams.iter().enumerate() {
        let board = Board { variant, flipped: diagram.flipped };
        let aside = format!("translate({} 0)", each * column as f64);
        document.append(board.draw(diagram).set("transform", aside));
    }
    for (line, &(kind, meaning)) in legend.iter().enumerate() {
        let at = (MARGIN, height + LEGEND_TOP + LEGEND_LINE * line as f64);
        document.append(mark(kind, at));
        document.append(text(meaning, (at.0 + LEGEND_INDENT, at.1)));
    }
    Ok(format!("{document}\n"))
}

fn text(words: &str, (x, y): (f64, f64)) -> Text {
    let text = Text::new(words).set("x", x).set("y", y).set("fill", colour("coordinate"));
    let text = text.set("font-family", "system-ui, sans-serif").set("font-size", 28);
    text.set("dominant-baseline", "central")
}

fn mark(kind: Mark, (x, y): (f64, f64)) -> Group {
    let circle = |radius: f64| Circle::new().set("cx", x).set("cy", y).set("r", radius);
    let group = Group::new().set("class", format!("{kind:?}").to_lowercase());
    let disc = |name, opacity| {
        let mark = circle(DISC_RADIUS).set("fill", colour(name)).set("fill-opacity", opacity);
        mark.set("stroke", colour(name)).set("stroke-width", 6)
    };
    match kind {
        Mark::Any => group.add(circle(19.0).set("fill", colour("mark-move"))),
        Mark::Quiet => {
            let ring = circle(15.0).set("fill", colour("ground"));
            group.add(ring.set("stroke", colour("mark-move")).set("stroke-width", 8))
        }
        Mark::Capture => {
            let cross = format!("M{} {}l32 32m0 -32l-32 32", x - 16.0, y - 16.0);
            let cross = Path::new().set("d", cross).set("stroke", colour("mark-capture"));
            group.add(cross.set("stroke-width", 11).set("stroke-linecap", "round"))
        }
        Mark::Last => group.add(disc("mark-last", 0.0)),
        Mark::Check => group.add(disc("mark-check", 0.4)),
    }
}

struct Board {
    variant: Variant,
    flipped: bool,
}

impl Board {
    fn last(&self) -> u8 {
        self.variant.board_size() - 1
    }

    /// How far a rank of bricks is shifted to the right.
    fn shift(&self, rank: u8) -> f64 {
        if self.variant == Variant::Masonic && rank % 2 == 1 { UNIT / 2.0 } else { 0.0 }
    }

    fn frame(&self) -> (f64, f64) {
        let side = f64::from(self.last()) * UNIT + 2.0 * MARGIN;
        (side + self.shift(1), side)
    }

    fn spot(&self, Place { file, rank }: Place) -> (f64, f64) {
        let x = MARGIN + f64::from(file) * UNIT + self.shift(rank);
        let y = MARGIN + f64::from(self.last() - rank) * UNIT;
        if !self.flipped {
            return (x, y);
        }
        let (width, height) = self.frame();
        (width - x, height - y)
    }

    fn draw(&self, diagram: &Diagram) -> Group {
        let mut group = match self.variant {
            Variant::Masonic => self.bricks(),
            Variant::Chesquerque | Variant::Alquerque => self.lines(),
        };
        for label in self.coordinates() {
            group.append(label.set("text-anchor", "middle").set("font-weight", 600));
        }
        for &(place, kind) in &diagram.marks {
            group.append(mark(kind, self.spot(place)).set("data-point", place.to_string()));
        }
        for &(place, letter) in &diagram.pieces {
            let (x, y) = self.spot(place);
            let piece = Use::new().set("href", format!("#{letter}"));
            let piece = piece.set("x", x - PIECE / 2.0).set("y", y - PIECE / 2.0 - PIECE_RISE);
            let piece = piece.set("width", PIECE).set("height", PIECE);
            group.append(piece.set("data-point", place.to_string()));
        }
        group
    }

    fn coordinates(&self) -> Vec<Text> {
        let mut labels = Vec::new();
        for at in 0..=self.last() {
            let file = char::from(b'a' + at).to_string();
            let (lowest, uppermost) =
                if self.flipped { (self.last(), 0) } else { (0, self.last()) };
            let (x, bottom) = self.spot(Place { file: at, rank: lowest });
            labels.push(text(&file, (x, bottom + LABEL)));
            if self.variant == Variant::Masonic {
                let (x, top) = self.spot(Place { file: at, rank: uppermost });
                labels.push(text(&file, (x, top - LABEL)));
            }
            let (left, y) = self.spot(Place { file: lowest, rank: at });
            labels.push(text(&(at + 1).to_string(), (left - LABEL, y)));
        }
        labels
    }

    /// The lines along ranks and files, the diagonals, and the points.
    fn lines(&self) -> Group {
        let (last, line) = (self.last(), colour("line"));
        let [mut straight, mut slanting] = [String::new(), String::new()];
        let mut points = Group::new().set("fill", line);
        for place in Place::all(self.variant) {
            let Place { file, rank } = place;
            let (x, y) = self.spot(place);
            let to = |file, rank| {
                let (to_x, to_y) = self.spot(Place { file, rank });
                format!("M{x} {y}L{to_x} {to_y}")
            };
            let is_diagonal = self.variant.is_diagonal_point(file, rank);
            if file == 0 {
                straight += &to(last, rank);
            }
            if rank == 0 {
                straight += &to(file, last);
            }
            if is_diagonal && rank < last && file < last {
                slanting += &to(file + 1, rank + 1);
            }
            if is_diagonal && rank < last && file > 0 {
                slanting += &to(file - 1, rank + 1);
            }
            let radius = if is_diagonal { 8.0 } else { 4.5 };
            points.append(Circle::new().set("cx", x).set("cy", y).set("r", radius));
        }
        let path = |data: String, width: f64| {
            Path::new().set("d", data).set("stroke", line).set("stroke-width", width)
        };
        let slanting = path(slanting, 2.2).set("opacity", 0.8);
        Group::new().add(path(straight, 3.0)).add(slanting).add(points)
    }

    /// Bricks in three colours, so that neighbours differ and diagonals keep theirs.
    fn bricks(&self) -> Group {
        let mut bricks = Group::new();
        for place in Place::all(self.variant) {
            let (x, y) = self.spot(place);
            let (file, rank) = (i32::from(place.file), i32::from(place.rank));
            let kind = (file - rank / 2 - rank).rem_euclid(3);
            let brick = Rectangle::new().set("x", x - UNIT / 2.0).set("y", y - UNIT / 2.0);
            let brick = brick.set("width", UNIT).set("height", UNIT);
            let brick = brick.set("stroke", colour("line")).set("stroke-width", 2.5);
            bricks.append(brick.set("fill", colour(&format!("cell{kind}"))));
        }
        bricks
    }
}

/// A piece in a square of 100 units.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Shape {
    body: Vec<String>,
    lines: Vec<String>,
    /// Balls on top, rings in them, and eyes: each as `[x, y, radius]`.
    knobs: Vec<[f64; 3]>,
    rings: Vec<[f64; 3]>,
    eyes: Vec<[f64; 3]>,
}

/// The pieces with these letters, each a symbol whose id is its letter.
fn definitions(letters: &BTreeSet<char>) -> Result<Definitions> {
    let script = SCRIPT.split_once(SHAPES.0).and_then(|(_, rest)| rest.split_once(SHAPES.1));
    let (json, _) = script.context("the board's script has no pieces")?;
    let shapes: BTreeMap<char, Shape> = serde_json::from_str(json)?;
    let mut definitions = Definitions::new();
    for &letter in letters {
        let shape = shapes.get(&letter.to_ascii_lowercase()).context("a piece without a shape")?;
        definitions.append(symbol(letter, shape));
    }
    Ok(definitions)
}

fn symbol(letter: char, shape: &Shape) -> Symbol {
    let [fill, line, inner] = match letter.is_uppercase() {
        true => ["white-fill", "white-line", "white-line"],
        false => ["black-fill", "black-line", "black-inner"],
    };
    let (fill, line, inner) = (colour(fill), colour(line), colour(inner));
    let symbol = Symbol::new().set("id", letter.to_string()).set("viewBox", "0 0 100 100");
    let mut symbol = symbol.set("stroke-linejoin", "round").set("stroke-linecap", "round");
    let path = |data: &String| Path::new().set("d", data.as_str());
    let circle = |&[x, y, r]: &[f64; 3]| Circle::new().set("cx", x).set("cy", y).set("r", r);
    for data in &shape.body {
        symbol.append(path(data).set("fill", fill).set("stroke", line).set("stroke-width", 3.6));
    }
    for data in &shape.lines {
        symbol.append(path(data).set("fill", "none").set("stroke", inner).set("stroke-width", 3));
    }
    for knob in &shape.knobs {
        symbol.append(circle(knob).set("fill", fill).set("stroke", line).set("stroke-width", 3));
    }
    for ring in &shape.rings {
        symbol.append(circle(ring).set("fill", "none").set("stroke", inner).set("stroke-width", 3));
    }
    for eye in &shape.eyes {
        symbol.append(circle(eye).set("fill", inner));
    }
    symbol
}

/// A colour of the page. A test uses all of them.
fn colour(name: &str) -> &'static str {
    let value = STYLE.split_once(&format!("--{name}: ")).and_then(|(_, rest)| rest.split_once(';'));
    value.map_or("", |(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_boards_are_drawn_from_both_sides() {
        for variant in Variant::ALL {
            let start = variant.start();
            for flipped in [false, true] {
                let kinds = [Mark::Any, Mark::Quiet, Mark::Capture, Mark::Last, Mark::Check];
                let marks = (0..).zip(kinds).map(|(file, kind)| (Place { file, rank: 2 }, kind));
                let marks = marks.collect();
                let board = Diagram { pieces: start.pieces(), marks, flipped };
                let drawing = svg(variant, "<a & b>", &[board], &[]).expect("it is drawn");
                assert!(!drawing.contains("=\"\""), "a colour is missing: {drawing}");
                let document = roxmltree::Document::parse(&drawing).expect("it is well-formed");
                let used = document.descendants().filter(|node| node.has_tag_name("use"));
                let attributes = |node: roxmltree::Node<'_, '_>| {
                    ["data-point", "href"].map(|name| node.attribute(name).map(str::to_owned))
                };
                let expected = start.pieces().into_iter();
                let expected =
                    expected.map(|(at, letter)| [at.to_string(), format!("#{letter}")].map(Some));
                assert!(used.map(attributes).eq(expected), "{variant}");
                let heights = |point| {
                    let node = document
                        .descendants()
                        .find(|node| node.attribute("data-point") == Some(point));
                    node.and_then(|node| node.attribute("y")).and_then(|y| y.parse::<f64>().ok())
                };
                assert_eq!(heights("a1") < heights(&format!("a{}", variant.board_size())), flipped);
            }
        }
        let unknown =
            Diagram { pieces: vec![(Place { file: 0, rank: 0 }, 'z')], ..Diagram::default() };
        assert!(svg(Variant::Masonic, "", &[unknown], &[]).is_err());
    }
}
