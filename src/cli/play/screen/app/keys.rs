//! The meaning of keys.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use super::App;
use crate::play::command::Command;
use crate::play::screen::dialog::Dialog;
use crate::play::screen::key_bar;
use crate::play::screen::layout::PAGE_FRAME;

impl App {
    pub(super) fn press(&mut self, key: KeyEvent, area: Rect) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (&self.dialog, key.code) {
            // Twice leaves at once; the game is kept.
            (Some(Dialog::Leave(_)), KeyCode::Char('c')) if control => self.has_left = true,
            (_, KeyCode::Char('c' | 'q')) if control => {
                self.dialog = None;
                self.leave();
            }
            // The end of input, as in a shell.
            (None, KeyCode::Char('d')) if control && self.input.text().is_empty() => self.leave(),
            (_, KeyCode::Char('l')) if control => self.wants_fresh_screen = true,
            (Some(Dialog::Page(_)), code) => self.turn_page(code, area),
            (Some(_), code) => self.answer(code),
            (None, KeyCode::Char('u')) if control => self.put_down(),
            (None, code) => self.edit(code, key.modifiers),
        }
    }

    fn edit(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        match code {
            KeyCode::Enter => self.submit(),
            KeyCode::Tab | KeyCode::Right => {
                self.input.complete(self.session.game().position());
            }
            KeyCode::Backspace => self.input.backspace(),
            KeyCode::Esc => self.escape(),
            KeyCode::F(number) => {
                if let Some(word) = key_bar::word_of(number) {
                    self.say(word);
                }
            }
            KeyCode::Char('?') if self.input.text().is_empty() => self.say("help"),
            KeyCode::Char(letter)
                if !modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) =>
            {
                self.input.add(letter.encode_utf8(&mut [0; 4]));
                if std::mem::take(&mut self.promotes) {
                    self.submit();
                }
            }
            _ => {}
        }
    }

    /// Breaks off what goes on; otherwise nothing is being put in any more.
    fn escape(&mut self) {
        if !self.session.break_off() {
            self.put_down();
        }
    }

    /// Empties the line; a chosen piece is put down.
    fn put_down(&mut self) {
        self.promotes = false;
        self.input.set("");
        self.message.clear();
    }

    fn submit(&mut self) {
        let text = self.input.take();
        if !text.trim().is_empty() {
            self.say(&text);
        }
    }

    fn answer(&mut self, code: KeyCode) {
        let Some(dialog) = self.dialog.take() else { return };
        match (dialog, code) {
            (Dialog::Resign, KeyCode::Char('y' | 'Y')) => self.obey(Command::Resign),
            (Dialog::Leave(_), KeyCode::Char('y' | 'Y')) => {
                self.obey(Command::Save(None));
                self.has_left = !self.session.is_unsaved();
            }
            (Dialog::Leave(_), KeyCode::Char('n' | 'N')) => {
                self.session.forget();
                self.has_left = true;
            }
            (_, KeyCode::Esc | KeyCode::Char('n' | 'N')) => {}
            // Any other key is no answer.
            (dialog, _) => self.dialog = Some(dialog),
        }
    }

    fn turn_page(&mut self, code: KeyCode, area: Rect) {
        let rows = usize::from(area.height.saturating_sub(PAGE_FRAME));
        let whole = isize::try_from(rows.saturating_sub(1)).unwrap_or(1);
        let lines = match code {
            KeyCode::Up => -1,
            KeyCode::Down => 1,
            KeyCode::PageUp => -whole,
            KeyCode::PageDown | KeyCode::Char(' ') => whole,
            KeyCode::Home => isize::MIN,
            KeyCode::End => isize::MAX,
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') | KeyCode::F(_) => {
                self.dialog = None;
                return;
            }
            _ => return,
        };
        self.scroll(lines, area);
    }

    pub(super) fn scroll(&mut self, lines: isize, area: Rect) {
        if let Some(Dialog::Page(page)) = &mut self.dialog {
            page.scroll(lines, area);
        }
    }
}
