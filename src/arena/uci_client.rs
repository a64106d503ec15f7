//! The arbiter's side of UCI.

use std::time::Instant;

use qirkat_game::text::push;
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::AnyMove;

use crate::announced_option::{Setting, UciGreeting};
use crate::engine_client::{EngineClient, EngineIdentity};
use crate::engine_connection::EngineConnection;
use crate::engine_fault::EngineFault;
use crate::engine_process::{position_command, set_option_command};
use crate::finished_game::FinishedGame;
use crate::info_line::MoveReport;
use crate::match_log::in_one_line;
use crate::player::{Choice, ChosenMove, Turn};

pub(super) struct UciClient {
    connection: EngineConnection,
    ponders: bool,
    /// The expected reply it is pondering on.
    pondered: Option<AnyMove>,
}

impl UciClient {
    pub fn new(connection: EngineConnection, ponders: bool) -> UciClient {
        UciClient { connection, ponders, pondered: None }
    }

    /// Sends `go`, or `ponderhit` if it is pondering on this move.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), EngineFault> {
        let hit = self.pondered.is_some() && self.pondered.as_ref() == turn.game.moves().last();
        if !hit {
            self.stop_pondering()?;
        }
        self.pondered = None;
        // Time that it waited for a core before this move does not count.
        self.connection.waited();
        if hit {
            return self.connection.send("ponderhit");
        }
        self.search(turn, "go")
    }

    fn search(&mut self, turn: &Turn<'_>, beginning: &str) -> Result<(), EngineFault> {
        self.connection.discard_output();
        self.connection.send(&position(turn))?;
        self.connection.send(&go_command(turn, beginning))
    }

    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        if self.pondered.take().is_none() {
            return Ok(());
        }
        self.connection.send("stop")?;
        self.connection.wait_until_ready("bestmove", "stop")
    }
}

impl EngineClient for UciClient {
    fn connection(&mut self) -> &mut EngineConnection {
        &mut self.connection
    }

    fn greet(&mut self) -> Result<EngineIdentity, EngineFault> {
        self.connection.send("uci")?;
        self.connection.wait_until_ready("uciok", "uci")?;
        let lines = self.connection.lines().take_setup();
        let greeting = UciGreeting::parse(lines.iter().map(String::as_str));
        Ok(EngineIdentity {
            name: greeting.names.first().map(|name| in_one_line(name)),
            options: greeting.announced(),
            variants: None,
            lines,
        })
    }

    fn option_command(&self, (name, value): &Setting) -> String {
        set_option_command(name, value.as_deref())
    }

    fn get_ready(&mut self) -> Result<(), EngineFault> {
        self.connection.send("isready")?;
        self.connection.wait_until_ready("readyok", "isready")
    }

    fn new_game(&mut self, _: Color, _: &Turn<'_>) -> Result<(), EngineFault> {
        self.connection.send("ucinewgame")
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault> {
        let (limit, late) = turn.timeout();
        self.ask(turn)?;
        // The clock starts when `go` or `ponderhit` is written.
        let started = Instant::now();
        let answer = self.connection.wait_for("bestmove", started + limit, late)?;
        let (info, lines) = self.connection.lines().take_search();
        let variant = turn.game.position().variant();
        let mut words = answer.text.split_ascii_whitespace().skip(1);
        let text = words.next().unwrap_or("");
        let mv = AnyMove::parse(variant, text).ok_or_else(|| EngineFault::no_move(text))?;
        Ok(Choice::Move(ChosenMove {
            mv,
            report: MoveReport { info, time: answer.arrived.saturating_duration_since(started) },
            started,
            expected: words
                .find(|&word| word != "ponder")
                .and_then(|text| AnyMove::parse(variant, text)),
            lines,
            offers_draw: false,
        }))
    }

    fn ponder(&mut self, turn: &Turn<'_>, expected: AnyMove) -> Result<(), EngineFault> {
        if !self.ponders || !turn.game.position().is_legal(expected) {
            return Ok(());
        }
        let mut game = turn.game.clone();
        game.play(expected);
        if game.outcome().is_some() {
            return Ok(());
        }
        self.search(&Turn { game: &game, ..*turn }, "go ponder")?;
        self.pondered = Some(expected);
        Ok(())
    }

    fn end_game(&mut self, _: Option<&FinishedGame>) -> Result<(), EngineFault> {
        self.stop_pondering()
    }
}

fn position(turn: &Turn<'_>) -> String {
    let start = turn.game.start();
    let is_start_position = *start == start.variant().start();
    let text = if is_start_position { "startpos".to_owned() } else { format!("fen {start}") };
    position_command(&text, turn.game.moves())
}

fn go_command(turn: &Turn<'_>, beginning: &str) -> String {
    let mut command = beginning.to_owned();
    for (color, letter) in [(Color::White, 'w'), (Color::Black, 'b')] {
        if let Some(clock) = turn.clocks[color.index()].reading() {
            let (left, increment) = (clock.remaining.as_millis(), clock.increment.as_millis());
            push(&mut command, format_args!(" {letter}time {left} {letter}inc {increment}"));
        }
    }
    let clock = turn.own_clock();
    let control = clock.control();
    for (word, limit) in [
        ("movestogo", clock.reading().and_then(|clock| clock.moves_to_go).map(u128::from)),
        ("movetime", control.move_time.map(|time| time.as_millis())),
        ("nodes", control.nodes.map(u128::from)),
        ("depth", control.depth.map(u128::from)),
    ] {
        if let Some(limit) = limit {
            push(&mut command, format_args!(" {word} {limit}"));
        }
    }
    command
}
