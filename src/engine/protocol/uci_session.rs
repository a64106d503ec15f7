//! A UCI session and its output.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use parking_lot::Mutex;
use vampirc_uci::UciMessage;

use super::uci_command::{GoCommand, HELP, read_message, read_position, waits_for_job};
use crate::protocol::connection::{
    Connection, Event, Input, LOG_OPTION, OutputLines, SessionError,
};
use crate::protocol::options::{
    EMPTY_TEXT, EngineOption, NODESTIME_OPTION, OPTIONS, OptionKind, Protocol, VARIANT_OPTION,
    describe_options, set_option,
};
use crate::{
    BENCH_DEPTH, BUILD_NAME, Engine, SearchLine, SearchReport, SearchResult, line_chances,
    perft_divide, speed_test,
};
use qirkat_evaluation::{AnyEvaluation, Evaluation, MaterialEvaluation};
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::text::{Excerpt, push, read_number};
use qirkat_game::{Rules, Terminal};
use qirkat_rules::match_game;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{Bound, MAX_THREADS, SearchControl};
use qirkat_system::machine::{cores, megabytes_of_memory, thread_pool};

/// How long a perft may continue after `quit`, so that scripts still get its count.
const PERFT_GRACE: Duration = Duration::from_secs(2);
/// The same for a bench, which at its usual depth takes less than a minute on any machine.
const BENCH_GRACE: Duration = Duration::from_secs(60);

/// Runs until `quit`, or the input or output ends.
pub fn run(mut connection: Connection) -> Result<(), SessionError> {
    let mut session = Session {
        engine: Engine::new()?,
        game: Variant::default().new_game(),
        output: connection.output.clone(),
        debug: false,
        nodes_left: Arc::default(),
        job_done: connection.sender(),
        jobs_started: 0,
        job_is_running: false,
        grace: PERFT_GRACE,
        deferred: VecDeque::new(),
        closing: false,
    };
    while let Some(event) = session.next_event(&mut connection) {
        if session.handle_event(event).is_break() {
            break;
        }
    }
    session.engine.stop();
    session.output.result()
}

struct Session {
    engine: Engine,
    game: AnyGame,
    output: OutputLines,
    debug: bool,
    /// What is left of the clock in nodes, if nodes count as time.
    nodes_left: Arc<Mutex<Option<u64>>>,
    /// Reports the end of a perft or bench.
    job_done: Sender<Event>,
    jobs_started: u64,
    job_is_running: bool,
    /// How long the running job may continue after `quit`.
    grace: Duration,
    /// Lines received during a perft or bench that must wait for it.
    deferred: VecDeque<String>,
    /// `quit` or the end of input was received.
    closing: bool,
}

impl Session {
    /// The next event, after deferred lines; none at the end.
    fn next_event(&mut self, connection: &mut Connection) -> Option<Event> {
        while !self.job_is_running
            && let Some(line) = self.deferred.pop_front()
        {
            if self.execute(&line).is_break() {
                return None;
            }
        }
        match (self.closing, self.job_is_running) {
            (true, true) => connection.next_event_within(self.grace),
            (true, false) => None,
            (false, _) => Some(connection.next_event()),
        }
    }

