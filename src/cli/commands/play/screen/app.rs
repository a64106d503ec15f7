//! The state of the screen, and the handling of keys and clicks. It draws nothing.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::layout::{self, Layout, PAGE_FRAME, Theme};
use crate::commands::play::played_game::DEFAULT_FILE;
use crate::commands::play::session::{Notice, PAGE_MARGIN, Session};
use crate::commands::play::user_input::{self, Click};
use crate::shared::terminal;
use qirkat_rules::variant::{AnyPosition, Place};

pub(crate) struct App {
    pub session: Session,
    pub theme: Theme,
    pub input: String,
    pub message: String,
    pub is_refusal: bool,
    pub dialog: Option<Dialog>,
    /// A pawn was moved to the last rank by mouse: the next letter is its promotion.
    promotes: bool,
    pub has_left: bool,
    pub must_redraw: bool,
}

impl App {
    pub fn new(session: Session, theme: Theme) -> App {
        App {
            session,
            theme,
            input: String::new(),
            message: String::new(),
            is_refusal: false,
            dialog: None,
            promotes: false,
            has_left: false,
            must_redraw: false,
        }
    }

    pub fn layout(&self, area: Rect) -> Option<Layout> {
        let variant = self.session.game.position().variant();
        Layout::of(area, variant, self.session.flipped, self.theme.unicode)
    }

    pub fn start(&mut self) {
        let notices = self.session.start();
        self.show_notices(notices);
        if self.session.game.ending().is_none() {
            self.message.push_str(" Or click a piece, and then its destination.");
        }
    }

    pub fn poll(&mut self) {
        let notices = self.session.poll();
        self.show_notices(notices);
    }

