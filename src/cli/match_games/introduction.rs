//! The engines before the first game: each is started, given its options and
//! sent home again, and what it says is passed on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, anyhow, bail};

use super::contestants::VARIANT_OPTION;
use crate::exit_status::Interrupted;
use crate::terminal::print_message;
use qirkat_arena::{
    Contestant, EngineContext, EngineExit, EngineFault, EngineSetup, Examination, Tournament,
    Unfit, examine,
};
use qirkat_game::text::one_line;

/// Lines that an engine says which are shown.
const SHOWN: usize = 10;
/// Letters of a text of an engine that are shown.
const LONGEST_TEXT: usize = 1000;

/// Looks at all engines, in their order.
/// Fails when an engine cannot play, or is to be set up in a way that it does not
/// know and `force` is not given.
pub(super) fn introduce(
    tournament: &Tournament,
    force: bool,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Examination>> {
    let seen = tournament
        .contestants
        .iter()
        .map(|contestant| {
            let context = EngineContext {
                name: contestant.name.clone(),
                log: tournament.supervision.log.clone(),
                stop: Arc::clone(stop),
                ..EngineContext::default()
            };
            let seen = examine(&contestant.setup, &context, force);
            let seen = seen.map_err(|unfit| unfit_error(contestant, &unfit))?;
            show(contestant, &seen);
            Ok(seen)
        })
        .collect::<Result<Vec<_>>>()?;
    let mut troubles: Vec<String> = tournament
        .contestants
        .iter()
        .zip(&seen)
        .flat_map(|(one, seen)| {
            seen.troubles.iter().map(|trouble| format!("engine {}: {trouble}", one.name))
        })
        .collect();
    // The last one is the error itself: one line for each, and no more.
    let last = if force { None } else { troubles.pop() };
    for trouble in &troubles {
        print_message(format_args!("{trouble}{}", if force { " (played anyway)" } else { "" }));
    }
    match last {
        Some(last) => bail!("{last} (nothing is played; -force plays anyway)"),
        None => Ok(seen),
    }
}

/// Passes on what an engine says, unless it is among the troubles or expected.
fn show(contestant: &Contestant, seen: &Examination) {
    let name = &contestant.name;
    let variant = variant_of(&contestant.setup);
    let is_trouble = |text: &&String| seen.troubles.iter().any(|trouble| trouble.ends_with(*text));
    let is_expected = |text: &&String| variant.is_some_and(|name| describes_variant(text, name));
    let said: Vec<&String> =
        seen.said.iter().filter(|text| !is_trouble(text) && !is_expected(text)).collect();
    for text in said.iter().take(SHOWN) {
        print_message(format_args!("engine {name} says: {}", printable(text)));
    }
    if said.len() > SHOWN {
        print_message(format_args!("engine {name} says {} lines more", said.len() - SHOWN));
    }
}

/// The variant that an engine is told to play, if it needs to be told.
fn variant_of(setup: &EngineSetup) -> Option<&str> {
    let is_variant = |(name, _): &&(String, _)| name.eq_ignore_ascii_case(VARIANT_OPTION);
    setup.options.iter().find(is_variant)?.1.as_deref()
}

/// Whether this describes the board of the variant, as engines do when it is
/// set: `variant masonic files 9 ranks 9 ...`.
fn describes_variant(text: &str, variant: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    words.next() == Some("variant") && words.next() == Some(variant)
}

fn unfit_error(contestant: &Contestant, unfit: &Unfit) -> anyhow::Error {
    if unfit.fault == EngineFault::Aborted {
        return Interrupted("interrupted before the first game".to_owned()).into();
    }
    let name = &contestant.name;
    for text in unfit.said.iter().take(SHOWN) {
        print_message(format_args!("engine {name} says: {}", printable(text)));
    }
    show_last_words(&format!("engine {name}"), &unfit.fault);
    match &unfit.fault {
        EngineFault::NoStart(_) => anyhow!("engine {name}: {}", unfit.fault),
        fault => anyhow!("engine {name}: {fault} (asked last: {})", unfit.asked),
    }
}

/// The last lines that an engine wrote before it ended, if there were several:
/// a single one stands in the reason.
pub(super) fn show_last_words(who: &str, fault: &EngineFault) {
    let EngineFault::Crashed(EngineExit { errors, .. }) = fault else { return };
    if errors.len() > 1 {
        for line in errors {
            print_message(format_args!("{who} on standard error: {line}"));
        }
    }
}

/// A text that does nothing to a terminal.
pub(super) fn printable(text: &str) -> String {
    one_line(text, LONGEST_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_description_of_the_variant_asked_for_is_expected() {
        for (text, expected) in [
            ("variant masonic files 9 ranks 9 pocket 0 template fairy startpos x", true),
            ("variant masonic", true),
            ("variant chess files 8 ranks 8", false),
            ("masonic variant", false),
            ("variant", false),
        ] {
            assert_eq!(describes_variant(text, "masonic"), expected, "{text}");
        }
    }
}