    fn handle_event(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::OutputLost => return ControlFlow::Break(()),
            Event::Ended(number) => self.job_is_running &= number != self.jobs_started,
            Event::Input(Input::End) => self.closing = true,
            Event::Input(Input::TooLong) => self.info_string("line too long, skipped"),
            Event::Input(Input::Line(line)) => {
                let first = line.split_ascii_whitespace().next();
                // Once a line is deferred, all later ones are, to keep the answers in order.
                let in_turn = self.deferred.is_empty() && !waits_for_job(&line);
                if !self.job_is_running || in_turn || first == Some("stop") {
                    return self.execute(&line);
                }
                self.closing |= first == Some("quit");
                self.deferred.push_back(line);
            }
        }
        ControlFlow::Continue(())
    }

    fn execute(&mut self, line: &str) -> ControlFlow<()> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return ControlFlow::Continue(()) };
        match command {
            "position" => self.set_position(rest),
            "go" => self.go(GoCommand::read(rest)),
            "bench" => self.bench(rest),
            "speedtest" => self.speedtest(rest),
            "d" => self.show(display),
            "moves" => self.show(|game| move_list(game.position())),
            "eval" => {
                self.engine.stop();
                self.output.line(&eval_report(self.game.position(), self.engine.evaluation()));
            }
            "flip" => {
                self.engine.stop();
                if let Some(notice) = self.game.position().flip_notice() {
                    self.info_string(&notice);
                }
                self.game = AnyGame::from_position(self.game.position().flipped());
            }
            "help" if rest == ["options"] => self.output.line(&describe_options()),
            "help" => self.output.line(HELP),
            _ => match read_message(command, rest) {
                Some(UciMessage::Uci) => self.output.line(&greeting()),
                Some(UciMessage::IsReady) => self.output.line("readyok"),
                Some(UciMessage::Debug(on)) => self.debug = on,
                // Nothing to register: the engine is free.
                Some(UciMessage::Register { .. }) => {}
                Some(UciMessage::SetOption { name, value }) => {
                    self.set_option(&name, value.as_deref());
                }
                Some(UciMessage::UciNewGame) => {
                    self.engine.stop();
                    *self.nodes_left.lock() = None;
                    if let Err(error) = self.engine.clear_hash() {
                        self.info_string(&error.to_string());
                    }
                }
                Some(UciMessage::Stop) => return self.stop(),
                Some(UciMessage::PonderHit) => self.engine.ponder_hit(),
                Some(UciMessage::Quit) => return ControlFlow::Break(()),
                _ => self.info_string(&match command {
                    "setoption" => not_understood("setoption name NAME [value VALUE]"),
                    "debug" => not_understood("debug on|off"),
                    "register" => not_understood("register later"),
                    word => format!("unknown command: {} (try help)", Excerpt::of(word)),
                }),
            },
        }
        ControlFlow::Continue(())
    }

    /// Stops the running task and every deferred one.
    fn stop(&mut self) -> ControlFlow<()> {
        loop {
            self.engine.stop();
            self.job_is_running = false;
            let Some(line) = self.deferred.pop_front() else { return ControlFlow::Continue(()) };
            self.execute(&line)?;
        }
    }

    fn info_string(&self, text: &str) {
        self.output.line(&format!("info string {text}"));
    }

    fn show(&mut self, text: fn(&AnyGame) -> String) {
        self.engine.stop();
        self.output.line(&text(&self.game));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if name.eq_ignore_ascii_case(LOG_OPTION) {
            let path = value.filter(|path| *path != EMPTY_TEXT).unwrap_or_default();
            if let Err(error) = self.output.log_to(path) {
                let path = Excerpt::of(path);
                self.info_string(&format!("error: option {LOG_OPTION}: {path}: {error}"));
            }
            return;
        }
        match set_option(&mut self.engine, name, value) {
            Ok((VARIANT_OPTION, _)) => {
                let variant = self.engine.variant();
                if variant != self.game.position().variant() {
                    self.game = variant.new_game();
                }
                self.output.line(&variant_description(variant));
            }
            Ok((name, value)) => {
                if name == NODESTIME_OPTION {
                    *self.nodes_left.lock() = None;
                }
                let Some(value) = value else { return };
                self.info_string(&format!("option {name}: out of bounds, set to {value}"));
            }
            // The prefix by which match tools recognise errors.
            Err(error) => self.info_string(&format!("error: {error}")),
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        self.engine.stop();
        match read_position(words, self.engine.variant()) {
            Ok((game, notice)) => {
                self.game = game;
                if let Some(notice) = notice {
                    self.info_string(&notice);
                }
            }
            Err(error) => self.info_string(&format!("position refused: {error}")),
        }
    }

    fn go(&mut self, mut go: GoCommand) {
        self.engine.stop();
        if let Some(plies) = go.number("perft") {
            self.perft(plies);
            return;
        }
        let mut count_nodes = self.node_clock(&mut go);
        let (search_moves, limits, notices) =
            go.root_and_limits(self.game.position(), &self.engine.settings);
        if !notices.is_empty() {
            self.info_string(&format!("go: {}", notices.join("; ")));
        }
        if self.debug {
            // Short times are printed in microseconds, with a non-ASCII letter.
            self.info_string(&format!("limits {limits:?}").replace('\u{b5}', "u"));
        }
        if !self.game.position().has_legal_moves() {
            self.output.line(no_move_info(self.game.position()));
        }
        if let Some(plies) = self.engine.proven_win_plies(self.game.position()) {
            self.info_string(&format!("won by a stored proof, in at most {plies} plies"));
        }
        let variant = self.game.position().variant();
        let show_wdl = self.engine.settings.show_wdl.then_some(variant);
        let output = self.output.clone();
        let write = move |report: SearchReport<'_>| match report {
            SearchReport::Line(line) => output.line(&info(line, show_wdl)),
            SearchReport::Book(line) => {
                output.line("info string from the opening book");
                output.line(&info(line, show_wdl));
            }
            SearchReport::Finished(result) => {
                count_nodes(result.nodes);
                output.line(&best_move(result));
            }
        };
        if let Err(error) = self.engine.go(&self.game, search_moves, limits, write) {
            self.info_string(&error.to_string());
            let result = SearchResult::unsearched(self.game.position());
            self.output.line(&best_move(&result));
        }
    }

    /// Where nodes count as time, replaces the remaining time of a `go` by what is left of the clock
    /// after the nodes searched in this game (as in Stockfish). Returns a closure that subtracts this
    /// search's nodes.
    fn node_clock(&self, go: &mut GoCommand) -> impl FnMut(u64) + Send + use<> {
        let rate = self.engine.settings.nodestime;
        let nodes_of = |time: Duration| (time.as_millis() as u64).saturating_mul(rate);
        let side = self.game.position().side_to_move();
        let nodes_left = Arc::clone(&self.nodes_left);
        let mut added = None;
        if rate > 0
            && let Some(clock) = go.clock(side)
        {
            let nodes = *nodes_left.lock().get_or_insert(nodes_of(clock.remaining));
            go.set_remaining(side, nodes / rate);
            added = Some(nodes_of(clock.increment));
        }
        move |nodes| {
            if let (Some(left), Some(added)) = (&mut *nodes_left.lock(), added) {
                *left = left.saturating_add(added).saturating_sub(nodes);
            }
        }
    }

    fn perft(&mut self, plies: i64) {
        let max = u32::from(Depth::MAX.0.unsigned_abs());
        let Some(plies) = u32::try_from(plies).ok().filter(|&plies| plies <= max) else {
            self.info_string(&format!("go perft: {plies} is not a depth from 0 to {max}"));
            return;
        };
        let position = *self.game.position();
        // More threads than cores would only wait for each other.
        let threads = self.engine.threads().min(cores());
        self.run_job(PERFT_GRACE, move |control| {
            let divided = thread_pool(threads).map(|pool| {
                pool.install(|| perft_divide(&position, plies, control.stop_flag(), &|_| {}))
            });
            match divided {
                _ if plies == 0 => perft_report(&[], 1),
                Ok(Some(counts)) => {
                    let total = counts.iter().map(|(_, count)| count).sum();
                    perft_report(&counts, total)
                }
                Ok(None) => "info string perft stopped".to_owned(),
                Err(error) => format!("info string {error}"),
            }
        });
    }

    /// Runs a perft, bench or speed test in the background, and writes what it returns.
    fn run_job(
        &mut self,
        grace: Duration,
        job: impl FnOnce(&SearchControl) -> String + Send + 'static,
    ) {
        self.jobs_started += 1;
        self.grace = grace;
        let number = self.jobs_started;
        let done = self.job_done.clone();
        let output = self.output.clone();
        let started = self.engine.run(move |control| {
            output.last_line(&job(control), || {
                if done.send(Event::Ended(number)).is_err() {
                    log::debug!("the session ended before the job");
                }
            });
        });
        match started {
            Ok(()) => self.job_is_running = true,
            Err(error) => self.info_string(&error.to_string()),
        }
    }

    fn bench(&mut self, words: &[&str]) {
        let mut depth = BENCH_DEPTH;
        if let Some(word) = words.first() {
            let max = Depth::MAX.0.into();
            let Some(plies) = read_number(word).filter(|plies| (1..=max).contains(plies)) else {
                let word = Excerpt::of(word);
                self.info_string(&format!("bench: `{word}` is not a depth from 1 to {max}"));
                return;
            };
            depth = Depth::saturating(plies);
        }
        // Like all options, `EvalFile` does not affect the bench.
        self.run_job(BENCH_GRACE, move |control| {
            match crate::bench(depth, &Evaluation::embedded().into(), control, &mut |_| {}) {
                Ok(Some(result)) => result.to_string(),
                Ok(None) => "info string bench stopped".to_owned(),
                Err(error) => format!("info string {error}"),
            }
        });
    }

    /// As Stockfish's, by threads, megabytes and seconds.
    fn speedtest(&mut self, words: &[&str]) {
        const HASH_PER_THREAD: i64 = 64;
        const DAY: i64 = 24 * 60 * 60;
        let (threads, memory) = (cores() as i64, megabytes_of_memory() as i64);
        let (mut numbers, most) = ([threads, 0, 60], [MAX_THREADS as i64, memory, DAY]);
        for ((word, number), most) in words.iter().zip(&mut numbers).zip(most) {
            let Some(read) = read_number(word).filter(|read| (1..=most).contains(read)) else {
                let word = Excerpt::of(word);
                self.info_string(&format!("speedtest: `{word}` is not a number from 1 to {most}"));
                return;
            };
            *number = read;
        }
        let [threads, megabytes, seconds] = numbers;
        let usual = (HASH_PER_THREAD * threads).min(memory / 2).max(1);
        let megabytes = if megabytes == 0 { usual } else { megabytes } as usize;
        let time = Duration::from_secs(seconds as u64);
        let evaluation = AnyEvaluation::embedded(self.engine.variant());
        self.run_job(time + PERFT_GRACE, move |control| {
            match speed_test(threads as usize, megabytes, time, &evaluation, control) {
                Ok(Some(line)) => line,
                Ok(None) => "info string speedtest stopped".to_owned(),
                Err(error) => format!("info string {error}"),
            }
        });
    }
}

