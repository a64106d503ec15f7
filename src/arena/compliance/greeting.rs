//! The answer to `uci`: name, author and options.

use qirkat_game::text::read_number;

/// All that comes before `uciok`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Greeting {
    /// The text after `id name`.
    pub names: Vec<String>,
    /// The text after `id author`.
    pub authors: Vec<String>,
    /// The options.
    pub options: Vec<OptionLine>,
    /// Lines of another kind before all these.
    pub preamble: Vec<String>,
}

/// An `option` line, with what it announces or what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OptionLine {
    pub text: String,
    pub read: Result<Announced, String>,
}

/// An option that an engine announces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Announced {
    pub name: String,
    pub kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Check { default: bool },
    Spin { default: i64, min: i64, max: i64 },
    Combo { default: String, choices: Vec<String> },
    Text { default: Option<String> },
    Button,
}

impl Kind {
    /// The type's name in the protocol.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::Check { .. } => "check",
            Kind::Spin { .. } => "spin",
            Kind::Combo { .. } => "combo",
            Kind::Text { .. } => "string",
            Kind::Button => "button",
        }
    }
}

impl Greeting {
    /// Adds a line of the answer.
    pub fn add_line(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        let first = words.next();
        let second = words.next();
        let rest = || words.clone().collect::<Vec<_>>().join(" ");
        match (first, second) {
            (Some("id"), Some("name")) => self.names.push(rest()),
            (Some("id"), Some("author")) => self.authors.push(rest()),
            (Some("option"), _) => {
                self.options
                    .push(OptionLine { text: line.to_owned(), read: Announced::read(line) });
            }
            _ if self.names.is_empty() && self.authors.is_empty() && self.options.is_empty() => {
                self.preamble.push(line.to_owned());
            }
            _ => {}
        }
    }

    /// The options that are well announced.
    pub fn announced(&self) -> impl Iterator<Item = &Announced> {
        self.options.iter().filter_map(|option| option.read.as_ref().ok())
    }

