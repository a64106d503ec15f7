//! The vocabulary of UCI's `info` lines. A PV has no mark at its end: it goes on
//! to the next of these words, which no move looks like.

/// The words that can begin something in an `info` line. `wdl` and `sbhits` are
/// not in the protocol of 2006, but many engines write them.
const WORDS: [&str; 22] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "wdl",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
];

/// Whether a word of an `info` line begins something new, and so ends a line of
/// moves before it.
pub(crate) fn is_info_word(word: &str) -> bool {
    WORDS.contains(&word)
}