fn not_understood(form: &str) -> String {
    format!("not understood, expected: {form}")
}

const AUTHOR: &str = "the Qirkat authors";

/// The answer to `uci`: name and options of the engine.
pub fn greeting() -> String {
    let mut text = format!("id name {BUILD_NAME}\nid author {AUTHOR}\n");
    for option in OPTIONS.iter().filter(|option| option.is_for(Protocol::Uci)) {
        push(&mut text, format_args!("option name {} type {}\n", option.name, type_of(option)));
    }
    text.push_str("uciok");
    text
}

fn type_of(option: &EngineOption) -> String {
    match &option.kind {
        OptionKind::Spin { default, min, max, .. } => {
            format!("spin default {default} min {min} max {max}")
        }
        OptionKind::Check { default, .. } => format!("check default {default}"),
        OptionKind::Combo { default, choices, .. } => {
            format!("combo default {default} var {}", choices.join(" var "))
        }
        OptionKind::Text { default, .. } => format!("string default {default}"),
        OptionKind::Button { .. } => "button".to_owned(),
    }
}

/// Describes the board in the form that `uci2wb` reads.
fn variant_description(variant: Variant) -> String {
    let size = variant.board_size();
    format!(
        "info string variant {variant} files {size} ranks {size} pocket 0 template fairy startpos {}",
        variant.start()
    )
}

