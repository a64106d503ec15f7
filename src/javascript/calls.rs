//! The functions that JavaScript calls by their names (`package/core.js`). Each takes numbers and
//! often a message ([`qirkat_system::host::messages`]), sends its reply, and says whether that is
//! the answer in JSON; if not, it says in words what was wrong.

#![allow(unsafe_code, reason = "names and functions that JavaScript knows are foreign")]

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;

use super::board::Board;
use super::pgn::{Games, Header, RecordToWrite, first_game};
use super::search::{LineShown, Order, Thinker};
use qirkat_game::Color;
use qirkat_rules::variant::Variant;
use qirkat_system::host::messages::{message, message_bytes, tell_panics};
use qirkat_tablebase::AllTables;

// SAFETY: each function only reads the text of the given length while it is called, and
// calls nothing of this module.
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Answers the call that goes on.
    safe fn reply(text: *const u8, length: usize);
    /// Tells a line of the search that goes on.
    safe fn report(text: *const u8, length: usize);
    /// Whether the search that goes on is to stop.
    safe fn is_stopped() -> u32;
}

/// What JavaScript holds by its number.
struct Held<T> {
    all: BTreeMap<u32, T>,
    last: u32,
}

impl<T> Held<T> {
    const fn new() -> Held<T> {
        Held { all: BTreeMap::new(), last: 0 }
    }

    /// Numbers are not given twice, so that one that was freed is never another.
    fn add(&mut self, held: T) -> Result<u32, String> {
        self.last = self.last.checked_add(1).ok_or("too many boards have been made")?;
        self.all.insert(self.last, held);
        Ok(self.last)
    }

    fn get(&mut self, number: u32) -> Result<&mut T, String> {
        self.all.get_mut(&number).ok_or_else(|| "it has been freed".to_owned())
    }
}

thread_local! {
    static BOARDS: RefCell<Held<Board>> = const { RefCell::new(Held::new()) };
    static GAMES: RefCell<Held<Games>> = const { RefCell::new(Held::new()) };
    static THINKER: RefCell<Thinker> = RefCell::new(Thinker::default());
    static TABLES: AllTables = AllTables::with_embedded();
}

/// Replies with an answer, or with what was wrong.
fn answer<T: Serialize>(result: Result<T, String>) -> bool {
    let json = result.and_then(|value| serde_json::to_string(&value).map_err(|it| it.to_string()));
    let is_answered = json.is_ok();
    let text = json.unwrap_or_else(|wrong| wrong);
    reply(text.as_ptr(), text.len());
    is_answered
}

fn with_board<T: Serialize>(board: u32, act: impl FnOnce(&mut Board) -> Result<T, String>) -> bool {
    answer(BOARDS.with_borrow_mut(|boards| act(boards.get(board)?)))
}

fn variant_at(place: usize) -> Result<Variant, String> {
    Variant::ALL.get(place).copied().ok_or_else(|| "there is no such game".to_owned())
}

/// Comes before all other calls.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    tell_panics();
}

/// A board of a game, by its place in [`Variant::ALL`], with a FEN.
#[unsafe(no_mangle)]
pub extern "C" fn board_open(variant: usize) -> bool {
    let board = variant_at(variant).and_then(|variant| Board::open(variant, &message()));
    answer(board.and_then(|board| BOARDS.with_borrow_mut(|boards| boards.add(board))))
}

/// Another board with the same game.
#[unsafe(no_mangle)]
pub extern "C" fn board_copy(board: u32) -> bool {
    answer(BOARDS.with_borrow_mut(|boards| {
        let copy = boards.get(board)?.clone();
        boards.add(copy)
    }))
}

/// The board will not be asked any more.
#[unsafe(no_mangle)]
pub extern "C" fn board_close(board: u32) {
    BOARDS.with_borrow_mut(|boards| boards.all.remove(&board));
}

/// Puts a position of a game on the board.
#[unsafe(no_mangle)]
pub extern "C" fn board_load(board: u32, variant: usize) -> bool {
    with_board(board, |board| {
        *board = Board::open(variant_at(variant)?, &message())?;
        Ok(())
    })
}

/// Puts the first game of a text on the board, and tells it.
#[unsafe(no_mangle)]
pub extern "C" fn board_load_pgn(board: u32) -> bool {
    with_board(board, |board| {
        let (game, record) = first_game(message())?;
        *board = Board::of_record(&game);
        Ok(record)
    })
}

/// How the board stands.
#[unsafe(no_mangle)]
pub extern "C" fn board_state(board: u32) -> bool {
    with_board(board, |board| Ok(board.state()))
}