    pub fn take(&mut self, event: Event, area: Rect) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(key, area),
            Event::Mouse(mouse) => self.take_mouse(mouse, area),
            Event::Paste(text) if self.dialog.is_none() => self.type_text(&text),
            _ => {}
        }
    }

    fn show_notices(&mut self, notices: Vec<Notice>) {
        let mut messages: Vec<String> = Vec::new();
        let mut refused = false;
        let changes_message = notices.iter().any(|notice| *notice != Notice::Board);
        for notice in notices {
            match notice {
                Notice::Message(text) | Notice::Ended(text) => messages.push(text),
                Notice::Refused(text) => {
                    refused = true;
                    messages.push(text);
                }
                Notice::Moved { text, by_engine } => {
                    if by_engine {
                        messages.push(format!("Qirkat: {text}"));
                    }
                    self.promotes = false;
                }
                Notice::Page { title, text } => {
                    self.dialog = Some(Dialog::Page(Page { title, text, top: 0 }));
                }
                Notice::Board => {}
                Notice::Leave => self.leave(),
            }
        }
        if changes_message {
            self.message = messages.join(" ");
            self.is_refusal = refused;
        }
    }

    /// Quits, or asks first if the game would be lost.
    fn leave(&mut self) {
        if !self.session.needs_saving || self.session.file().is_some() {
            self.has_left = true;
        } else {
            self.dialog = Some(Dialog::Leave);
        }
    }

    /// Executes a line, but asks before resigning.
    fn handle_input(&mut self, line: &str) {
        if line.trim().eq_ignore_ascii_case("resign") && self.session.game.ending().is_none() {
            self.dialog = Some(Dialog::Resign);
        } else {
            self.execute(line);
        }
    }

    fn execute(&mut self, line: &str) {
        let notices = self.session.execute(line);
        self.show_notices(notices);
    }

    pub fn press(&mut self, key: KeyEvent, area: Rect) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (&self.dialog, key.code) {
            // Pressed twice, it quits at once; the game is saved.
            (Some(Dialog::Leave), KeyCode::Char('c')) if control => self.has_left = true,
            (_, KeyCode::Char('c' | 'q')) if control => {
                self.dialog = None;
                self.leave();
            }
            // End of input, as in a shell.
            (None, KeyCode::Char('d')) if control && self.input.is_empty() => self.leave(),
            (_, KeyCode::Char('l')) if control => self.must_redraw = true,
            (Some(Dialog::Page(_)), code) => self.turn_page(code, area),
            (Some(_), code) => self.answer(code),
            (None, KeyCode::Char('u')) if control => self.clear_input(),
            (None, code) => self.edit(code, key.modifiers),
        }
    }

    fn edit(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        match code {
            KeyCode::Enter => self.submit(),
            KeyCode::Tab | KeyCode::Right => {
                complete(&mut self.input, self.session.game.position());
            }
            KeyCode::Backspace => {
                self.promotes = false;
                self.input.pop();
            }
            // Cancels running work; otherwise clears the input.
            KeyCode::Esc if self.session.cancel_background() => {}
            KeyCode::Esc => self.clear_input(),
            KeyCode::F(number) => {
                if let Some(word) = layout::command_of(number) {
                    self.handle_input(word);
                }
            }
            KeyCode::Char('?') if self.input.is_empty() => self.handle_input("help"),
            KeyCode::Char(letter)
                if !modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) =>
            {
                self.type_text(letter.encode_utf8(&mut [0; 4]));
                if std::mem::take(&mut self.promotes) {
                    self.submit();
                }
            }
            _ => {}
        }
    }

    /// Appends printable characters that fit.
    fn type_text(&mut self, text: &str) {
        let room = MAX_INPUT.saturating_sub(self.input.chars().count());
        self.input.extend(text.chars().filter(|letter| !letter.is_control()).take(room));
    }

    fn clear_input(&mut self) {
        self.promotes = false;
        self.input.clear();
        self.message.clear();
    }

    fn submit(&mut self) {
        let text = std::mem::take(&mut self.input);
        if !text.trim().is_empty() {
            self.handle_input(&text);
        }
    }

    fn answer(&mut self, code: KeyCode) {
        let Some(dialog) = self.dialog.take() else { return };
        match (dialog, code) {
            (Dialog::Resign, KeyCode::Char('y' | 'Y')) => self.execute("resign"),
            (Dialog::Leave, KeyCode::Char('y' | 'Y')) => {
                self.execute("save");
                self.has_left = !self.session.needs_saving;
            }
            (Dialog::Leave, KeyCode::Char('n' | 'N')) => {
                self.session.needs_saving = false;
                self.has_left = true;
            }
            (_, KeyCode::Esc | KeyCode::Char('n' | 'N')) => {}
            // Other keys do not answer the question.
            (dialog, _) => self.dialog = Some(dialog),
        }
    }

    fn turn_page(&mut self, code: KeyCode, area: Rect) {
        let whole = isize::try_from(rows(area).saturating_sub(1)).unwrap_or(1);
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

    pub fn scroll(&mut self, lines: isize, area: Rect) {
        if let Some(Dialog::Page(page)) = &mut self.dialog {
            page.scroll(lines, area);
        }
    }

    pub fn take_mouse(&mut self, mouse: MouseEvent, area: Rect) {
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
            if let Some(word) = layout::command_at(at.x - layout.keys.x) {
                self.handle_input(word);
            }
        } else if layout.board.contains(at) {
            let (column, row) = (at.x - layout.board.x, at.y - layout.board.y);
            if let Some((file, rank)) = layout.drawing.point_at(column, row) {
                self.click(&Place { file, rank }.to_string());
            }
        }
    }

    fn click(&mut self, point: &str) {
        let game = &self.session.game;
        let position = *game.position();
        if game.ending().is_some() || game.is_engines_turn() {
            return self.execute(point);
        }
        let chosen = user_input::points_in(&position, &self.input).concat();
        self.promotes = false;
        self.message.clear();
        match user_input::click(&position, &chosen, point) {
            Click::Chosen(text) => self.input = text,
            Click::Move(mv) => {
                self.input.clear();
                let notices = self.session.make(mv);
                self.show_notices(notices);
            }
            Click::Promotion(text, letters) => {
                self.input = text;
                self.promotes = true;
                let letters: Vec<String> = letters.into_iter().map(String::from).collect();
                let text = format!("What does the pawn become? Type {}.", letters.join(", "));
                self.show_notices(vec![Notice::Message(text)]);
            }
            Click::Refused(reason) => self.show_notices(vec![Notice::refused(&reason)]),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Dialog {
    Resign,
    Leave,
    Page(Page),
}

impl Dialog {
    pub fn question(&self) -> Option<String> {
        match self {
            Dialog::Resign => Some("Resign the game?  y: yes   n: no".to_owned()),
            Dialog::Leave => Some(format!(
                "Save the game before you leave?  y: yes, add it to {DEFAULT_FILE}   n: no   Esc: stay"
            )),
            Dialog::Page(_) => None,
        }
    }
}

const WHEEL_LINES: isize = 3;

/// Of continuation lines.
const INDENT: usize = 2;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Page {
    pub title: String,
    text: String,
    top: usize,
}

impl Page {
    pub fn visible_lines(&self, area: Rect) -> Vec<String> {
        let mut lines = self.lines(area);
        let top = self.top.min(last_top(&lines, area));
        lines.drain(..top);
        lines.truncate(rows(area));
        lines
    }

    pub fn has_more(&self, area: Rect) -> (bool, bool) {
        let last = last_top(&self.lines(area), area);
        let top = self.top.min(last);
        (top > 0, top < last)
    }

    pub fn scroll(&mut self, lines: isize, area: Rect) {
        let last = last_top(&self.lines(area), area);
        self.top = self.top.min(last).saturating_add_signed(lines).min(last);
    }

    fn lines(&self, area: Rect) -> Vec<String> {
        let width = area.width.saturating_sub(2 * PAGE_MARGIN);
        let mut lines = Vec::new();
        for line in self.text.lines() {
            let wrapped = terminal::wrapped_text(line, width.into(), INDENT);
            lines.extend(wrapped.split('\n').map(str::to_owned));
        }
        lines
    }
}

fn rows(area: Rect) -> usize {
    area.height.saturating_sub(PAGE_FRAME).into()
}

fn last_top(lines: &[String], area: Rect) -> usize {
    lines.len().saturating_sub(rows(area))
}

const MAX_INPUT: usize = 60;

/// The commands and legal moves that the input can be completed to.
pub(crate) fn candidates(input: &str, position: &AnyPosition) -> Vec<String> {
    let mut found = user_input::command_completions(input);
    found.extend(user_input::completions(position, input));
    found
}

/// Completes the input as far as all candidates agree.
fn complete(input: &mut String, position: &AnyPosition) {
    let candidates = candidates(input, position);
    let Some(first) = candidates.first() else { return };
    let agreed = candidates.iter().fold(first.as_str(), |agreed, next| common(agreed, next));
    if agreed.chars().count() >= input.chars().count() {
        *input = agreed.to_owned();
    }
}

/// The rest of the only candidate.
pub(crate) fn completion(input: &str, position: &AnyPosition) -> Option<String> {
    match candidates(input, position).as_slice() {
        [only] => only.strip_prefix(input).map(str::to_owned),
        _ => None,
    }
}

fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
    let length = same.map(|(letter, _)| letter.len_utf8()).sum();
    &one[..length]
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    fn page(text: &str) -> Page {
        Page { title: String::new(), text: text.to_owned(), top: 0 }
    }

    fn screen(rows: u16) -> Rect {
        Rect::new(0, 0, 12, rows + PAGE_FRAME)
    }

    #[test]
    fn nobody_scrolls_beyond_the_ends() {
        let mut page = page("1\n2\n3\n4\n5");
        assert_eq!(page.visible_lines(screen(3)), ["1", "2", "3"]);
        assert_eq!(page.has_more(screen(3)), (false, true));
        page.scroll(100, screen(3));
        assert_eq!(page.visible_lines(screen(3)), ["3", "4", "5"]);
        assert_eq!(page.has_more(screen(3)), (true, false));
        page.scroll(-1, screen(3));
        assert_eq!(page.visible_lines(screen(3)), ["2", "3", "4"]);
        // The terminal has grown.
        assert_eq!(page.visible_lines(screen(9)).len(), 5);
        page.scroll(isize::MIN, screen(3));
        assert_eq!(page.visible_lines(screen(0)), [""; 0]);
        assert_eq!(page.visible_lines(screen(2)), ["1", "2"]);
    }

    #[test]
    fn long_lines_go_on_in_the_next() {
        let page = page("help  this\nlist  of all words");
        assert_eq!(page.visible_lines(screen(9)), ["help  this", "list  of", "  all", "  words"]);
        assert_eq!(page.has_more(screen(3)), (false, true));
    }

    #[test]
    fn what_is_beyond_doubt_is_completed() {
        let start = Variant::Chesquerque.start();
        for (typed, completed, completion) in [
            ("hi", "hint", Some("nt")),
            ("re", "re", None),
            ("rev", "review", Some("iew")),
            ("d2", "d2d", None),
            ("d2d3", "d2d3", Some("")),
            ("HI", "HI", None),
            ("zz", "zz", None),
            ("", "", None),
        ] {
            let mut input = typed.to_owned();
            assert_eq!(super::completion(&input, &start).as_deref(), completion, "{typed}");
            complete(&mut input, &start);
            assert_eq!(input, completed, "{typed}");
        }
    }
}
