//! Reads JSON and TOML, with error messages in a user's words.

use std::path::Path;
use std::{fs, io};

use anyhow::{Result, anyhow, bail};
use serde::de::DeserializeOwned;

use super::files::{AtPath, open_file, read_text};

/// Reads a regular text file: a pipe may never begin or end.
pub(crate) fn read_plain_text(path: &Path) -> Result<String> {
    read_plain(path, read_text)
}

/// The same without a size limit.
pub(crate) fn read_long_text(path: &Path) -> Result<String> {
    read_plain(path, |path| fs::read_to_string(path))
}

fn read_plain(path: &Path, read: impl Fn(&Path) -> io::Result<String>) -> Result<String> {
    check_regular_file(path)?;
    let text = read(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => anyhow!("not a text in UTF-8"),
        _ => error.into(),
    });
    text.at_path(path)
}

pub(crate) fn check_regular_file(path: &Path) -> Result<()> {
    match path.metadata() {
        Ok(there) if there.is_dir() => open_file(path).map(drop),
        Ok(there) if !there.is_file() => bail!("{} is not a file", path.display()),
        // Opening it reports the error.
        _ => Ok(()),
    }
}

pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let place = match (error.line(), error.column()) {
            (0, _) => String::new(),
            (line, column) => format!(" at line {line} column {column}"),
        };
        let message = error.to_string();
        let message = message.strip_suffix(&place).unwrap_or(&message);
        match error.classify() {
            serde_json::error::Category::Data => anyhow!(rephrase_serde_error(message, &place)),
            serde_json::error::Category::Eof => anyhow!("JSON that breaks off{place}"),
            _ => anyhow!("not JSON{place}"),
        }
    })
}

pub(crate) fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let place = before.map(|before| {
            let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
            format!(" at line {} column {column}", before.matches('\n').count() + 1)
        });
        let place = place.unwrap_or_default();
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        if message.starts_with("duplicate key") {
            anyhow!("a name is given twice{place}")
        } else if text.parse::<toml::Table>().is_err() {
            anyhow!("not TOML{place}")
        } else {
            anyhow!(rephrase_serde_error(&message, &place))
        }
    })
}

/// Rewords serde's message about a wrong value.
fn rephrase_serde_error(message: &str, place: &str) -> String {
    for (start, says) in [("missing field ", "no "), ("duplicate field ", "more than one ")] {
        if let Some(name) = message.strip_prefix(start) {
            return format!("{says}{name} in it{place}");
        }
    }
    for (start, what) in [("unknown field ", "name"), ("unknown variant ", "value")] {
        if let Some(rest) = message.strip_prefix(start) {
            let (found, known) = rest.split_once(", ").unwrap_or((rest, ""));
            let known = known.strip_prefix("expected ").unwrap_or_default();
            let known = known.strip_prefix("one of ").unwrap_or(known);
            let known = if known.is_empty() { String::new() } else { format!("; known: {known}") };
            return format!("{found}: no such {what}{place}{known}");
        }
    }
    for start in ["invalid type: ", "invalid value: ", "invalid length "] {
        let found = message.strip_prefix(start).and_then(|rest| rest.split_once(", expected "));
        if let Some((found, wanted)) = found {
            let items = if start == "invalid length " { " items" } else { "" };
            let wanted = match wanted {
                "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on",
                "i8" | "i16" | "i32" | "i64" => "a whole number",
                "f32" | "f64" => "a number",
                "a boolean" => "true or false",
                "a sequence" => "a list",
                _ if wanted.starts_with("struct ") => "names with their values",
                other => other,
            };
            return format!("{found}{items}, where {wanted} belongs{place}");
        }
    }
    format!("{message}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "it is read")]
    struct File {
        games: u32,
        #[serde(default)]
        speed: f64,
        #[serde(default)]
        live: bool,
    }

    #[test]
    fn faults_are_told_in_plain_words() {
        for (text, fault) in [
            ("", "JSON that breaks off at line 1 column 0"),
            ("{\"games\":", "JSON that breaks off at line 1 column 9"),
            ("{\n x", "not JSON at line 2 column 2"),
            ("{}", "no `games` in it at line 1 column 2"),
            ("[]", "0 items, where names with their values belongs at line 1 column 2"),
            ("7", "integer `7`, where names with their values belongs at line 1 column 1"),
            (
                "{\"games\":-1}",
                "integer `-1`, where a whole number from 0 on belongs at line 1 column 11",
            ),
            (
                "{\"games\":1,\"live\":\"no\"}",
                "string \"no\", where true or false belongs at line 1 column 22",
            ),
            ("{\"games\":1,\"games\":1}", "more than one `games` in it at line 1 column 18"),
        ] {
            assert_eq!(from_json::<File>(text).expect_err(text).to_string(), fault, "{text}");
        }
        for (text, fault) in [
            ("games", "not TOML at line 1 column 6"),
            ("games = 1\ngames = 2", "a name is given twice at line 2 column 1"),
            ("", "no `games` in it at line 1 column 1"),
            ("games = 1\nspeed = \"x\"", "string \"x\", where a number belongs at line 2 column 9"),
            (
                "games = 1\nx = 3",
                "`x`: no such name at line 2 column 1; known: `games`, `speed`, `live`",
            ),
        ] {
            assert_eq!(from_toml::<File>(text).expect_err(text).to_string(), fault, "{text}");
        }
    }
}