/// A search line as `info`, with WDL chances for a game if these are to be shown.
fn info(line: &SearchLine, show_wdl: Option<Variant>) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        line.depth.0, line.selective_depth.0, line.rank, line.score
    );
    text.push_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if let Some(variant) = show_wdl {
        let [win, draw, loss] = line_chances(variant, line).permille();
        push(&mut text, format_args!(" wdl {win} {draw} {loss}"));
    }
    push(
        &mut text,
        format_args!(
            " nodes {} nps {} hashfull {}",
            line.nodes,
            line.nodes_per_second(),
            line.hashfull
        ),
    );
    if line.tablebase_hits > 0 {
        push(&mut text, format_args!(" tbhits {}", line.tablebase_hits));
    }
    push(&mut text, format_args!(" time {} pv", line.time.as_millis()));
    for mv in &line.moves {
        push(&mut text, format_args!(" {mv}"));
    }
    text
}

/// The answer to `go`.
fn best_move(result: &SearchResult) -> String {
    match (result.best, result.ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
    }
}

/// The `info` line before `bestmove` in a position without legal moves.
fn no_move_info(position: &AnyPosition) -> &'static str {
    if position.without_moves() == Terminal::Lost {
        "info depth 0 score mate 0"
    } else {
        "info depth 0 score cp 0"
    }
}