/// The legal moves, in short or with all there is to tell.
#[unsafe(no_mangle)]
pub extern "C" fn board_moves(board: u32, verbose: bool) -> bool {
    if verbose {
        with_board(board, |board| Ok(board.moves_shown()))
    } else {
        with_board(board, |board| Ok(board.moves()))
    }
}

/// Reads a move.
#[unsafe(no_mangle)]
pub extern "C" fn board_read_move(board: u32) -> bool {
    with_board(board, |board| board.read_move(&message()))
}

/// Makes a move.
#[unsafe(no_mangle)]
pub extern "C" fn board_move(board: u32) -> bool {
    with_board(board, |board| board.make(&message()))
}

/// Takes a move back.
#[unsafe(no_mangle)]
pub extern "C" fn board_undo(board: u32) -> bool {
    with_board(board, |board| Ok(board.undo()))
}

/// The moves so far, in short or with all there is to tell.
#[unsafe(no_mangle)]
pub extern "C" fn board_history(board: u32, verbose: bool) -> bool {
    if verbose {
        with_board(board, |board| Ok(board.history_shown()))
    } else {
        with_board(board, |board| Ok(board.history()))
    }
}

/// The game as an engine takes it: where it began, and the moves by their points.
#[unsafe(no_mangle)]
pub extern "C" fn board_game(board: u32) -> bool {
    with_board(board, |board| {
        let game = board.game();
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        Ok((game.start().fen(), moves))
    })
}

/// The piece on a point.
#[unsafe(no_mangle)]
pub extern "C" fn board_piece(board: u32) -> bool {
    with_board(board, |board| board.piece_on(&message()))
}

/// What attacks a point: White's pieces (0), Black's (1) or both.
#[unsafe(no_mangle)]
pub extern "C" fn board_attackers(board: u32, side: usize) -> bool {
    with_board(board, |board| board.attackers(&message(), Color::ALL.get(side).copied()))
}

/// The board drawn in text.
#[unsafe(no_mangle)]
pub extern "C" fn board_picture(board: u32) -> bool {
    with_board(board, |board| Ok(board.picture()))
}

/// The game in PGN.
#[unsafe(no_mangle)]
pub extern "C" fn board_pgn(board: u32) -> bool {
    with_board(board, |board| {
        let header: Header = serde_json::from_str(&message()).map_err(|it| it.to_string())?;
        header.write(board.record())
    })
}

/// What the tables know.
#[unsafe(no_mangle)]
pub extern "C" fn board_probe(board: u32) -> bool {
    TABLES.with(|tables| with_board(board, |board| board.probe(tables)))
}

/// Games to be read out of a text, one by one.
#[unsafe(no_mangle)]
pub extern "C" fn games_open() -> bool {
    answer(GAMES.with_borrow_mut(|games| games.add(Games::new(message()))))
}

/// The next game.
#[unsafe(no_mangle)]
pub extern "C" fn games_next(games: u32) -> bool {
    answer(GAMES.with_borrow_mut(|all| all.get(games)?.next_game()))
}

/// They will not be asked any more.
#[unsafe(no_mangle)]
pub extern "C" fn games_close(games: u32) {
    GAMES.with_borrow_mut(|all| all.all.remove(&games));
}

/// A game in PGN.
#[unsafe(no_mangle)]
pub extern "C" fn game_write() -> bool {
    let record = serde_json::from_str::<RecordToWrite>(&message()).map_err(|it| it.to_string());
    answer(record.and_then(|record| record.write()))
}

/// The network of a game, by its place in [`Variant::ALL`].
#[unsafe(no_mangle)]
pub extern "C" fn take_network(variant: usize) -> bool {
    let bytes = message_bytes();
    answer(THINKER.with_borrow_mut(|it| it.take_network(variant_at(variant)?, &bytes)))
}

/// Searches, and reports the lines.
#[unsafe(no_mangle)]
pub extern "C" fn search() -> bool {
    let tell = |line: &LineShown| {
        if let Ok(text) = serde_json::to_string(line) {
            report(text.as_ptr(), text.len());
        }
    };
    let order = serde_json::from_str::<Order>(&message()).map_err(|it| it.to_string());
    answer(order.and_then(|order| {
        THINKER.with_borrow_mut(|it| it.search(&order, || is_stopped() != 0, tell))
    }))
}

/// Forgets what searches have learned.
#[unsafe(no_mangle)]
pub extern "C" fn forget() {
    THINKER.with_borrow_mut(Thinker::forget);
}
