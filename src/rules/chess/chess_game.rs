//! The traits through which the arbiter, the search and networks use a chess game.

use qirkat_game::splitmix::splitmix64;
use qirkat_game::{
    Board, Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove, PieceCode,
    PointSet, Rules, Searchable, StructureHashes, Terminal,
};

use super::generate::{ALL, Any, Counter, Each, NOISY, QUIET};
use super::geometry::{Geometry, MoveOf};
use super::piece::{Kind, Move};
use super::position::{Position, black_to_move_key, piece_key};
use super::square::{Square, SquareSet};

impl<G: Geometry> Rules for Position<G> {
    type Move = MoveOf<G>;

    fn start() -> Position<G> {
        match Position::from_fen(G::START_FEN) {
            Ok(parsed) => parsed.position,
            Err(error) => unreachable!("the starting position is valid: {error}"),
        }
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    /// Plies without a pawn move or capture.
    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.halfmove_clock)
    }

    #[inline]
    fn is_dead(&self) -> bool {
        G::is_dead(|color, kind| self.of(color, kind), self.occupied())
    }

    #[inline]
    fn without_moves(&self) -> Terminal {
        if self.in_check() { Terminal::Lost } else { Terminal::Drawn }
    }

    /// Stops after the king's steps, or after the other pieces, if there is a move.
    #[inline(never)]
    fn has_legal_moves(&self) -> bool {
        let mut any = Any(false);
        self.generate::<Any, ALL>(&mut any);
        any.0
    }

    #[inline(never)]
    fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate::<Counter, ALL>(&mut counter);
        counter.0
    }

    #[inline]
    fn for_each_move(&self, filter: MoveFilter, sink: &mut impl FnMut(MoveOf<G>)) {
        let mut sink = Each(sink);
        match filter {
            MoveFilter::All => self.generate::<_, ALL>(&mut sink),
            MoveFilter::Noisy => self.generate::<_, NOISY>(&mut sink),
            MoveFilter::Quiet => self.generate::<_, QUIET>(&mut sink),
        }
    }

    // Not inlined: the compiler would hoist half of it out of a rare branch of the search's move
    // loop and run it for every move, which costs 7 % of the speed.
    #[inline(never)]
    fn is_legal(&self, mv: MoveOf<G>) -> bool {
        match_side!(self.side_to_move, Own => self.is_legal_for::<Own>(mv))
    }

    /// The result for an illegal move is unspecified but memory-safe: use [`Position::try_play`]
    /// for untrusted moves.
    #[inline]
    fn make(&mut self, mv: MoveOf<G>) {
        match_side!(self.side_to_move, Own => self.make_for::<Own>(mv))
    }

    fn outcome(&self, history: &GameHistory) -> Option<Outcome> {
        if !self.has_legal_moves() {
            return Some(if self.in_check() {
                Outcome::Checkmate(!self.side_to_move)
            } else {
                Outcome::Draw(DrawReason::Stalemate)
            });
        }
        self.draw_by_rule(history).map(Outcome::Draw)
    }
}

impl<G: Geometry> Searchable for Position<G> {
    const BUTTERFLY_SLOTS: usize = G::Square::COUNT * G::Square::COUNT;
    const PIECE_TO: usize = 2 * G::Kind::ALL.len() * G::Square::COUNT;
    const CAPTURE_SLOTS: usize = Self::PIECE_TO * G::Kind::ALL.len();
    const HAS_CHECKMATE: bool = true;

    #[inline]
    fn must_respond(&self) -> bool {
        self.in_check()
    }

    /// Stalemate is likely only if a side has hardly any pieces left.
    #[inline]
    fn may_lack_moves(&self) -> bool {
        let own = self.of_color(self.side_to_move);
        let kings_and_pawns = self.of_kind(G::Kind::KING) | self.of_kind(G::Kind::PAWN);
        !(own & !kings_and_pawns).more_than_one()
    }

    #[inline]
    fn null_move(&self) -> Option<Position<G>> {
        G::has_non_pawn_material(|kind| self.of(self.side_to_move(), kind))
            .then(|| self.after_null_move())
    }

    #[inline]
    fn is_noisy(&self, mv: MoveOf<G>) -> bool {
        mv.promotion.is_some() || self.captured(mv).is_some()
    }

    #[inline]
    fn move_distance(&self, mv: MoveOf<G>) -> u32 {
        u32::from(mv.from.distance(mv.to))
    }

    #[inline]
    fn gain(&self, mv: MoveOf<G>) -> i32 {
        let value = |kind: Option<G::Kind>| kind.map_or(0, |kind| G::PIECE_VALUES[kind.index()]);
        value(self.captured(mv)) + value(mv.promotion)
    }

    fn see_ge(&self, mv: MoveOf<G>, threshold: i32) -> bool {
        self.exchange_wins(mv, threshold)
    }

    #[inline]
    fn gives_check(&self, mv: MoveOf<G>) -> bool {
        let Move { from, to, promotion } = mv;
        let us = self.side_to_move;
        let Some(kind) = self.kind_on(from) else { return false };
        if self.is_castling(mv) || self.is_en_passant(mv) {
            // Two pieces move or disappear; rare enough to make the move.
            return self.after(mv).in_check();
        }
        let king = self.king(!us);
        let vacated = G::Bitboard::of(from);
        let occupied = (self.occupied() ^ vacated) | G::Bitboard::of(to);
        if self.reaches(promotion.unwrap_or(kind), us, to, king, occupied) {
            return true;
        }
        // A check can be uncovered only on a line to the king; a knight's leg is on one, too. This
        // quick test comes first, as if pieces of every kind stood on `from`.
        G::piece_sources(king, |_| vacated).far.any()
            && (self.far_attackers_of(us, king) & !vacated).into_iter().any(|attacker| {
                let between = G::between(king, attacker);
                between.contains(from) && (between & occupied).is_empty()
            })
    }

