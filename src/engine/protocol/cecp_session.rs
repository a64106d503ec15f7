//! A session in the Chess Engine Communication Protocol.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use super::cecp_player::{CecpClock, Player, read_hundredths, refused};
use super::{CommandError, cecp_lines};
use crate::Engine;
use crate::protocol::connection::{Connection, Event, Input, OutputLines, SessionError};
use crate::protocol::options::{HASH_OPTION, THREADS_OPTION, VARIANT_OPTION};
use qirkat_game::Rules;
use qirkat_game::distance::Depth;
use qirkat_game::text::{Excerpt, read_number};
use qirkat_rules::chesquerque::{Color, Game, Move, Point, Position};
use qirkat_rules::variant::Variant;
use qirkat_system::machine;

/// Runs until `quit`, or the input or output ends.
pub fn run(mut connection: Connection) -> Result<(), SessionError> {
    let output = connection.output.clone();
    let mut session = Session {
        player: Player::new(Engine::new()?, output.clone(), connection.sender()),
        output,
        deferred: VecDeque::new(),
        comments: true,
    };
    session.run_loop(&mut connection);
    session.player.abandon();
    session.output.result()
}

struct Session {
    player: Player,
    output: OutputLines,
    /// Commands that wait for the engine's move or hint.
    deferred: VecDeque<String>,
    /// Whether the GUI accepts lines that begin with `#`.
    comments: bool,
}

impl Session {
    fn run_loop(&mut self, connection: &mut Connection) {
        loop {
            self.run_deferred();
            match connection.next_event() {
                Event::OutputLost => return,
                Event::Ended(number) => self.player.search_ended(number),
                Event::Input(Input::TooLong) => self.output.line("Error (line too long): ..."),
                Event::Input(Input::End) => {
                    self.player.move_now();
                    return self.run_deferred();
                }
                Event::Input(Input::Line(line)) => {
                    if self.player.is_answer_due() && waits_for_answer(&line) {
                        self.deferred.push_back(line);
                    } else if split(&line).0 == "quit" {
                        return;
                    } else {
                        self.handle_line(&line);
                    }
                }
            }
        }
    }

    /// Runs the deferred commands once the engine has answered.
    fn run_deferred(&mut self) {
        while !self.player.is_answer_due()
            && let Some(line) = self.deferred.pop_front()
        {
            self.handle_line(&line);
        }
    }

    fn handle_line(&mut self, line: &str) {
        if let Err(reason) = self.execute(line) {
            self.output.line(&format!("Error ({reason}): {}", Excerpt::of(line.trim())));
        }
    }

    fn execute(&mut self, line: &str) -> Result<(), CommandError> {
        let player = &mut self.player;
        let (command, rest) = split(line);
        match command {
            "protover" => self.output.line(&cecp_lines::features()),
            "rejected" => self.comments &= rest != "debug",
            "ping" => {
                // Any text is echoed.
                let word: String = rest.chars().filter(|c| !c.is_control()).collect();
                self.output.line(&format!("pong {word}"));
            }
            // Information from the GUI that needs no answer.
            "" | "xboard" | "accepted" | "random" | "put" | "hover" | "computer" | "name"
            | "rating" | "ics" => {}

            "new" => player.new_game()?,
            "variant" => self.variant(rest)?,
            "setboard" => self.set_board(rest),
            "edit" => return Err("use setboard instead".into()),
            "usermove" if rest.is_empty() => return Err("which move?".into()),
            "usermove" => self.user_move(rest),
            "undo" => player.take_back(1)?,
            "remove" => player.take_back(2)?,

            "force" => player.force(),
            "go" => player.go(),
            "playother" => player.play(!player.game.position().side_to_move()),
            // The named side is to move, and the engine plays the other.
            "white" => player.play(Color::Black),
            "black" => player.play(Color::White),
            "?" => player.move_now(),
            "result" => player.game_over(),
            "draw" => player.consider_draw(),

            "level" => player.clock = CecpClock::from_level(rest)?,
            "st" => player.clock.set_time_per_move(rest)?,
            "time" => player.clock.set_remaining(rest)?,
            // The opponent's clock is not used.
            "otim" => drop(read_hundredths(rest)?),
            "sd" => {
                let depth = read_number(rest).filter(|&depth| depth >= 0);
                let depth = depth.ok_or_else(|| refused(rest, "not a depth"))?;
                player.depth = Some(Depth::saturating(depth));
            }

            "analyze" => player.analyse(),
            "exit" => player.leave_analysis(),
            "." => player.show_status(),
            "exclude" => self.select_moves(rest, false)?,
            "include" => self.select_moves(rest, true)?,
            "hint" => player.hint(),
            "bk" => {
                self.output.line(&cecp_lines::book(player.engine.book(), player.game.position()))
            }
            "hard" => player.set_pondering(true),
            "easy" => player.set_pondering(false),
            "post" => player.shows_thinking.store(true, Ordering::Relaxed),
            "nopost" => player.shows_thinking.store(false, Ordering::Relaxed),
            "lift" => {
                let point = Point::parse(rest).ok_or_else(|| refused(rest, "not a point"))?;
                self.output.line(&cecp_lines::highlight(player.game.position(), point));
            }

            "memory" => self.set_option(HASH_OPTION, Some(rest))?,
            "cores" => {
                let cores = read_number(rest).map(|cores| cores.min(machine::cores() as i64));
                let cores = cores.map_or(rest.to_owned(), |cores| cores.to_string());
                self.set_option(THREADS_OPTION, Some(&cores))?;
            }
            "option" => match rest.split_once('=') {
                Some((name, value)) if name.trim().eq_ignore_ascii_case(VARIANT_OPTION) => {
                    self.variant(value.trim())?;
                }
                Some((name, value)) => self.set_option(name.trim(), Some(value.trim()))?,
                None => self.set_option(rest, None)?,
            },

            // Without the feature `usermove` a move is sent as a bare word.
            word if looks_like_move(word) => self.user_move(word),
            _ => return Err("unknown command".into()),
        }
        Ok(())
    }

