//! Solutions in composers' notation: `1.Qb6! threat: 2.Qb9#`, `1...Kd5 2.Ac4#`.
//!
//! The side to move makes move 1, whichever side that is. Replies that stop none of the threats are
//! not written.

use super::solution::{Continuation, Play, Proof, Solution, Variation, WrittenMove};
use super::solve::SolveRequest;

const INDENT: usize = 4;
/// Undecided moves that a sentence names.
const MAX_NAMED: usize = 8;

/// The solution without the verdict, one text per line.
pub fn solution_lines(solution: &Solution) -> Vec<String> {
    let mut lines = Vec::new();
    let is_series = solution.stipulation.aim().is_series();
    if let Some(set_play) = &solution.set_play {
        lines.push(heading("Set play", set_play.is_empty()));
        for variation in set_play {
            push_variation(&mut lines, variation, 1, INDENT);
        }
    }
    if let Some(set_lines) = &solution.set_lines {
        lines.push(heading("Set play", set_lines.is_empty()));
        let is_second = is_series || solution.stipulation.plies().is_multiple_of(2);
        lines.extend(set_lines.iter().map(|line| numbered_line(line, is_second, INDENT)));
    }
    for tried in &solution.tries {
        let refutations: Vec<String> =
            tried.refutations.iter().map(|mv| format!("1...{}!", mv.san)).collect();
        lines.push(format!("1.{}? but {}", tried.mv.san, refutations.join(", ")));
    }
    for key in &solution.keys {
        lines.push(format!("1.{}!{}", key.mv.san, threat_text(key.play.as_ref(), 2)));
        if let Some(play) = &key.play {
            push_play(&mut lines, play, 1, INDENT);
        }
    }
    let is_second = !solution.stipulation.plies().is_multiple_of(2);
    lines.extend(solution.lines.iter().map(|line| match (is_series, solution.solved) {
        (true, Some(solved)) => series_line(line, solved.moves().into()),
        _ => numbered_line(line, is_second, 0),
    }));
    if !solution.main_line.is_empty() {
        lines.push(format!("Longest defence: {}", numbered_line(&solution.main_line, false, 0)));
    }
    if !solution.has_all_variations {
        lines.push("(not all variations are shown)".to_owned());
    }
    lines
}

fn heading(text: &str, is_empty: bool) -> String {
    format!("{text}:{}", if is_empty { " none" } else { "" })
}

fn threat_text(play: Option<&Play>, number: usize) -> String {
    match play {
        None => String::new(),
        Some(play) if play.check || play.obliged => String::new(),
        Some(play) if play.threats.is_empty() => " zugzwang".to_owned(),
        Some(play) => format!(" threat: {}", answers(&play.threats, number)),
    }
}

fn answers(continuations: &[Continuation], number: usize) -> String {
    let texts: Vec<String> =
        continuations.iter().map(|it| format!("{number}.{}", it.mv.san)).collect();
    texts.join(", ")
}

fn push_play(lines: &mut Vec<String>, play: &Play, number: usize, indent: usize) {
    for variation in play.variations.iter().filter(|it| !it.follows_threat) {
        push_variation(lines, variation, number, indent);
    }
}

/// A reply with its answers: on the same line if nothing else follows, otherwise below.
fn push_variation(lines: &mut Vec<String>, variation: &Variation, number: usize, indent: usize) {
    let head = format!("{:indent$}{number}...{}", "", variation.defence.san);
    let answers_to = &variation.continuations;
    let next = number + 1;
    if answers_to.iter().all(|it| it.play.is_none()) {
        let dual = if answers_to.len() > 1 { "  (dual)" } else { "" };
        let gap = if answers_to.is_empty() { "" } else { " " };
        lines.push(format!("{head}{gap}{}{dual}", answers(answers_to, next)));
        return;
    }
    for (index, answer) in answers_to.iter().enumerate() {
        let lead = if index == 0 { head.clone() } else { format!("{:indent$}  or", "") };
        let threat = threat_text(answer.play.as_ref(), next + 1);
        let dual = if index > 0 { "  (dual)" } else { "" };
        lines.push(format!("{lead} {next}.{}{threat}{dual}", answer.mv.san));
        if let Some(play) = &answer.play {
            push_play(lines, play, next, indent + INDENT);
        }
    }
}

