//! As much of JSON as the tests need: a value is well-formed or not, and its
//! texts and keys can be listed.

#[derive(Default, Debug)]
pub struct Json {
    pub keys: Vec<String>,
    pub texts: Vec<String>,
}

/// Reads one line that holds one object.
pub fn object(line: &str) -> Result<Json, String> {
    let mut reader = Reader { rest: line.trim_end(), found: Json::default() };
    if !reader.rest.starts_with('{') {
        return Err("no object".to_owned());
    }
    reader.value(0)?;
    if reader.rest.is_empty() {
        Ok(reader.found)
    } else {
        Err(format!("more after the object: {}", reader.rest))
    }
}

struct Reader<'a> {
    rest: &'a str,
    found: Json,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn takes(&mut self, start: &str) -> bool {
        let after = self.rest.strip_prefix(start);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn need(&mut self, start: &str) -> Result<(), String> {
        if self.takes(start) { Ok(()) } else { Err(format!("expected {start} at {}", self.rest)) }
    }

    fn value(&mut self, deep: usize) -> Result<(), String> {
        if deep > 16 {
            return Err("too deep".to_owned());
        }
        self.blanks();
        match self.rest.chars().next() {
            Some('{') => self.list(deep, "{", "}", true)?,
            Some('[') => self.list(deep, "[", "]", false)?,
            Some('"') => {
                let text = self.text()?;
                self.found.texts.push(text);
            }
            _ => {
                if !["true", "false", "null"].iter().any(|word| self.takes(word)) {
                    self.number()?;
                }
            }
        }
        self.blanks();
        Ok(())
    }

    fn list(&mut self, deep: usize, open: &str, close: &str, keys: bool) -> Result<(), String> {
        self.need(open)?;
        self.blanks();
        if self.takes(close) {
            return Ok(());
        }
        loop {
            if keys {
                self.blanks();
                let key = self.text()?;
                self.found.keys.push(key);
                self.blanks();
                self.need(":")?;
            }
            self.value(deep + 1)?;
            if !self.takes(",") {
                return self.need(close);
            }
        }
    }

    fn text(&mut self) -> Result<String, String> {
        self.need("\"")?;
        let mut text = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, 'u')) => {
                        let digits = letters.by_ref().take(4);
                        if digits.filter(|(_, digit)| digit.is_ascii_hexdigit()).count() != 4 {
                            return Err("a bad \\u".to_owned());
                        }
                        text.push('?');
                    }
                    Some((_, escaped)) if "\"\\/bfnrt".contains(escaped) => text.push(escaped),
                    _ => return Err("a bad escape".to_owned()),
                },
                letter if letter < ' ' => return Err("a bare control character".to_owned()),
                letter => text.push(letter),
            }
        }
        Err("a text without an end".to_owned())
    }

    fn number(&mut self) -> Result<(), String> {
        let end = self.rest.find(|letter: char| !"+-.eE0123456789".contains(letter));
        let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let digits = number.strip_prefix('-').unwrap_or(number);
        let leading = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        if leading
            || !digits.starts_with(|digit: char| digit.is_ascii_digit())
            || number.parse::<f64>().is_err()
        {
            return Err(format!("no value at {}", self.rest));
        }
        self.rest = rest;
        Ok(())
    }
}

#[test]
fn json_is_told_from_what_is_not() {
    for good in [r#"{}"#, r#"{"a":[1,-2.5e3,null,"x\n\u00e9"],"b":{"c":true}}"#, r#"{ "a" : 1 }"#] {
        assert!(object(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "[]",
        "{",
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{"a":01}"#,
        r#"{a:1}"#,
        r#"{"a":1} x"#,
        r#"{"a":"b}"#,
        r#"{"a":--1}"#,
    ] {
        assert!(object(bad).is_err(), "{bad}");
    }
}