    #[inline]
    fn is_recapture(&self, mv: MoveOf<G>, last: MoveOf<G>) -> bool {
        mv.to == last.to
    }

    #[inline]
    fn butterfly_slot(&self, mv: MoveOf<G>) -> usize {
        mv.from.index() * G::Square::COUNT + mv.to.index()
    }

    #[inline]
    fn piece_to(&self, mv: MoveOf<G>) -> usize {
        let kind = self.kind_on(mv.from).map_or(0, G::Kind::index);
        let piece = self.side_to_move.index() * G::Kind::ALL.len() + kind;
        piece * G::Square::COUNT + mv.to.index()
    }

    #[inline]
    fn capture_slot(&self, mv: MoveOf<G>) -> usize {
        // Kings are never captured, so their index denotes a promotion without capture.
        let captured = self.captured(mv).unwrap_or(G::Kind::KING);
        self.piece_to(mv) * G::Kind::ALL.len() + captured.index()
    }

    /// Wrong after castling, after double pawn steps that can be captured en passant, after moves
    /// that lose castling rights, and wherever a capture en passant was possible, even if another
    /// move is made.
    #[inline]
    fn key_after(&self, mv: MoveOf<G>) -> Option<Key> {
        let Move { from, to, promotion } = mv;
        let us = self.side_to_move;
        let kind = self.kind_on(from)?;
        let mut key = self.key;
        key ^= black_to_move_key::<G>();
        key ^= piece_key::<G>(us, kind, from);
        key ^= piece_key::<G>(us, promotion.unwrap_or(kind), to);
        if let Some(captured) = self.kind_on(to) {
            key ^= piece_key::<G>(!us, captured, to);
        }
        Some(key)
    }

    #[inline]
    fn structure_hashes(&self) -> StructureHashes {
        let pawns = Color::ALL
            .into_iter()
            .fold(0, |sum: u64, color| sum.wrapping_add(hash_of(self, color, &[G::Kind::PAWN])));
        let pieces = Color::ALL.map(|color| hash_of(self, color, &G::Kind::ALL[1..]));
        StructureHashes { pawns, pieces }
    }

    #[inline]
    fn pack(&self, mv: MoveOf<G>) -> PackedMove {
        mv.pack()
    }

    #[inline]
    fn unpack(&self, packed: PackedMove) -> Option<MoveOf<G>> {
        Move::unpack(packed)
    }
}

/// Odd multipliers, one for each side, kind and word of a bitboard: enough for eight kinds and two
/// words.
static MULTIPLIERS: [u64; 32] = {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut multipliers = [0; 32];
    let mut index = 0;
    while index < multipliers.len() {
        multipliers[index] = splitmix64(&mut state) | 1;
        index += 1;
    }
    multipliers
};

/// A multiplicative hash of a side's pieces of these kinds, for correction history. The products
/// are summed rather than chained, so that the processor computes them in parallel. Only the high
/// bits are well mixed.
#[inline]
fn hash_of<G: Geometry>(position: &Position<G>, color: Color, kinds: &[G::Kind]) -> u64 {
    let words = G::Square::COUNT.div_ceil(u64::BITS as usize);
    kinds.iter().fold(0, |sum: u64, &kind| {
        let bits = position.of(color, kind).bits();
        let first = 2 * words * kind.index() + color.index();
        // Multiplication only moves bits upwards, so the high bits are folded down first.
        let low = bits as u64;
        let low = (low ^ low >> 32).wrapping_mul(MULTIPLIERS[first]);
        let high =
            if words > 1 { ((bits >> 64) as u64).wrapping_mul(MULTIPLIERS[first + 2]) } else { 0 };
        sum.wrapping_add(low).wrapping_add(high)
    })
}

impl<G: Geometry> Board for Position<G> {
    const FILES: usize = G::Square::FILES as usize;
    const RANKS: usize = G::Square::RANKS as usize;
    const KIND_LETTERS: &'static [char] = G::Kind::LETTERS;
    const KIND_NAMES: &'static [&'static str] = G::Kind::NAMES;
    const KING: Option<usize> = Some(G::Kind::ALL.len() - 1);
    const MAX_PIECES: usize = G::MAX_PIECES;
    const POINT_KINDS: &'static [&'static str] = G::SQUARE_KINDS;

    fn point_kind(point: usize) -> usize {
        G::Square::from_index(point).map_or(0, G::square_kind)
    }

    #[inline]
    fn occupied_points(&self) -> PointSet {
        PointSet(self.occupied().bits())
    }

    #[inline]
    fn changed_points(&self, other: &Position<G>) -> PointSet {
        PointSet(self.differing_squares(other).bits())
    }

    #[inline]
    fn piece_at(&self, point: usize) -> Option<PieceCode> {
        let piece = self.piece_on(G::Square::from_index(point)?)?;
        Some(PieceCode::new(piece.color, piece.kind.index()))
    }

    #[inline]
    fn king_at(&self, color: Color) -> usize {
        self.king(color).index()
    }

    fn castling_bits(&self) -> u8 {
        self.castling.bits()
    }

    fn from_exact_fen(fen: &str) -> Option<Position<G>> {
        let parsed = Position::from_fen(fen).ok()?;
        parsed.notice.is_none().then_some(parsed.position)
    }
}