    /// An option by its name, whatever its case.
    pub fn option(&self, name: &str) -> Option<&Announced> {
        self.announced().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

/// The words that an option line is made of.
const WORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

impl Announced {
    /// Reads a whole `option` line, or says what is wrong with it.
    fn read(line: &str) -> Result<Announced, String> {
        let mut fields = OptionFields::read(line)?;
        let name = fields.name.take().filter(|name| !name.is_empty()).ok_or("a name is missing")?;
        Ok(Announced { name, kind: fields.kind()? })
    }
}

/// What an option line says, word by word.
#[derive(Default)]
struct OptionFields {
    name: Option<String>,
    kind: Option<String>,
    default: Option<String>,
    bounds: [Option<String>; 2],
    choices: Vec<String>,
}

impl OptionFields {
    fn read(line: &str) -> Result<OptionFields, String> {
        let mut found = OptionFields::default();
        for (word, text) in fields(line)? {
            let place = match word {
                "name" => &mut found.name,
                "type" => &mut found.kind,
                "default" => &mut found.default,
                "min" => &mut found.bounds[0],
                "max" => &mut found.bounds[1],
                _ => {
                    found.choices.push(text);
                    continue;
                }
            };
            if place.replace(text).is_some() {
                return Err(format!("`{word}` stands there twice"));
            }
        }
        Ok(found)
    }

    /// The option's type with all that belongs to it.
    fn kind(self) -> Result<Kind, String> {
        let OptionFields { kind, default, bounds, choices, .. } = self;
        let kind = kind.ok_or("`type` is missing")?;
        if bounds.iter().any(Option::is_some) && kind != "spin" {
            return Err(format!("`min` and `max` are for a spin, not a {kind}"));
        }
        if !choices.is_empty() && kind != "combo" {
            return Err(format!("`var` is for a combo, not a {kind}"));
        }
        let needed = |default: Option<String>| default.ok_or(format!("a {kind} needs a `default`"));
        match kind.as_str() {
            "check" => match needed(default)?.as_str() {
                "true" => Ok(Kind::Check { default: true }),
                "false" => Ok(Kind::Check { default: false }),
                other => Err(format!("default `{other}` is neither true nor false")),
            },
            "spin" => spin(default, bounds),
            "combo" => {
                let default = needed(default)?;
                if !choices.contains(&default) {
                    return Err(format!("default `{default}` is not among the `var`s"));
                }
                Ok(Kind::Combo { default, choices })
            }
            "string" => Ok(Kind::Text { default }),
            "button" if default.is_some() => Err("a button has no default".to_owned()),
            "button" => Ok(Kind::Button),
            other => Err(format!("type `{other}` is none of check, spin, combo, string, button")),
        }
    }
}

/// A number with its bounds.
fn spin(default: Option<String>, [min, max]: [Option<String>; 2]) -> Result<Kind, String> {
    let number = |word: &str, text: Option<String>| {
        let text = text.ok_or(format!("a spin needs `{word}`"))?;
        read_number(&text).ok_or(format!("{word} `{text}` is not a whole number"))
    };
    let default = number("default", default)?;
    let (min, max) = (number("min", min)?, number("max", max)?);
    if min > max {
        return Err(format!("min {min} is larger than max {max}"));
    }
    if !(min..=max).contains(&default) {
        return Err(format!("default {default} is not from {min} to {max}"));
    }
    Ok(Kind::Spin { default, min, max })
}

/// The fields of an option line: a word of the protocol, and what follows.
/// What a `default` or `var` says is taken as it is up to the next such word.
fn fields(line: &str) -> Result<Vec<(&str, String)>, String> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in line.split_ascii_whitespace().skip(1) {
        // A name may hold any word but `type`.
        let in_name = fields.last().is_some_and(|(field, _)| *field == "name");
        match fields.last_mut() {
            _ if WORDS.contains(&word) && (!in_name || word == "type") => {
                fields.push((word, String::new()));
            }
            Some((_, text)) => {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
            None => return Err(format!("`name` is expected before `{word}`")),
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_lines_are_read_or_refused() {
        let spin = |default, min, max| Kind::Spin { default, min, max };
        let combo = |default: &str, choices: &[&str]| Kind::Combo {
            default: default.to_owned(),
            choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
        };
        for (line, expected) in [
            ("name Hash type spin default 16 min 1 max 99", Ok(("Hash", spin(16, 1, 99)))),
            ("name A min B  type spin default -1 min -2 max 0", Ok(("A min B", spin(-1, -2, 0)))),
            ("name X type check default true", Ok(("X", Kind::Check { default: true }))),
            ("name Clear Hash type button", Ok(("Clear Hash", Kind::Button))),
            (
                "name Style type combo default very solid var very solid var wild",
                Ok(("Style", combo("very solid", &["very solid", "wild"]))),
            ),
            ("name F type string", Ok(("F", Kind::Text { default: None }))),
            ("name F type string default", Ok(("F", Kind::Text { default: Some(String::new()) }))),
            ("type spin default 1 min 1 max 1", Err("a name is missing")),
            ("name type spin default 1 min 1 max 1", Err("a name is missing")),
            ("Hash type spin default 1", Err("`name` is expected before `Hash`")),
            ("name Hash", Err("`type` is missing")),
            ("name Hash type slider default 1", Err("type `slider` is none of")),
            ("name Hash type spin default 1 min 1", Err("a spin needs `max`")),
            ("name Hash type spin min 1 max 2", Err("a spin needs `default`")),
            ("name Hash type spin default x min 1 max 2", Err("default `x` is not a whole number")),
            ("name Hash type spin default 0 min 1 max 2", Err("default 0 is not from 1 to 2")),
            ("name Hash type spin default 1 min 2 max 1", Err("min 2 is larger than max 1")),
            ("name Hash type spin default 1 min 1 min 1 max 1", Err("`min` stands there twice")),
            ("name X type check", Err("a check needs a `default`")),
            ("name X type check default yes", Err("default `yes` is neither true nor false")),
            ("name X type combo default a var b", Err("default `a` is not among")),
            ("name X type button default a", Err("a button has no default")),
            ("name X type check default true max 1", Err("`min` and `max` are for a spin")),
            ("name X type string default a var b", Err("`var` is for a combo")),
        ] {
            let read = Announced::read(&format!("option {line}"));
            match expected {
                Ok((name, kind)) => {
                    assert_eq!(read, Ok(Announced { name: name.to_owned(), kind }), "{line}");
                }
                Err(reason) => {
                    let error = read.expect_err(line);
                    assert!(error.starts_with(reason), "{line}: {error}");
                }
            }
        }
    }
}
