//! Checks that the script cannot express: of greeting, options, info lines, time and memory.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use qirkat_game::Rules;
use qirkat_game::text::read_number;
use qirkat_rules::chesquerque::Move;
use qirkat_rules::variant::Variant;

use super::context::{CheckError, CheckResult, Finding, Verdict, quoted};
use super::script::TestPosition;
use super::steps::{CheckRun, number, skipped};
use super::tested_engine::{Answer, SETUP_TIMEOUT, TestedEngine};

use crate::announced_option::{AnnouncedOption, EMPTY, OptionKind};
use crate::engine_process::set_option_command;
use crate::info_line::InfoLine;
use crate::machine::Usage;

const ANSWERS: [&str; 6] = ["id", "option", "uciok", "readyok", "bestmove", "info"];
const NO_MOVE: [&str; 3] = ["(none)", "0000", "NULL"];

/// The types of the options that the protocol and common extensions define.
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

/// The largest hash size that an engine is asked for, in megabytes.
const MAX_MEGABYTES: i64 = 64;
const MAX_THREADS: i64 = 4;

/// How long an idle engine is watched, and the CPU time it may use meanwhile.
const IDLE: Duration = Duration::from_millis(500);
const IDLE_WORK: Duration = Duration::from_millis(20);

/// Short games that show whether memory grows: their number, moves each, and the first that counts.
const GAMES: usize = 40;
const GAME_MOVES: usize = 4;
const FIRST_COUNTED: usize = 10;
/// The hash size for these games, in megabytes.
const HASH: i64 = 16;
/// The largest growth of memory beyond the hash table, in megabytes.
const GROWTH: u64 = 32;
/// The hash size that is assumed if it is unknown, in megabytes.
const ASSUMED_HASH: u64 = 256;
const MEGABYTE: u64 = 1 << 20;

