//! A board: a position with the moves that led to it, its legal moves, and the outcome of the game.
//! It can be set up by hand; until that makes a legal position, what needs one fails.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyIterator, PyList, PySlice, PyString, PyTuple};

use crate::convert::{
    FenError, IllegalMoveError, Reduced, Whole, attribute, ensure_legal, py_error, san_error,
    value, variant_of, warn,
};
use crate::moves::{Move, Piece, is_letter_of, read_uci};
use crate::setup::{
    CASTLING, CASTLING_LETTERS, CLOCK, EN_PASSANT, NUMBER, SIDE, Setup, castling_home,
};
use qirkat_board::drawing::{Diagram, Mark};
use qirkat_game::text::Excerpt;
use qirkat_game::{Color, GameResult, Outcome, Rules, Terminal};
use qirkat_rules::pgn::MoveNumber;
use qirkat_rules::picture::Picture;
use qirkat_rules::variant::{
    AnyGame, AnyMove, AnyPosition, FenError as RulesFenError, Place, Variant,
};

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
    /// If the board is no legal position, the last legal one, without moves; see [`Board::game`].
    game: AnyGame,
    /// Pieces and fields since the board was set up by hand, until the next move.
    setup: Option<Box<Setup>>,
}

/// The highest clock and move number of a FEN.
const MAX_CLOCK: u16 = 9999;

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

impl From<AnyGame> for Board {
    fn from(game: AnyGame) -> Board {
        Board { game, setup: None }
    }
}

impl From<AnyPosition> for Board {
    fn from(position: AnyPosition) -> Board {
        AnyGame::from_position(position).into()
    }
}

impl Board {
    /// The game, unless the board was set up by hand as an illegal position.
    pub fn game(&self) -> PyResult<&AnyGame> {
        match self.illegal_setup() {
            None => Ok(&self.game),
            Some((_, fault)) => Err(FenError::new_err(format!("not a legal position: {fault}"))),
        }
    }

    pub fn position(&self) -> PyResult<&AnyPosition> {
        Ok(self.game()?.position())
    }

    fn illegal_setup(&self) -> Option<(&Setup, &RulesFenError)> {
        let setup = self.setup.as_deref()?;
        setup.fault.as_ref().map(|fault| (setup, fault))
    }

    fn game_variant(&self) -> Variant {
        self.game.position().variant()
    }

    fn play(&mut self, mv: AnyMove) {
        self.setup = None;
        self.game.play(mv);
    }

    /// Changes the board by hand, which clears the moves.
    fn edit(&mut self, change: impl FnOnce(&mut Setup)) {
        let setup = self.setup.take();
        let mut setup = setup.unwrap_or_else(|| Box::new(Setup::of(self.game.position())));
        change(&mut setup);
        match setup.variant.read_fen(&setup.fen()) {
            Ok(read) => {
                self.game = AnyGame::from_position(read.position);
                setup.fault = None;
            }
            Err(fault) => {
                self.game = AnyGame::from_position(*self.game.position());
                setup.fault = Some(fault);
            }
        }
        self.setup = Some(setup);
    }

    fn letter_on(&self, place: Place) -> Option<char> {
        match self.illegal_setup() {
            Some((setup, _)) => setup.letter(place),
            None => self.game.position().piece_on(place),
        }
    }

    fn pieces(&self) -> impl Iterator<Item = (Place, char)> {
        Place::all(self.game_variant()).filter_map(|place| Some((place, self.letter_on(place)?)))
    }

    /// The castling rights as they were set; king and rook may have left.
    fn castling_letters(&self) -> String {
        let letters = |setup: &Setup| setup.fields[CASTLING].replace('-', "");
        match &self.setup {
            _ if self.game_variant() == Variant::Alquerque => String::new(),
            Some(setup) => letters(setup),
            None => letters(&Setup::of(self.game.position())),
        }
    }

    /// Whether a right was set, and king and rook are at home.
    fn may_castle(&self, letter: char) -> bool {
        let is_at_home = |(king, rook)| {
            let own = |kind: char| {
                Some(if letter.is_uppercase() { kind } else { kind.to_ascii_lowercase() })
            };
            self.letter_on(king) == own('K') && self.letter_on(rook) == own('R')
        };
        self.castling_letters().contains(letter)
            && castling_home(self.game_variant(), letter).is_some_and(is_at_home)
    }

