//! The game behind JavaScript's `Board`, and its data as JSON.

use serde::Serialize;

use qirkat_game::text::Excerpt;
use qirkat_game::{Color, DrawReason, GameResult, Outcome, Rules};
use qirkat_rules::pgn::{MoveNumber, PgnGame, PgnMove};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Place, Variant};
use qirkat_tablebase::{AllTables, RankedMove, TableValue};

#[derive(Clone, Debug)]
pub struct Board {
    pub game: AnyGame,
    notice: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct State {
    variant: Variant,
    fen: String,
    turn: String,
    /// The point of the king if it is in check.
    check: Option<String>,
    outcome: Option<OutcomeJson>,
    draws: Vec<&'static str>,
    /// The position's Zobrist key, in hexadecimal digits.
    hash: String,
    /// What was corrected in the loaded FEN.
    notice: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutcomeJson {
    result: GameResult,
    winner: Option<String>,
    reason: &'static str,
    text: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveJson {
    color: String,
    piece: char,
    from: String,
    to: String,
    points: Vec<String>,
    captured: Option<char>,
    promotion: Option<char>,
    san: String,
    lan: String,
    /// The FEN before the move, and after it.
    before: String,
    after: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Probed {
    #[serde(flatten)]
    value: TableValue,
    /// Those of which a table is certain, the best first.
    moves: Vec<ProbedMove>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct ProbedMove {
    lan: String,
    san: String,
    #[serde(flatten)]
    value: TableValue,
}

impl Board {
    /// A board with this position; without a FEN, the start position.
    pub fn open(variant: Variant, fen: &str) -> Result<Board, String> {
        if fen.trim().is_empty() {
            return Ok(Board { game: variant.new_game(), notice: None });
        }
        let read = variant.read_fen(fen).map_err(|error| {
            let other = Variant::with_board_of(fen).filter(|&other| other != variant);
            let hint = other.map_or(String::new(), |other| {
                format!(" (its board is that of {}: variant \"{other}\")", other.title())
            });
            format!("FEN of {}: {error}{hint}", variant.title())
        })?;
        let notice = read.notice.map(|notice| notice.to_string());
        Ok(Board { game: AnyGame::from_position(read.position), notice })
    }

    pub fn of_record(record: &PgnGame) -> Board {
        Board { game: record.final_game(), notice: None }
    }

    pub fn position(&self) -> &AnyPosition {
        self.game.position()
    }

    pub fn state(&self) -> State {
        let position = self.position();
        let outcome = self.game.outcome();
        State {
            variant: position.variant(),
            fen: position.fen(),
            turn: position.side_to_move().to_string(),
            check: position.king_of_side_to_move().filter(|_| position.in_check()),
            outcome: outcome.map(OutcomeJson::of),
            draws: self.draws(outcome),
            hash: format!("{:016x}", position.key().0),
            notice: self.notice.clone(),
        }
    }

    /// All drawing rules that hold here, even in a lost game (as by mate on the 100th ply). The
    /// outcome of a drawn game has only the first.
    fn draws(&self, outcome: Option<Outcome>) -> Vec<&'static str> {
        let position = self.position();
        let stalemate = Outcome::Draw(DrawReason::Stalemate);
        let reasons = [
            (outcome == Some(stalemate), DrawReason::Stalemate),
            (position.is_dead(), DrawReason::InsufficientMaterial),
            (position.is_drawn_by_100_plies(), DrawReason::HundredPlies),
            (self.game.history().is_threefold(position), DrawReason::Repetition),
        ];
        let holding = reasons.into_iter().filter(|(holds, _)| *holds);
        holding.map(|(_, reason)| Outcome::Draw(reason).name()).collect()
    }

    /// The legal moves in algebraic notation; none once the game is over.
    pub fn moves(&self) -> Vec<String> {
        let position = self.position();
        self.playable().into_iter().map(|mv| position.san(mv)).collect()
    }

    pub fn moves_verbose(&self) -> Vec<MoveJson> {
        let position = self.position();
        self.playable().into_iter().map(|mv| MoveJson::of(position, mv)).collect()
    }

    fn playable(&self) -> Vec<AnyMove> {
        if self.game.outcome().is_some() { Vec::new() } else { self.position().legal_moves() }
    }

    pub fn read_move(&self, text: &str) -> Result<MoveJson, String> {
        Ok(MoveJson::of(self.position(), self.legal(text)?))
    }

    pub fn make(&mut self, text: &str) -> Result<MoveJson, String> {
        if let Some(outcome) = self.game.outcome() {
            return Err(format!("{}: the game is over: {outcome}", Excerpt::of(text)));
        }
        let mv = self.legal(text)?;
        let shown = MoveJson::of(self.position(), mv);
        self.game.play(mv);
        Ok(shown)
    }

    fn legal(&self, text: &str) -> Result<AnyMove, String> {
        let position = self.position();
        position.read_move(text).map_err(|error| {
            let (reason, text) = (error.to_string(), Excerpt::of(text));
            // Some errors already quote the text.
            let is_named = reason.contains(&format!("`{text}`"));
            let named = if is_named { reason } else { format!("{text}: {reason}") };
            format!("{named} (move {})", MoveNumber::of(position))
        })
    }

    pub fn undo(&mut self) -> Option<MoveJson> {
        let undone = self.game.undo()?;
        Some(MoveJson::of(self.position(), undone))
    }

    /// The moves so far in algebraic notation.
    pub fn history(&self) -> Vec<String> {
        self.game.start().san_line(self.game.moves())
    }

    pub fn history_verbose(&self) -> Vec<MoveJson> {
        let mut position = *self.game.start();
        let shown = |&mv: &AnyMove| {
            let shown = MoveJson::of(&position, mv);
            position = position.after(mv);
            shown
        };
        self.game.moves().iter().map(shown).collect()
    }

    pub fn piece_on(&self, point: &str) -> Result<Option<char>, String> {
        Ok(self.position().piece_on(self.place(point)?))
    }

    /// The points of the pieces that attack a point, of one side or both.
    pub fn attackers(&self, point: &str, side: Option<Color>) -> Result<Vec<String>, String> {
        let position = self.position();
        let is_of_side = |from: &Place| {
            let is_white = position.piece_on(*from).is_some_and(|it| it.is_ascii_uppercase());
            side.is_none_or(|side| is_white == (side == Color::White))
        };
        let attackers = position.attackers(self.place(point)?);
        Ok(attackers.iter().filter(|from| is_of_side(from)).map(Place::to_string).collect())
    }

    fn place(&self, point: &str) -> Result<Place, String> {
        let variant = self.position().variant();
        Place::parse(variant, point).ok_or_else(|| {
            let last = Place::all(variant).last().map(|place| place.to_string());
            let (title, point) = (variant.title(), Excerpt::of(point));
            format!("{point}: not a point of {title}: they are a1 to {}", last.unwrap_or_default())
        })
    }

    /// The tables' result for the position; `None` if it is in no table.
    pub fn probe(&self, tables: &AllTables) -> Result<Option<Probed>, String> {
        let position = self.position();
        let probe = tables.probe(position).map_err(|error| error.to_string())?;
        let shown = |&RankedMove { mv, value, .. }: &RankedMove<AnyPosition>| ProbedMove {
            lan: mv.to_string(),
            san: position.san(mv),
            value,
        };
        Ok(probe.map(|it| Probed { value: it.value, moves: it.moves.iter().map(shown).collect() }))
    }

    pub fn record(&self) -> PgnGame {
        PgnGame {
            moves: self.game.moves().iter().map(|&mv| PgnMove::from(mv)).collect(),
            result: self.game.outcome().map_or(GameResult::Unfinished, GameResult::from),
            ..PgnGame::from_position(*self.game.start())
        }
    }
}

impl OutcomeJson {
    fn of(outcome: Outcome) -> OutcomeJson {
        OutcomeJson {
            result: outcome.into(),
            winner: outcome.winner().map(|side| side.to_string()),
            reason: outcome.name(),
            text: outcome.to_string(),
        }
    }
}

impl MoveJson {
    fn of(position: &AnyPosition, mv: AnyMove) -> MoveJson {
        let (from, to) = mv.ends();
        let piece = position.piece_on(from).unwrap_or_default();
        MoveJson {
            color: position.side_to_move().to_string(),
            piece: piece.to_ascii_lowercase(),
            from: from.to_string(),
            to: to.to_string(),
            points: mv.places().iter().map(Place::to_string).collect(),
            captured: position.captured(mv),
            promotion: mv.promotion(),
            san: position.san(mv),
            lan: mv.to_string(),
            before: position.fen(),
            after: position.after(mv).fen(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_another_game_is_named() {
        let fen = Variant::Masonic.start().fen();
        let error = Board::open(Variant::Chesquerque, &fen).expect_err("not of this game");
        assert!(error.starts_with("FEN of Chesquerque: "), "{error}");
        assert!(
            error.ends_with("(its board is that of Masonic chess: variant \"masonic\")"),
            "{error}"
        );
    }

    #[test]
    fn moves_are_refused_with_their_reason() {
        let mut board = Board::open(Variant::Chesquerque, "").expect("the start");
        for (text, expected) in
            [("Ka5", "Ka5: a king"), ("e2e5", "e2e5: "), ("x", "`x` is"), ("", "`` is")]
        {
            let error = board.make(text).expect_err(text);
            assert!(error.starts_with(expected) && error.ends_with("(move 1.)"), "{error}");
        }
        for text in ["e2\ne5", "\0", "\u{202e}e4", &"e2e4".repeat(10_000)] {
            for error in [board.make(text).expect_err(text), board.piece_on(text).expect_err(text)]
            {
                assert!(error.len() < 120 && !error.contains(char::is_control), "{error}");
            }
        }
        assert_eq!(board.make("e4").map(|mv| mv.lan).as_deref(), Ok("e2e4"));
        assert_eq!(board.undo().map(|mv| mv.san).as_deref(), Some("e4"));
        assert_eq!(board.undo(), None);
    }

    #[test]
    fn nothing_is_played_after_the_end() {
        let fen = "k8/9/K8/9/9/9/9/8R/9 w - - 0 1";
        let mut board = Board::open(Variant::Chesquerque, fen).expect("a position");
        board.make("i2i9").expect("mate");
        assert_eq!(board.state().outcome.map(|ending| ending.reason), Some("checkmate"));
        assert!(board.moves().is_empty());
        let error = board.make("a9a8").expect_err("it is over");
        assert_eq!(error, "a9a8: the game is over: White mates");
        assert_eq!(board.record().result, GameResult::WhiteWins);
    }

    #[test]
    fn attackers_of_one_side() {
        let fen = "4k4/9/3n5/9/4p4/9/9/7B1/4K4 w - - 0 1";
        let board = Board::open(Variant::Chesquerque, fen).expect("a position");
        assert_eq!(board.attackers("e5", Some(Color::White)), Ok(vec!["h2".to_owned()]));
        assert_eq!(board.attackers("e5", Some(Color::Black)), Ok(vec!["d7".to_owned()]));
        let error = board.attackers("k1", None).expect_err("no point");
        assert_eq!(error, "k1: not a point of Chesquerque: they are a1 to i9");
    }
}