/// A numbered line of moves, which may begin with the second move of a pair.
fn numbered_line(line: &[WrittenMove], is_second: bool, indent: usize) -> String {
    let mut text = " ".repeat(indent);
    for (ply, mv) in (usize::from(is_second)..).zip(line) {
        let number = ply / 2 + 1;
        let is_first = text.trim_start().is_empty();
        if !is_first {
            text.push(' ');
        }
        if ply % 2 == 0 {
            text.push_str(&format!("{number}."));
        } else if is_first {
            text.push_str(&format!("{number}..."));
        }
        text.push_str(&mv.san);
    }
    text
}

/// A series of this many numbered moves of one side, and after it the other side's move, if any.
fn series_line(line: &[WrittenMove], moves: usize) -> String {
    let numbered = |(at, mv): (usize, &WrittenMove)| match at < moves {
        true => format!("{}.{}", at + 1, mv.san),
        false => mv.san.clone(),
    };
    line.iter().enumerate().map(numbered).collect::<Vec<_>>().join(" ")
}

pub fn verdict_sentence(solution: &Solution, request: &SolveRequest) -> String {
    let verdict = solution.verdict(request);
    let has_lines = !solution.stipulation.aim().is_forced();
    let keys = list(solution.keys.iter().map(|key| key.mv.san.as_str()));
    match verdict.kind {
        VerdictKind::Sound if has_lines => {
            format!("Sound: {}.", counted(solution.lines.len(), "solution"))
        }
        VerdictKind::Sound => format!("Sound: {}, {keys}.", counted(solution.keys.len(), "key")),
        VerdictKind::Cooked if has_lines => {
            let count = counted(solution.lines.len(), "solution");
            format!("Cooked: {count} instead of {}.", request.solutions)
        }
        VerdictKind::Cooked if request.stated_keys.is_empty() => {
            let stopped = if solution.is_proved() { "" } else { " at least" };
            format!("Cooked: {}{stopped}, {keys}.", counted(solution.keys.len(), "key"))
        }
        VerdictKind::Cooked => {
            let cooks = list(verdict.cooks.iter().map(|mv| mv.san.as_str()));
            format!("Cooked: {cooks} also {}.", solve_word(verdict.cooks.len()))
        }
        VerdictKind::Short => short_sentence(solution, &keys),
        VerdictKind::NoSolution => no_solution_sentence(solution, request, &verdict.failing),
        VerdictKind::NotProved => stopped_sentence(solution, &keys),
    }
}

fn solve_word(count: usize) -> &'static str {
    if count == 1 { "solves" } else { "solve" }
}

fn short_sentence(solution: &Solution, keys: &str) -> String {
    let solved = solution.solved.map(|solved| solved.to_string()).unwrap_or_default();
    if keys.is_empty() {
        format!("Short solution: {solved}, {}.", counted(solution.lines.len(), "line"))
    } else {
        format!("Short solution: {solved} by {keys}.")
    }
}

fn no_solution_sentence(solution: &Solution, request: &SolveRequest, failing: &[String]) -> String {
    let has_lines = !solution.stipulation.aim().is_forced();
    let count = if has_lines { solution.lines.len() } else { solution.keys.len() };
    if failing.is_empty() {
        return match count {
            0 => "No solution.".to_owned(),
            _ => format!("Only {} instead of {}.", counted(count, "solution"), request.solutions),
        };
    }
    let keys = list(solution.keys.iter().map(|key| key.mv.san.as_str()));
    let solve = if count == 0 {
        "nothing solves".to_owned()
    } else {
        format!("{keys} {}", solve_word(count))
    };
    format!("No solution as stated: {} not solve; {solve}.", fail_words(failing))
}