impl CheckRun<'_> {
    pub fn judge(&mut self, name: &str, rest: &str, setup: &TestPosition) -> CheckResult {
        match name {
            "silence" => self.silence(),
            "identity" => identity(&self.engine),
            "options" => options(&self.engine),
            "variant" => self.variant(),
            "no-stop" if self.was_stopped => {
                let expected = format!("`bestmove` within {:?}", self.time(rest));
                self.warn(expected, "none before `stop`")
            }
            "no-stop" => Ok(()),
            "searchmoves" => self.search_moves(rest),
            "info" => self.info(),
            "info-order" => self.info_order(),
            "pv" => self.pv(setup),
            "ponder-move" => self.ponder_move(setup),
            "multipv" => self.multi_pv(number::<i64>(rest).min(setup.legal().len() as i64)),
            "no-move" => self.no_move(rest),
            "idle" => self.idle(),
            "memory" => self.memory(),
            _ => unreachable!("there is no check of {name}"),
        }
    }

    fn silence(&mut self) -> CheckResult {
        // An engine that starts slowly may print its first output only after `uci` was sent; an
        // `info` line is allowed there.
        let late = self.engine.greeting.preamble.iter().filter(|text| !text.starts_with("info "));
        let early = self.lines.iter().map(|line| &line.text);
        let output: Vec<&String> = early.chain(late).filter(|text| !text.is_empty()).collect();
        let is_answer = |text: &&&String| {
            text.split_ascii_whitespace().next().is_some_and(|word| ANSWERS.contains(&word))
        };
        let expected = "silence until `uci`";
        match (output.iter().find(is_answer), output.first()) {
            (Some(text), _) => Err(self.engine.fault(expected, quoted(text))),
            // Few programs mind a greeting.
            (None, Some(text)) => self.warn(expected, quoted(text)),
            (None, None) => Ok(()),
        }
    }

    fn variant(&mut self) -> CheckResult {
        let ours = Variant::Chesquerque.name();
        let expected = format!("`option name UCI_Variant type combo … var {ours}`");
        let got = match self.engine.greeting.option("UCI_Variant").map(|option| &option.kind) {
            Some(OptionKind::Combo(choices)) if choices.iter().any(|choice| choice == ours) => {
                return Ok(());
            }
            Some(OptionKind::Combo(choices)) => {
                format!("the choices {}", quoted(&choices.join(", ")))
            }
            Some(kind) => format!("an option of type {}", kind.word()),
            // An engine for one variant does not need it, but a GUI cannot know what it plays.
            None => return self.warn(expected, "no such option"),
        };
        Err(self.engine.fault(expected, got))
    }

    /// Sets every option to each of the values it allows, or that it should refuse.
    pub fn set_all_options(&mut self, are_good: bool) -> CheckResult {
        let options: Vec<AnnouncedOption> = self.engine.greeting.sound_options().cloned().collect();
        for option in &options {
            let values = if are_good { good_values(option) } else { bad_values(option) };
            for value in values {
                self.engine.send(&set_option_command(&option.name, value.as_deref()))?;
                self.engine.ready(SETUP_TIMEOUT)?;
            }
        }
        Ok(())
    }

    fn search_moves(&self, allowed: &str) -> CheckResult {
        let firsts = self.answer.valid_infos().filter_map(|(_, info)| info.pv.first().copied());
        let firsts = firsts.map(|mv: Move| mv.to_string());
        let mut firsts = [self.answer.best.clone()].into_iter().chain(firsts);
        match firsts.find(|mv| !allowed.split(' ').any(|one| one == mv)) {
            None => Ok(()),
            Some(other) => {
                Err(self.engine.fault(format!("only {}", quoted(allowed)), quoted(&other)))
            }
        }
    }

    fn info(&mut self) -> CheckResult {
        let mut unknown = None;
        for line in &self.answer.infos {
            let info = ParsedInfo::parse(line).map_err(|reason| {
                let got = format!("{reason}, in {}", quoted(line));
                self.engine.fault("a well-formed `info` line", got)
            })?;
            let got = |word| format!("{}, in {}", quoted(word), quoted(line));
            unknown = unknown.or(info.line.unknown.map(got));
        }
        let has_score =
            |info: ParsedInfo<'_>| info.line.score.is_some() && info.line.depth.is_some();
        let is_reported = self.answer.valid_infos().any(|(_, info)| has_score(info));
        match unknown {
            Some(got) => self.warn("only keywords of the protocol", got),
            None if is_reported => Ok(()),
            None => self.warn("an `info` line with `depth` and `score`", "none"),
        }
    }

    fn info_order(&self) -> CheckResult {
        for (name, figure) in [
            ("depth", (|line| line.depth) as fn(&InfoLine<'_>) -> Option<i64>),
            ("nodes", |line| line.nodes),
            ("time", |line| line.time),
        ] {
            let mut last = 0;
            for (line, info) in self.answer.valid_infos() {
                let Some(number) = figure(&info.line) else { continue };
                if number < last {
                    let expected = format!("`{name}` of {last} or more");
                    return Err(self.engine.fault(expected, quoted(line)));
                }
                last = number;
            }
        }
        Ok(())
    }

    fn pv(&mut self, setup: &TestPosition) -> CheckResult {
        let mut last = None;
        for (line, info) in self.answer.valid_infos() {
            let mut position = *setup.position();
            for (index, &mv) in (1..).zip(&info.pv) {
                if !position.is_legal(mv) {
                    let got = format!("move {index}, `{mv}`, of {}", quoted(line));
                    return Err(self.engine.fault("a line of legal moves", got));
                }
                position.make(mv);
            }
            // As in `check_pvs`, a bound on another move does not count.
            if let Some(first) = info.pv.first().map(Move::to_string)
                && (!info.line.is_bound || first == self.answer.best)
                && info.line.multipv.unwrap_or(1) == 1
            {
                last = Some((line, first));
            }
        }
        match last {
            Some((line, first)) if first != self.answer.best => {
                let expected = format!("`bestmove` to be the first move of {}", quoted(line));
                self.warn(expected, quoted(&self.answer.line))
            }
            _ => Ok(()),
        }
    }

    fn ponder_move(&self, setup: &TestPosition) -> CheckResult {
        let best = self.legal_move(setup)?;
        let next = setup.position().after(best);
        let is_reply = |text| Move::parse(text).is_some_and(|mv| next.is_legal(mv));
        let words: Vec<&str> = self.answer.line.split_ascii_whitespace().skip(2).collect();
        match words.as_slice() {
            [] => Ok(()),
            ["ponder", text] if is_reply(text) => Ok(()),
            _ => {
                let expected =
                    format!("`bestmove {best}`, alone or with `ponder` and a legal reply");
                Err(self.engine.fault(expected, quoted(&self.answer.line)))
            }
        }
    }

    /// Checks that a depth has the wanted number of lines, with different first moves, and none more.
    fn multi_pv(&self, wanted: i64) -> CheckResult {
        let wanted = match self.engine.greeting.option("MultiPV").map(|option| &option.kind) {
            Some(OptionKind::Spin { max: Some(max), .. }) => wanted.min(*max),
            _ => wanted,
        };
        let counted = |lines: i64| match lines {
            1 => "one line".to_owned(),
            _ => format!("{lines} lines"),
        };
        let mut depths: BTreeMap<i64, BTreeMap<i64, Move>> = BTreeMap::new();
        for (line, info) in self.answer.valid_infos() {
            let rank = info.line.multipv.unwrap_or(1);
            if rank > wanted {
                let expected = format!("no more than {}", counted(wanted));
                return Err(self.engine.fault(expected, quoted(line)));
            }
            if let (Some(depth), Some(&first), false) =
                (info.line.depth, info.pv.first(), info.line.is_bound)
            {
                depths.entry(depth).or_default().insert(rank, first);
            }
        }
        let most = depths.values().map(|lines| lines.len() as i64).max().unwrap_or(0);
        let expected = format!("{} with `multipv` 1 to {wanted} in one depth", counted(wanted));
        self.engine.require(most >= wanted, expected, counted(most))?;
        for (depth, lines) in depths.iter().filter(|(_, lines)| lines.len() as i64 == wanted) {
            for (rank, first) in lines {
                if lines.range(..rank).any(|(_, other)| other == first) {
                    let got = format!("`{first}` first in two lines of depth {depth}");
                    return Err(self.engine.fault("lines that begin with different moves", got));
                }
            }
        }
        Ok(())
    }

    /// Checks that the answer is no move, and the score that of these words.
    fn no_move(&self, words: &str) -> CheckResult {
        let Answer { best, line, .. } = &self.answer;
        let expected = "`bestmove (none)` or `bestmove 0000`";
        self.engine.require(NO_MOVE.contains(&best.as_str()), expected, quoted(line))?;
        let score = InfoLine::parse(words).score;
        let is_wrong =
            |info: &ParsedInfo<'_>| info.line.score.is_some() && info.line.score != score;
        match self.answer.valid_infos().find(|(_, info)| is_wrong(info)) {
            Some((line, _)) => Err(self.engine.fault(format!("`{words}`"), quoted(line))),
            None => Ok(()),
        }
    }

    fn idle(&mut self) -> CheckResult {
        let before = self.engine.usage();
        let lines = self.engine.listen(IDLE)?;
        let after = self.engine.usage();
        if let Some(line) = lines.first() {
            return Err(self.engine.fault("silence after the answer", quoted(&line.text)));
        }
        let time = |usage: Usage| usage.time;
        let work =
            after.map_or(Duration::ZERO, time).saturating_sub(before.map_or(Duration::MAX, time));
        let got = format!("{} ms of processor time in {} ms", work.as_millis(), IDLE.as_millis());
        self.engine.require(work < IDLE_WORK, "no work after the answer", got)
    }

    fn memory(&mut self) -> CheckResult {
        let memory = |engine: &TestedEngine<'_>| {
            let unknown =
                || skipped("this system does not report the memory of a process".to_owned());
            Ok::<u64, CheckError>(engine.usage().ok_or_else(unknown)?.memory)
        };
        let mut hash_size = ASSUMED_HASH;
        if let Some(&OptionKind::Spin { min: Some(min), max: Some(max) }) =
            self.engine.greeting.option("Hash").map(|option| &option.kind)
        {
            let hash = HASH.clamp(min, max);
            self.engine.send(&set_option_command("Hash", Some(&hash.to_string())))?;
            self.engine.ready(SETUP_TIMEOUT)?;
            hash_size = hash.unsigned_abs();
        }
        let mut before = 0;
        for game in 0..GAMES {
            if game == FIRST_COUNTED {
                before = memory(&self.engine)?;
            }
            self.engine.send("ucinewgame")?;
            self.engine.ready(SETUP_TIMEOUT)?;
            for moves in 0..GAME_MOVES {
                self.think(&TestPosition::start().wander(2 * moves, game as u64))?;
            }
        }
        let grown = memory(&self.engine)?.saturating_sub(before) / MEGABYTE;
        let allowed = GROWTH + hash_size;
        if grown > allowed {
            let games = GAMES - FIRST_COUNTED;
            return Err(CheckError::Verdict(Verdict::Failed(Finding {
                sent: format!("{games} times `ucinewgame` and {GAME_MOVES} small searches"),
                expected: format!("memory to grow by {allowed} MB at most"),
                got: format!("{grown} MB more"),
            })));
        }
        Ok(())
    }
}

