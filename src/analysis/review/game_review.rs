//! A reviewed game: its moves with their marks, its phases, and each side's accuracy.

use derive_more::Display;
use serde::{Deserialize, Serialize, Serializer};

use super::board_facts::Material;
use qirkat_engine::book::{Book, USUAL_LOSS};
use qirkat_evaluation::Chances;
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{MoveNumber, PgnGame};
use qirkat_rules::variant::{AnyMove, AnyPosition};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RatedLine {
    /// The moves, all legal, the first in the line's own position.
    pub moves: Vec<AnyMove>,
    pub score: Score,
    #[serde(with = "ChancesFields")]
    pub chances: Chances,
    pub depth: Depth,
}

impl RatedLine {
    /// The score and the chances from White's view, of a line that `mover` begins.
    pub(super) fn for_white(&self, mover: Color) -> (Score, Chances) {
        match mover {
            Color::White => (self.score, self.chances),
            Color::Black => (-self.score, self.chances.flipped()),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Chances")]
struct ChancesFields {
    win: f64,
    loss: f64,
}

/// A move and its review. Scores and chances are for the side that made it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveReview {
    pub position: AnyPosition,
    pub played: AnyMove,
    /// The line that begins with the move, followed by the best replies.
    pub line: RatedLine,
    /// The best other move and its continuation; none if there was no other.
    pub alternative: Option<RatedLine>,
    /// Expected points that the move lost, from 0 to 1.
    pub loss: f64,
    pub mark: Option<Mark>,
    /// Whether it was the only move that did not lose much; obvious moves, such as recaptures, do not
    /// count.
    pub is_only_move: bool,
    pub missed_win: bool,
    pub phase: Phase,
    pub reason: Option<String>,
}

impl MoveReview {
    pub fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    pub fn number(&self) -> MoveNumber {
        MoveNumber::of(&self.position)
    }

    /// The best line: that of the move itself, or the alternative.
    pub fn best(&self) -> &RatedLine {
        match &self.alternative {
            Some(other) if other.score > self.line.score => other,
            _ => &self.line,
        }
    }

    pub fn white_score(&self) -> Score {
        self.line.for_white(self.mover()).0
    }

    pub fn white_chances(&self) -> Chances {
        self.line.for_white(self.mover()).1
    }

    pub fn white_chances_before(&self) -> Chances {
        self.best().for_white(self.mover()).1
    }

    pub fn is_remarkable(&self) -> bool {
        self.mark.is_some() || self.is_only_move || self.reason.is_some()
    }
}

/// A game with its moves reviewed, from some move to the end.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameReview {
    /// Moves before the first reviewed one, if the review was cancelled: it runs backwards.
    pub unreviewed: usize,
    pub moves: Vec<MoveReview>,
    /// None where the game did not begin in the book, stays in it, or no book was asked. No move is
    /// judged by it.
    #[serde(default)]
    pub left_book: Option<LeftBook>,
}

/// Where a game leaves the opening book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeftBook {
    /// The index in the game of the first move that the book would not play: it has none there, or
    /// this one loses more than [`USUAL_LOSS`].
    pub at: usize,
    /// What the book plays instead; none where a line of it ends.
    pub best: Option<AnyMove>,
}

impl LeftBook {
    pub fn of(game: &PgnGame, book: Option<&Book>) -> Option<LeftBook> {
        let (book, mut position) = (book?, game.start);
        book.entry(&position)?;
        for (at, played) in game.moves.iter().enumerate() {
            let known = book.probe(&position);
            let good = known.as_ref().map_or(&[][..], |known| known.good_moves(USUAL_LOSS));
            if good.iter().all(|good| good.mv != played.mv) {
                return Some(LeftBook { at, best: good.first().map(|best| best.mv) });
            }
            position.make(played.mv);
        }
        None
    }
}

impl GameReview {
    pub fn is_complete(&self) -> bool {
        self.unreviewed == 0
    }

    /// Where the game left the book, as a sentence, with the index among the reviewed moves.
    pub fn left_book_text(&self) -> Option<(usize, String)> {
        let left = self.left_book?;
        let at = left.at.checked_sub(self.unreviewed)?;
        let position = &self.moves.get(at)?.position;
        let text = match left.best {
            Some(best) => format!("Leaves the book, which plays {}.", position.san(best)),
            None => "Leaves the book, where its line ends.".to_owned(),
        };
        Some((at, text))
    }

    /// White's expected points before the first reviewed move and after each.
    pub fn white_expectations(&self) -> Vec<f64> {
        let first = self.moves.first().map(MoveReview::white_chances_before);
        let after = self.moves.iter().map(MoveReview::white_chances);
        first.into_iter().chain(after).map(Chances::expected).collect()
    }
}