fn fail_words(failing: &[String]) -> String {
    let texts = list(failing.iter().map(String::as_str));
    format!("{texts} {}", if failing.len() == 1 { "does" } else { "do" })
}

fn stopped_sentence(solution: &Solution, keys: &str) -> String {
    let Proof::Stopped { excluded_below } = solution.proof else {
        return "Not proved.".to_owned();
    };
    let mut text = format!("Not proved: stopped at {excluded_below} plies");
    if excluded_below > 1 {
        text.push_str("; there is nothing shorter");
    }
    if !keys.is_empty() {
        text.push_str(&format!("; {keys} {}", solve_word(solution.keys.len())));
    }
    if !solution.lines.is_empty() {
        text.push_str(&format!("; {} so far", counted(solution.lines.len(), "solution")));
    }
    if !solution.open.is_empty() {
        let named = list(solution.open.iter().take(MAX_NAMED).map(|mv| mv.san.as_str()));
        let more = if solution.open.len() > MAX_NAMED { " and others" } else { "" };
        text.push_str(&format!("; undecided: {named}{more}"));
    }
    text + "."
}

fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("one {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

fn list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerdictKind {
    /// As many solutions as expected, or exactly the stated ones.
    Sound,
    /// There are other solutions, too.
    Cooked,
    /// Solved in fewer moves than stipulated.
    Short,
    /// No solution, fewer than expected, or not all that were stated.
    NoSolution,
    NotProved,
}

impl VerdictKind {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            VerdictKind::Sound => "sound",
            VerdictKind::Cooked => "cooked",
            VerdictKind::Short => "short solution",
            VerdictKind::NoSolution => "no solution",
            VerdictKind::NotProved => "not proved",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub kind: VerdictKind,
    /// Unstated keys; all keys if none was stated and there are too many.
    pub cooks: Vec<WrittenMove>,
    /// Stated keys that do not solve, in UCI notation.
    pub failing: Vec<String>,
}

impl Verdict {
    pub fn is_sound(&self) -> bool {
        self.kind == VerdictKind::Sound
    }
}

impl Solution {
    pub fn verdict(&self, request: &SolveRequest) -> Verdict {
        let wanted = request.solutions;
        let has_lines = !self.stipulation.aim().is_forced();
        let stated: Vec<String> = match has_lines {
            true => Vec::new(),
            false => request.stated_keys.iter().map(ToString::to_string).collect(),
        };
        let is_stated = |key: &WrittenMove| stated.contains(&key.uci);
        let keys = || self.keys.iter().map(|key| &key.mv);
        let is_over = self.is_proved();
        let failing: Vec<String> = stated
            .iter()
            .filter(|text| is_over && !keys().any(|key| key.uci == **text))
            .cloned()
            .collect();
        let count = if has_lines { self.lines.len() } else { self.keys.len() };
        let has_cooks =
            if stated.is_empty() { count > wanted } else { keys().any(|key| !is_stated(key)) };
        let is_short = self.solved.is_some_and(|solved| solved != self.stipulation);
        let kind = if is_short {
            VerdictKind::Short
        } else if has_cooks && (stated.is_empty() || failing.len() < stated.len()) {
            VerdictKind::Cooked
        } else if let Proof::Stopped { .. } = self.proof {
            VerdictKind::NotProved
        } else if count == 0 || !failing.is_empty() || stated.is_empty() && count < wanted {
            VerdictKind::NoSolution
        } else {
            VerdictKind::Sound
        };
        let cooks = if has_cooks {
            keys().filter(|key| !is_stated(key)).cloned().collect()
        } else {
            Vec::new()
        };
        Verdict { kind, cooks, failing }
    }
}
