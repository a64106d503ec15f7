//! The arbiter's side of the XBoard protocol (CECP, version 2).

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use qirkat_game::text::one_line;
use qirkat_game::{Color, GameResult, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove, Variant};

use crate::announced_option::{AnnouncedOption, EMPTY, OptionKind, Setting};
use crate::engine_client::{EngineClient, EngineIdentity};
use crate::engine_connection::{EngineConnection, READY_TIMEOUT};
use crate::engine_fault::{EngineFault, SHOWN_TEXT};
use crate::finished_game::FinishedGame;
use crate::info_line::{InfoLine, MoveReport};
use crate::match_log::in_one_line;
use crate::player::{Choice, ChosenMove, Turn};
use crate::time_control::TimeControl;
use crate::xboard_lines::{Reply, features, in_coordinates, option, read_move};

/// How long an engine may take that asks for more time with `done=0`; XBoard waits for an hour.
const FEATURES_TIMEOUT: Duration = Duration::from_secs(60);
/// Features that change nothing here, whatever their value.
const HARMLESS: &str =
    "analyze colors debug done exclude highlight playother setscore sigint sigterm";
/// Features accepted if off; `memory` and `smp` also if on.
const ACCEPTED_OFF: &str = "ics memory name nps pause smp";
/// Options that are commands of their own.
const MEMORY: &str = "memory";
const CORES: &str = "cores";
/// Seconds for each move where only the depth is limited, as cutechess does it.
const UNLIMITED: &str = "st 86400";

/// Features that change what is sent, and those of them that are on unless the engine says otherwise.
const FLAGS: [&str; 7] = ["draw", "ping", "reuse", "san", "setboard", "time", "usermove"];
const DEFAULT_FLAGS: [&str; 3] = ["draw", "reuse", "time"];

/// What the engine announces.
#[derive(Default)]
struct Features {
    flags: BTreeSet<&'static str>,
    options: Vec<AnnouncedOption>,
    variants: Option<Vec<String>>,
    name: Option<String>,
}

impl Features {
    fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }

    /// Takes a feature; returns whether it is accepted.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let is_on = value == "1";
        if let Some(flag) = FLAGS.into_iter().find(|&flag| flag == name) {
            _ = if is_on { self.flags.insert(flag) } else { self.flags.remove(flag) };
            return true;
        }
        match name {
            "myname" => self.name = Some(in_one_line(value)),
            "variants" => {
                let names = value.split(',').map(|name| name.trim().to_owned());
                self.variants = Some(names.collect());
            }
            "memory" if is_on => self.add_command(MEMORY),
            "smp" if is_on => self.add_command(CORES),
            "option" => match option(value) {
                Some(option) => self.options.push(option),
                None => return false,
            },
            _ => {
                let is_among = |names: &str| names.split(' ').any(|known| known == name);
                return is_among(HARMLESS) || is_among(ACCEPTED_OFF) && value == "0";
            }
        }
        true
    }

    fn add_command(&mut self, name: &str) {
        let kind = OptionKind::Spin { min: Some(1), max: None };
        self.options.push(AnnouncedOption { name: name.to_owned(), kind, default: None });
    }
}

pub(super) struct XboardClient {
    connection: EngineConnection,
    ponders: bool,
    features: Features,
    pings: u32,
    /// How many moves of the game the engine knows.
    known: usize,
    /// Whether it has been told to play a side, and answers each move.
    plays: bool,
}

impl XboardClient {
    pub fn new(connection: EngineConnection, ponders: bool) -> XboardClient {
        let features = Features { flags: DEFAULT_FLAGS.into(), ..Features::default() };
        XboardClient { connection, ponders, features, pings: 0, known: 0, plays: false }
    }

    fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        self.connection.send(line)
    }

    /// Takes the features of a line. Returns the value of `done`, if it is there.
    fn take_features(&mut self, text: &str) -> Result<Option<bool>, EngineFault> {
        let mut done = None;
        for (name, value) in features(text) {
            let word = if self.features.set(name, value) { "accepted" } else { "rejected" };
            self.send(&format!("{word} {}", one_line(name, SHOWN_TEXT)))?;
            if name == "done" {
                done = Some(value == "1");
            }
        }
        Ok(done)
    }

    /// Sends the moves that the engine does not know. It answers the last one if it plays a side.
    fn tell_moves(&mut self, game: &AnyGame) -> Result<(), EngineFault> {
        let moves = game.moves();
        let first = std::mem::replace(&mut self.known, moves.len());
        let sans = if self.features.has("san") { game.start().san_line(moves) } else { Vec::new() };
        for (number, mv) in moves.iter().enumerate().skip(first) {
            let text = sans.get(number).cloned().unwrap_or_else(|| mv.to_string());
            let command = if self.features.has("usermove") { "usermove " } else { "" };
            self.send(&format!("{command}{text}"))?;
        }
        Ok(())
    }

    fn tell_clocks(&mut self, turn: &Turn<'_>) -> Result<(), EngineFault> {
        let own = turn.game.position().side_to_move();
        for (command, color) in [("time", own), ("otim", !own)] {
            if let Some(left) =
                turn.clocks[color.index()].allowed().filter(|_| self.features.has("time"))
            {
                self.send(&format!("{command} {}", left.as_millis() / 10))?;
            }
        }
        Ok(())
    }

    /// Puts the engine to work on its move.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), EngineFault> {
        // Time that it waited for a core before this move does not count.
        self.connection.waited();
        if !self.ponders {
            self.connection.lines().clear_search();
        }
        if self.plays {
            self.tell_clocks(turn)?;
            self.tell_moves(turn.game)?;
        } else {
            self.tell_moves(turn.game)?;
            self.tell_clocks(turn)?;
            self.plays = true;
            self.send("go")?;
        }
        if turn.draw_offered && self.features.has("draw") {
            self.send("draw")?;
        }
        Ok(())
    }

    /// Reads what it said while its opponent was to move. Returns how that ends the game, if it does.
    fn unasked(
        &mut self,
        turn: &Turn<'_>,
        offers_draw: &mut bool,
    ) -> Result<Option<Choice>, EngineFault> {
        let now = Instant::now();
        loop {
            // Here this fault only means that no line is waiting.
            let line = match self.connection.next_answer(now, EngineFault::Stalled(Duration::ZERO))
            {
                Err(EngineFault::Stalled(_)) => return Ok(None),
                line => line?,
            };
            // A move that nobody asked for is of no account.
            if let Some(end) = react(&line.text, turn, offers_draw)? {
                return Ok(Some(end));
            }
        }
    }
}

/// What an answer other than a move means for a game that goes on: an end, a fault, or nothing.
fn react(
    line: &str,
    turn: &Turn<'_>,
    offers_draw: &mut bool,
) -> Result<Option<Choice>, EngineFault> {
    let own = turn.game.position().side_to_move();
    match Reply::read(line) {
        Some(Reply::Resigns) => return Ok(Some(Choice::Resign)),
        Some(Reply::OffersDraw | Reply::Claims(GameResult::Draw, _)) if turn.draw_offered => {
            return Ok(Some(Choice::AcceptDraw));
        }
        Some(Reply::OffersDraw) => *offers_draw = true,
        // The arbiter has seen no end of the game.
        Some(Reply::Claims(result, _)) if result == GameResult::won_by(!own) => {
            return Ok(Some(Choice::Resign));
        }
        Some(Reply::Claims(_, text)) => return Err(EngineFault::FalseClaim(in_one_line(text))),
        Some(Reply::Refuses(text)) => return Err(refused(text)),
        _ => {}
    }
    Ok(None)
}

fn refused(text: &str) -> EngineFault {
    EngineFault::RefusedMove(one_line(text, SHOWN_TEXT))
}

impl EngineClient for XboardClient {
    fn connection(&mut self) -> &mut EngineConnection {
        &mut self.connection
    }

