//! A conversation in the Chess Engine Communication Protocol.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::cecp_clock::{GameClock, read_hundredths};
use super::cecp_command::{Command, Limit};
use super::cecp_complaint::Complaint;
use super::cecp_lines;
use super::cecp_player::Player;
use super::highlight::highlight;
use crate::Engine;
use crate::protocol::SessionError;
use crate::protocol::connection::{Connection, Event};
use crate::protocol::input_lines::Input;
use crate::protocol::option_table::{HASH_OPTION, THREADS_OPTION, VARIANT_OPTION};
use crate::protocol::output_lines::OutputLines;
use crate::protocol::set_option::OptionOutcome;
use qirkat_game::Rules;
use qirkat_game::distance::Depth;
use qirkat_game::text::{Excerpt, read_number};
use qirkat_rules::chesquerque::{Color, Game, Move, Point, Position};
use qirkat_rules::variant::Variant;
use qirkat_system::machine;

/// Talks this protocol until `quit`, the end of input or that of the output.
///
/// # Errors
/// When the engine cannot be started at all, or nothing can be written.
pub fn run(mut connection: Connection) -> Result<(), SessionError> {
    let output = connection.output.clone();
    let mut session = Session {
        player: Player::new(Engine::new()?, output.clone(), connection.sender()),
        output,
        deferred: VecDeque::new(),
        comments: true,
    };
    session.converse(&mut connection);
    session.player.abandon();
    session.output.result()
}

struct Session {
    player: Player,
    output: OutputLines,
    /// The commands that came while the engine owed a move or a hint, and have to wait for it.
    deferred: VecDeque<String>,
    /// Whether the GUI reads lines that begin with `#`.
    comments: bool,
}

impl Session {
    fn converse(&mut self, connection: &mut Connection) {
        loop {
            self.catch_up();
            match connection.next_event() {
                Event::OutputLost => return,
                Event::Ended(number) => self.player.search_ended(number),
                Event::Input(Input::TooLong) => self.output.line("Error (line too long): ..."),
                Event::Input(Input::End) => {
                    self.player.move_now();
                    return self.catch_up();
                }
                Event::Input(Input::Line(line)) => {
                    let command = Command::read(&line);
                    if self.player.owes_answer() && command.waits_for_answer() {
                        self.deferred.push_back(line);
                    } else if self.obey(&line, command).is_break() {
                        return;
                    }
                }
            }
        }
    }

    /// Does what had to wait for the engine's answer, once that is given.
    fn catch_up(&mut self) {
        while !self.player.owes_answer()
            && let Some(line) = self.deferred.pop_front()
        {
            // No command that waits ends the conversation.
            let _ = self.obey(&line, Command::read(&line));
        }
    }

    fn obey(&mut self, line: &str, command: Command<'_>) -> ControlFlow<()> {
        if command == Command::Quit {
            return ControlFlow::Break(());
        }
        if let Err(reason) = self.carry_out(command) {
            self.output.line(&format!("Error ({reason}): {}", Excerpt::of(line.trim())));
        }
        ControlFlow::Continue(())
    }

    fn carry_out(&mut self, command: Command<'_>) -> Result<(), Complaint> {
        let player = &mut self.player;
        match command {
            // Quitting is seen to before.
            Command::Greeting | Command::Nothing | Command::Quit => {}
            Command::ProtocolVersion(_) => self.output.line(&cecp_lines::features()),
            Command::Rejected(feature) => self.comments &= feature != "debug",
            Command::Ping(word) => self.output.line(&format!("pong {}", printable(word))),
            Command::Unknown(_) => return Err(Complaint::UnknownCommand),
            Command::Edit => return Err(Complaint::Edit),

            Command::New => player.new_game()?,
            Command::Variant(name) => self.variant(name)?,
            Command::SetBoard(fen) => self.set_board(fen),
            Command::UserMove("") => return Err(Complaint::NoMove),
            Command::UserMove(text) => self.user_move(text),
            Command::Undo => player.take_back(1)?,
            Command::Remove => player.take_back(2)?,

            Command::Force => player.force(),
            Command::Go => player.go(),
            Command::PlayOther => player.play(!player.game.position().side_to_move()),
            Command::White => player.play(Color::Black),
            Command::Black => player.play(Color::White),
            Command::MoveNow => player.move_now(),
            Command::Result => player.game_over(),
            Command::Draw => player.consider_draw(),

            Command::Limit(limit) => self.set_limit(limit)?,

            Command::Analyze => player.analyse(),
            Command::Exit => player.leave_analysis(),
            Command::Status => player.show_status(),
            Command::Exclude(what) => self.select_moves(what, false)?,
            Command::Include(what) => self.select_moves(what, true)?,
            Command::Hint => player.hint(),
            Command::Book => self.output.line(" There is no opening book.\n"),
            Command::Ponder(on) => player.set_pondering(on),
            Command::Post(on) => player.shown.store(on, Ordering::Relaxed),
            Command::Lift(point) => {
                let point =
                    Point::parse(point).ok_or_else(|| Complaint::NotAPoint(Excerpt::of(point)))?;
                self.output.line(&highlight(player.game.position(), point));
            }

            Command::Memory(megabytes) => self.set_option(HASH_OPTION, Some(megabytes))?,
            Command::Cores(count) => self.set_cores(count)?,
            Command::Option(text) => match text.split_once('=') {
                Some((name, value)) if name.trim().eq_ignore_ascii_case(VARIANT_OPTION) => {
                    self.variant(value.trim())?;
                }
                Some((name, value)) => self.set_option(name.trim(), Some(value.trim()))?,
                None => self.set_option(text, None)?,
            },
        }
        Ok(())
    }