    /// Sends a debug line, if the GUI accepts them.
    fn comment(&self, text: &str) {
        if self.comments {
            self.output.line(&format!("# {text}"));
        }
    }

    fn variant(&mut self, name: &str) -> Result<(), CommandError> {
        // XBoard cannot show the boards of the others.
        if !name.eq_ignore_ascii_case(Variant::Chesquerque.name()) {
            return Err(refused(name, "not played here: it is chesquerque"));
        }
        self.player.set_up(Game::default());
        self.output.line(&cecp_lines::setup());
        Ok(())
    }

    /// Keeps the old position if the new one is invalid.
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

    fn select_moves(&mut self, what: &str, wanted: bool) -> Result<(), CommandError> {
        let position = self.player.game.position();
        let moves: Vec<Move> = match what {
            "all" => position.legal_moves().into_iter().collect(),
            text => match Move::parse(text).filter(|&mv| position.is_legal(mv)) {
                Some(mv) => vec![mv],
                None => return Err(refused(text, "not a legal move")),
            },
        };
        self.player.select_moves(&moves, wanted);
        Ok(())
    }

    /// Sets an option; a number out of bounds is reported.
    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), CommandError> {
        if let (name, Some(value)) = self.player.set_option(name, value)? {
            self.comment(&format!("option {name}: out of bounds, set to {value}"));
        }
        Ok(())
    }
}

/// Whether a first line selects this protocol.
pub(super) fn is_greeting(line: &str) -> bool {
    matches!(split(line).0, "xboard" | "protover")
}

/// Splits a line at any white space into its command and the trimmed rest.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (command, rest.trim_start())
}

/// Whether a command must wait until the engine has moved or found the hint. A `ping` is only
/// answered when everything before it is done.
fn waits_for_answer(line: &str) -> bool {
    matches!(split(line).0, "ping" | "option" | "memory" | "cores" | "hint")
}

/// Whether a word begins with two points, such as `e2e4` or `i8i9q`.
fn looks_like_move(word: &str) -> bool {
    matches!(
        *word.as_bytes(),
        [b'a'..=b'i', b'1'..=b'9', b'a'..=b'i', b'1'..=b'9']
            | [b'a'..=b'i', b'1'..=b'9', b'a'..=b'i', b'1'..=b'9', _]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_into_command_and_arguments() {
        for (line, parts) in [
            ("xboard", ("xboard", "")),
            (" protover 2\r", ("protover", "2")),
            ("level 40 5 0", ("level", "40 5 0")),
            ("setboard  9/9 w", ("setboard", "9/9 w")),
            ("\toption\tClear Hash ", ("option", "Clear Hash")),
            ("", ("", "")),
        ] {
            assert_eq!(split(line), parts, "{line:?}");
        }
        assert!(is_greeting(" protover 2\r") && !is_greeting("uci") && !is_greeting("xboards"));
        for (word, is_move) in [("e2e4", true), ("i8i9k", true), ("newer", false), ("e2j4", false)]
        {
            assert_eq!(looks_like_move(word), is_move, "{word}");
        }
    }
}