    /// A piece's letter, if this variant has the piece.
    fn letter_of(&self, piece: Option<&Piece>) -> PyResult<Option<char>> {
        let Some(&Piece(letter)) = piece else { return Ok(None) };
        if is_letter_of(self.game_variant(), letter) {
            return Ok(Some(letter));
        }
        let title = self.game_variant().title();
        Err(PyValueError::new_err(format!("`{letter}` is not a piece of {title}")))
    }

    /// Fails unless a move is legal, or the null move where passing is possible.
    fn ensure_possible(&self, mv: AnyMove) -> PyResult<()> {
        let position = self.position()?;
        if mv != AnyMove::null(position.variant()) {
            return ensure_legal(position, mv);
        }
        let passed = position.after_null_move().map(drop);
        passed.map_err(|reason| IllegalMoveError::new_err(format!("{mv}: {reason}")))
    }

    /// A side's pieces that attack a square.
    fn attackers_of(&self, place: Place, color: bool) -> PyResult<Vec<String>> {
        let is_its = |at: &Place| self.letter_on(*at).map(char::is_uppercase) == Some(color);
        let found = self.position()?.attackers(place).into_iter().filter(is_its);
        Ok(found.map(|place| place.to_string()).collect())
    }

    /// A square by name, or by number, rank by rank.
    fn place(&self, square: &Bound<'_, PyAny>) -> PyResult<Place> {
        let variant = self.game_variant();
        let none = |given: &str| {
            let (given, last) = (Excerpt::of(given), variant.board_size() - 1);
            let last = Place { file: last, rank: last };
            let title = variant.title();
            PyValueError::new_err(format!("`{given}` is not a square of {title} (a1 to {last})"))
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
        Ok(start.into())
    }

    /// The variant: `chesquerque`, `masonic` or `alquerque`.
    #[getter]
    fn variant(&self) -> &'static str {
        self.game_variant().name()
    }

    /// The side to move: `True` for White.
    #[getter]
    fn turn(&self) -> bool {
        match self.illegal_setup() {
            Some((setup, _)) => setup.fields[SIDE] == "w",
            None => is_white(self.game.position().side_to_move()),
        }
    }

    #[setter]
    fn set_turn(&mut self, turn: bool) {
        if turn != self.turn() {
            self.edit(|setup| {
                setup.forget_last_move();
                (if turn { "w" } else { "b" }).clone_into(&mut setup.fields[SIDE]);
            });
        }
    }

