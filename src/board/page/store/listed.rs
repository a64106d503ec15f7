//! The list of the games that are kept.

use std::time::Duration;

use serde::Serialize;

use super::engine_name;
use crate::page::game_tree::ROOT;
use crate::page::record::{Play, Record};
use qirkat_rules::pgn::GameResult;
use qirkat_rules::variant::Variant;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Listed {
    pub id: String,
    pub game: Variant,
    /// Moves of its main line.
    pub moves: usize,
    /// Where it stands, the first field of a FEN.
    pub board: String,
    /// Whether it is seen from Black's side.
    pub flipped: bool,
    pub result: GameResult,
    /// Whether it is being played.
    pub running: bool,
    /// The players, by the names that the page gives them; empty where they have names of their own.
    pub title: String,
    /// The names of White and Black that it came with.
    pub players: Option<[String; 2]>,
    /// The tags `Event` and `Date`, if it has them.
    pub about: Vec<String>,
    /// Seconds since 1970 when it was kept.
    pub time: u64,
}

/// A file that is no game, though it should be one.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Unreadable {
    /// The name of the game, where the board could have given it.
    pub id: Option<String>,
    pub file: String,
    pub reason: String,
    /// Seconds since 1970 when it was written.
    pub time: u64,
}

impl Listed {
    /// The list's row of a game that was kept at this time.
    pub fn of(record: &Record, time: Duration) -> Listed {
        let names = record.tag("White").zip(record.tag("Black"));
        let players = names.filter(|_| record.play.is_none()).map(Into::into);
        let title = match (&record.play, &players) {
            (Some(play), _) => title_of(play),
            (None, Some(_)) => String::new(),
            (None, None) => "Analysis".to_owned(),
        };
        let last = record.tree.get(record.tree.end_of_main_line());
        let fen = last.map(|node| node.position.fen()).unwrap_or_default();
        let people = record.play.as_ref().map(|play| play.game.people);
        Listed {
            id: record.id.clone(),
            board: fen.split(' ').next().unwrap_or_default().to_owned(),
            flipped: people == Some([false, true]),
            game: record.variant,
            moves: record.tree.main_line_from(ROOT).count(),
            result: record.result(),
            running: record.is_being_played(),
            title,
            players,
            about: ["Event", "Date"].iter().filter_map(|name| record.tag(name)).collect(),
            time: time.as_secs(),
        }
    }
}

fn title_of(play: &Play) -> String {
    match play.game.people {
        [true, true] => "White and Black".to_owned(),
        [true, false] => format!("You and {}", engine_name(play.elo)),
        [false, true] => format!("{} and You", engine_name(play.elo)),
        [false, false] => format!("{0} and {0}", engine_name(play.elo)),
    }
}
