//! The meaning of the mouse.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::App;
use crate::play::command::Command;
use crate::play::move_input::{self, Click};
use crate::play::news::News;
use crate::play::screen::key_bar;
use qirkat_rules::variant::Place;

/// Lines that a turn of the wheel scrolls.
const WHEEL_LINES: isize = 3;

impl App {
    pub(super) fn take_mouse(&mut self, mouse: MouseEvent, area: Rect) {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(-WHEEL_LINES, area),
            MouseEventKind::ScrollDown => self.scroll(WHEEL_LINES, area),
            MouseEventKind::Down(MouseButton::Left) if self.dialog.is_none() => {
                self.press_mouse(Position::new(mouse.column, mouse.row), area);
            }
            _ => {}
        }
    }

    fn press_mouse(&mut self, at: Position, area: Rect) {
        let Some(layout) = self.layout(area) else { return };
        if layout.keys.contains(at) {
            if let Some(word) = key_bar::word_at(at.x - layout.keys.x) {
                self.say(word);
            }
        } else if layout.board.contains(at) {
            let (column, row) = (at.x - layout.board.x, at.y - layout.board.y);
            if let Some((file, rank)) = layout.drawing.point_at(column, row) {
                self.click(&Place { file, rank }.to_string());
            }
        }
    }

    /// A click on a point of the board.
    fn click(&mut self, point: &str) {
        let game = self.session.game();
        let position = *game.position();
        if game.ending().is_some() || game.is_engines_turn() {
            return self.obey(Command::Move(point.to_owned()));
        }
        let chosen = move_input::points_in(&position, self.input.text()).concat();
        self.promotes = false;
        self.message.clear();
        match move_input::click(&position, &chosen, point) {
            Click::Chosen(text) => self.input.set(text),
            Click::Move(mv) => {
                self.input.set("");
                let news = self.session.make(mv);
                self.hear(news);
            }
            Click::Promotion(text, letters) => {
                self.input.set(text);
                self.promotes = true;
                let letters: Vec<String> = letters.into_iter().map(String::from).collect();
                let text = format!("What does the pawn become? Type {}.", letters.join(", "));
                self.hear(vec![News::Said(text)]);
            }
            Click::Refused(reason) => self.hear(vec![News::refused(&reason)]),
        }
    }
}