    /// The move number, as in FEN: incremented after Black's move.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        match self.illegal_setup() {
            Some((setup, _)) => setup.fields[NUMBER].parse().unwrap_or(1),
            None => self.game.position().fullmove_number(),
        }
    }

    #[setter]
    fn set_fullmove_number(&mut self, number: Whole) -> PyResult<()> {
        let number: u16 = number.within("fullmove_number", 1..=MAX_CLOCK)?;
        self.edit(|setup| setup.fields[NUMBER] = number.to_string());
        Ok(())
    }

    /// Plies since the last capture or pawn move; in Alquerque, jump or step forward.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        match self.illegal_setup() {
            Some((setup, _)) => setup.fields[CLOCK].parse().unwrap_or_default(),
            None => self.game.position().halfmove_clock(),
        }
    }

    #[setter]
    fn set_halfmove_clock(&mut self, plies: Whole) -> PyResult<()> {
        let plies: u16 = plies.within("halfmove_clock", 0..=MAX_CLOCK)?;
        self.edit(|setup| setup.fields[CLOCK] = plies.to_string());
        Ok(())
    }

    /// Half-moves since the start of the game, according to the move number.
    fn ply(&self) -> u32 {
        let moves = u32::from(self.fullmove_number()).saturating_sub(1);
        2 * moves + u32::from(!self.turn())
    }

    /// The names of all squares, rank by rank from `a1`. The index of a name is the number of the
    /// square.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names: Vec<_> = Place::all(self.game_variant()).map(|it| it.to_string()).collect();
        PyTuple::new(py, names)
    }

    /// The position as FEN.
    fn fen(&self) -> String {
        match self.illegal_setup() {
            Some((setup, _)) => setup.fen(),
            None => self.game.position().fen(),
        }
    }

    /// Sets up a position of the same variant and clears the moves.
    fn set_fen(&mut self, py: Python<'_>, fen: &str) -> PyResult<()> {
        *self = read_fen(py, self.game_variant(), fen)?.into();
        Ok(())
    }

    /// Sets up the start position and clears the moves.
    fn reset(&mut self) {
        *self = self.game_variant().new_game().into();
    }

    /// The position before the first move.
    fn root(&self) -> PyResult<Board> {
        Ok((*self.game()?.start()).into())
    }

    /// The moves made so far.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.moves().iter().map(|&mv| Move(mv)))
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> PyResult<LegalMoves> {
        Ok(LegalMoves::of(*self.position()?))
    }

    /// The legal moves that capture, as an iterator.
    fn generate_legal_captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let position = self.position()?;
        let moves = position.legal_moves().into_iter().filter(|&mv| position.captures(mv));
        PyList::new(py, moves.map(Move).collect::<Vec<_>>())?.try_iter()
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: &Move) -> PyResult<bool> {
        Ok(self.position()?.is_legal(r#move.0))
    }

    /// Why a move is illegal; `None` if it is legal.
    fn why_illegal(&self, r#move: &Move) -> PyResult<Option<String>> {
        Ok(self.position()?.why_illegal(r#move.0))
    }

    /// Makes a legal move, or the null move where the side to move is not in check and the other side
    /// has a move.
    ///
    /// Raises IllegalMoveError with the reason if it is illegal; the board is then unchanged.
    fn push(&mut self, r#move: &Move) -> PyResult<()> {
        self.ensure_possible(r#move.0)?;
        self.play(r#move.0);
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

    /// Parses a legal move in algebraic notation, in Alquerque by its squares; or the null move, `--`.
    fn parse_san(&self, san: &str) -> PyResult<Move> {
        let position = self.position()?;
        if ["--", "Z0", AnyMove::NULL_TEXT].contains(&san) {
            return self.parse_uci(AnyMove::NULL_TEXT);
        }
        position.parse_san(san).map(Move).map_err(san_error)
    }

    /// Parses a legal move in UCI notation.
    fn parse_uci(&self, uci: &str) -> PyResult<Move> {
        let mv = read_uci(self.game_variant(), uci)?;
        self.ensure_possible(mv)?;
        Ok(Move(mv))
    }

    /// Makes a move in algebraic notation, and returns it.
    fn push_san(&mut self, san: &str) -> PyResult<Move> {
        let mv = self.parse_san(san)?;
        self.play(mv.0);
        Ok(mv)
    }

    /// Makes a move in UCI notation, and returns it.
    fn push_uci(&mut self, uci: &str) -> PyResult<Move> {
        let mv = self.parse_uci(uci)?;
        self.play(mv.0);
        Ok(mv)
    }

    /// A legal move in algebraic notation.
    fn san(&self, r#move: &Move) -> PyResult<String> {
        self.ensure_possible(r#move.0)?;
        Ok(self.position()?.san(r#move.0))
    }

    /// A line of legal moves in algebraic notation, with move numbers.
    fn variation_san(&self, variation: &Bound<'_, PyAny>) -> PyResult<String> {
        let mut board = Board::from(*self.position()?);
        let mut words = Vec::new();
        for item in variation.try_iter()? {
            let item = item?;
            let mv = item.cast::<Move>()?.get().0;
            board.ensure_possible(mv)?;
            let position = board.game.position();
            if words.is_empty() || is_white(position.side_to_move()) {
                words.push(MoveNumber::of(position).to_string());
            }
            words.push(position.san(mv));
            board.play(mv);
        }
        Ok(words.join(" "))
    }

    /// Whether a legal move captures.
    fn is_capture(&self, r#move: &Move) -> PyResult<bool> {
        let position = self.position()?;
        ensure_legal(position, r#move.0)?;
        Ok(position.captures(r#move.0))
    }

    /// Whether a legal move captures a pawn that has just made a double step.
    fn is_en_passant(&self, r#move: &Move) -> PyResult<bool> {
        let is_to_empty = self.letter_on(r#move.0.ends().1).is_none();
        Ok(self.is_capture(r#move)? && is_to_empty && self.game_variant() != Variant::Alquerque)
    }

    /// Whether a legal move resets the halfmove clock: a capture or pawn move; in Alquerque, a jump or
    /// step forward.
    fn is_zeroing(&self, r#move: &Move) -> PyResult<bool> {
        let position = self.position()?;
        ensure_legal(position, r#move.0)?;
        Ok(position.after(r#move.0).halfmove_clock() == 0)
    }

    /// Whether a legal move castles.
    fn is_castling(&self, r#move: &Move) -> PyResult<bool> {
        Ok(self.san(r#move)?.starts_with("O-O"))
    }

    /// Whether a legal move castles towards the last file.
    fn is_kingside_castling(&self, r#move: &Move) -> PyResult<bool> {
        Ok(self.is_castling(r#move)? && !self.is_queenside_castling(r#move)?)
    }

    /// Whether a legal move castles towards file `a`.
    fn is_queenside_castling(&self, r#move: &Move) -> PyResult<bool> {
        Ok(self.san(r#move)?.starts_with("O-O-O"))
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, r#move: &Move) -> PyResult<bool> {
        let position = self.position()?;
        ensure_legal(position, r#move.0)?;
        Ok(position.after(r#move.0).in_check())
    }

    /// Whether the side to move is in check; never in Alquerque.
    fn is_check(&self) -> PyResult<bool> {
        Ok(self.position()?.in_check())
    }

    /// The squares of the pieces that give check, from `a1`.
    fn checkers(&self) -> PyResult<Vec<String>> {
        let king = self.position()?.king_of_side_to_move();
        let king = king.and_then(|king| Place::parse(self.game_variant(), &king));
        king.map_or(Ok(Vec::new()), |king| self.attackers_of(king, !self.turn()))
    }

    /// Whether the side to move is mated.
    fn is_checkmate(&self) -> PyResult<bool> {
        Ok(matches!(self.game()?.outcome(), Some(Outcome::Checkmate(_))))
    }

    /// Whether the side to move has no legal move and the game is drawn for that reason.
    fn is_stalemate(&self) -> PyResult<bool> {
        let position = self.position()?;
        Ok(!position.has_legal_moves() && position.without_moves() == Terminal::Drawn)
    }

    /// Whether neither side can win.
    fn is_insufficient_material(&self) -> PyResult<bool> {
        Ok(self.position()?.is_dead())
    }

    /// Whether the game is over: draws by repetition and by 100 plies need not be claimed.
    fn is_game_over(&self) -> PyResult<bool> {
        Ok(self.game()?.outcome().is_some())
    }

    /// How the game ended; `None` if it is not over.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(outcome) = self.game()?.outcome() else { return Ok(None) };
        let winner = outcome.winner().map(is_white);
        let parts = (outcome.name().replace('-', "_"), winner, outcome.to_string());
        value(py, "Outcome", parts).map(Some)
    }

    /// The result as in PGN, `*` if the game is not over.
    fn result(&self) -> PyResult<&'static str> {
        Ok(self.game()?.outcome().map_or(GameResult::Unfinished, GameResult::from).text())
    }

    /// The piece on a square, which is a name or a number.
    fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<Piece>> {
        Ok(self.letter_on(self.place(square)?).map(Piece))
    }

    /// All pieces by square name, from `a1`.
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for (place, letter) in self.pieces() {
            map.set_item(place.to_string(), Piece(letter))?;
        }
        Ok(map)
    }

    /// Puts a piece on a square, or takes the one there away. The board need not be a legal position
    /// then, see `status`. All changes by hand clear the moves.
    #[pyo3(signature = (square, piece))]
    fn set_piece_at(&mut self, square: &Bound<'_, PyAny>, piece: Option<&Piece>) -> PyResult<()> {
        let (place, letter) = (self.place(square)?, self.letter_of(piece)?);
        self.edit(|setup| setup.put(place, letter));
        Ok(())
    }

    /// Takes a piece away and returns it.
    fn remove_piece_at(&mut self, square: &Bound<'_, PyAny>) -> PyResult<Option<Piece>> {
        let place = self.place(square)?;
        let letter = self.letter_on(place);
        self.edit(|setup| setup.put(place, None));
        Ok(letter.map(Piece))
    }

    /// Replaces all pieces by those of a mapping from squares.
    fn set_piece_map(&mut self, pieces: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut found = Vec::new();
        for item in pieces.call_method0("items")?.try_iter()? {
            let (square, piece): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
            let piece = piece.cast::<Piece>()?.get();
            found.push((self.place(&square)?, self.letter_of(Some(piece))?));
        }
        self.edit(|setup| {
            setup.clear_pieces();
            found.into_iter().for_each(|(place, letter)| setup.put(place, letter));
        });
        Ok(())
    }

    /// Takes all pieces away.
    fn clear_board(&mut self) {
        self.edit(Setup::clear_pieces);
    }

    /// Takes all pieces away, with White to move and no castling rights.
    fn clear(&mut self) {
        self.edit(|setup| *setup = Setup::empty(setup.variant));
    }

    /// The squares of the rooks that have the right to castle. Rights whose king or rook is not at
    /// home have no effect.
    #[getter]
    fn castling_rights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        let homes = self.castling_letters();
        let homes = homes.chars().filter_map(|letter| castling_home(self.game_variant(), letter));
        PyFrozenSet::new(py, homes.map(|(_, rook)| rook.to_string()))
    }

    #[setter]
    fn set_castling_rights(&mut self, rooks: &Bound<'_, PyAny>) -> PyResult<()> {
        let variant = self.game_variant();
        let homes = CASTLING_LETTERS
            .into_iter()
            .filter_map(|letter| castling_home(variant, letter).map(|(_, rook)| (rook, letter)));
        let homes: Vec<(Place, char)> = homes.collect();
        let mut rights = Vec::new();
        for rook in rooks.try_iter()? {
            let place = self.place(&rook?)?;
            let Some(&(_, letter)) = homes.iter().find(|&&(home, _)| home == place) else {
                let fault = format!("no rook castles from {place} in {}", variant.title());
                return Err(PyValueError::new_err(fault));
            };
            rights.push(letter);
        }
        let castling: String =
            CASTLING_LETTERS.into_iter().filter(|letter| rights.contains(letter)).collect();
        self.set_castling_fen(&castling)
    }

    /// Sets the castling rights as in FEN: some of `KQkq`, or `-`.
    fn set_castling_fen(&mut self, castling_fen: &str) -> PyResult<()> {
        let given = if castling_fen == "-" { "" } else { castling_fen };
        let known: String = CASTLING_LETTERS.into_iter().filter(|&it| given.contains(it)).collect();
        let is_chess = self.game_variant() != Variant::Alquerque;
        if given.len() != known.len() || !(is_chess || known.is_empty()) {
            let (given, title) = (Excerpt::of(given), self.game_variant().title());
            return Err(FenError::new_err(format!("`{given}` are no castling rights of {title}")));
        }
        if is_chess {
            let text = if known.is_empty() { "-".to_owned() } else { known };
            self.edit(|setup| setup.fields[CASTLING] = text);
        }
        Ok(())
    }

    /// Whether a side has a right to castle.
    fn has_castling_rights(&self, color: bool) -> bool {
        self.has_kingside_castling_rights(color) || self.has_queenside_castling_rights(color)
    }

    /// Whether a side has the right to castle towards the last file.
    fn has_kingside_castling_rights(&self, color: bool) -> bool {
        self.may_castle(if color { 'K' } else { 'k' })
    }

    /// Whether a side has the right to castle towards file `a`.
    fn has_queenside_castling_rights(&self, color: bool) -> bool {
        self.may_castle(if color { 'Q' } else { 'q' })
    }

    /// The square that a pawn has just passed over by a double step; on a legal board only if a
    /// capture there is legal.
    #[getter]
    fn ep_square(&self) -> Option<String> {
        let field = match self.illegal_setup() {
            Some((setup, _)) => setup.fields[EN_PASSANT].clone(),
            None => Setup::of(self.game.position()).fields[EN_PASSANT].clone(),
        };
        Some(field).filter(|field| self.game_variant() != Variant::Alquerque && field != "-")
    }

    #[setter]
    fn set_ep_square(&mut self, square: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let place = square.map(|square| self.place(square)).transpose()?;
        if place.is_some() && self.game_variant() == Variant::Alquerque {
            return Err(PyValueError::new_err("Alquerque has no captures en passant"));
        }
        if self.game_variant() != Variant::Alquerque {
            let text = place.map_or("-".to_owned(), |place| place.to_string());
            self.edit(|setup| setup.fields[EN_PASSANT] = text);
        }
        Ok(())
    }

    /// What keeps the board from being a legal position: `Status.VALID` if nothing does. With any
    /// flag other than `BAD_CASTLING_RIGHTS`, or `EMPTY` in Alquerque, what needs a legal position
    /// raises `FenError`.
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let count = |wanted: char| self.pieces().filter(|&(_, letter)| letter == wanted).count();
        let is_chess = self.game_variant() != Variant::Alquerque;
        let kings = [count('K'), count('k')];
        let last = self.game_variant().board_size() - 1;
        let is_on_end = |(place, letter): (Place, char)| {
            letter.eq_ignore_ascii_case(&'p') && [0, last].contains(&place.rank)
        };
        let fault = self.illegal_setup().map(|(_, fault)| fault);
        let has_bad_en_passant = matches!(
            fault,
            Some(RulesFenError::ImpossibleEnPassant(_) | RulesFenError::EnPassant { .. })
        );
        let castling = self.castling_letters();
        let status = py.import("qirkat")?.getattr("Status")?;
        let mut found = status.getattr("VALID")?;
        for (name, is_so) in [
            ("NO_WHITE_KING", is_chess && kings[0] == 0),
            ("NO_BLACK_KING", is_chess && kings[1] == 0),
            ("TOO_MANY_KINGS", kings.into_iter().any(|count| count > 1)),
            ("PAWNS_ON_BACKRANK", self.pieces().any(is_on_end)),
            ("BAD_CASTLING_RIGHTS", castling.chars().any(|letter| !self.may_castle(letter))),
            ("INVALID_EP_SQUARE", has_bad_en_passant),
            ("OPPOSITE_CHECK", matches!(fault, Some(RulesFenError::OpponentInCheck(_)))),
            ("EMPTY", self.pieces().next().is_none()),
        ] {
            if is_so {
                found = found.bitor(status.getattr(name)?)?;
            }
        }
        Ok(found)
    }

    /// Whether `status` finds nothing.
    fn is_valid(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(!self.status(py)?.is_truthy()?)
    }

    /// The square of a side's king; `None` in Alquerque.
    fn king(&self, color: bool) -> Option<String> {
        let king = if color { 'K' } else { 'k' };
        let mut kings = self.pieces().filter(|&(_, letter)| letter == king);
        kings.next().map(|(place, _)| place.to_string())
    }

    /// The squares from which a side attacks a square, from `a1`, including pinned pieces. In
    /// Alquerque, the squares of men that may jump over it.
    fn attackers(&self, color: bool, square: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        self.attackers_of(self.place(square)?, color)
    }

    /// The squares that the piece on a square attacks, from `a1`, also if it is pinned. In Alquerque,
    /// the squares of men that it may jump over.
    fn attacks(&self, square: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let (from, position) = (self.place(square)?, self.position()?);
        let attacked = Place::all(self.game_variant())
            .filter(|&place| place != from && position.attackers(place).contains(&from));
        Ok(attacked.map(|place| place.to_string()).collect())
    }

    /// Whether a side's piece on a square may not leave a line to its king.
    fn is_pinned(&self, color: bool, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        let place = self.place(square)?;
        let is_its = self.letter_on(place).is_some_and(|letter| letter.is_uppercase() == color);
        Ok(self.position()?.pin(place).is_some_and(|_| is_its))
    }

    /// The squares of the line that a side's pinned piece may not leave, with that of the attacker and
    /// without the king's; all squares if the piece is not pinned.
    fn pin(&self, color: bool, square: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let line = self.position()?.pin(self.place(square)?);
        let line = line.filter(|_| self.is_pinned(color, square).unwrap_or_default());
        let line = line.unwrap_or_else(|| Place::all(self.game_variant()).collect());
        Ok(line.iter().map(ToString::to_string).collect())
    }

    /// Whether a side attacks a square.
    fn is_attacked_by(&self, color: bool, square: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(!self.attackers(color, square)?.is_empty())
    }

    /// The board from the other side, with colours swapped. Masonic chess has no mirrored castling:
    /// lost rights raise a warning.
    fn mirror(&self, py: Python<'_>) -> PyResult<Board> {
        let position = self.position()?;
        if let Some(notice) = position.flip_notice() {
            warn(py, &format!("mirror: {notice}"))?;
        }
        Ok(position.flipped().into())
    }

    /// A copy, by default with the moves made.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Board {
        let setup = self.setup.clone();
        if stack { self.clone() } else { Board { setup, ..(*self.game.position()).into() } }
    }

    /// The board as an SVG picture, with the last move and a check marked.
    #[pyo3(signature = (*, flipped = false, marks = true))]
    fn svg(&self, flipped: bool, marks: bool) -> PyResult<String> {
        let (position, variant) = (self.game.position(), self.game_variant());
        let mut marked = Vec::new();
        if marks && self.illegal_setup().is_none() {
            let last = self.game.moves().last().map(AnyMove::places).unwrap_or_default();
            marked.extend(last.into_iter().map(|place| (place, Mark::Last)));
            let king = position.king_of_side_to_move().filter(|_| position.in_check());
            let king = king.and_then(|king| Place::parse(variant, &king));
            marked.extend(king.map(|place| (place, Mark::Check)));
        }
        let diagram = Diagram { pieces: self.pieces().collect(), marks: marked, flipped };
        qirkat_board::drawing::svg(variant, &self.fen(), &[diagram], &[])
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
            other.try_borrow().is_ok_and(|other| {
                match (self.illegal_setup(), other.illegal_setup()) {
                    (None, None) => self.game.position() == other.game.position(),
                    (own, its) => own == its,
                }
            })
        })
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        match self.illegal_setup() {
            None => Ok(self.game.position().key().0 as isize),
            Some((setup, _)) => PyString::new(py, &setup.fen()).hash(),
        }
    }

    /// The board as text.
    fn __str__(&self) -> String {
        let letter = |file, rank| self.letter_on(Place { file, rank });
        Picture::new(self.game_variant(), letter).to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        match self.game_variant() {
            Variant::Chesquerque => format!("Board('{}')", self.fen()),
            other => format!("Board('{}', '{other}')", self.fen()),
        }
    }

    /// For pickling: start, variant and moves, or what was set up by hand.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, &'static str), String)> {
        let board = slf.try_borrow()?;
        let start = (board.game.start().fen(), board.variant());
        let state = match &board.setup {
            Some(setup) => format!("{SET_UP}{}", setup.fen()),
            None => {
                let moves = board.game.moves().iter();
                moves.map(ToString::to_string).collect::<Vec<_>>().join(" ")
            }
        };
        Ok((slf.get_type().into_any(), start, state))
    }

    fn __setstate__(&mut self, state: &str) -> PyResult<()> {
        if let Some(fen) = state.strip_prefix(SET_UP) {
            let setup = Setup::parse(self.game_variant(), fen);
            let setup = setup.ok_or_else(|| FenError::new_err("not a board set up by hand"))?;
            self.edit(|own| *own = setup);
            return Ok(());
        }
        let mut board = Board::from(*self.game.start());
        for uci in state.split_whitespace() {
            let mv = board.parse_uci(uci)?;
            board.play(mv.0);
        }
        *self = board;
        Ok(())
    }
}

/// Begins the pickled state of a board that was set up by hand.
const SET_UP: &str = "setup ";

pub(crate) const fn is_white(color: Color) -> bool {
    matches!(color, Color::White)
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
        let board = Board::from(self.position);
        attribute(py, board, "legal_moves")
    }

    fn __repr__(&self) -> String {
        let san: Vec<String> = self.moves.iter().map(|&mv| self.position.san(mv)).collect();
        format!("<LegalMoves ({})>", san.join(", "))
    }
}
