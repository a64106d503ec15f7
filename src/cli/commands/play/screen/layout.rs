//! The layout of the screen: positions, key bar, marks on the board, colours and characters.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::commands::play::board_drawing::BoardDrawing;
use crate::commands::play::options::{Pieces, PlayOptions};
use crate::commands::play::session::Session;
use crate::commands::play::user_input;
use crate::shared::terminal;
use qirkat_analysis::casual::points_of;
use qirkat_game::Color as Side;
use qirkat_rules::variant::Variant;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub drawing: BoardDrawing,
    pub title: Rect,
    pub board: Rect,
    pub panel: Rect,
    pub message: Rect,
    pub input: Rect,
    pub keys: Rect,
}

pub(crate) const MIN_WIDTH: u16 = 80;
pub(crate) const MIN_HEIGHT: u16 = 24;
/// Rows of a page besides its text.
pub(crate) const PAGE_FRAME: u16 = 2;
const TITLE_ROWS: u16 = 1;
const MESSAGE_ROWS: u16 = 2;
const OTHER_ROWS: u16 = TITLE_ROWS + MESSAGE_ROWS + 2;
/// Columns before the board, and between board and panel.
const GAP: u16 = 1;
const MIN_PANEL: u16 = 36;
const MAX_PANEL: u16 = 48;

impl Layout {
    /// `None` if the terminal is too small.
    pub fn of(area: Rect, variant: Variant, flipped: bool, unicode: bool) -> Option<Layout> {
        if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
            return None;
        }
        let drawing = |scale| BoardDrawing { variant, scale, flipped, unicode };
        let rows = area.height - OTHER_ROWS;
        let fits = |scale: &u16| {
            let drawing = drawing(*scale);
            drawing.height() <= rows && drawing.width() + 3 * GAP + MIN_PANEL <= area.width
        };
        let scales = BoardDrawing::MIN_SCALE..=BoardDrawing::MAX_SCALE;
        let drawing = drawing(scales.rev().find(fits).unwrap_or(BoardDrawing::MIN_SCALE));
        let row = |from_bottom: u16, height: u16| {
            Rect::new(area.x, area.bottom() - from_bottom, area.width, height)
        };
        let top = area.y + TITLE_ROWS;
        let board = Rect::new(area.x + GAP, top, drawing.width(), drawing.height());
        let left = board.right() + 2 * GAP;
        Some(Layout {
            drawing,
            title: Rect::new(area.x, area.y, area.width, TITLE_ROWS),
            board,
            panel: Rect::new(left, top, (area.right() - left).min(MAX_PANEL), rows),
            message: row(2 + MESSAGE_ROWS, MESSAGE_ROWS),
            input: row(2, 1),
            keys: row(1, 1),
        })
    }
}

/// Writes a text into an area, cut off at its edge.
pub(crate) fn put(
    buffer: &mut Buffer,
    area: Rect,
    column: u16,
    row: u16,
    text: &str,
    style: Style,
) {
    let cell = Rect::new(area.x.saturating_add(column), area.y.saturating_add(row), 1, 1);
    if column < area.width && row < area.height && cell.intersects(buffer.area) {
        let room = usize::from(area.width - column);
        buffer.set_stringn(cell.x, cell.y, text, room, style);
    }
}

/// The commands of the function keys, from F1 on.
const KEYS: [&str; 10] =
    ["Help", "Hint", "Back", "Flip", "Draw", "Resign", "Graph", "Review", "Save", "Quit"];

/// The key bar: each key's column, name and command.
pub(crate) fn shown_keys() -> impl Iterator<Item = (u16, String, &'static str)> {
    let mut next = 0;
    (1..).zip(KEYS).map(move |(number, command)| {
        let (column, key) = (next, format!("F{number}"));
        next += (key.len() + command.len()) as u16 + 1;
        (column, key, command)
    })
}

pub(crate) fn command_of(number: u8) -> Option<&'static str> {
    KEYS.get(usize::from(number).checked_sub(1)?).copied()
}

pub(crate) fn command_at(column: u16) -> Option<&'static str> {
    let is_hit = |(start, key, command): &(u16, String, &str)| {
        (*start..*start + (key.len() + command.len()) as u16).contains(&column)
    };
    shown_keys().find(is_hit).map(|(.., command)| command)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Theme {
    /// Whether there are colours. Without them, letters and brackets show everything.
    pub colors: bool,
    pub unicode: bool,
    pub symbols: bool,
}

impl Theme {
    pub fn of(options: &PlayOptions) -> Theme {
        let unicode = terminal::shows_unicode() && !options.ascii;
        // See no-color.org.
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme { colors: !no_color, unicode, symbols: unicode && options.pieces == Pieces::Symbols }
    }

    fn colored(self, color: Color) -> Style {
        if self.colors { Style::new().fg(color) } else { Style::new() }
    }

    pub fn faint(self) -> Style {
        self.colored(Color::DarkGray)
    }

