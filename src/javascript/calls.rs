//! The functions that JavaScript calls (`package/core.js`): each call has a name, numbers and often
//! a message; the reply is JSON, or an error message.

#![allow(unsafe_code, reason = "the name of `call` is known to JavaScript")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::board::Board;
use crate::book::KnownJson;
use crate::pgn::{Games, Header, RecordToWrite, first_game};
use crate::search::{LineJson, SearchRequest, Searcher};
use qirkat_engine::book::Book;
use qirkat_game::Color;
use qirkat_rules::variant::Variant;
use qirkat_system::host::{
    call_javascript, called_name, is_stopped, message, message_bytes, report_panics,
};
use qirkat_tablebase::{AllTables, TableGame, Tables};

/// Objects that JavaScript refers to by number.
struct Handles<T> {
    all: BTreeMap<u32, T>,
    last: u32,
}

impl<T> Handles<T> {
    const fn new() -> Handles<T> {
        Handles { all: BTreeMap::new(), last: 0 }
    }

    /// Numbers are not reused, so that the number of a freed object never refers to another.
    fn add(&mut self, object: T) -> Result<u32, String> {
        self.last = self.last.checked_add(1).ok_or("too many objects have been made")?;
        self.all.insert(self.last, object);
        Ok(self.last)
    }

    fn get(&mut self, number: u32) -> Result<&mut T, String> {
        self.all.get_mut(&number).ok_or_else(|| "it has been freed".to_owned())
    }
}

thread_local! {
    static BOARDS: RefCell<Handles<Board>> = const { RefCell::new(Handles::new()) };
    static BOOKS: RefCell<Handles<Book>> = const { RefCell::new(Handles::new()) };
    static GAMES: RefCell<Handles<Games>> = const { RefCell::new(Handles::new()) };
    static SEARCHER: RefCell<Searcher> = RefCell::new(Searcher::default());
    static TABLES: RefCell<AllTables> = RefCell::default();
}

fn json(value: impl Serialize) -> Result<String, String> {
    serde_json::to_string(&value).map_err(|error| error.to_string())
}

fn read<T: DeserializeOwned>() -> Result<T, String> {
    serde_json::from_str(&message()).map_err(|error| error.to_string())
}

fn variant_at(index: u32) -> Result<Variant, String> {
    let variant = Variant::ALL.get(index as usize).copied();
    variant.ok_or_else(|| "there is no such game".to_owned())
}

/// Calls the function that JavaScript named. Returns 1 if the reply is an answer, 0 if an error.
#[unsafe(no_mangle)]
pub extern "C" fn call(number: u32, other: u32) -> f64 {
    let name = called_name();
    let answer = match name.strip_prefix("board_") {
        Some(name) => answer_of_board(name, number, other),
        None => answer(&name, number),
    };
    let is_answered = answer.is_ok();
    call_javascript("reply", &answer.unwrap_or_else(|wrong| wrong), 0);
    f64::from(is_answered)
}

fn answer(name: &str, number: u32) -> Result<String, String> {
    match name {
        // Called first.
        "start" => json(report_panics()),
        // Reads the games of a PGN text one by one.
        "games_open" => json(GAMES.with_borrow_mut(|games| games.add(Games::new(message())))?),
        "games_next" => json(GAMES.with_borrow_mut(|games| games.get(number)?.next_game())?),
        "games_close" => json(GAMES.with_borrow_mut(|games| games.all.remove(&number).is_some())),
        "book_open" => {
            let book = Book::read(&message_bytes()).map_err(|error| error.to_string())?;
            json(BOOKS.with_borrow_mut(|books| books.add(book))?)
        }
        "book_about" => BOOKS.with_borrow_mut(|books| {
            let book = books.get(number)?;
            let (variant, origin, size) = (book.variant().name(), book.origin(), book.len());
            json(serde_json::json!({ "variant": variant, "origin": origin, "size": size }))
        }),
        "book_probe" => BOOKS.with_borrow_mut(|books| {
            let book = books.get(number)?;
            let read = book.variant().read_fen(&message()).map_err(|error| error.to_string())?;
            json(KnownJson::of(book, &read.position))
        }),
        "book_close" => json(BOOKS.with_borrow_mut(|books| books.all.remove(&number).is_some())),
        "game_write" => json(read::<RecordToWrite>()?.write()?),
        "take_network" => SEARCHER.with_borrow_mut(|searcher| {
            json(searcher.take_network(variant_at(number)?, &message_bytes())?)
        }),
        "take_tables" => json(take_tables(variant_at(number)?, message_bytes().leak())?),
        "take_certificate" => json(take_certificate(&message_bytes())?),
        "search" => {
            let report = |line: &LineJson| {
                if let Ok(text) = json(line) {
                    call_javascript("report", &text, 0);
                }
            };
            let request: SearchRequest = read()?;
            let tables = TABLES.with_borrow(AllTables::clone);
            json(SEARCHER.with_borrow_mut(|searcher| {
                searcher.search(&request, &tables, is_stopped, report)
            })?)
        }
        "clear" => json(SEARCHER.with_borrow_mut(Searcher::free)),
        _ => Err(format!("there is no function {name}")),
    }
}

