//! The answer to `uci`: name, author and options.

use super::announced_option::{AnnouncedOption, OptionLine};

/// All that comes before `uciok`.
#[derive(Debug, Default)]
pub(crate) struct Greeting {
    /// The text after `id name`.
    pub names: Vec<String>,
    /// The text after `id author`.
    pub authors: Vec<String>,
    pub options: Vec<OptionLine>,
    /// Lines of another kind before all these.
    pub preamble: Vec<String>,
}

impl Greeting {
    /// Parses the lines of the answer.
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> Greeting {
        let mut greeting = Greeting::default();
        lines.into_iter().for_each(|line| greeting.add_line(line));
        greeting
    }

    fn add_line(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        let (first, second) = (words.next(), words.next());
        let rest = || words.collect::<Vec<_>>().join(" ");
        match (first, second) {
            (Some("id"), Some("name")) => self.names.push(rest()),
            (Some("id"), Some("author")) => self.authors.push(rest()),
            (Some("option"), _) => self.options.push(OptionLine::parse(line)),
            _ if self.names.is_empty() && self.authors.is_empty() && self.options.is_empty() => {
                self.preamble.push(line.to_owned());
            }
            _ => {}
        }
    }

    /// The options that can be set, well announced or not.
    pub fn announced(&self) -> Vec<AnnouncedOption> {
        self.options.iter().filter_map(|line| line.option.clone()).collect()
    }

    /// The options that are well announced.
    pub fn sound_options(&self) -> impl Iterator<Item = &AnnouncedOption> {
        let sound = self.options.iter().filter(|line| line.error.is_none());
        sound.filter_map(|line| line.option.as_ref())
    }

    /// A well announced option by its name, whatever its case.
    pub fn option(&self, name: &str) -> Option<&AnnouncedOption> {
        self.sound_options().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}
