//! Game records between PGN and JSON.

use std::fmt::Display;
use std::io::Cursor;

use serde::{Deserialize, Serialize};

use qirkat_game::GameResult;
use qirkat_game::text::Excerpt;
use qirkat_rules::pgn::{DEEPEST_VARIATION, MoveNumber, PgnGame, PgnMove, PgnReader, ReadGame};
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Record {
    variant: Variant,
    fen: String,
    tags: Vec<(String, String)>,
    comment: Option<String>,
    moves: Vec<RecordMove>,
    result: GameResult,
    /// Errors of variations, tags and words that could not be read; their text is kept as comments.
    unread: Vec<String>,
}

/// A move that was read, or a move to write: then `san` has it in any notation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct RecordMove {
    san: String,
    #[serde(default)]
    lan: String,
    nags: Vec<u8>,
    comment: Option<String>,
    variations: Vec<Vec<RecordMove>>,
}

impl Record {
    fn of(read: &ReadGame) -> Record {
        let game = &read.game;
        Record {
            variant: game.start.variant(),
            fen: game.start.fen(),
            tags: game.tags.clone(),
            comment: game.opening_comment.clone(),
            moves: line_of(game.start, &game.moves),
            result: game.result,
            unread: read.unread.iter().map(ToString::to_string).collect(),
        }
    }
}

fn line_of(mut position: AnyPosition, moves: &[PgnMove]) -> Vec<RecordMove> {
    let shown = |played: &PgnMove| {
        let shown = RecordMove {
            san: position.san(played.mv),
            lan: played.mv.to_string(),
            nags: played.nags.clone(),
            // This package has no comment before a move.
            comment: [&played.starting_comment, &played.comment]
                .into_iter()
                .flatten()
                .cloned()
                .reduce(|before, after| before + " " + &after),
            variations: played.variations.iter().map(|line| line_of(position, line)).collect(),
        };
        position = position.after_or_null(played.mv).unwrap_or(position);
        shown
    };
    moves.iter().map(shown).collect()
}

pub struct Games(PgnReader<Cursor<String>>);

impl Games {
    pub fn new(text: String) -> Games {
        Games(PgnReader::new(Cursor::new(text)))
    }

    pub fn next_game(&mut self) -> Result<Option<Record>, String> {
        Ok(self.next_read()?.map(|read| Record::of(&read)))
    }

    fn next_read(&mut self) -> Result<Option<ReadGame>, String> {
        self.0.next().transpose().map_err(|error| error.to_string())
    }
}

pub fn first_game(text: String) -> Result<(PgnGame, Record), String> {
    let read = Games::new(text).next_read()?.ok_or("there is no game in this PGN")?;
    let record = Record::of(&read);
    Ok((read.game, record))
}

#[derive(Clone, Debug, Deserialize)]
pub struct RecordToWrite {
    variant: Variant,
    /// Empty for the start position.
    fen: String,
    #[serde(flatten)]
    header: Header,
    moves: Vec<RecordMove>,
}

/// The parts of a written game besides its moves.
#[derive(Clone, Debug, Deserialize)]
pub struct Header {
    tags: Vec<(String, String)>,
    comment: Option<String>,
    /// As in PGN; if missing, it is determined from the moves.
    result: Option<String>,
}

impl RecordToWrite {
    pub fn write(&self) -> Result<String, String> {
        let start = if self.fen.is_empty() {
            self.variant.start()
        } else {
            self.variant.read_fen(&self.fen).map_err(|error| format!("FEN: {error}"))?.position
        };
        let moves = read_line(start, &self.moves, 0)?;
        self.header.write(PgnGame { moves, ..PgnGame::from_position(start) })
    }
}

