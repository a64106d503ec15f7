//! The options that an engine announces, and whether what is asked for fits
//! them.

use thiserror::Error;

use qirkat_game::text::read_number;

/// An option as an engine announces it in its answer to `uci`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnnouncedOption {
    /// Its name; any case will do for it.
    pub name: String,
    /// What values it takes.
    pub kind: AnnouncedKind,
}

/// What values an announced option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnnouncedKind {
    /// A whole number.
    Spin {
        /// The least value, if it is announced.
        min: Option<i64>,
        /// The greatest value, if it is announced.
        max: Option<i64>,
    },
    /// `true` or `false`.
    Check,
    /// One of these.
    Combo(Vec<String>),
    /// Any text.
    Text,
    /// None: it is pressed.
    Button,
    /// Something that the protocol does not know.
    Other(String),
}

/// Why an option cannot be set as asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionTrouble {
    /// There is none of this name, but perhaps one of a similar name.
    #[error("no such option; {}", hint(suggestion.as_deref(), known))]
    Unknown {
        /// The most similar name.
        suggestion: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// The value is not of the option's kind.
    #[error("not {0}")]
    Value(String),
    /// The option is set to nothing.
    #[error("needs a value: {0}")]
    NoValue(String),
    /// A button has no value.
    #[error("a button, which takes no value")]
    Button,
}

/// An option with its value, as it goes into `setoption`.
pub type Setting = (String, Option<String>);

/// Names that are less similar than this, from 0 to 1, are not suggested.
const SIMILAR: f64 = 0.8;
/// Names that are listed at most.
const LISTED: usize = 20;
/// How UCI writes a text of no letters.
const EMPTY: &str = "<empty>";

impl AnnouncedOption {
    /// All options in these lines.
    pub fn read_all(lines: &[String]) -> Vec<AnnouncedOption> {
        lines.iter().filter_map(|line| AnnouncedOption::read(line)).collect()
    }

    /// Reads a line `option name … type …`; nothing if it is none.
    pub fn read(line: &str) -> Option<AnnouncedOption> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("option") || words.next() != Some("name") {
            return None;
        }
        let name = words.by_ref().take_while(|&word| word != "type").collect::<Vec<_>>().join(" ");
        let kind = words.next()?;
        if name.is_empty() {
            return None;
        }
        let details: Vec<&str> = words.collect();
        let number = |key| {
            let at = details.iter().position(|&word| word == key)?;
            read_number(details.get(at + 1)?)
        };
        let kind = match kind {
            "spin" => AnnouncedKind::Spin { min: number("min"), max: number("max") },
            "check" => AnnouncedKind::Check,
            // What stands before the first `var` is the default value.
            "combo" => AnnouncedKind::Combo(
                details.split(|&word| word == "var").skip(1).map(|words| words.join(" ")).collect(),
            ),
            "string" => AnnouncedKind::Text,
            "button" => AnnouncedKind::Button,
            other => AnnouncedKind::Other(other.to_owned()),
        };
        Some(AnnouncedOption { name, kind })
    }

    /// The option with this value, written as the engine writes it.
    fn with(&self, value: Option<&str>) -> Result<Setting, OptionTrouble> {
        let wanted = || match &self.kind {
            AnnouncedKind::Spin { min, max } => match (min, max) {
                (Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
                (Some(min), None) => format!("a whole number from {min}"),
                (None, Some(max)) => format!("a whole number up to {max}"),
                (None, None) => "a whole number".to_owned(),
            },
            AnnouncedKind::Check => "true or false".to_owned(),
            AnnouncedKind::Combo(choices) => format!("one of {}", choices.join(", ")),
            AnnouncedKind::Text | AnnouncedKind::Button | AnnouncedKind::Other(_) => {
                "a text".to_owned()
            }
        };
        let given = || value.ok_or_else(|| OptionTrouble::NoValue(wanted()));
        let text = match &self.kind {
            AnnouncedKind::Spin { min, max } => {
                let value = given()?;
                read_number(value)
                    .filter(|number| min.is_none_or(|min| *number >= min))
                    .filter(|number| max.is_none_or(|max| *number <= max))
                    .map(|_| value.to_owned())
            }
            AnnouncedKind::Check => {
                let value = given()?;
                ["true", "false"]
                    .into_iter()
                    .find(|one| one.eq_ignore_ascii_case(value))
                    .map(str::to_owned)
            }
            AnnouncedKind::Combo(choices) => {
                let value = given()?;
                choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)).cloned()
            }
            AnnouncedKind::Text => Some(value.unwrap_or(EMPTY).to_owned()),
            AnnouncedKind::Button if value.is_some() => return Err(OptionTrouble::Button),
            AnnouncedKind::Button => return Ok((self.name.clone(), None)),
            AnnouncedKind::Other(_) => return Ok((self.name.clone(), value.map(str::to_owned))),
        };
        let text = text.ok_or_else(|| OptionTrouble::Value(wanted()))?;
        Ok((self.name.clone(), Some(text)))
    }
}

/// Finds the announced option of this name, whatever its case, and looks
/// whether the value fits it.
///
/// # Errors
/// When there is no such option, or it takes no such value.
pub fn fit(
    announced: &[AnnouncedOption],
    name: &str,
    value: Option<&str>,
) -> Result<Setting, OptionTrouble> {
    match announced.iter().find(|option| option.name.eq_ignore_ascii_case(name)) {
        Some(option) => option.with(value),
        None => Err(OptionTrouble::Unknown {
            suggestion: most_similar(announced, name),
            known: announced.iter().map(|option| option.name.clone()).collect(),
        }),
    }
}

fn hint(suggestion: Option<&str>, known: &[String]) -> String {
    match suggestion {
        Some(name) => format!("did you mean {name}?"),
        None if known.is_empty() => "it has none".to_owned(),
        None => {
            let more = if known.len() > LISTED { ", ..." } else { "" };
            format!("it has {}{more}", known[..known.len().min(LISTED)].join(", "))
        }
    }
}

fn most_similar(announced: &[AnnouncedOption], name: &str) -> Option<String> {
    let name = name.to_lowercase();
    let similarity =
        |option: &AnnouncedOption| strsim::jaro_winkler(&option.name.to_lowercase(), &name);
    announced
        .iter()
        .map(|option| (option, similarity(option)))
        .filter(|(_, similarity)| *similarity >= SIMILAR)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(option, _)| option.name.clone())
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
        .map(|line| AnnouncedOption::read(line).expect(line))
        .collect()
    }

    const LIST: &str =
        "no such option; it has Hash, Contempt, Ponder, Style, EvalFile, Clear Hash, Odd";

    #[test]
    fn announcements_are_read() {
        let options = options();
        assert_eq!(options[0].kind, AnnouncedKind::Spin { min: Some(1), max: Some(1024) });
        let styles = ["Very solid", "Risky", "Normal"].map(str::to_owned);
        assert_eq!(options[3].kind, AnnouncedKind::Combo(styles.to_vec()));
        assert_eq!(options[5].name, "Clear Hash");
        for line in
            ["", "option", "option name", "option name Hash", "option name type", "id name X"]
        {
            assert_eq!(AnnouncedOption::read(line), None, "{line}");
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
            let found = fit(&options, name, value).map_err(|trouble| trouble.to_string());
            assert_eq!(found, expected, "{name} {value:?}");
        }
    }
}
