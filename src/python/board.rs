//! A board: a position with the moves that led to it, its legal moves, and the outcome of the game.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PySlice, PyTuple, PyType};

use crate::convert::{
    FenError, Reduced, Whole, attribute, ensure_legal, made_of, py_error, san_error, variant_of,
    warn,
};
use crate::moves::{Move, Piece, read_uci};
use qirkat_board::drawing::{Diagram, Mark};
use qirkat_game::text::Excerpt;
use qirkat_game::{Color, DrawReason, GameResult, Outcome as RulesOutcome, Rules, Terminal};
use qirkat_rules::pgn::MoveNumber;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Place, Variant};

/// A position of any variant, with the moves that led to it.
///
/// >>> board = Board()
/// >>> board.push_san("e4")
/// Move('e2e4')
/// >>> board.turn == BLACK
/// True
#[pyclass(module = "qirkat")]
#[derive(Clone)]
pub(crate) struct Board {
    pub game: AnyGame,
}

/// Parses a FEN; corrections are reported as a warning.
fn read_fen(py: Python<'_>, variant: Variant, fen: &str) -> PyResult<AnyPosition> {
    let read = variant.read_fen(fen).map_err(|error| {
        let other = Variant::with_board_of(fen).filter(|&other| other != variant);
        let hint = other.map_or(String::new(), |other| {
            format!(" (its board is that of {}: variant='{other}')", other.title())
        });
        FenError::new_err(format!("{error}{hint}"))
    })?;
    if let Some(notice) = read.notice {
        warn(py, &format!("FEN: {notice}"))?;
    }
    Ok(read.position)
}

impl Board {
    pub fn position(&self) -> &AnyPosition {
        self.game.position()
    }

    fn variant_of(&self) -> Variant {
        self.position().variant()
    }

