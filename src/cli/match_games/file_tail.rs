//! The tail of a file, behind its last whole game: nothing, a game that was cut off, zero
//! bytes that a power cut has left, or somebody's note.

use qirkat_rules::pgn::PgnReader;

/// Every game begins with this.
const FIRST_TAG: &[u8] = b"[Event ";
/// The separator of two games.
pub(super) const BLANK_LINE: &str = "\n\n";

/// The tail as it has to be so that the next game can follow, with all that can stay of it;
/// none if it can stay as it is.
pub(super) fn mended(tail: &[u8]) -> Option<String> {
    let (before, _) = tail.split_at(start_of_game(tail));
    let kept = match std::str::from_utf8(before) {
        Ok(text) if is_comment(text) => text.to_owned(),
        Ok(text) if is_plain(text) => commented(text),
        _ => String::new(),
    };
    let kept = with_blank_line(kept);
    (kept.as_bytes() != tail).then_some(kept)
}

/// Where the first line that begins a game, or could have, is.
fn start_of_game(tail: &[u8]) -> usize {
    let mut start = 0;
    for line in tail.split_inclusive(|&byte| byte == b'\n') {
        // Even the first words may be cut off.
        if line.starts_with(FIRST_TAG) || FIRST_TAG.starts_with(line) {
            return start;
        }
        start += line.len();
    }
    tail.len()
}

/// Whether somebody could have typed it.
fn is_plain(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
}

/// Whether readers of PGN pass it over.
fn is_comment(text: &str) -> bool {
    is_plain(text) && PgnReader::new(text.as_bytes()).next().is_none()
}

fn commented(text: &str) -> String {
    let lines = text.split(['\n', '\r']).map(str::trim_end).filter(|line| !line.is_empty());
    lines.fold(BLANK_LINE.to_owned(), |text, line| text + "; " + line + "\n")
}

fn with_blank_line(mut text: String) -> String {
    while !text.ends_with(BLANK_LINE) {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_notes_become_some_and_the_rest_goes() {
        for (tail, expected) in [
            ("\n\n", None),
            ("\n\n; played at night\n\n", None),
            ("\n\n{two\nlines}\n\n", None),
            ("", Some("\n\n")),
            ("\n", Some("\n\n")),
            ("\n\n; played at night", Some("\n\n; played at night\n\n")),
            ("\n\nnote to self\n", Some("\n\n; note to self\n\n")),
            ("\n\n[todo] 1-0?\r\n\r\nmore", Some("\n\n; [todo] 1-0?\n; more\n\n")),
            ("\n\n[", Some("\n\n")),
            ("\n\n[Even", Some("\n\n")),
            ("\n\n[Event \"?\"]\n\n1. e4 {", Some("\n\n")),
            ("\n\nnote\n[Event \"?\"]\n\n1. e4 {", Some("\n\n; note\n\n")),
            ("\n\n; note\n[Event \"?\"]\n", Some("\n\n; note\n\n")),
            ("\n\n\0\0\0\0", Some("\n\n")),
            ("\n\n{never closed", Some("\n\n; {never closed\n\n")),
        ] {
            assert_eq!(mended(tail.as_bytes()).as_deref(), expected, "{tail:?}");
        }
        assert_eq!(mended(b"\xFF\xFE"), Some("\n\n".to_owned()));
    }
}