fn identity(engine: &TestedEngine<'_>) -> CheckResult {
    let greeting = &engine.greeting;
    for (word, texts) in [("name", &greeting.names), ("author", &greeting.authors)] {
        let (expected, got) = match texts.as_slice() {
            [text] if !text.is_empty() => continue,
            [] => (format!("`id {word} …`"), "none before `uciok`".to_owned()),
            [_] => (format!("`id {word} …`"), format!("`id {word}` without a text")),
            several => (format!("one `id {word}`"), format!("{} of them", several.len())),
        };
        return Err(engine.fault(expected, got));
    }
    Ok(())
}

fn options(engine: &TestedEngine<'_>) -> CheckResult {
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

/// Values that an option accepts by its announcement, the default last.
fn good_values(option: &AnnouncedOption) -> Vec<Option<String>> {
    let default = option.default.clone().unwrap_or_default();
    let texts = match &option.kind {
        // Another variant would need a separate run.
        OptionKind::Combo(_) if option.name.eq_ignore_ascii_case("UCI_Variant") => Vec::new(),
        OptionKind::Combo(choices) => choices.iter().cloned().chain([default]).collect(),
        OptionKind::Check => vec![(default != "true").to_string(), default],
        OptionKind::Spin { min, max } => {
            let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
            let largest = largest_tried(option).map_or(max, |number| number.clamp(min, max));
            vec![min.to_string(), largest.to_string(), default]
        }
        OptionKind::Text if default.is_empty() => vec![EMPTY.to_owned()],
        OptionKind::Text => vec![default],
        OptionKind::Button | OptionKind::Other(_) => return vec![None],
    };
    texts.into_iter().map(Some).collect()
}

/// Values that it should refuse. A string may be any file name, so none is wrong.
fn bad_values(option: &AnnouncedOption) -> Vec<Option<String>> {
    let texts: &[&str] = match &option.kind {
        OptionKind::Check => &["", "perhaps", "2"],
        OptionKind::Combo(_) => &["", "no such choice"],
        // Not every engine clamps numbers, and some would accept them.
        OptionKind::Spin { .. } if largest_tried(option).is_some() => &["", "many"],
        OptionKind::Spin { .. } => {
            &["", "many", "1.5", "-99999999999999999999", "99999999999999999999"]
        }
        OptionKind::Button => &["pressed"],
        OptionKind::Text | OptionKind::Other(_) => &[],
    };
    texts.iter().map(|&text| Some(text.to_owned())).collect()
}

/// The largest number to try where a larger one would use too much memory or CPU.
fn largest_tried(option: &AnnouncedOption) -> Option<i64> {
    // `DrawScore` is not about cores.
    let name = option.name.to_ascii_lowercase().replace("score", "");
    let is_named = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if is_named(&["hash", "cache", "memory", "buffer"]) {
        Some(MAX_MEGABYTES)
    } else if is_named(&["thread", "core", "cpu", "process"]) {
        Some(MAX_THREADS)
    } else {
        None
    }
}

/// A well-formed `info` line with its PV parsed.
struct ParsedInfo<'a> {
    line: InfoLine<'a>,
    pv: Vec<Move>,
}

