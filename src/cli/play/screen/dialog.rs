//! Dialogs: questions and pages that have to be answered or closed before the game goes on.

use ratatui::layout::Rect;

use super::layout::PAGE_FRAME;
use crate::shared::terminal;

/// A question to be answered, or a page to be closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Dialog {
    /// Whether the person really gives up.
    Resign,
    /// Whether a game that is in no file is to be added to this one.
    Leave(String),
    /// A text to be read.
    Page(Page),
}

impl Dialog {
    pub fn question(&self) -> Option<String> {
        match self {
            Dialog::Resign => Some("Give the game up?  y: yes   n: no".to_owned()),
            Dialog::Leave(file) => Some(format!(
                "Save the game before you leave?  y: yes, add it to {file}   n: no   Esc: stay"
            )),
            Dialog::Page(_) => None,
        }
    }
}

/// Columns at either side.
const MARGIN: u16 = 1;
/// Columns before what does not fit into a line and goes on in the next.
const INDENT: usize = 2;

/// A text, and how far it is scrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Page {
    title: String,
    text: String,
    top: usize,
}

impl Page {
    pub fn new(title: String, text: String) -> Page {
        Page { title, text, top: 0 }
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    /// The lines that are seen on a screen of this area.
    pub fn seen(&self, area: Rect) -> Vec<String> {
        let mut lines = self.lines(area);
        let top = self.top.min(last_top(&lines, area));
        lines.drain(..top);
        lines.truncate(rows(area));
        lines
    }

    /// Whether there is more above, and below.
    pub fn goes_on(&self, area: Rect) -> (bool, bool) {
        let last = last_top(&self.lines(area), area);
        let top = self.top.min(last);
        (top > 0, top < last)
    }

    /// Goes down by this many lines, or up.
    pub fn scroll(&mut self, lines: isize, area: Rect) {
        let last = last_top(&self.lines(area), area);
        self.top = self.top.min(last).saturating_add_signed(lines).min(last);
    }

    /// The text in lines that fit.
    fn lines(&self, area: Rect) -> Vec<String> {
        let width = area.width.saturating_sub(2 * MARGIN);
        let mut lines = Vec::new();
        for line in self.text.lines() {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let wrapped = terminal::wrapped("", &words, width.into(), INDENT);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(rows: u16) -> Rect {
        Rect::new(0, 0, 12, rows + PAGE_FRAME)
    }

    #[test]
    fn nobody_scrolls_beyond_the_ends() {
        let mut page = Page::new("x".to_owned(), "1\n2\n3\n4\n5".to_owned());
        assert_eq!(page.seen(screen(3)), ["1", "2", "3"]);
        assert_eq!(page.goes_on(screen(3)), (false, true));
        page.scroll(100, screen(3));
        assert_eq!(page.seen(screen(3)), ["3", "4", "5"]);
        assert_eq!(page.goes_on(screen(3)), (true, false));
        page.scroll(-1, screen(3));
        assert_eq!(page.seen(screen(3)), ["2", "3", "4"]);
        // The terminal has grown.
        assert_eq!(page.seen(screen(9)).len(), 5);
        page.scroll(isize::MIN, screen(3));
        assert_eq!(page.seen(screen(0)), [""; 0]);
        assert_eq!(page.seen(screen(2)), ["1", "2"]);
    }

    #[test]
    fn long_lines_go_on_in_the_next() {
        let page = Page::new("x".to_owned(), "help  this\nlist  of all words".to_owned());
        assert_eq!(page.seen(screen(9)), ["help  this", "list  of", "  all", "  words"]);
        assert_eq!(page.goes_on(screen(3)), (false, true));
    }
}
