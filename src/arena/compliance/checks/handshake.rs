//! From the start to the first `readyok`.

use std::collections::BTreeSet;

use qirkat_rules::variant::Variant;

use crate::announced_option::OptionKind;
use crate::compliance::engine_under_test::EngineUnderTest;
use crate::compliance::examiner::{CheckError, Examiner, Outcome, PROMPT, SET_UP, WATCH, quoted};

/// Words that an engine sends only as an answer.
const ANSWERS: [&str; 6] = ["id", "option", "uciok", "readyok", "bestmove", "info"];

/// The types of the options that the protocol and its usual extensions name.
const KNOWN_OPTIONS: [(&str, &str); 11] = [
    ("Hash", "spin"),
    ("Clear Hash", "button"),
    ("Threads", "spin"),
    ("MultiPV", "spin"),
    ("Ponder", "check"),
    ("OwnBook", "check"),
    ("UCI_Variant", "combo"),
    ("UCI_AnalyseMode", "check"),
    ("UCI_LimitStrength", "check"),
    ("UCI_Elo", "spin"),
    ("UCI_ShowWDL", "check"),
];

pub(super) fn uci(examiner: &Examiner<'_>) -> Outcome {
    examiner.greeted().map(drop)
}

pub(super) fn silence(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = EngineUnderTest::start(examiner)?;
    let early = engine.listen(WATCH)?;
    engine.greet()?;
    // An engine that starts slowly may say it later. A note is in order then.
    let late = engine.greeting.preamble.iter().filter(|text| !text.starts_with("info "));
    let early = early.iter().map(|line| &line.text);
    let said: Vec<&String> = early.chain(late).filter(|text| !text.is_empty()).collect();
    let is_answer = |text: &&&String| {
        text.split_ascii_whitespace().next().is_some_and(|word| ANSWERS.contains(&word))
    };
    let finding = |text| engine.finding("silence until `uci`", quoted(text));
    match (said.iter().find(is_answer), said.first()) {
        (Some(text), _) => Err(CheckError::Fault(finding(text))),
        // A word of welcome disturbs few programs.
        (None, Some(text)) => Err(CheckError::Warning(finding(text))),
        (None, None) => Ok(()),
    }
}

pub(super) fn identity(examiner: &Examiner<'_>) -> Outcome {
    let engine = examiner.greeted()?;
    let greeting = &engine.greeting;
    for (word, texts) in [("name", &greeting.names), ("author", &greeting.authors)] {
        match texts.as_slice() {
            [text] if !text.is_empty() => {}
            [] => return Err(engine.fault(format!("`id {word} …`"), "none before `uciok`")),
            [_] => {
                return Err(
                    engine.fault(format!("`id {word} …`"), format!("`id {word}` without a text"))
                );
            }
            several => {
                return Err(
                    engine.fault(format!("one `id {word}`"), format!("{} of them", several.len()))
                );
            }
        }
    }
    Ok(())
}

pub(super) fn options(examiner: &Examiner<'_>) -> Outcome {
    let engine = examiner.greeted()?;
    let mut names = BTreeSet::new();
    for option in &engine.greeting.options {
        let wrong = |reason: &str| {
            engine
                .fault("a well-formed `option` line", format!("{}: {reason}", quoted(&option.text)))
        };
        let announced = match (&option.option, &option.error) {
            (Some(announced), None) => announced,
            (_, error) => return Err(wrong(error.as_deref().unwrap_or_default())),
        };
        if !names.insert(announced.name.to_ascii_lowercase()) {
            return Err(wrong("an option of this name was announced before"));
        }
        let known =
            KNOWN_OPTIONS.iter().find(|(name, _)| announced.name.eq_ignore_ascii_case(name));
        if let Some((name, word)) = known
            && announced.kind.word() != *word
        {
            return Err(wrong(&format!("{name} is a {word} elsewhere")));
        }
    }
    Ok(())
}

pub(super) fn variant(examiner: &Examiner<'_>) -> Outcome {
    let engine = examiner.greeted()?;
    let ours = Variant::Chesquerque.name();
    let expected = format!("`option name UCI_Variant type combo … var {ours}`");
    match engine.greeting.option("UCI_Variant").map(|option| &option.kind) {
        Some(OptionKind::Combo(choices)) if choices.iter().any(|choice| choice == ours) => Ok(()),
        Some(OptionKind::Combo(choices)) => {
            let choices = choices.join(", ");
            Err(engine.fault(expected, format!("the choices {}", quoted(&choices))))
        }
        Some(kind) => Err(engine.fault(expected, format!("an option of type {}", kind.word()))),
        // An engine that plays nothing else can do without; a program that
        // hosts many games will not know what it plays.
        None => Err(CheckError::Warning(engine.finding(expected, "no such option"))),
    }
}

pub(super) fn ready(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.greeted()?;
    engine.ready(examiner.within(SET_UP))?;
    let prompt = examiner.within(PROMPT);
    engine.ready(prompt)?;
    engine.send_bytes(b"isready\nisready\n")?;
    for _ in 0..2 {
        engine.expect_readyok(prompt)?;
    }
    let more = engine.listen(WATCH)?;
    match more.iter().find(|line| line.begins_with("readyok")) {
        None => Ok(()),
        Some(_) => Err(engine.fault("one `readyok` for each `isready`", "another `readyok`")),
    }
}