/// The answer to `d`.
fn display(game: &AnyGame) -> String {
    let position = game.position();
    let mut text = format!(
        "\n{}\nFen: {position}\nKey: {:016X}\nChecked: {}",
        position.picture(),
        position.key().0,
        if position.in_check() { "yes" } else { "no" },
    );
    if let Some(outcome) = game.outcome() {
        push(&mut text, format_args!("\nResult: {outcome}"));
    }
    text
}

/// The answer to `moves`.
fn move_list(position: &AnyPosition) -> String {
    let moves = position.legal_moves();
    let listed: String = moves.iter().map(|mv| format!(" {mv}")).collect();
    format!("Legal moves ({}):{listed}", moves.len())
}

/// The answer to `go perft`.
fn perft_report(counts: &[(AnyMove, u64)], total: u64) -> String {
    let lines: String = counts.iter().map(|(mv, count)| format!("{mv}: {count}\n")).collect();
    format!("{lines}\nNodes searched: {total}")
}

/// The answer to `eval`: material and placement, and if there is a network how much a side's
/// evaluation drops without each piece.
fn eval_report(position: &AnyPosition, evaluation: &AnyEvaluation) -> String {
    let text = match_game!(
        (AnyPosition, AnyEvaluation), (position, evaluation), (own, evaluation) => {
            let material = own.material_and_placement().value();
            let mut text = format!("Material and placement: {material:+}");
            if let Some(network) = evaluation.network() {
                let (checksum, kernel) = (network.checksum(), network.kernel().name());
                let values = network.piece_values(own);
                let picture = own.captioned_picture(|point| {
                    let (_, value) = values.iter().find(|(index, _)| *index == point.index())?;
                    Some(format!("{value:+}"))
                });
                push(&mut text, format_args!("\n\nNetwork {checksum:08x} ({kernel}): "));
                push(&mut text, format_args!("piece values in centipawns\n\n{picture}"));
            }
            text
        },
        String::new()
    );
    let value = evaluation.evaluate(position).unwrap_or(Score::DRAW).value();
    let us = position.side_to_move();
    format!("{text}\nEvaluation for {us:?}, the side to move: {value:+} centipawns")
}
