//! A review for other programs, such as a board in a browser.

use serde::Serialize;

use super::game_review::{
    Accuracy, GameReview, Mark, MoveReview, Phase, PlayerAccuracy, RatedLine,
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
    moves: Vec<MoveData>,
    accuracy: PlayersData,
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

#[derive(Clone, Serialize, Debug)]
struct MovesData {
    pv: Vec<String>,
    san: Vec<String>,
}

#[derive(Clone, Serialize, Debug)]
struct PlayersData {
    white: PlayerData,
    black: PlayerData,
}

#[derive(Clone, Serialize, Debug)]
struct PlayerData {
    game: AccuracyData,
    opening: AccuracyData,
    middlegame: AccuracyData,
    endgame: AccuracyData,
}

#[derive(Clone, Serialize, Debug)]
struct AccuracyData {
    percent: Option<f64>,
    moves: usize,
    given_away: f64,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

impl ReviewData {
    pub fn of(game: &PgnGame, review: &GameReview) -> ReviewData {
        let name = |tag: &str| game.tag(tag).map(str::to_owned);
        let moves = (review.unreviewed + 1..).zip(&review.moves);
        ReviewData {
            variant: game.start.variant().name(),
            white: name("White"),
            black: name("Black"),
            result: game.result.text(),
            start: game.start.fen(),
            unreviewed: review.unreviewed,
            moves: moves.map(|(ply, review)| MoveData::of(ply, review)).collect(),
            accuracy: PlayersData {
                white: PlayerData::of(review, Color::White),
                black: PlayerData::of(review, Color::Black),
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
            refutation: review.mark.map(|_| MovesData::of(replies, &position.after(review.played))),
            loss: rounded(review.loss, 4),
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
        let (score, chances) = match mover {
            Color::White => (line.score, line.chances),
            Color::Black => (-line.score, line.chances.flipped()),
        };
        ValueData { score: score.into(), wdl: chances.permille(), depth: line.depth.0 }
    }
}

impl LineData {
    fn of(line: &RatedLine, position: &AnyPosition) -> LineData {
        LineData {
            value: ValueData::of(line, position.side_to_move()),
            moves: MovesData::of(&line.moves, position),
        }
    }
}

impl MovesData {
    fn of(moves: &[AnyMove], position: &AnyPosition) -> MovesData {
        MovesData {
            pv: moves.iter().map(|mv| mv.to_string()).collect(),
            san: position.san_line(moves),
        }
    }
}

impl PlayerData {
    fn of(review: &GameReview, color: Color) -> PlayerData {
        let PlayerAccuracy { game, phases: [opening, middlegame, endgame] } =
            PlayerAccuracy::of(review, color);
        let [game, opening, middlegame, endgame] =
            [game, opening, middlegame, endgame].map(AccuracyData::of);
        PlayerData { game, opening, middlegame, endgame }
    }
}

impl AccuracyData {
    fn of(accuracy: Accuracy) -> AccuracyData {
        let [inaccuracies, mistakes, blunders] = accuracy.marks;
        AccuracyData {
            percent: accuracy.percent.map(|percent| rounded(percent, 2)),
            moves: accuracy.moves,
            given_away: rounded(accuracy.given_away, 4),
            inaccuracies,
            mistakes,
            blunders,
        }
    }
}

fn rounded(number: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (number * unit).round() / unit
}
