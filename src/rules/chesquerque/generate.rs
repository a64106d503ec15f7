//! The legal move generator.
//!
//! The generator hands sets of targets to a [`MoveSink`]: one that lists
//! moves, or one that only counts bits ("bulk counting"). It works by the
//! way pieces move rather than by kind: a queen is an orthogonal and a diagonal
//! slider, an archbishop a diagonal slider, a stepper and a knight.

use super::attacks::{KingDanger, knight_attacks};
use super::bitboard::Bitboard;
use super::castling::CastlingPath;
use super::lines::LINES;
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use super::rays;
use super::side::{Black, Side, White};
use crate::chess::{MoveSink, Wing};
use qirkat_game::{Color, MoveFilter};

impl Position {
    /// Hands the legal moves that pass a filter to a sink.
    #[inline]
    pub(super) fn generate<T: MoveSink<Position>, const FILTER: u8>(&self, sink: &mut T) {
        match self.side_to_move {
            Color::White => Generator::<White, T, FILTER>::new(self, sink).run(),
            Color::Black => Generator::<Black, T, FILTER>::new(self, sink).run(),
        }
    }
}

// `MoveFilter` as constants for the type parameter.
pub(super) const ALL: u8 = MoveFilter::All as u8;
pub(super) const NOISY: u8 = MoveFilter::Noisy as u8;
pub(super) const QUIET: u8 = MoveFilter::Quiet as u8;

struct Generator<'a, S, T, const FILTER: u8> {
    position: &'a Position,
    sink: &'a mut T,
    occupied: Bitboard,
    own: Bitboard,
    enemies: Bitboard,
    danger: KingDanger,
    side: std::marker::PhantomData<S>,
}

impl<'a, S: Side, T: MoveSink<Position>, const FILTER: u8> Generator<'a, S, T, FILTER> {
    #[inline]
    fn new(position: &'a Position, sink: &'a mut T) -> Self {
        let own = position.of_color(S::COLOR);
        let enemies = position.of_color(S::Enemy::COLOR);
        Generator {
            position,
            sink,
            occupied: own | enemies,
            own,
            enemies,
            danger: position.king_danger::<S>(),
            side: std::marker::PhantomData,
        }
    }

    #[inline]
    fn run(&mut self) {
        self.king_steps();
        if self.sink.is_full() {
            return;
        }
        let mut parrying = Bitboard::ALL;
        if self.danger.checkers.any() {
            parrying = self.danger.parrying_points();
            if parrying.is_empty() {
                return;
            }
        } else if FILTER != NOISY && self.position.castling.has_any(S::COLOR) {
            self.castling();
        }
        let free = self.own & !self.danger.pinned;
        self.pieces(free, parrying);
        if self.sink.is_full() {
            return;
        }
        self.pawns(free & self.position.of_kind(PieceKind::Pawn), parrying);
        if self.danger.pinned.any() {
            self.pinned_pieces(parrying);
        }
        if FILTER != QUIET
            && let Some(target) = self.position.en_passant
        {
            self.en_passant(target);
        }
    }

    /// Where the filter lets pieces go.
    #[inline]
    fn piece_targets(&self) -> Bitboard {
        match FILTER {
            NOISY => self.enemies,
            QUIET => !self.occupied,
            _ => !self.own,
        }
    }

    #[inline]
    fn king_steps(&mut self) {
        let king = self.danger.king;
        let lines = &LINES[king];
        let steps = (lines.orthogonal_steps | lines.diagonal_steps) & self.piece_targets();
        if steps.is_empty() {
            return;
        }
        // Without the king on the board: it does not shield the points behind.
        let occupied = self.occupied ^ king.bit();
        let mut safe = steps;
        for to in steps {
            if self.position.is_attacked(to, S::Enemy::COLOR, occupied) {
                safe ^= to.bit();
            }
        }
        self.sink.moves(king, safe);
    }

    fn castling(&mut self) {
        for wing in Wing::ALL {
            let path = CastlingPath::of(S::COLOR, wing);
            if self.position.castling.has(S::COLOR, wing)
                && (path.between & self.occupied).is_empty()
                && !path
                    .crossed
                    .into_iter()
                    .any(|point| self.position.is_attacked(point, S::Enemy::COLOR, self.occupied))
            {
                self.sink.moves(path.king_from, path.king_to.bit());
            }
        }
    }

