//! The parts of a comment: commands such as `[%clk 0:01:02]`, an engine's search notes, and words.

/// The commands of a comment, with their brackets, and the remaining words.
pub fn parted(comment: &str) -> (Vec<&str>, String) {
    let (mut commands, mut words) = (Vec::new(), String::new());
    let mut rest = comment;
    while let Some(start) = rest.find("[%") {
        let Some(length) = rest[start..].find(']') else { break };
        words.push_str(&rest[..start]);
        commands.push(&rest[start..=start + length]);
        rest = &rest[start + length + 1..];
    }
    words.push_str(rest);
    (commands, words.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The value of a command such as `[%clk 0:01:02]`, if it has this name.
pub fn command_value<'a>(command: &'a str, name: &str) -> Option<&'a str> {
    let inside = command.strip_prefix("[%")?.strip_suffix(']')?;
    let said = inside.strip_prefix(name)?;
    (said.is_empty() || said.starts_with(' ')).then(|| said.trim())
}

/// An engine's note on its move in a match: `book`, or score, depth and time as in `+0.26/12 0.5s`,
/// possibly with more as in `, n=1234`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineNote<'a> {
    /// The whole note.
    pub text: &'a str,
    /// The score for the side that moved, as written.
    pub score: Option<&'a str>,
    /// The depth.
    pub depth: u16,
}

impl<'a> EngineNote<'a> {
    /// The note at the start of the words, and the rest.
    pub fn read(words: &'a str) -> Option<(EngineNote<'a>, &'a str)> {
        let mut pieces = words.split(", ");
        let first = pieces.next()?;
        let (score, depth) = note_of_search(first)?;
        let details = pieces.take_while(|piece| is_detail(piece));
        let length = details.fold(first.len(), |length, piece| length + ", ".len() + piece.len());
        let (text, rest) = words.split_at(length);
        let rest = rest.strip_prefix(", ").unwrap_or(rest);
        Some((EngineNote { text, score, depth }, rest))
    }
}

/// Score and depth of `book`, `+0.26/12 0.5s`, `+M3/7` or `0.5s`.
fn note_of_search(text: &str) -> Option<(Option<&str>, u16)> {
    let is_time = |text: &str| {
        let number = text.strip_suffix('s').unwrap_or_default();
        number.starts_with(|first: char| first.is_ascii_digit()) && number.parse::<f64>().is_ok()
    };
    if text == "book" || is_time(text) {
        return Some((None, 0));
    }
    let (search, time) = text.split_once(' ').unwrap_or((text, ""));
    let (score, depth) = search.split_once('/')?;
    let unsigned = score.strip_prefix(['+', '-']).unwrap_or(score);
    let number = unsigned.strip_prefix(['M', '#']).unwrap_or(unsigned);
    let is_score = number.starts_with(|first: char| first.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    // `1/2` alone is no score.
    let is_signed = unsigned != score || score.contains('.');
    let is_whole = is_score && (is_signed || !time.is_empty());
    (is_whole && (time.is_empty() || is_time(time))).then_some((Some(score), depth.parse().ok()?))
}

fn is_detail(text: &str) -> bool {
    let is_word = |text: &str| !text.is_empty() && !text.contains(' ');
    text.split_once('=').is_some_and(|(name, value)| is_word(name) && is_word(value))
}
