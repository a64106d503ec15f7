//! One option of the command line, taken apart word by word.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use anyhow::{Context, Result, bail};

/// One option with the words behind it.
pub(super) struct Clause<'a> {
    pub name: &'a str,
    pub words: &'a [String],
}

/// Names that may be given once.
#[derive(Default)]
pub(super) struct Given(BTreeSet<String>);

impl Given {
    /// Notes a name; case does not tell names apart, as UCI has it for
    /// options.
    pub fn note(&mut self, name: &str) -> Result<()> {
        if !self.0.insert(name.to_ascii_lowercase()) {
            bail!("given twice");
        }
        Ok(())
    }
}

impl Clause<'_> {
    /// An option that is there or not.
    pub fn switch(&self) -> Result<bool> {
        match self.words.first() {
            Some(word) => bail!("unexpected `{word}`"),
            None => Ok(true),
        }
    }

    pub fn text(&self) -> Result<String> {
        if self.words.is_empty() {
            bail!("needs a value");
        }
        Ok(self.words.join(" "))
    }

    pub fn value<T: FromStr<Err: Display>>(&self) -> Result<T> {
        match self.words {
            [] => bail!("needs a value"),
            [_, more, ..] => bail!("unexpected `{more}`"),
            [word] => parse(word),
        }
    }

    /// Takes words of the form name=value, each name once.
    pub fn each_pair(&self, on_pair: impl FnMut(&str, &str) -> Result<()>) -> Result<()> {
        self.pairs(&mut Given::default(), |word| word.split_once('='), on_pair)
    }

    pub fn pairs(
        &self,
        given: &mut Given,
        split: impl Fn(&str) -> Option<(&str, &str)>,
        mut on_pair: impl FnMut(&str, &str) -> Result<()>,
    ) -> Result<()> {
        if self.words.is_empty() {
            bail!("needs name=value");
        }
        for word in self.words {
            let Some((key, value)) = split(word) else {
                bail!("`{word}` is not of the form name=value");
            };
            // A program may have several arguments.
            let noted = if key == "arg" { Ok(()) } else { given.note(key) };
            let taken = noted.and_then(|()| match value {
                // A button has no value.
                "" if !key.starts_with("option.") && !key.starts_with("env.") => {
                    bail!("needs a value")
                }
                value => on_pair(key, value),
            });
            taken.with_context(|| key.to_owned())?;
        }
        Ok(())
    }
}

/// Reads a value, or says what is wrong with it.
pub(super) fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T> {
    text.parse().map_err(|error| anyhow::anyhow!("`{text}`: {error}"))
}

/// The name of an option, written with one dash or two. Numbers may be
/// negative and are none.
pub(in crate::match_games) fn option_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    name.starts_with(|letter: char| letter.is_ascii_alphabetic()).then_some(name)
}