/// How bad a move is, by the expected points that it loses.
///
/// The steps are .05, .10 and .20 points, as on chess.com for the same three words (lichess: .05,
/// .10 and .15 on a flatter curve). How often players of each strength make such moves is measured
/// in `docs/records/chances.md`.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Display, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The mark for a move that loses this many expected points, if it deserves one.
    pub fn of_loss(loss: f64) -> Option<Mark> {
        Mark::ALL.into_iter().rev().find(|mark| loss >= mark.least_loss())
    }

    /// The least loss, the symbol and the NAG of each mark.
    const FACTS: [(f64, &'static str, u8); 3] = [(0.05, "?!", 6), (0.10, "?", 2), (0.20, "??", 4)];

    pub const fn least_loss(self) -> f64 {
        Mark::FACTS[self as usize].0
    }

    pub const fn symbol(self) -> &'static str {
        Mark::FACTS[self as usize].1
    }

    pub const fn nag(self) -> u8 {
        Mark::FACTS[self as usize].2
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The first ten moves of each side, while most pieces remain.
    Opening,
    Middlegame,
    Endgame,
}

const OPENING_MOVES: u16 = 10;
/// Below this share of the material at the start the opening ends, and below the other the endgame
/// begins. Pawns are left out in games with other pieces.
const OPENING_SHARE: f64 = 0.75;
const ENDGAME_SHARE: f64 = 0.4;

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    pub fn of(position: &AnyPosition) -> Phase {
        let start = Material::of(&position.variant().start()).worth_of_pieces();
        let share = f64::from(Material::of(position).worth_of_pieces()) / f64::from(start.max(1));
        if share < ENDGAME_SHARE {
            Phase::Endgame
        } else if share >= OPENING_SHARE && position.fullmove_number() <= OPENING_MOVES {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middle game",
            Phase::Endgame => "endgame",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct Accuracy {
    /// From 0 to 100; none where nothing was at stake or no move was a choice.
    #[serde(serialize_with = "write_percent")]
    pub percent: Option<f64>,
    pub moves: usize,
    /// Total expected points given away. Over a game, the difference between the sides is how far
    /// the chances moved, whatever the percentages say.
    #[serde(serialize_with = "write_points")]
    pub given_away: f64,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
}

#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct PlayerAccuracy {
    pub game: Accuracy,
    pub opening: Accuracy,
    pub middlegame: Accuracy,
    pub endgame: Accuracy,
}

fn write_percent<S: Serializer>(percent: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    percent.map(|percent| (100.0 * percent).round() / 100.0).serialize(to)
}

pub(super) fn write_points<S: Serializer>(points: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((10_000.0 * points).round() / 10_000.0)
}

/// Nothing is at stake where the standard deviation of the chances is below this around each move,
/// in percentage points, and no move loses anything.
const CALM: f64 = 2.0;
/// Expected points this near to 0 or 1 are decided: moves that keep them so prove nothing.
pub(crate) const DECIDED: f64 = 0.02;
const WEIGHTS: (f64, f64) = (0.5, 12.0);

/// A move's accuracy by the percentage points it loses: 100 for none, about 64 for ten. The formula
/// is lichess's (`AccuracyPercent` of lila), fitted there to players' perception.
fn move_accuracy(lost: f64) -> f64 {
    (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

impl PlayerAccuracy {
    pub fn of(review: &GameReview, color: Color) -> PlayerAccuracy {
        let rated = with_volatility(review);
        let of = |fits: &dyn Fn(&MoveReview) -> bool| {
            let own = rated.iter().filter(|(review, _)| review.mover() == color && fits(review));
            accuracy(&own.copied().collect::<Vec<_>>())
        };
        let [opening, middlegame, endgame] =
            Phase::ALL.map(|phase| of(&move |review| review.phase == phase));
        PlayerAccuracy { game: of(&|_| true), opening, middlegame, endgame }
    }
}

/// A move, and how much the chances varied around it, in percentage points.
type WithVolatility<'a> = (&'a MoveReview, f64);

/// As on lichess, each move is weighted by the standard deviation of the chances in a window around
/// it, so that a mistake in a sharp moment counts for more.
fn with_volatility(review: &GameReview) -> Vec<WithVolatility<'_>> {
    let percents: Vec<f64> =
        review.white_expectations().iter().map(|expected| 100.0 * expected).collect();
    let width = (percents.len() / 10).clamp(2, 8).min(percents.len());
    let last_start = percents.len() - width;
    let volatility = |ply: usize| {
        let start = (ply + 1).saturating_sub(width / 2).min(last_start);
        deviation(&percents[start..start + width])
    };
    review.moves.iter().zip((0..).map(volatility)).collect()
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

fn accuracy(moves: &[WithVolatility<'_>]) -> Accuracy {
    let count = |mark| moves.iter().filter(|(review, _)| review.mark == Some(mark)).count();
    Accuracy {
        percent: percent(moves),
        moves: moves.len(),
        given_away: moves.iter().fold(0.0, |sum, (review, _)| sum + review.loss),
        inaccuracies: count(Mark::Inaccuracy),
        mistakes: count(Mark::Mistake),
        blunders: count(Mark::Blunder),
    }
}

/// The mean of the weighted mean and the harmonic mean, as on lichess; but moves without a choice
/// or in decided positions do not count, and a game with nothing at stake has none instead of 100.
fn percent(moves: &[WithVolatility<'_>]) -> Option<f64> {
    let counted: Vec<&WithVolatility<'_>> =
        moves.iter().filter(|(review, _)| counts(review)).collect();
    if counted.iter().all(|(review, volatility)| *volatility < CALM && review.loss == 0.0) {
        return None;
    }
    let (mut weights, mut weighted, mut inverses) = (0.0, 0.0, 0.0);
    for (review, volatility) in &counted {
        let accuracy = move_accuracy(100.0 * review.loss);
        let weight = volatility.clamp(WEIGHTS.0, WEIGHTS.1);
        weights += weight;
        weighted += weight * accuracy;
        inverses += 1.0 / accuracy.max(1.0);
    }
    let harmonic = counted.len() as f64 / inverses;
    Some((weighted / weights + harmonic) / 2.0)
}

fn counts(review: &MoveReview) -> bool {
    let Some(other) = &review.alternative else { return false };
    let (best, worst) =
        if other.score > review.line.score { (other, &review.line) } else { (&review.line, other) };
    best.chances.expected() > DECIDED && worst.chances.expected() < 1.0 - DECIDED
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_evaluation::WdlModel;
    use qirkat_rules::variant::Variant;

    #[test]
    fn phases_follow_moves_and_material() {
        for (fen, phase) in [
            ("rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1", Phase::Opening),
            ("rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 11", Phase::Middlegame),
            ("rnb1k1bnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNB1K1BNR w KQkq - 0 5", Phase::Middlegame),
            ("r3k3r/ppppppppp/9/9/9/9/9/PPPPPPPPP/R3K3R w KQkq - 0 5", Phase::Endgame),
        ] {
            let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
            assert_eq!(Phase::of(&position), phase, "{fen}");
        }
        for variant in Variant::ALL {
            assert_eq!(Phase::of(&variant.start()), Phase::Opening);
        }
    }

    fn chances_of(score: Score) -> Chances {
        WdlModel::fitted(Variant::Chesquerque).chances(score)
    }

    /// A game whose scores after each move, from White's view, are these; each side
    /// could have kept the score before.
    fn game(scores: &[i32]) -> GameReview {
        let fen = "4k4/9/9/9/9/9/9/R8/4K4 w - - 0 1";
        let mut position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        let mut before = 0;
        let mut moves = Vec::new();
        for (ply, &after) in scores.iter().enumerate() {
            let text = ["e1d1", "e9d9", "d1e1", "d9e9"][ply % 4];
            let played = position.read_move(text).expect(text);
            let sign = if ply % 2 == 0 { 1 } else { -1 };
            let rated = |centipawns: i32| {
                let score = Score::centipawns(sign * centipawns);
                let (chances, depth) = (chances_of(score), Depth(9));
                RatedLine { moves: vec![played], score, chances, depth }
            };
            let (line, other) = (rated(after), rated(before));
            let loss = (other.chances.expected() - line.chances.expected()).max(0.0);
            moves.push(MoveReview {
                position,
                played,
                line,
                alternative: Some(other),
                loss,
                mark: Mark::of_loss(loss),
                is_only_move: false,
                missed_win: false,
                phase: Phase::of(&position),
                reason: None,
            });
            position = position.after(played);
            before = after;
        }
        GameReview { moves, ..GameReview::default() }
    }

    fn of(scores: &[i32]) -> [Accuracy; 2] {
        let review = game(scores);
        Color::ALL.map(|color| PlayerAccuracy::of(&review, color).game)
    }

    #[test]
    fn a_move_that_loses_nothing_is_perfect() {
        assert_eq!(move_accuracy(0.0), 99.9999);
        let mut before = 101.0;
        for lost in 0..=100 {
            let accuracy = move_accuracy(f64::from(lost));
            assert!((0.0..=100.0).contains(&accuracy) && accuracy <= before, "{lost}");
            before = accuracy;
        }
        assert_eq!(move_accuracy(100.0), 0.0);
    }

    /// Lichess gives a dead game 100.
    #[test]
    fn dead_games_and_sides_without_moves_have_no_accuracy() {
        let [white, black] = of(&[0; 40]);
        assert_eq!((white.percent, black.percent), (None, None));
        assert_eq!((white.moves, white.given_away), (20, 0.0));
        let review = GameReview::default();
        assert_eq!(PlayerAccuracy::of(&review, Color::White), PlayerAccuracy::default());
        assert!(of(&[700])[1].percent.is_none());
    }

    #[test]
    fn who_errs_is_less_accurate_and_gives_away_more() {
        let mut scores = vec![10; 30];
        scores[15..].fill(400);
        let [white, black] = of(&scores);
        assert!(white.percent > black.percent, "{white:?} {black:?}");
        assert!(black.given_away > white.given_away + 0.3, "{white:?} {black:?}");
        assert_eq!((black.inaccuracies, black.mistakes, black.blunders), (0, 0, 1));
    }

    #[test]
    fn points_given_away_add_up() {
        let scores = [0, 60, -50, 200, 180, 420, -300, -900];
        let [white, black] = of(&scores);
        let end = chances_of(Score::centipawns(-900)).expected();
        let gained: f64 = 0.5 + black.given_away - white.given_away;
        assert!(gained >= end - 1e-9, "{gained} {end}");
    }
}