impl Header {
    pub fn write(&self, mut game: PgnGame) -> Result<String, String> {
        for (name, value) in &self.tags {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            if name.is_empty() || !name.chars().all(is_name) {
                let name = Excerpt::of(name);
                return Err(format!("tag \"{name}\": a name has only letters, digits and _"));
            }
            game.set_tag(name, value.as_str());
        }
        game.opening_comment = self.comment.clone();
        game.result = match &self.result {
            Some(text) => GameResult::parse(text)
                .ok_or_else(|| Excerpt::of(text))
                .map_err(|text| format!("result \"{text}\": it is 1-0, 0-1, 1/2-1/2 or *"))?,
            None => game.final_game().outcome().map_or(GameResult::Unfinished, GameResult::from),
        };
        Ok(game.to_string())
    }
}

fn read_line(
    mut position: AnyPosition,
    line: &[RecordMove],
    depth: usize,
) -> Result<Vec<PgnMove>, String> {
    if depth > DEEPEST_VARIATION {
        return Err(format!("variations are nested more than {DEEPEST_VARIATION} deep"));
    }
    let mut moves = Vec::with_capacity(line.len());
    for RecordMove { san: text, nags, comment, variations, .. } in line {
        let at_move = |error: &dyn Display| {
            format!("move {} {}: {error}", MoveNumber::of(&position), Excerpt::of(text))
        };
        let null = AnyMove::null(position.variant());
        let mv = match text.as_str() {
            "--" | AnyMove::NULL_TEXT if depth > 0 => null,
            text => position.read_move(text).map_err(|error| at_move(&error))?,
        };
        let variations: Result<_, String> =
            variations.iter().map(|line| read_line(position, line, depth + 1)).collect();
        moves.push(PgnMove {
            nags: nags.clone(),
            comment: comment.clone(),
            variations: variations?,
            ..PgnMove::from(mv)
        });
        position = match position.after_or_null(mv) {
            Some(after) => after,
            None => return Err(at_move(&"the side to move cannot pass here")),
        };
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Record {
        first_game(text.to_owned()).expect(text).1
    }

    /// JSON of a record as JavaScript hands it back.
    fn written(record: &Record) -> Result<String, String> {
        let json = serde_json::json!({
            "variant": record.variant, "fen": record.fen, "tags": record.tags,
            "comment": record.comment, "moves": record.moves, "result": record.result,
        });
        serde_json::from_value::<RecordToWrite>(json).expect("a record").write()
    }

    #[test]
    fn what_was_read_is_written_as_it_was() {
        let text = "[White \"Ann\"]\n\n{so} 1. e4 $1 {good} (1. d4 d6 (1... --)) 1... e6 *";
        let record = read(text);
        let again = written(&record).expect("it was read");
        assert_eq!(read(&again).moves, record.moves);
        assert!(again.contains("{so} 1. e4 $1 {good} (1. d4 d6 (1... --)) 1... e6 *"), "{again}");
    }

    #[test]
    fn each_game_is_read_by_itself() {
        let mut games = Games::new("1. e4 *\n\n1. Ke5 *\n\n1. d4 *\n".to_owned());
        assert_eq!(games.next_game().map(|game| game.map(|game| game.moves.len())), Ok(Some(1)));
        let error = games.next_game().expect_err("no such move");
        assert!(error.starts_with("game 2, line 3: move 1. Ke5"), "{error}");
        assert!(games.next_game().is_ok_and(|game| game.is_some()));
        assert_eq!(games.next_game(), Ok(None));
    }

    #[test]
    fn wrong_records_are_not_written() {
        let record = read("1. e4 e6 *");
        type Change = fn(&mut Record);
        let cases: [(Change, &str); 4] = [
            (|record| record.moves[1].san = "Ke1".into(), "move 1... Ke1: "),
            (|record| record.tags.push(("a b".into(), String::new())), "tag \"a b\": "),
            (|record| record.moves[0].san = "--".into(), "move 1. --: "),
            (|record| record.fen = "9".into(), "FEN: "),
        ];
        for (change, expected) in cases {
            let mut wrong = record.clone();
            change(&mut wrong);
            let error = written(&wrong).expect_err(expected);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
