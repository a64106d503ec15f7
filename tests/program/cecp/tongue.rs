//! What an engine may say at all.

use super::thinking::Thinking;

/// Starts of lines with something after them.
const STARTS: [&str; 16] = [
    "feature ",
    "setup ",
    "piece ",
    "pong ",
    "move ",
    "highlight ",
    "choice ",
    "Illegal move (",
    "Error (",
    "tellusererror ",
    "telluser ",
    "Hint: ",
    "stat01: ",
    "1-0 {",
    "0-1 {",
    "1/2-1/2 {",
];

/// Whether the protocol has a meaning for this line, which is plain ASCII
/// without control characters but the tab of thinking output.
pub fn is_known(line: &str) -> bool {
    let clean = line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
    let known = matches!(line, "" | "resign" | "offer draw" | "++" | "--")
        || line == "pong "
        || line.starts_with([' ', '#'])
        || STARTS.iter().any(|start| line.strip_prefix(start).is_some_and(|rest| !rest.is_empty()))
        || Thinking::parse(line).is_some();
    clean && known
}

/// Whether this claims an end of the game, with a comment.
pub fn is_claim(line: &str) -> bool {
    let comment = line.split_once(" {").and_then(|(result, rest)| {
        ["1-0", "0-1", "1/2-1/2"].contains(&result).then_some(rest.strip_suffix('}')?)
    });
    comment.is_some_and(|comment| !comment.trim().is_empty())
}

/// Whether this resigns, in one of the two forms.
pub fn is_resignation(line: &str) -> bool {
    line == "resign" || is_claim(line) && line.contains("resign")
}
