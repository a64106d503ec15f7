//! Chesquerque as a game that the search can play.

use super::move_list::Move;
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use super::see::PIECE_VALUES;
use qirkat_game::{
    Color, GameHistory, GameState, Key, MoveFilter, Outcome, PackedMove, Rules, StructureHashes,
    Terminal,
};

/// A game of Chesquerque in progress.
pub type Game = GameState<Position>;

impl Rules for Position {
    type Move = Move;

    fn start() -> Position {
        Position::start()
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move()
    }

    #[inline]
    fn key(&self) -> Key {
        self.key()
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.halfmove_clock())
    }

    #[inline]
    fn is_clock_drawn(&self) -> bool {
        self.is_clock_drawn()
    }

    #[inline]
    fn is_dead(&self) -> bool {
        self.is_dead()
    }

    #[inline]
    fn without_moves(&self) -> Terminal {
        if self.in_check() { Terminal::Lost } else { Terminal::Drawn }
    }

    fn has_legal_moves(&self) -> bool {
        self.has_legal_moves()
    }

    #[inline]
    fn count_legal_moves(&self) -> u64 {
        self.count_legal_moves()
    }

    #[inline]
    fn add_moves(&self, filter: MoveFilter, sink: &mut impl FnMut(Move)) {
        self.for_each_move(filter, sink);
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal(mv)
    }

    #[inline]
    fn make(&mut self, mv: Move) {
        self.make(mv);
    }

    fn outcome(&self, history: &GameHistory) -> Option<Outcome> {
        self.outcome(history)
    }
}

impl qirkat_game::Game for Position {
    const BUTTERFLY_SLOTS: usize = Point::COUNT * Point::COUNT;
    const PIECE_TO: usize = 2 * PieceKind::COUNT * Point::COUNT;
    const CAPTURE_SLOTS: usize = Self::PIECE_TO * PieceKind::COUNT;
    const HAS_CHECKMATE: bool = true;

    #[inline]
    fn plies_to_clock_draw(&self) -> u16 {
        self.plies_to_clock_draw()
    }

    #[inline]
    fn must_respond(&self) -> bool {
        self.in_check()
    }

    /// Stalemate is likely only where a side has hardly a piece left.
    #[inline]
    fn may_lack_moves(&self) -> bool {
        let own = self.of_color(self.side_to_move());
        let kings_and_pawns = self.of_kind(PieceKind::King) | self.of_kind(PieceKind::Pawn);
        !(own & !kings_and_pawns).more_than_one()
    }

    #[inline]
    fn null_move(&self) -> Option<Position> {
        self.has_non_pawn_material().then(|| self.play_null())
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        self.is_noisy(mv)
    }

    #[inline]
    fn reach(&self, mv: Move) -> u32 {
        mv.reach()
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        let value = |kind: Option<PieceKind>| kind.map_or(0, |kind| PIECE_VALUES[kind.index()]);
        value(self.captured(mv)) + value(mv.promotion)
    }

    #[inline]
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.see_ge(mv, threshold)
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        self.gives_check(mv)
    }

    #[inline]
    fn is_recapture(&self, mv: Move, last: Move) -> bool {
        mv.to == last.to
    }

    #[inline]
    fn butterfly_slot(&self, mv: Move) -> usize {
        mv.from.index() * Point::COUNT + mv.to.index()
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let kind = self.kind_on(mv.from).map_or(0, PieceKind::index);
        let piece = self.side_to_move().index() * PieceKind::COUNT + kind;
        piece * Point::COUNT + mv.to.index()
    }

    #[inline]
    fn capture_slot(&self, mv: Move) -> usize {
        // Kings are never captured, so a promotion without capture takes their place.
        let captured = self.captured(mv).unwrap_or(PieceKind::King);
        qirkat_game::Game::piece_to(self, mv) * PieceKind::COUNT + captured.index()
    }

    #[inline]
    fn structure_hashes(&self) -> StructureHashes {
        self.structures()
    }

    #[inline]
    fn pack(&self, mv: Move) -> PackedMove {
        mv.pack()
    }

    #[inline]
    fn unpack(&self, packed: PackedMove) -> Option<Move> {
        Move::unpack(packed)
    }
}

impl Position {
    /// Non-pawn material, as the condition of null move pruning: enough pieces that
    /// zugzwang is unlikely. A single minor piece is not enough, since it wins endings by
    /// zugzwang in this game.
    fn has_non_pawn_material(&self) -> bool {
        let own = self.of_color(self.side_to_move());
        let minor = own & (self.of_kind(PieceKind::Knight) | self.of_kind(PieceKind::Bishop));
        let heavy = own
            & (self.of_kind(PieceKind::Rook)
                | self.of_kind(PieceKind::Archbishop)
                | self.of_kind(PieceKind::Queen));
        heavy.any() || minor.more_than_one()
    }
}
