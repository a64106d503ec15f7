//! The state of the screen, and the meaning of keys and clicks. It draws nothing.

mod keys;
mod mouse;

use ratatui::crossterm::event::{Event, KeyEventKind};
use ratatui::layout::Rect;

use super::super::command::Command;
use super::super::news::News;
use super::super::saving::USUAL_FILE;
use super::super::session::Session;
use super::dialog::Dialog;
use super::dialog::Page;
use super::input_line::InputLine;
use super::layout::Layout;
use super::theme::Theme;

/// The state of the screen.
pub(super) struct App {
    session: Session,
    theme: Theme,
    input: InputLine,
    message: String,
    is_refusal: bool,
    dialog: Option<Dialog>,
    /// A pawn has been put on the last rank by mouse: the next letter is what it becomes.
    promotes: bool,
    has_left: bool,
    wants_fresh_screen: bool,
}

impl App {
    pub fn new(session: Session, theme: Theme) -> App {
        App {
            session,
            theme,
            input: InputLine::default(),
            message: String::new(),
            is_refusal: false,
            dialog: None,
            promotes: false,
            has_left: false,
            wants_fresh_screen: false,
        }
    }

    /// The game and the engine.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The abilities of the terminal.
    pub fn theme(&self) -> Theme {
        self.theme
    }

    /// The line that is being typed.
    pub fn input(&self) -> &InputLine {
        &self.input
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether it says why something cannot be done.
    pub fn is_refusal(&self) -> bool {
        self.is_refusal
    }

    /// The question to be answered or page to be closed, if there is one.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.dialog.as_ref()
    }

    pub fn has_left(&self) -> bool {
        self.has_left
    }

    /// Whether all has to be drawn anew. Asking answers it.
    pub fn wants_fresh_screen(&mut self) -> bool {
        std::mem::take(&mut self.wants_fresh_screen)
    }

    /// The place of everything.
    pub fn layout(&self, area: Rect) -> Option<Layout> {
        let variant = self.session.game().position().variant();
        Layout::of(area, variant, self.session.is_flipped(), self.theme.unicode)
    }

    /// Ends everything; what is to be said once the terminal is as before.
    pub fn exit_message(mut self) -> Option<String> {
        self.session.keep()
    }

    pub fn begin(&mut self) {
        let news = self.session.begin();
        self.hear(news);
        if self.session.game().ending().is_none() {
            self.message.push_str(" Or click a piece, and then where it goes.");
        }
    }

    /// Sees what has happened meanwhile.
    pub fn look(&mut self) {
        let news = self.session.look();
        self.hear(news);
    }

    /// Takes what comes from the terminal, which has this area.
    pub fn take(&mut self, event: Event, area: Rect) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(key, area),
            Event::Mouse(mouse) => self.take_mouse(mouse, area),
            Event::Paste(text) if self.dialog.is_none() => self.input.add(&text),
            _ => {}
        }
    }

    fn hear(&mut self, news: Vec<News>) {
        let mut told: Vec<String> = Vec::new();
        let mut refused = false;
        let is_news = news.iter().any(|news| *news != News::Board);
        for news in news {
            match news {
                News::Said(text) | News::Ended(text) => told.push(text),
                News::Refused(text) => {
                    refused = true;
                    told.push(text);
                }
                News::Moved { text, by_engine } => {
                    if by_engine {
                        told.push(format!("Qirkat: {text}"));
                    }
                    self.promotes = false;
                }
                News::Page { title, text } => {
                    self.dialog = Some(Dialog::Page(Page::new(title, text)));
                }
                News::Board => {}
                News::Leave => self.leave(),
            }
        }
        if is_news {
            self.message = told.join(" ");
            self.is_refusal = refused;
        }
    }

    /// Leaves, or asks first where a game would be lost.
    fn leave(&mut self) {
        if !self.session.is_unsaved() || self.session.file().is_some() {
            self.has_left = true;
        } else {
            self.dialog = Some(Dialog::Leave(USUAL_FILE.to_owned()));
        }
    }

    /// Does what was typed, or what a key stands for.
    fn say(&mut self, text: &str) {
        match Command::read(text) {
            Ok(Command::Resign) if self.session.game().ending().is_none() => {
                self.dialog = Some(Dialog::Resign);
            }
            Ok(command) => self.obey(command),
            Err(reason) => self.hear(vec![News::refused(&reason)]),
        }
    }

    fn obey(&mut self, command: Command) {
        let news = self.session.obey(command);
        self.hear(news);
    }
}