    /// A square by name, or by number, rank by rank.
    fn place(&self, square: &Bound<'_, PyAny>) -> PyResult<Place> {
        let variant = self.variant_of();
        let none = |given: &str| {
            let (given, last) = (Excerpt::of(given), variant.board_size() - 1);
            let last = Place { file: last, rank: last };
            PyValueError::new_err(format!(
                "`{given}` is not a square of {} (a1 to {last})",
                variant.title()
            ))
        };
        if let Ok(name) = square.extract::<&str>() {
            return Place::parse(variant, name).ok_or_else(|| none(name));
        }
        let number: Whole = square.extract().map_err(|_| {
            PyTypeError::new_err("a square is a name such as 'e4', or an index of Board.squares")
        })?;
        let at = number.index().and_then(|number| usize::try_from(number).ok());
        let at = at.and_then(|number| Place::all(variant).nth(number));
        at.ok_or_else(|| none(&number.to_string()))
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (fen = None, variant = "chesquerque"))]
    fn new(py: Python<'_>, fen: Option<&str>, variant: &str) -> PyResult<Board> {
        let variant = variant_of(variant)?;
        let start = match fen {
            Some(fen) => read_fen(py, variant, fen)?,
            None => variant.start(),
        };
        Ok(Board { game: AnyGame::from_position(start) })
    }

    /// The variant: `chesquerque`, `masonic` or `alquerque`.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant_of().name()
    }

    /// The side to move: `True` for White.
    #[getter]
    fn turn(&self) -> bool {
        is_white(self.position().side_to_move())
    }

    /// The move number, as in FEN: incremented after Black's move.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.position().fullmove_number()
    }

    /// Plies since the last capture or pawn move; in Alquerque, jump or step forward.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.position().halfmove_clock()
    }

    /// Half-moves since the start of the game, according to the move number.
    fn ply(&self) -> u32 {
        let moves = u32::from(self.position().fullmove_number()).saturating_sub(1);
        2 * moves + u32::from(!self.turn())
    }

    /// The names of all squares, rank by rank from `a1`. The index of a name is the number of the
    /// square.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names: Vec<_> = Place::all(self.variant_of()).map(|it| it.to_string()).collect();
        PyTuple::new(py, names)
    }

    /// The position as FEN.
    fn fen(&self) -> String {
        self.position().fen()
    }

    /// Sets up a position of the same variant and clears the moves.
    fn set_fen(&mut self, py: Python<'_>, fen: &str) -> PyResult<()> {
        self.game = AnyGame::from_position(read_fen(py, self.variant_of(), fen)?);
        Ok(())
    }

    /// Sets up the start position and clears the moves.
    fn reset(&mut self) {
        self.game = self.variant_of().new_game();
    }

    /// The position before the first move.
    fn root(&self) -> Board {
        Board { game: AnyGame::from_position(*self.game.start()) }
    }

    /// The moves made so far.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.moves().iter().map(|&mv| Move(mv)))
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves::of(*self.position())
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: &Move) -> bool {
        self.position().is_legal(r#move.0)
    }

    /// Why a move is illegal; `None` if it is legal.
    fn why_illegal(&self, r#move: &Move) -> Option<String> {
        self.position().why_illegal(r#move.0)
    }

    /// Makes a legal move.
    ///
    /// Raises IllegalMoveError with the reason if it is illegal; the board is then unchanged.
    fn push(&mut self, r#move: &Move) -> PyResult<()> {
        ensure_legal(self.position(), r#move.0)?;
        self.game.play(r#move.0);
        Ok(())
    }

    /// Takes the last move back and returns it. Raises IndexError if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        self.game
            .undo()
            .map(Move)
            .ok_or_else(|| PyIndexError::new_err("there is no move to take back"))
    }

    /// The last move. Raises IndexError if there is none.
    fn peek(&self) -> PyResult<Move> {
        let last = self.game.moves().last().copied();
        last.map(Move).ok_or_else(|| PyIndexError::new_err("there is no last move"))
    }

    /// Parses a legal move in algebraic notation; in Alquerque by its squares.
    fn parse_san(&self, san: &str) -> PyResult<Move> {
        self.position().parse_san(san).map(Move).map_err(san_error)
    }

    /// Parses a legal move in UCI notation.
    fn parse_uci(&self, uci: &str) -> PyResult<Move> {
        let mv = read_uci(self.variant_of(), uci)?;
        ensure_legal(self.position(), mv)?;
        Ok(Move(mv))
    }

    /// Makes a move in algebraic notation, and returns it.
    fn push_san(&mut self, san: &str) -> PyResult<Move> {
        let mv = self.parse_san(san)?;
        self.game.play(mv.0);
        Ok(mv)
    }

    /// Makes a move in UCI notation, and returns it.
    fn push_uci(&mut self, uci: &str) -> PyResult<Move> {
        let mv = self.parse_uci(uci)?;
        self.game.play(mv.0);
        Ok(mv)
    }

    /// A legal move in algebraic notation.
    fn san(&self, r#move: &Move) -> PyResult<String> {
        ensure_legal(self.position(), r#move.0)?;
        Ok(self.position().san(r#move.0))
    }

    /// A line of legal moves in algebraic notation, with move numbers.
    fn variation_san(&self, variation: &Bound<'_, PyAny>) -> PyResult<String> {
        let mut position = *self.position();
        let mut words = Vec::new();
        for item in variation.try_iter()? {
            let item = item?;
            let mv = item.cast::<Move>()?.get().0;
            ensure_legal(&position, mv)?;
            if words.is_empty() || is_white(position.side_to_move()) {
                words.push(MoveNumber::of(&position).to_string());
            }
            words.push(position.san(mv));
            position.make(mv);
        }
        Ok(words.join(" "))
    }

    /// Whether a legal move captures.
    fn is_capture(&self, r#move: &Move) -> PyResult<bool> {
        ensure_legal(self.position(), r#move.0)?;
        Ok(self.position().captures(r#move.0))
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, r#move: &Move) -> PyResult<bool> {
        ensure_legal(self.position(), r#move.0)?;
        Ok(self.position().after(r#move.0).in_check())
    }

    /// Whether the side to move is in check; never in Alquerque.
    fn is_check(&self) -> bool {
        self.position().in_check()
    }

    /// Whether the side to move is mated.
    fn is_checkmate(&self) -> bool {
        matches!(self.game.outcome(), Some(RulesOutcome::Checkmate(_)))
    }

    /// Whether the side to move has no legal move and the game is drawn for that reason.
    fn is_stalemate(&self) -> bool {
        let position = self.position();
        !position.has_legal_moves() && position.without_moves() == Terminal::Drawn
    }

    /// Whether neither side can win.
    fn is_insufficient_material(&self) -> bool {
        self.position().is_dead()
    }

    /// Whether the game is over: draws by repetition and by 100 plies need not be claimed.
    fn is_game_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// How the game ended; `None` if it is not over.
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().map(Outcome)
    }

    /// The result as in PGN, `*` if the game is not over.
    pub fn result(&self) -> &'static str {
        self.game.outcome().map_or(GameResult::Unfinished, GameResult::from).text()
    }

    /// The piece on a square, which is a name or a number.
    fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<Piece>> {
        Ok(self.position().piece_on(self.place(square)?).map(Piece))
    }

    /// All pieces by square name, from `a1`.
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for place in Place::all(self.variant_of()) {
            if let Some(letter) = self.position().piece_on(place) {
                map.set_item(place.to_string(), Piece(letter))?;
            }
        }
        Ok(map)
    }

    /// The square of a side's king; `None` in Alquerque.
    fn king(&self, color: bool) -> Option<String> {
        let king = if color { 'K' } else { 'k' };
        let all = self.position().pieces().into_iter();
        let mut kings = all.filter(|&(_, letter)| letter == king);
        kings.next().map(|(place, _)| place.to_string())
    }

    /// The squares from which a side attacks a square, from `a1`, including pinned pieces. In
    /// Alquerque, the squares of men that may jump over it.
    fn attackers(&self, color: bool, square: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let place = self.place(square)?;
        let is_its = |at: &Place| {
            self.position().piece_on(*at).is_some_and(|letter| letter.is_uppercase() == color)
        };
        let found = self.position().attackers(place).into_iter().filter(is_its);
        Ok(found.map(|place| place.to_string()).collect())
    }

    /// Whether a side attacks a square.
    fn is_attacked_by(&self, color: bool, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(!self.attackers(color, square)?.is_empty())
    }

    /// The board from the other side, with colours swapped. Masonic chess has no mirrored castling:
    /// lost rights raise a warning.
    fn mirror(&self, py: Python<'_>) -> PyResult<Board> {
        if let Some(notice) = self.position().flip_notice() {
            warn(py, &format!("mirror: {notice}"))?;
        }
        Ok(Board { game: AnyGame::from_position(self.position().flipped()) })
    }

    /// A copy, by default with the moves made.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Board {
        if stack { self.clone() } else { Board { game: AnyGame::from_position(*self.position()) } }
    }

    /// The board as an SVG picture, with the last move and a check marked.
    #[pyo3(signature = (*, flipped = false, marks = true))]
    fn svg(&self, flipped: bool, marks: bool) -> PyResult<String> {
        let (position, variant) = (self.position(), self.variant_of());
        let mut marked = Vec::new();
        if marks {
            let last = self.game.moves().last().map(AnyMove::places).unwrap_or_default();
            marked.extend(last.into_iter().map(|place| (place, Mark::Last)));
            let king = position.king_to_move().filter(|_| position.in_check());
            let king = king.and_then(|king| Place::parse(variant, &king));
            marked.extend(king.map(|place| (place, Mark::Check)));
        }
        let diagram = Diagram { pieces: position.pieces(), marks: marked, flipped };
        qirkat_board::drawing::svg(variant, &position.fen(), &[diagram], &[])
            .map_err(py_error::<PyValueError>)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(false, true)
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Board>().is_ok_and(|other| {
            other.try_borrow().is_ok_and(|other| other.position() == self.position())
        })
    }

    fn __hash__(&self) -> u64 {
        self.position().key().0
    }

    /// The board as text.
    fn __str__(&self) -> String {
        self.position().picture().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        match self.variant_of() {
            Variant::Chesquerque => format!("Board('{}')", self.fen()),
            other => format!("Board('{}', '{other}')", self.fen()),
        }
    }

    /// For pickling: start, variant and moves.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, &'static str), String)> {
        let board = slf.try_borrow()?;
        let moves: Vec<String> = board.game.moves().iter().map(ToString::to_string).collect();
        let start = (board.game.start().fen(), board.variant());
        Ok((slf.get_type().into_any(), start, moves.join(" ")))
    }

    fn __setstate__(&mut self, moves: &str) -> PyResult<()> {
        let mut game = AnyGame::from_position(*self.game.start());
        for uci in moves.split_whitespace() {
            let mv = read_uci(self.variant_of(), uci)?;
            ensure_legal(game.position(), mv)?;
            game.play(mv);
        }
        self.game = game;
        Ok(())
    }
}

pub(crate) const fn is_white(color: Color) -> bool {
    matches!(color, Color::White)
}

/// The side for Python's `True` (White) or `False`.
pub(crate) const fn side(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

/// How a game ended, and who won.
#[pyclass(frozen, eq, hash, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Outcome(pub RulesOutcome);

#[pymethods]
impl Outcome {
    /// The reason: `checkmate`, `blocked`, `no_pieces`, `stalemate`, `repetition`,
    /// `hundred_plies` or `insufficient_material`.
    #[getter]
    fn termination(&self) -> &'static str {
        match self.0 {
            RulesOutcome::Checkmate(_) => "checkmate",
            RulesOutcome::Blocked(_) => "blocked",
            RulesOutcome::NoPieces(_) => "no_pieces",
            RulesOutcome::Draw(DrawReason::Stalemate) => "stalemate",
            RulesOutcome::Draw(DrawReason::Repetition) => "repetition",
            RulesOutcome::Draw(DrawReason::HundredPlies) => "hundred_plies",
            RulesOutcome::Draw(DrawReason::InsufficientMaterial) => "insufficient_material",
        }
    }

    /// The winner: `True` for White; `None` for a draw.
    #[getter]
    fn winner(&self) -> Option<bool> {
        self.0.winner().map(is_white)
    }

    /// The result as in PGN: `1-0`, `0-1` or `1/2-1/2`.
    fn result(&self) -> &'static str {
        GameResult::from(self.0).text()
    }

    #[classmethod]
    fn _of(
        _class: &Bound<'_, PyType>,
        termination: &str,
        winner: Option<bool>,
    ) -> PyResult<Outcome> {
        let all = match winner.map(side) {
            Some(winner) => vec![
                RulesOutcome::Checkmate(winner),
                RulesOutcome::Blocked(winner),
                RulesOutcome::NoPieces(winner),
            ],
            None => vec![
                RulesOutcome::Draw(DrawReason::Stalemate),
                RulesOutcome::Draw(DrawReason::Repetition),
                RulesOutcome::Draw(DrawReason::HundredPlies),
                RulesOutcome::Draw(DrawReason::InsufficientMaterial),
            ],
        };
        let mut all = all.into_iter().map(Outcome);
        let found = all.find(|outcome| outcome.termination() == termination);
        found.ok_or_else(|| PyValueError::new_err("unknown outcome"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (&'static str, Option<bool>)> {
        let outcome = slf.get();
        made_of(slf, (outcome.termination(), outcome.winner()))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let winner = match self.winner() {
            Some(true) => "True",
            Some(false) => "False",
            None => "None",
        };
        format!("<Outcome termination='{}' winner={winner}>", self.termination())
    }
}

/// The legal moves of a position at the time of the call.
///
/// Supports `len`, iteration, indexing and `in`.
#[pyclass(frozen, sequence, eq, module = "qirkat")]
#[derive(PartialEq)]
pub(crate) struct LegalMoves {
    position: AnyPosition,
    moves: Vec<AnyMove>,
}

impl LegalMoves {
    pub fn of(position: AnyPosition) -> LegalMoves {
        LegalMoves { position, moves: position.legal_moves() }
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.moves.iter().map(|&mv| Move(mv)))
    }
}

#[pymethods]
impl LegalMoves {
    /// Their number.
    fn count(&self) -> usize {
        self.moves.len()
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> bool {
        item.cast::<Move>().is_ok_and(|mv| self.position.is_legal(mv.get().0))
    }

    // The native iterator of a list takes a third of the time.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        at: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if at.is_instance_of::<PySlice>() {
            return self.list(py)?.as_any().get_item(at);
        }
        let count = self.moves.len();
        let at = at.extract::<Whole>()?.index().and_then(|at| {
            if at < 0 { count.checked_sub(at.unsigned_abs()) } else { Some(at.unsigned_abs()) }
        });
        let found = at.and_then(|at| self.moves.get(at)).copied();
        let found =
            found.ok_or_else(|| PyIndexError::new_err(format!("there are {count} legal moves")))?;
        Ok(Bound::new(py, Move(found))?.into_any())
    }

    /// Pickled as the board's legal moves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Board, &'static str)> {
        let board = Board { game: AnyGame::from_position(self.position) };
        attribute(py, board, "legal_moves")
    }

    fn __repr__(&self) -> String {
        let san: Vec<String> = self.moves.iter().map(|&mv| self.position.san(mv)).collect();
        format!("<LegalMoves ({})>", san.join(", "))
    }
}