/// Takes the tables of a game, which are kept for good.
fn take_tables(variant: Variant, files: &'static [u8]) -> Result<(), String> {
    let read = TABLES.with_borrow_mut(|tables| -> Result<(), String> {
        match variant {
            Variant::Chesquerque => tables.chesquerque = read_tables(files)?,
            Variant::Masonic => tables.masonic = read_tables(files)?,
            Variant::Alquerque => tables.alquerque = read_tables(files)?,
        }
        Ok(())
    });
    read.map_err(|error| format!("tables of {}: {error}", variant.title()))
}

/// Tables from their files, one after the other, each after its length in four bytes.
fn read_tables<G: TableGame>(mut files: &'static [u8]) -> Result<Arc<Tables<G>>, String> {
    let mut tables = Tables::new();
    while let Some((length, rest)) = files.split_first_chunk() {
        let file = rest.split_at_checked(u32::from_le_bytes(*length) as usize);
        let (file, rest) = file.ok_or("cut off")?;
        tables.add(Box::new(file)).map_err(|error| error.to_string())?;
        files = rest;
    }
    Ok(Arc::new(tables))
}

/// Takes the certificate of Alquerque after its tables. It comes with the module and is trusted as
/// much: only damage is detected.
fn take_certificate(file: &[u8]) -> Result<(), String> {
    // The tables must not be in use.
    SEARCHER.with_borrow_mut(Searcher::free);
    TABLES.with_borrow_mut(|tables| {
        let men = Arc::get_mut(&mut tables.alquerque).ok_or("the tables are in use")?;
        men.add_checked_certificate(file)
            .map_err(|error| format!("certificate of Alquerque: {error}"))
    })
}

/// Creates, changes or queries a board.
fn answer_of_board(name: &str, number: u32, other: u32) -> Result<String, String> {
    BOARDS.with_borrow_mut(|boards| {
        if name == "open" {
            return json(boards.add(Board::open(variant_at(number)?, &message())?)?);
        }
        if name == "close" {
            return json(boards.all.remove(&number).is_some());
        }
        let board = boards.get(number)?;
        match name {
            "copy" => {
                let copy = board.clone();
                json(boards.add(copy)?)
            }
            "load" => {
                *board = Board::open(variant_at(other)?, &message())?;
                json(())
            }
            "load_pgn" => {
                let (game, record) = first_game(message())?;
                *board = Board::of_record(&game);
                json(record)
            }
            "state" => json(board.state()),
            // Only SAN, or with all details.
            "moves" if other == 0 => json(board.moves()),
            "moves" => json(board.moves_verbose()),
            "read_move" => json(board.read_move(&message())?),
            "move" => json(board.make(&message())?),
            "undo" => json(board.undo()),
            "history" if other == 0 => json(board.history()),
            "history" => json(board.history_verbose()),
            // For an engine: the FEN of the start position, and the moves in UCI notation.
            "game" => {
                let game = &board.game;
                let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
                json((game.start().fen(), moves))
            }
            "piece" => json(board.piece_on(&message())?),
            // The attackers of a point: of White (0), Black (1) or both.
            "attackers" => {
                let side = Color::ALL.get(other as usize).copied();
                json(board.attackers(&message(), side)?)
            }
            "picture" => json(board.position().picture()),
            "pgn" => json(read::<Header>()?.write(board.record())?),
            "probe" => TABLES.with_borrow(|tables| json(board.probe(tables)?)),
            _ => Err(format!("there is no function board_{name}")),
        }
    })
}