    fn greet(&mut self) -> Result<EngineIdentity, EngineFault> {
        self.send("xboard")?;
        self.send("protover 2")?;
        let started = Instant::now();
        let (mut timeout, mut has_features) = (READY_TIMEOUT, false);
        loop {
            let late = EngineFault::NotReady { question: "protover", timeout };
            match self.connection.next_answer(started + timeout, late) {
                Ok(line) => {
                    let Some(Reply::Features(text)) = Reply::read(&line.text) else { continue };
                    has_features = true;
                    match self.take_features(text)? {
                        Some(true) => break,
                        Some(false) => timeout = FEATURES_TIMEOUT,
                        None => {}
                    }
                }
                // Older engines do not say when they have said all.
                Err(EngineFault::NotReady { .. }) if has_features && timeout < FEATURES_TIMEOUT => {
                    break;
                }
                Err(fault) => return Err(fault),
            }
        }
        Ok(EngineIdentity {
            name: self.features.name.clone(),
            options: self.features.options.clone(),
            variants: self.features.variants.clone(),
            lines: self.connection.lines().take_setup(),
        })
    }

    fn option_command(&self, (name, value): &Setting) -> String {
        let of = |option: &&AnnouncedOption| option.name == *name;
        let kind = self.features.options.iter().find(of).map(|option| &option.kind);
        match (kind, value.as_deref()) {
            _ if [MEMORY, CORES].contains(&name.as_str()) => {
                format!("{name} {}", value.as_deref().unwrap_or_default())
            }
            (Some(OptionKind::Check), Some("true")) => format!("option {name}=1"),
            (Some(OptionKind::Check), Some("false")) => format!("option {name}=0"),
            (Some(OptionKind::Text), Some(EMPTY)) => format!("option {name}="),
            (_, Some(value)) => format!("option {name}={value}"),
            (_, None) => format!("option {name}"),
        }
    }

    fn get_ready(&mut self) -> Result<(), EngineFault> {
        if !self.features.has("ping") {
            return Ok(());
        }
        self.pings += 1;
        let number = self.pings.to_string();
        self.send(&format!("ping {number}"))?;
        let latest = Instant::now() + READY_TIMEOUT;
        loop {
            let late = EngineFault::NotReady { question: "ping", timeout: READY_TIMEOUT };
            let line = self.connection.next_answer(latest, late)?;
            match Reply::read(&line.text) {
                Some(Reply::Pong(text)) if text == number => return Ok(()),
                Some(Reply::Refuses(text)) => return Err(refused(text)),
                _ => {}
            }
        }
    }

