//! `qirkat pgn sort`.

use anyhow::bail;
use clap::Args;

use super::{DropOptions, Files, LONGEST_NAME, Output, check_held, read_games};
use qirkat_game::text::{counted, one_line};
use qirkat_rules::pgn::{Notation, PgnGame};

#[derive(Args)]
pub(crate) struct SortOptions {
    #[command(flatten)]
    files: Files,
    /// Sort by this tag, such as Date
    #[arg(long, value_name = "TAG")]
    by: String,
    /// The last first
    #[arg(long)]
    reverse: bool,
    #[command(flatten)]
    drop: DropOptions,
    #[command(flatten)]
    output: Output,
}

/// Digits to which numbers are filled up for comparison.
const DIGITS: usize = 20;

pub(super) fn run(options: &SortOptions) -> anyhow::Result<u64> {
    let SortOptions { files, by, reverse, drop, output } = options;
    let (mut games, mut bytes) = (Vec::new(), 0);
    let faults = output.write(|out| {
        let faults = read_games(files, output.output.as_deref(), |game| {
            let text = drop.applied_to(game).written_in(Notation::San).to_string();
            bytes += text.len();
            check_held(bytes)?;
            games.push((key(game, by), text));
            Ok(true)
        })?;
        if games.iter().all(|(key, _)| key.is_none()) {
            bail!("--by: no game has a tag `{}`", one_line(by, LONGEST_NAME));
        }
        games.sort_by(|(a, _), (b, _)| {
            // Games without the tag come last, reversed or not.
            let known = b.is_some().cmp(&a.is_some());
            known.then_with(|| if *reverse { b.cmp(a) } else { a.cmp(b) })
        });
        games.iter().try_for_each(|(_, text)| out.write_all(text.as_bytes()))?;
        Ok(faults)
    })?;
    output.report(format_args!("{} written", counted(games.len() as u64, "game")));
    Ok(faults)
}

/// The value of a tag in a form in which texts are compared; none if unknown.
fn key(game: &PgnGame, tag: &str) -> Option<String> {
    if tag.eq_ignore_ascii_case("Result") {
        return Some(game.result.text().to_owned());
    }
    let (_, value) = game.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case(tag))?;
    value.contains(char::is_alphanumeric).then(|| comparable(value.trim()))
}

/// A text in lower case with its numbers filled up with zeros.
fn comparable(text: &str) -> String {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let text = text.to_lowercase();
    let parts = text.split_inclusive(|letter| !is_digit(letter)).map(|part| {
        let number = part.trim_end_matches(|letter| !is_digit(letter));
        let other = &part[number.len()..];
        if number.is_empty() { other.to_owned() } else { format!("{number:0>DIGITS$}{other}") }
    });
    parts.collect()
}