    pub fn piece(self, side: Side) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        match (self.colors, side) {
            (false, _) => style,
            (true, Side::White) => style.fg(Color::Black).bg(Color::White),
            (true, Side::Black) => style.fg(Color::White).bg(Color::Blue),
        }
    }

    pub fn marked(self, mark: Mark, style: Style) -> Style {
        let bold = style.add_modifier(Modifier::BOLD);
        match (self.colors, mark) {
            (false, Mark::Chosen) => bold.add_modifier(Modifier::REVERSED),
            (false, _) => bold,
            (true, Mark::Chosen) => bold.fg(Color::Black).bg(Color::Yellow),
            (true, Mark::Target) => bold.fg(Color::Green),
            (true, Mark::Capture | Mark::Check) => bold.fg(Color::White).bg(Color::Red),
            (true, Mark::Hint) => bold.fg(Color::Black).bg(Color::Cyan),
            (true, Mark::LastMove) => bold,
        }
    }

    pub fn target(self) -> &'static str {
        if self.unicode { "●" } else { "o" }
    }

    pub fn letter(self, letter: char) -> char {
        if !self.symbols {
            return letter;
        }
        // Solid symbols for both sides if colours distinguish them.
        let symbols = if self.colors || letter.is_lowercase() {
            "♚♛♜✠♝♞♟◆"
        } else {
            "♔♕♖✚♗♘♙◇"
        };
        let index = "kqrabnpm".find(letter.to_ascii_lowercase());
        index.and_then(|index| symbols.chars().nth(index)).unwrap_or(letter)
    }

    pub fn title(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub fn refusal(self) -> Style {
        self.colored(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub fn to_move(self) -> Style {
        self.colored(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    pub fn key_label(self) -> Style {
        if self.colors {
            Style::new().fg(Color::Black).bg(Color::Cyan)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }
}

/// A mark on a point. If several apply, the first variant wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Chosen,
    /// An empty destination of the selected piece.
    Target,
    Capture,
    Hint,
    Check,
    LastMove,
}

impl Mark {
    /// The brackets around a marked point, which show it without colours.
    pub fn brackets(self) -> Option<[&'static str; 2]> {
        match self {
            Mark::Chosen => Some(["[", "]"]),
            Mark::Target => None,
            Mark::Capture => Some(["(", ")"]),
            Mark::Hint => Some(["{", "}"]),
            Mark::Check => Some(["!", "!"]),
            Mark::LastMove => Some(["<", ">"]),
        }
    }
}

pub(crate) fn marks(session: &Session, input: &str) -> HashMap<String, Mark> {
    let game = &session.game;
    let position = game.position();
    let taken: Vec<String> =
        position.pieces().into_iter().map(|(place, _)| place.to_string()).collect();
    let mut marks = HashMap::new();
    if let Some(last) = game.state.moves().last() {
        let (points, _) = points_of(*last);
        let ends = points.first().into_iter().chain(points.last());
        marks.extend(ends.map(|point| (point.clone(), Mark::LastMove)));
    }
    if let Some(king) = position.king_of_side_to_move().filter(|_| position.in_check()) {
        marks.insert(king, Mark::Check);
    }
    if let Some(hint) = session.hint {
        marks.extend(points_of(hint).0.into_iter().map(|point| (point, Mark::Hint)));
    }
    if game.ending().is_none() && !game.is_engines_turn() {
        for point in user_input::targets(position, input) {
            let mark = if taken.contains(&point) { Mark::Capture } else { Mark::Target };
            marks.insert(point, mark);
        }
        let chosen = user_input::points_in(position, input);
        marks.extend(chosen.into_iter().map(|point| (point, Mark::Chosen)));
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::play::user_input::command_completions as completions;

    #[test]
    fn everything_has_room_and_nothing_overlaps() {
        for variant in Variant::ALL {
            for (width, height) in [(80, 24), (81, 25), (120, 40), (300, 90), (80, 200)] {
                let area = Rect::new(0, 0, width, height);
                let layout = Layout::of(area, variant, false, true).expect("room");
                let Layout { title, board, panel, message, input, keys, .. } = layout;
                let all = [title, board, panel, message, input, keys];
                for (index, one) in all.iter().enumerate() {
                    assert_eq!(one.intersection(area), *one, "{layout:?}");
                    assert!(all[index + 1..].iter().all(|other| !one.intersects(*other)));
                }
                assert!(panel.width >= MIN_PANEL && panel.height >= 18, "{layout:?}");
            }
            for (width, height) in [(79, 24), (80, 23), (0, 0), (1, 1)] {
                let area = Rect::new(0, 0, width, height);
                assert_eq!(Layout::of(area, variant, false, true), None);
            }
        }
    }

    #[test]
    fn larger_terminals_have_larger_boards() {
        let scale = |width, height| {
            let area = Rect::new(0, 0, width, height);
            Layout::of(area, Variant::Chesquerque, false, true).map(|layout| layout.drawing.scale)
        };
        assert_eq!(scale(80, 24), Some(2));
        assert_eq!(scale(100, 32), Some(3));
        assert_eq!(scale(120, 40), Some(4));
    }

    #[test]
    fn all_keys_fit_and_mean_something() {
        for (column, key, command) in shown_keys() {
            assert!(usize::from(column) + key.len() + command.len() <= 80, "{key}");
            assert_eq!(command_at(column), Some(command));
            assert_eq!(completions(&command.to_lowercase()), [command.to_lowercase()]);
        }
        assert_eq!((command_of(2), command_of(12), command_at(200)), (Some("Hint"), None, None));
    }
}