    fn new_game(&mut self, own: Color, turn: &Turn<'_>) -> Result<(), EngineFault> {
        let start = turn.game.start();
        let is_start_position = *start == start.variant().start();
        if !is_start_position && !self.features.has("setboard") {
            let why = "it cannot be given a position (it has no feature `setboard`)";
            return Err(EngineFault::NoStart(why.to_owned()));
        }
        (self.known, self.plays) = (0, false);
        self.send("new")?;
        self.send(&format!("variant {}", start.variant().name()))?;
        self.send("force")?;
        self.send("post")?;
        self.send(if self.ponders { "hard" } else { "easy" })?;
        for command in time_commands(turn.clocks[own.index()].control()) {
            self.send(&command)?;
        }
        if !is_start_position {
            self.send(&format!("setboard {start}"))?;
        }
        self.tell_moves(turn.game)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault> {
        let mut offers_draw = false;
        if let Some(end) = self.unasked(turn, &mut offers_draw)? {
            return Ok(end);
        }
        let (limit, late) = turn.timeout();
        self.ask(turn)?;
        // The clock starts when its move is asked for.
        let started = Instant::now();
        let position = turn.game.position();
        loop {
            let line = self.connection.next_answer(started + limit, late.clone())?;
            let Some(Reply::Move(text)) = Reply::read(&line.text) else {
                if let Some(end) = react(&line.text, turn, &mut offers_draw)? {
                    return Ok(end);
                }
                continue;
            };
            let mv: AnyMove =
                read_move(text, position).ok_or_else(|| EngineFault::no_move(text))?;
            self.known += 1;
            let (_, raw) = self.connection.lines().take_search();
            let mut lines: Vec<String> =
                raw.iter().map(|line| in_coordinates(line, position)).collect();
            if self.ponders {
                keep_last_search(&mut lines, position.variant(), mv);
            }
            let time = line.arrived.saturating_duration_since(started);
            let mut report = MoveReport { time, info: Default::default() };
            for line in &lines {
                report.info.update(&InfoLine::parse(line));
            }
            return Ok(Choice::Move(ChosenMove {
                mv,
                report,
                started,
                // It ponders by itself.
                expected: None,
                lines,
                offers_draw,
            }));
        }
    }

    fn end_game(&mut self, finished: Option<&FinishedGame>) -> Result<(), EngineFault> {
        self.send("force")?;
        let (result, reason) = finished.map_or((GameResult::Unfinished, "aborted"), |finished| {
            (finished.result, finished.reason.as_str())
        });
        self.send(&format!("result {} {{{}}}", result.text(), reason.replace(['{', '}'], "")))
    }

    fn is_reusable(&self) -> bool {
        self.features.has("reuse")
    }
}

/// Keeps the last search only, and none if its last line does not begin with the move made: all
/// else was thought on the opponent's time. The protocol does not mark where a search begins, but
/// the depth falls there.
fn keep_last_search(lines: &mut Vec<String>, variant: Variant, made: AnyMove) {
    let read: Vec<InfoLine<'_>> = lines.iter().map(|line| InfoLine::parse(line)).collect();
    let begins = |two: &[InfoLine<'_>]| two[1].depth < two[0].depth;
    let start = read.windows(2).rposition(begins).map_or(0, |index| index + 1);
    let first_move = read.last().and_then(|line| line.pv?.split_ascii_whitespace().next());
    let is_of_move = first_move.and_then(|text| AnyMove::parse(variant, text)) == Some(made);
    lines.drain(..if is_of_move { start } else { lines.len() });
}

/// The commands that set the limits of a game.
fn time_commands(control: &TimeControl) -> Vec<String> {
    let mut commands = Vec::new();
    match (control.clock, control.move_time) {
        (Some(clock), _) => {
            // Whole seconds, since many engines read no others; `time` tells what is left.
            let seconds = clock.base.as_millis().div_ceil(1000).max(1);
            let base = match (seconds / 60, seconds % 60) {
                (minutes, 0) => minutes.to_string(),
                (minutes, seconds) => format!("{minutes}:{seconds:02}"),
            };
            let moves = clock.moves.unwrap_or(0);
            commands.push(format!("level {moves} {base} {}", clock.increment.as_secs_f64()));
        }
        (None, Some(time)) => commands.push(format!("st {}", time.as_secs_f64())),
        (None, None) => commands.push(UNLIMITED.to_owned()),
    }
    if let Some(depth) = control.depth {
        commands.push(format!("sd {depth}"));
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_search_for_the_move_counts() {
        let lines = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let read = |text| AnyMove::parse(Variant::Chesquerque, text).expect("a move");
        let pondered =
            lines(&["depth 7 pv a2a3", "depth 8 pv e2e4", "depth 1 pv e2e4", "depth 2 pv e2e4"]);
        for (mv, kept) in [("e2e4", &pondered[2..]), ("a2a3", &[][..])] {
            let mut lines = pondered.clone();
            keep_last_search(&mut lines, Variant::Chesquerque, read(mv));
            assert_eq!(lines, kept, "{mv}");
        }
    }

    #[test]
    fn limits_become_commands() {
        let control = |tc: &str| TimeControl { clock: tc.parse().ok(), ..TimeControl::default() };
        let move_time = Some(Duration::from_millis(1500));
        for (control, commands) in [
            (control("40/300+0.5"), &["level 40 5 0.5"][..]),
            (control("0.2+0.02"), &["level 0 0:01 0.02"]),
            (control("90"), &["level 0 1:30 0"]),
            (TimeControl { move_time, depth: Some(3), ..control("") }, &["st 1.5", "sd 3"]),
            (TimeControl { depth: Some(3), ..control("") }, &["st 86400", "sd 3"]),
        ] {
            assert_eq!(time_commands(&control), commands);
        }
    }
}
