//! The options that an engine announces in either protocol, and whether a value fits one; also the
//! answer to `uci`: name, author and options.

use qirkat_game::text::read_number;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnnouncedOption {
    pub name: String,
    pub kind: OptionKind,
    pub default: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OptionKind {
    /// An integer, with bounds if announced.
    Spin {
        min: Option<i64>,
        max: Option<i64>,
    },
    Check,
    Combo(Vec<String>),
    Text,
    Button,
    Other(String),
}

impl OptionKind {
    pub fn word(&self) -> &str {
        match self {
            OptionKind::Spin { .. } => "spin",
            OptionKind::Check => "check",
            OptionKind::Combo(_) => "combo",
            OptionKind::Text => "string",
            OptionKind::Button => "button",
            OptionKind::Other(word) => word,
        }
    }
}

/// An option's name and value; a button has no value.
pub(crate) type Setting = (String, Option<String>);

/// Names less similar than this, from 0 to 1, are not suggested.
const SIMILAR: f64 = 0.8;
/// Options that a hint lists.
const MAX_LISTED: usize = 20;
const ALIASES: [(&str, &str); 2] = [("Hash", "memory"), ("Threads", "cores")];
/// How UCI writes an empty string.
pub(crate) const EMPTY: &str = "<empty>";

const WORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

/// The fields of an option line: each protocol keyword with the text up to the next keyword.
struct Fields(Vec<(&'static str, String)>);

impl Fields {
    /// Splits a line into its fields; also returns the first word, if it is no keyword.
    fn split(line: &str) -> (Fields, Option<&str>) {
        let (mut fields, mut stray) = (Vec::<(&str, String)>::new(), None);
        for word in line.split_ascii_whitespace().skip(1) {
            // A name may hold any word but `type`.
            let is_in_name = fields.last().is_some_and(|(field, _)| *field == "name");
            let known = WORDS.into_iter().find(|&known| known == word);
            match (known.filter(|&known| !is_in_name || known == "type"), fields.last_mut()) {
                (Some(field), _) => fields.push((field, String::new())),
                (None, Some((_, text))) if text.is_empty() => text.push_str(word),
                (None, Some((_, text))) => {
                    text.push(' ');
                    text.push_str(word);
                }
                (None, None) => stray = stray.or(Some(word)),
            }
        }
        (Fields(fields), stray)
    }

    fn all<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a String> {
        self.0.iter().filter(move |(field, _)| *field == word).map(|(_, text)| text)
    }

    fn first(&self, word: &str) -> Option<&String> {
        self.0.iter().find(|(field, _)| *field == word).map(|(_, text)| text)
    }

    fn number(&self, word: &str) -> Option<i64> {
        read_number(self.first(word)?)
    }
}

#[derive(Debug)]
pub(crate) struct OptionLine {
    pub text: String,
    /// `None` if the line is too faulty to set the option.
    pub option: Option<AnnouncedOption>,
    pub error: Option<String>,
}

impl OptionLine {
    pub fn parse(line: &str) -> OptionLine {
        let (fields, stray) = Fields::split(line);
        let read = || {
            let name = fields.first("name").filter(|name| !name.is_empty())?.clone();
            let kind = match fields.first("type")?.as_str() {
                "spin" => OptionKind::Spin { min: fields.number("min"), max: fields.number("max") },
                "check" => OptionKind::Check,
                "combo" => OptionKind::Combo(fields.all("var").cloned().collect()),
                "string" => OptionKind::Text,
                "button" => OptionKind::Button,
                other => OptionKind::Other(other.to_owned()),
            };
            Some(AnnouncedOption { name, kind, default: fields.first("default").cloned() })
        };
        let option = read();
        let checked = match stray {
            Some(word) => Err(format!("`name` is expected before `{word}`")),
            None => check_fields(&fields, option.as_ref()),
        };
        OptionLine { text: line.to_owned(), option, error: checked.err() }
    }
}

impl AnnouncedOption {
    fn check(&self, fields: &Fields) -> Result<(), String> {
        let AnnouncedOption { kind, default, .. } = self;
        let word = kind.word();
        let is_there = |word| fields.first(word).is_some();
        if (is_there("min") || is_there("max")) && word != "spin" {
            return Err(format!("`min` and `max` are for a spin, not a {word}"));
        }
        if is_there("var") && word != "combo" {
            return Err(format!("`var` is for a combo, not a {word}"));
        }
        let needed = || default.as_ref().ok_or_else(|| format!("a {word} needs a `default`"));
        match kind {
            OptionKind::Check => match needed()?.as_str() {
                "true" | "false" => Ok(()),
                other => Err(format!("default `{other}` is neither true nor false")),
            },
            OptionKind::Spin { .. } => check_spin(fields),
            OptionKind::Combo(choices) => match needed()? {
                default if choices.contains(default) => Ok(()),
                other => Err(format!("default `{other}` is not among the `var`s")),
            },
            OptionKind::Button if default.is_some() => Err("a button has no default".to_owned()),
            OptionKind::Text | OptionKind::Button => Ok(()),
            OptionKind::Other(_) => {
                Err(format!("type `{word}` is none of check, spin, combo, string, button"))
            }
        }
    }

    /// The setting with this value, spelled as announced.
    fn with(&self, value: Option<&str>) -> Result<Setting, String> {
        let wanted = || match &self.kind {
            OptionKind::Spin { min, max } => match (min, max) {
                (Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
                (Some(min), None) => format!("a whole number from {min}"),
                (None, Some(max)) => format!("a whole number up to {max}"),
                (None, None) => "a whole number".to_owned(),
            },
            OptionKind::Check => "true or false".to_owned(),
            OptionKind::Combo(choices) => format!("one of {}", choices.join(", ")),
            OptionKind::Text | OptionKind::Button | OptionKind::Other(_) => "a text".to_owned(),
        };
        let fitting = match (&self.kind, value) {
            (OptionKind::Button, Some(_)) => {
                return Err("a button, which takes no value".to_owned());
            }
            (OptionKind::Button | OptionKind::Other(_), _) => {
                return Ok((self.name.clone(), value.map(str::to_owned)));
            }
            (OptionKind::Text, _) => Some(value.unwrap_or(EMPTY)),
            (_, None) => return Err(format!("needs a value: {}", wanted())),
            (OptionKind::Spin { min, max }, Some(text)) => read_number(text)
                .filter(|number| min.is_none_or(|min| *number >= min))
                .filter(|number| max.is_none_or(|max| *number <= max))
                .map(|_| text),
            (OptionKind::Check, Some(text)) => {
                ["true", "false"].into_iter().find(|one| one.eq_ignore_ascii_case(text))
            }
            (OptionKind::Combo(choices), Some(text)) => {
                let mut choices = choices.iter().map(String::as_str);
                choices.find(|choice| choice.eq_ignore_ascii_case(text))
            }
        };
        let text = fitting.ok_or_else(|| format!("not {}", wanted()))?;
        Ok((self.name.clone(), Some(text.to_owned())))
    }
}

fn check_fields(fields: &Fields, option: Option<&AnnouncedOption>) -> Result<(), String> {
    for word in ["name", "type", "default", "min", "max"] {
        if fields.all(word).nth(1).is_some() {
            return Err(format!("`{word}` is given twice"));
        }
    }
    match option {
        Some(option) => option.check(fields),
        None if fields.first("name").is_none_or(String::is_empty) => {
            Err("a name is missing".to_owned())
        }
        None => Err("`type` is missing".to_owned()),
    }
}

fn check_spin(fields: &Fields) -> Result<(), String> {
    let number = |word: &str| {
        let text = fields.first(word).ok_or_else(|| format!("a spin needs `{word}`"))?;
        read_number(text).ok_or_else(|| format!("{word} `{text}` is not a whole number"))
    };
    let (default, min, max) = (number("default")?, number("min")?, number("max")?);
    if min > max {
        Err(format!("min {min} is larger than max {max}"))
    } else if !(min..=max).contains(&default) {
        Err(format!("default {default} is not from {min} to {max}"))
    } else {
        Ok(())
    }
}

/// Finds the announced option of this name, ignoring case, and checks the value against it.
pub(crate) fn fit(
    announced: &[AnnouncedOption],
    name: &str,
    value: Option<&str>,
) -> Result<Setting, String> {
    let named = |name: &str| announced.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    // What the XBoard protocol calls the options that all engines of UCI have.
    let other = ALIASES.iter().find(|(usual, _)| usual.eq_ignore_ascii_case(name));
    match named(name).or_else(|| named(other?.1)) {
        Some(option) => option.with(value),
        None => Err(format!("no such option; {}", hint(announced, name))),
    }
}

fn hint(announced: &[AnnouncedOption], name: &str) -> String {
    let name = name.to_lowercase();
    let similarity =
        |option: &AnnouncedOption| strsim::jaro_winkler(&option.name.to_lowercase(), &name);
    let similar = announced.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    if let Some(similar) = similar.filter(|option| similarity(option) >= SIMILAR) {
        return format!("did you mean {}?", similar.name);
    }
    if announced.is_empty() {
        return "it has none".to_owned();
    }
    let listed: Vec<&str> =
        announced.iter().take(MAX_LISTED).map(|one| one.name.as_str()).collect();
    let more = if announced.len() > MAX_LISTED { ", ..." } else { "" };
    format!("it has {}{more}", listed.join(", "))
}

#[derive(Debug, Default)]
pub(crate) struct UciGreeting {
    pub names: Vec<String>,
    pub authors: Vec<String>,
    pub options: Vec<OptionLine>,
    pub preamble: Vec<String>,
}

impl UciGreeting {
    pub fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> UciGreeting {
        let UciGreeting { mut names, mut authors, mut options, mut preamble } =
            UciGreeting::default();
        for line in lines {
            let mut words = line.split_ascii_whitespace();
            let (first, second) = (words.next(), words.next());
            let rest = || words.collect::<Vec<_>>().join(" ");
            match (first, second) {
                (Some("id"), Some("name")) => names.push(rest()),
                (Some("id"), Some("author")) => authors.push(rest()),
                (Some("option"), _) => options.push(OptionLine::parse(line)),
                _ if names.is_empty() && authors.is_empty() && options.is_empty() => {
                    preamble.push(line.to_owned());
                }
                _ => {}
            }
        }
        UciGreeting { names, authors, options, preamble }
    }

    /// The options that can be set, including badly announced ones.
    pub fn announced(&self) -> Vec<AnnouncedOption> {
        self.options.iter().filter_map(|line| line.option.clone()).collect()
    }

    pub fn sound_options(&self) -> impl Iterator<Item = &AnnouncedOption> {
        let sound = self.options.iter().filter(|line| line.error.is_none());
        sound.filter_map(|line| line.option.as_ref())
    }

    /// A correctly announced option by name, ignoring case.
    pub fn option(&self, name: &str) -> Option<&AnnouncedOption> {
        self.sound_options().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<AnnouncedOption> {
        [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Contempt type spin default 0 min -100",
            "option name Ponder type check default false",
            "option name Style type combo default Very solid var Very solid var Risky var Normal",
            "option name EvalFile type string default <embedded>",
            "option name Clear Hash type button",
            "option name Odd type slider default 3",
        ]
        .iter()
        .map(|line| OptionLine::parse(line).option.expect(line))
        .collect()
    }

    const LIST: &str =
        "no such option; it has Hash, Contempt, Ponder, Style, EvalFile, Clear Hash, Odd";

    #[test]
    fn announcements_are_read() {
        let options = options();
        assert_eq!(options[0].kind, OptionKind::Spin { min: Some(1), max: Some(1024) });
        let styles = ["Very solid", "Risky", "Normal"].map(str::to_owned);
        assert_eq!(options[3].kind, OptionKind::Combo(styles.to_vec()));
        assert_eq!(options[5].name, "Clear Hash");
        for line in
            ["", "option", "option name", "option name Hash", "option name type", "id name X"]
        {
            assert_eq!(OptionLine::parse(line).option, None, "{line}");
        }
    }

    #[test]
    fn values_fit_or_are_refused_in_one_line() {
        let options = options();
        for (name, value, expected) in [
            ("hash", Some("64"), Ok(("Hash", Some("64")))),
            ("Hash", Some("0"), Err("not a whole number from 1 to 1024")),
            ("Hash", Some("99999999999999999999"), Err("not a whole number from 1 to 1024")),
            ("Hash", Some("many"), Err("not a whole number from 1 to 1024")),
            ("Hash", None, Err("needs a value: a whole number from 1 to 1024")),
            ("Hahs", Some("1"), Err("no such option; did you mean Hash?")),
            ("Skill", Some("1"), Err(LIST)),
            ("Evalfiel", Some("x"), Err("no such option; did you mean EvalFile?")),
            ("contempt", Some("-100"), Ok(("Contempt", Some("-100")))),
            ("contempt", Some("-101"), Err("not a whole number from -100")),
            ("PONDER", Some("TRUE"), Ok(("Ponder", Some("true")))),
            ("Ponder", Some("yes"), Err("not true or false")),
            ("style", Some("very SOLID"), Ok(("Style", Some("Very solid")))),
            ("style", Some("wild"), Err("not one of Very solid, Risky, Normal")),
            ("evalfile", Some("a b.net"), Ok(("EvalFile", Some("a b.net")))),
            ("EvalFile", None, Ok(("EvalFile", Some("<empty>")))),
            ("clear hash", None, Ok(("Clear Hash", None))),
            ("clear hash", Some("true"), Err("a button, which takes no value")),
            ("odd", Some("7"), Ok(("Odd", Some("7")))),
        ] {
            let expected = expected
                .map(|(name, value)| (name.to_owned(), value.map(str::to_owned)))
                .map_err(str::to_owned);
            let found = fit(&options, name, value);
            assert_eq!(found, expected, "{name} {value:?}");
        }
    }

    #[test]
    fn faults_of_option_lines_are_named() {
        let spin = |min, max| OptionKind::Spin { min: Some(min), max: Some(max) };
        let styles = ["very solid", "wild"].map(str::to_owned).to_vec();
        for (line, expected) in [
            ("name Hash type spin default 16 min 1 max 99", Ok(("Hash", spin(1, 99), Some("16")))),
            (
                "name A min  type spin default -1 min -2 max 0",
                Ok(("A min", spin(-2, 0), Some("-1"))),
            ),
            ("name X type check default true", Ok(("X", OptionKind::Check, Some("true")))),
            ("name Clear Hash type button", Ok(("Clear Hash", OptionKind::Button, None))),
            (
                "name Style type combo default very solid var very solid var wild",
                Ok(("Style", OptionKind::Combo(styles), Some("very solid"))),
            ),
            ("name F type string", Ok(("F", OptionKind::Text, None))),
            ("name F type string default", Ok(("F", OptionKind::Text, Some("")))),
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
            ("name Hash type spin default 1 min 1 min 1 max 1", Err("`min` is given twice")),
            ("name X type check", Err("a check needs a `default`")),
            ("name X type check default yes", Err("default `yes` is neither true nor false")),
            ("name X type combo default a var b", Err("default `a` is not among")),
            ("name X type button default a", Err("a button has no default")),
            ("name X type check default true max 1", Err("`min` and `max` are for a spin")),
            ("name X type string default a var b", Err("`var` is for a combo")),
        ] {
            let parsed = OptionLine::parse(&format!("option {line}"));
            match expected {
                Ok((name, kind, default)) => {
                    let (name, default) = (name.to_owned(), default.map(str::to_owned));
                    let option = AnnouncedOption { name, kind, default };
                    assert_eq!(parsed.option, Some(option), "{line}");
                    assert_eq!(parsed.error, None, "{line}");
                }
                Err(reason) => {
                    let error = parsed.error.expect(line);
                    assert!(error.starts_with(reason), "{line}: {error}");
                }
            }
        }
    }
}