    #[inline]
    fn pieces(&mut self, free: Bitboard, parrying: Bitboard) {
        use PieceKind::*;
        let kind = |kind| self.position.of_kind(kind);
        let targets = self.piece_targets() & parrying;
        let occupied = self.occupied;
        let bishops = (kind(Bishop) | kind(Archbishop)) & free;
        let rooks = kind(Rook) & free;
        let queens = kind(Queen) & free;
        let knights = (kind(Knight) | kind(Archbishop)) & free;

        for from in rooks | queens {
            self.sink.moves(from, rays::orthogonal(from, occupied) & targets);
        }
        for from in (bishops | queens) & Bitboard::DIAGONAL {
            self.sink.moves(from, rays::diagonal(from, occupied) & targets);
        }
        for from in bishops {
            self.sink.moves(from, LINES[from].orthogonal_steps & targets);
        }
        for from in rooks & Bitboard::DIAGONAL {
            self.sink.moves(from, LINES[from].diagonal_steps & targets);
        }
        for from in knights {
            self.sink.moves(from, knight_attacks(from, occupied) & targets);
        }
    }

    /// The moves of several pawns at once.
    #[inline]
    fn pawns(&mut self, pawns: Bitboard, parrying: Bitboard) {
        let empty = !self.occupied;
        let ahead = S::forward(pawns);
        // A plain-point pawn captures what stands straight ahead, and always
        // finds it on a diagonal point.
        let steps = ahead & empty;
        let straight_captures = ahead & self.enemies & Bitboard::DIAGONAL;
        let double_steps = S::forward(steps & S::THIRD_RANK) & empty;
        let on_diagonal_points = S::forward(pawns & Bitboard::DIAGONAL);

        let straight = match FILTER {
            NOISY => straight_captures | (steps & S::LAST_RANK),
            QUIET => steps & !S::LAST_RANK,
            _ => steps | straight_captures,
        };
        self.pawn_targets(S::FORWARD, straight & parrying);
        if FILTER != NOISY {
            self.sink.pawn_moves(2 * S::FORWARD, double_steps & parrying);
        }
        if FILTER != QUIET {
            let captured = self.enemies & parrying;
            self.pawn_targets(S::FORWARD + 1, on_diagonal_points.east() & captured);
            self.pawn_targets(S::FORWARD - 1, on_diagonal_points.west() & captured);
        }
    }

    #[inline]
    fn pawn_targets(&mut self, step: i8, targets: Bitboard) {
        self.sink.pawn_moves(step, targets & !S::LAST_RANK);
        let promoting = targets & S::LAST_RANK;
        if promoting.any() {
            self.sink.promotions(step, promoting);
        }
    }

    #[cold]
    fn pinned_pieces(&mut self, parrying: Bitboard) {
        for from in self.danger.pinned {
            let allowed = self.danger.pin_mask(from) & parrying;
            if allowed.any() {
                self.pieces(from.bit(), allowed);
                self.pawns(from.bit() & self.position.of_kind(PieceKind::Pawn), allowed);
            }
        }
    }

    /// En passant takes two pieces off their points at once, so it is tried out
    /// on the board instead of reasoned about.
    #[cold]
    fn en_passant(&mut self, target: Point) {
        for from in self.position.en_passant_captors::<S>(target) {
            if self.position.en_passant_is_legal::<S>(from, target) {
                self.sink.moves(from, target.bit());
            }
        }
    }
}

impl Position {
    /// Pawns of side `S` that attack a point passed over. The pawn that
    /// passed stands on the plain point before it, so only those on diagonal
    /// points are left.
    #[inline]
    pub(super) fn en_passant_captors<S: Side>(&self, target: Point) -> Bitboard {
        LINES[target].pawn_sources[S::COLOR.index()] & self.of(S::COLOR, PieceKind::Pawn)
    }

    /// Whether side `S` keeps its king safe when the pawn on `from` captures
    /// en passant on `target`.
    pub(super) fn en_passant_is_legal<S: Side>(&self, from: Point, target: Point) -> bool {
        let captured = target.stepped(-S::FORWARD);
        let occupied = (self.occupied() ^ from.bit() ^ captured.bit()) | target.bit();
        !self.is_attacked(self.king(S::COLOR), S::Enemy::COLOR, occupied)
    }
}
