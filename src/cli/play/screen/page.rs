//! A text of several lines that takes the whole screen and can be scrolled.

/// A text, and how far it is scrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Page {
    title: String,
    lines: Vec<String>,
    top: usize,
}

impl Page {
    /// A text from its beginning.
    pub fn new(title: String, text: &str) -> Page {
        Page { title, lines: text.lines().map(str::to_owned).collect(), top: 0 }
    }

    /// What it is about.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The lines that are seen where there is room for so many.
    pub fn seen(&self, rows: usize) -> &[String] {
        let top = self.top.min(self.last_top(rows));
        &self.lines[top..(top + rows).min(self.lines.len())]
    }

    /// Whether there is more above, and below.
    pub fn goes_on(&self, rows: usize) -> (bool, bool) {
        let top = self.top.min(self.last_top(rows));
        (top > 0, top < self.last_top(rows))
    }

    /// Goes down by so many lines, or up, where there is room for so many.
    pub fn scroll(&mut self, lines: isize, rows: usize) {
        let last = self.last_top(rows);
        self.top = self.top.min(last).saturating_add_signed(lines).min(last);
    }

    fn last_top(&self, rows: usize) -> usize {
        self.lines.len().saturating_sub(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_scrolls_beyond_the_ends() {
        let mut page = Page::new("x".to_owned(), "1\n2\n3\n4\n5");
        assert_eq!(page.seen(3), ["1", "2", "3"]);
        assert_eq!(page.goes_on(3), (false, true));
        page.scroll(100, 3);
        assert_eq!(page.seen(3), ["3", "4", "5"]);
        assert_eq!(page.goes_on(3), (true, false));
        page.scroll(-1, 3);
        assert_eq!(page.seen(3), ["2", "3", "4"]);
        // The terminal has grown.
        assert_eq!(page.seen(9).len(), 5);
        page.scroll(isize::MIN, 3);
        assert_eq!(page.seen(0), [""; 0]);
        assert_eq!(page.seen(2), ["1", "2"]);
    }
}
