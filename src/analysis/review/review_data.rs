//! A review for other programs, such as a board in a browser.

use serde::Serialize;

use super::game_review::{
    GameReview, Mark, MoveReview, Phase, PlayerAccuracy, RatedLine, write_points,
};
use qirkat_game::score::Score;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::{AnyMove, AnyPosition};

/// A review as it is serialised. Scores are from White's view, in centipawns or moves to mate
/// (negative when Black mates), chances in permille of games that White wins, draws and loses;
/// losses and points in expected points of the player.
#[derive(Clone, Serialize, Debug)]
pub struct ReviewData {
    variant: &'static str,
    white: Option<String>,
    black: Option<String>,
    result: &'static str,
    start: String,
    /// Plies before the first reviewed move, if the review was cancelled.
    unreviewed: usize,
    /// The ply, from 1, of the first move that the opening book would not play, and the book's
    /// move.
    left_book: Option<LeftBookData>,
    moves: Vec<MoveData>,
    accuracy: PlayersData,
}

#[derive(Clone, Serialize, Debug)]
struct LeftBookData {
    ply: usize,
    best: Option<MovesData>,
}

#[derive(Clone, Serialize, Debug)]
struct MoveData {
    ply: usize,
    number: u16,
    color: &'static str,
    san: String,
    #[serde(rename = "move")]
    coordinates: String,
    #[serde(flatten)]
    value: ValueData,
    best: LineData,
    #[serde(skip_serializing_if = "Option::is_none")]
    refutation: Option<MovesData>,
    #[serde(serialize_with = "write_points")]
    loss: f64,
    mark: Option<Mark>,
    only_move: bool,
    missed_win: bool,
    phase: Phase,
    reason: Option<String>,
}

/// A score: centipawns, or moves to mate, negative for the mated side.
#[derive(Clone, Copy, Serialize, Debug)]
pub struct ScoreData {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i16>,
}

impl From<Score> for ScoreData {
    fn from(score: Score) -> ScoreData {
        let mate = score.moves_to_mate();
        ScoreData { cp: mate.is_none().then(|| score.value()), mate }
    }
}

#[derive(Clone, Serialize, Debug)]
struct ValueData {
    #[serde(flatten)]
    score: ScoreData,
    wdl: [u32; 3],
    depth: i16,
}

#[derive(Clone, Serialize, Debug)]
struct LineData {
    #[serde(flatten)]
    value: ValueData,
    #[serde(flatten)]
    moves: MovesData,
}

/// A line of moves, by their points and in algebraic notation.
#[derive(Clone, Serialize, Debug)]
pub struct MovesData {
    pv: Vec<String>,
    san: Vec<String>,
}

#[derive(Clone, Serialize, Debug)]
struct PlayersData {
    white: PlayerAccuracy,
    black: PlayerAccuracy,
}

impl ReviewData {
    pub fn of(game: &PgnGame, review: &GameReview) -> ReviewData {
        let name = |tag: &str| game.tag(tag).map(str::to_owned);
        let moves = (review.unreviewed + 1..).zip(&review.moves);
        let left_book = review.left_book.map(|left| {
            let mut position = game.start;
            game.moves.iter().take(left.at).for_each(|played| position.make(played.mv));
            let best = left.best.map(|best| MovesData::of(&position, &[best]));
            LeftBookData { ply: left.at + 1, best }
        });
        ReviewData {
            variant: game.start.variant().name(),
            white: name("White"),
            black: name("Black"),
            result: game.result.text(),
            start: game.start.fen(),
            unreviewed: review.unreviewed,
            left_book,
            moves: moves.map(|(ply, review)| MoveData::of(ply, review)).collect(),
            accuracy: PlayersData {
                white: PlayerAccuracy::of(review, Color::White),
                black: PlayerAccuracy::of(review, Color::Black),
            },
        }
    }
}

impl MoveData {
    fn of(ply: usize, review: &MoveReview) -> MoveData {
        let (position, mover) = (&review.position, review.mover());
        let replies = review.line.moves.get(1..).unwrap_or_default();
        MoveData {
            ply,
            number: position.fullmove_number(),
            color: if mover == Color::White { "white" } else { "black" },
            san: position.san(review.played),
            coordinates: review.played.to_string(),
            value: ValueData::of(&review.line, mover),
            best: LineData::of(review.best(), position),
            refutation: review.mark.map(|_| MovesData::of(&position.after(review.played), replies)),
            loss: review.loss,
            mark: review.mark,
            only_move: review.is_only_move,
            missed_win: review.missed_win,
            phase: review.phase,
            reason: review.reason.clone(),
        }
    }
}

impl ValueData {
    fn of(line: &RatedLine, mover: Color) -> ValueData {
        let (score, chances) = line.for_white(mover);
        ValueData { score: score.into(), wdl: chances.permille(), depth: line.depth.0 }
    }
}

impl LineData {
    fn of(line: &RatedLine, position: &AnyPosition) -> LineData {
        LineData {
            value: ValueData::of(line, position.side_to_move()),
            moves: MovesData::of(position, &line.moves),
        }
    }
}

impl MovesData {
    pub fn of(position: &AnyPosition, moves: &[AnyMove]) -> MovesData {
        MovesData {
            pv: moves.iter().map(|mv| mv.to_string()).collect(),
            san: position.san_line(moves),
        }
    }
}