    /// Sets what bounds the engine's searches.
    fn set_limit(&mut self, limit: Limit<'_>) -> Result<(), Complaint> {
        let player = &mut self.player;
        match limit {
            Limit::Level(words) => player.clock = GameClock::from_level(words)?,
            Limit::TimePerMove(word) => player.clock.set_time_per_move(word)?,
            Limit::OwnTime(word) => player.clock.set_remaining(word)?,
            // The opponent's clock is not used.
            Limit::OtherTime(word) => drop(read_hundredths(word)?),
            Limit::Depth(word) => {
                let depth = read_number(word).filter(|&depth| depth >= 0);
                let depth = depth.ok_or_else(|| Complaint::NotADepth(Excerpt::of(word)))?;
                player.depth = Some(Depth::saturating(depth));
            }
        }
        Ok(())
    }

    /// Sends a debug line, if the GUI reads them.
    fn comment(&self, text: &str) {
        if self.comments {
            self.output.line(&format!("# {text}"));
        }
    }

    fn variant(&mut self, name: &str) -> Result<(), Complaint> {
        // XBoard has no board for the others.
        if !name.eq_ignore_ascii_case(Variant::Chesquerque.name()) {
            return Err(Complaint::Variant(Excerpt::of(name)));
        }
        self.player.set_up(Game::default());
        self.output.line(&cecp_lines::setup());
        Ok(())
    }

    /// The old position stays if the new one is invalid.
    fn set_board(&mut self, fen: &str) {
        match Position::from_fen(fen) {
            Ok(parsed) => {
                self.player.set_up(Game::from_position(parsed.position));
                if let Some(notice) = parsed.notice {
                    self.comment(&notice.to_string());
                }
            }
            Err(error) => {
                self.output.line(&format!("tellusererror Illegal position: {error}"));
            }
        }
    }

    fn user_move(&mut self, text: &str) {
        if let Err(reason) = self.player.accept_move(text) {
            let text = Excerpt::of(text);
            self.output.line(&cecp_lines::refusal(&text, &reason));
        }
    }

    fn select_moves(&mut self, what: &str, wanted: bool) -> Result<(), Complaint> {
        let position = self.player.game.position();
        let moves: Vec<Move> = match what {
            "all" => position.legal_moves().into_iter().collect(),
            text => match Move::parse(text).filter(|&mv| position.is_legal(mv)) {
                Some(mv) => vec![mv],
                None => return Err(Complaint::NotAMove(Excerpt::of(text))),
            },
        };
        self.player.select_moves(&moves, wanted);
        Ok(())
    }

    /// As many threads as are allowed, but not more than there are cores.
    fn set_cores(&mut self, allowed: &str) -> Result<(), Complaint> {
        let cores = machine::cores();
        match read_number(allowed) {
            Some(number) if number > cores as i64 => {
                self.set_option(THREADS_OPTION, Some(&cores.to_string()))
            }
            _ => self.set_option(THREADS_OPTION, Some(allowed)),
        }
    }

    /// Sets an option of the common table; the protocol writes `1` and `0` for
    /// on and off.
    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Complaint> {
        let outcome = self.player.set_option(name, value)?;
        if let OptionOutcome::Clamped { name, value } = outcome {
            self.comment(&format!("option {name}: out of bounds, set to {value}"));
        }
        Ok(())
    }
}

/// A word to be sent back, whatever it was made of.
fn printable(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).collect()
}
