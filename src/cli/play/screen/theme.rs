//! Colours and characters, as far as the terminal has them.

use ratatui::style::{Color, Modifier, Style};

use super::marks::Mark;
use crate::play::options::{Pieces, PlayOptions};
use crate::shared::terminal;
use qirkat_game::Color as Side;

/// The abilities of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::play) struct Theme {
    /// Whether there are colours. Without them letters and brackets tell everything.
    pub colors: bool,
    /// Whether characters beyond ASCII can be shown.
    pub unicode: bool,
    /// Whether pieces are drawn by the symbols of chess.
    pub symbols: bool,
}

impl Theme {
    /// The theme that the environment and the person ask for.
    pub fn of(options: &PlayOptions) -> Theme {
        let unicode = terminal::shows_unicode() && !options.ascii;
        // See no-color.org.
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme { colors: !no_color, unicode, symbols: unicode && options.pieces == Pieces::Symbols }
    }

    fn colored(self, color: Color) -> Style {
        if self.colors { Style::new().fg(color) } else { Style::new() }
    }

    pub fn lines(self) -> Style {
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

    /// A point with a mark; what stands there has this style otherwise.
    pub(super) fn marked(self, mark: Mark, style: Style) -> Style {
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

    /// The character of an empty point to which a piece may go.
    pub fn target(self) -> &'static str {
        if self.unicode { "●" } else { "o" }
    }

    /// The character of a piece, by its letter in FEN.
    pub fn letter(self, letter: char) -> char {
        if !self.symbols {
            return letter;
        }
        // Full symbols for both sides, where colours tell them apart.
        let symbols = if self.colors || letter.is_lowercase() {
            "♚♛♜✠♝♞♟◆"
        } else {
            "♔♕♖✚♗♘♙◇"
        };
        let place = "kqrabnpm".find(letter.to_ascii_lowercase());
        place.and_then(|place| symbols.chars().nth(place)).unwrap_or(letter)
    }

    /// The line on top.
    pub fn title(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Why something cannot be done.
    pub fn refusal(self) -> Style {
        self.colored(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// The style of less important texts.
    pub fn faint(self) -> Style {
        if self.colors { self.colored(Color::DarkGray) } else { Style::new() }
    }

    pub fn to_move(self) -> Style {
        self.colored(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// The names of what the keys do.
    pub fn key_label(self) -> Style {
        if self.colors {
            Style::new().fg(Color::Black).bg(Color::Cyan)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }
}