impl Answer {
    /// The well-formed `info` lines, as text and parsed.
    fn valid_infos(&self) -> impl Iterator<Item = (&str, ParsedInfo<'_>)> {
        self.infos.iter().filter_map(|line| Some((line.as_str(), ParsedInfo::parse(line).ok()?)))
    }
}

impl ParsedInfo<'_> {
    /// Parses an `info` line, or reports what is wrong with it.
    fn parse(text: &str) -> Result<ParsedInfo<'_>, String> {
        let mut line = InfoLine::parse(text.strip_prefix("info").unwrap_or(text));
        if let Some(error) = line.error.take() {
            return Err(error);
        }
        let mut pv = Vec::new();
        for &(word, texts) in &line.moves {
            let mut texts = texts.split_ascii_whitespace().peekable();
            // A `currline` may begin with the number of the CPU.
            texts.next_if(|text| word == "currline" && read_number(text).is_some());
            let moves = texts.map(|text| {
                let error = || format!("`{text}` after `{word}`, which is not a move");
                Move::parse(text).ok_or_else(error)
            });
            let moves = moves.collect::<Result<Vec<Move>, String>>()?;
            if word == "pv" {
                pv = moves;
            }
        }
        Ok(ParsedInfo { line, pv })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_takes_the_whole_machine() {
        let spin = |name: &str, min| AnnouncedOption {
            name: name.to_owned(),
            kind: OptionKind::Spin { min: Some(min), max: Some(33_554_432) },
            default: Some("300".to_owned()),
        };
        for (name, min, expected) in [
            ("Hash", 1, ["1", "64", "300"]),
            ("SyzygyCache", 100, ["100", "100", "300"]),
            ("Threads", 1, ["1", "4", "300"]),
            ("DrawScore", -5, ["-5", "33554432", "300"]),
        ] {
            let values: Vec<String> = good_values(&spin(name, min)).into_iter().flatten().collect();
            assert_eq!(values, expected, "{name}");
        }
        let long = |value: &Option<String>| value.as_ref().is_some_and(|text| text.len() > 9);
        assert!(!bad_values(&spin("Hash", 1)).iter().any(long));
        assert!(bad_values(&spin("MultiPV", 1)).iter().any(long));
    }

    #[test]
    fn info_lines_are_read_or_refused() {
        for (line, wrong) in [
            ("depth 1 seldepth 2 multipv 1 score cp 5 nodes 7 nps 8 hashfull 0 time 9 pv a2a3", ""),
            ("depth 1 score mate -3 upperbound wdl 0 0 1000 tbhits 0", ""),
            ("depth 1 score lowerbound cp -3", ""),
            ("pv a8a9a i2i4 depth 3", ""),
            ("currmove e2e4 currmovenumber 1", ""),
            ("refutation d2d4 e8e6", ""),
            ("currline 1 d2d4 e8e6", ""),
            ("string depth x", ""),
            ("depth x", "`x` after `depth`, which is not a whole number from 0 up"),
            ("depth", "`nothing` after `depth`"),
            ("depth 1.5", "`1.5` after `depth`"),
            ("nodes -1", "`-1` after `nodes`"),
            ("hashfull 1001", "`1001` after `hashfull`, which is not a whole number from 0 to"),
            ("multipv 0", "`0` after `multipv`"),
            ("score 15", "`15` after `score`, not `cp` or `mate`"),
            ("score", "`nothing` after `score`"),
            ("score cp +0.31", "`+0.31` after `cp`, which is not a whole number"),
            ("score cp 1 wdl 500 500 500", "wdl [500, 500, 500], whose sum is not 1000"),
            ("depth 3 lowerbound", "a bound without a score"),
            ("pv e2-e4", "`e2-e4` after `pv`, which is not a move"),
            ("currmove Nf3", "`Nf3` after `currmove`"),
        ] {
            let error = ParsedInfo::parse(&format!("info {line}")).err().unwrap_or_default();
            assert!(error.starts_with(wrong) && error.is_empty() == wrong.is_empty(), "{error}");
        }
        let info = ParsedInfo::parse("info depth 3 speed 7").expect("an unknown word is no fault");
        assert_eq!((info.line.unknown, info.line.depth), (Some("speed"), Some(3)));
    }
}
