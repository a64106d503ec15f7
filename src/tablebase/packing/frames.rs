//! Where the distances of tables lie in which White's pieces drive a lone king.
//!
//! All of White's pieces but one stand still in a *frame*: the *walker*, the strongest
//! piece of which there is one only, and Black's king go everywhere. So the moves of the
//! walker and all replies of the king stay within a frame, and most distances follow from
//! others of the same frame: see [`ladder`](super::ladder).
//!
//! ```text
//! frame = slice of the pawns · 81ⁿ + White's king · 81ⁿ⁻¹ + … + the last of the others
//! cell  = walker · 81 + Black's king
//! ```
//!
//! Without pawns, White's king and the first of the others are folded by the symmetries of
//! the board ([`KingPairs::any_two_points`]).

use arrayvec::ArrayVec;

use crate::board::attacks::attacks;
use crate::board::chesquerque::{KingPairs, Layout, PawnPoints, Placed, Placement, Symmetries};
use crate::board::material::MAX_OTHERS;
use qirkat_rules::chesquerque::{Bitboard, Color, PerPoint, PieceKind, Point, piece_attacks};

/// Cells of a frame.
pub const FRAME: usize = Point::COUNT * Point::COUNT;

/// How the frames of a table are numbered.
pub struct Frames {
    walker: PieceKind,
    /// The pieces beside the walker that are no pawns, in the order of the layout.
    others: ArrayVec<PieceKind, MAX_OTHERS>,
    has_pawns: bool,
}

impl Frames {
    /// The frames of a table; none unless Black has a lone king and White a walker and
    /// something beside it.
    pub fn of(layout: &Layout) -> Option<Frames> {
        let material = layout.material;
        if material.others(Color::Black).next().is_some() || material.pieces() < 4 {
            return None;
        }
        let is_alone = |kind: &PieceKind| material.count(Color::White, *kind) == 1;
        let kinds = || layout.pieces.iter().map(|piece| piece.1);
        let walker = kinds().find(is_alone)?;
        let others = kinds().filter(|&kind| kind != walker).collect();
        Some(Frames { walker, others, has_pawns: material.has_pawns() })
    }

    /// How many frames there are.
    pub fn count(&self, layout: &Layout) -> usize {
        let power = |exponent: usize| Point::COUNT.pow(exponent as u32);
        if self.has_pawns {
            layout.slices.count() * power(1 + self.others.len())
        } else {
            KingPairs::any_two_points().count() * power(self.others.len() - 1)
        }
    }

    /// What stands still in a frame; none where two pieces would share a point.
    pub fn frame(&self, layout: &Layout, number: usize) -> Option<Frame> {
        let mut rest = number;
        let mut points: ArrayVec<Point, MAX_OTHERS> = ArrayVec::new();
        let folded = if self.has_pawns { 0 } else { 1 };
        for _ in folded..self.others.len() {
            points.push(Point::from_index(rest % Point::COUNT)?);
            rest /= Point::COUNT;
        }
        let mut pawns = PawnPoints::new();
        let king = if self.has_pawns {
            pawns = layout.slices.points(rest / Point::COUNT).clone();
            Point::from_index(rest % Point::COUNT)?
        } else {
            let [king, first] = KingPairs::any_two_points().kings(rest);
            points.push(first);
            king
        };
        points.reverse();
        let piece = |kind, point| Placed { color: Color::White, kind, point };
        let mut still: ArrayVec<Placed, MAX_OTHERS> = ArrayVec::new();
        still.push(piece(PieceKind::King, king));
        still.extend(self.others.iter().zip(points).map(|(&kind, point)| piece(kind, point)));
        still.extend(pawns.iter().map(|&point| piece(PieceKind::Pawn, point)));
        Frame::new(still, self.walker)
    }

    /// The frame and the cell of a placement of this material.
    pub fn place(&self, layout: &Layout, placement: &Placement) -> Option<(usize, usize)> {
        let symmetries = Symmetries::get();
        let of_kind = |kind: PieceKind| {
            let pieces = placement.pieces[2..].iter();
            pieces.filter(move |piece| piece.kind == kind).map(|piece| piece.point)
        };
        let mut others: ArrayVec<Point, MAX_OTHERS> = ArrayVec::new();
        for (at, &kind) in self.others.iter().enumerate() {
            let before = self.others[..at].iter().filter(|&&other| other == kind).count();
            others.push(of_kind(kind).nth(before)?);
        }
        let walker = of_kind(self.walker).next()?;
        let [king, lone] = Color::ALL.map(|color| placement.king(color));
        let (mut number, symmetry, folded) = if self.has_pawns {
            let pawns: PawnPoints = of_kind(PieceKind::Pawn).collect();
            let (slice, symmetry) = layout.slices.find(&pawns);
            (slice * Point::COUNT + symmetries.image(symmetry, king).index(), symmetry, 0)
        } else {
            let (pair, symmetry) = KingPairs::any_two_points().place(king, *others.first()?)?;
            (pair as usize, symmetry, 1)
        };
        let image = |point: Point| symmetries.image(symmetry, point).index();
        for &point in &others[folded..] {
            number = number * Point::COUNT + image(point);
        }
        Some((number, image(walker) * Point::COUNT + image(lone)))
    }
}

/// What stands still, and what follows from it.
pub struct Frame {
    /// White's king first.
    pub still: ArrayVec<Placed, MAX_OTHERS>,
    pub walker: PieceKind,
    /// For each point of the walker, all of White's pieces; nothing where it cannot stand.
    pub white: PerPoint<Bitboard>,
    /// What White attacks then, as if Black's king were not there.
    pub danger: PerPoint<Bitboard>,
    /// Where Black's king can stand with White to move: also where it can go.
    pub safe: PerPoint<Bitboard>,
}

impl Frame {
    fn new(still: ArrayVec<Placed, MAX_OTHERS>, walker: PieceKind) -> Option<Frame> {
        let still_points: Bitboard = still.iter().map(|piece| piece.point).collect();
        if (still_points.len() as usize) < still.len() {
            return None;
        }
        let empty = || PerPoint([Bitboard::EMPTY; Point::COUNT]);
        let (mut white, mut danger, mut safe) = (empty(), empty(), empty());
        for point in Bitboard::ALL & !still_points {
            let occupied = still_points | point.bit();
            let walker = Placed { color: Color::White, kind: walker, point };
            let all = still.iter().chain(std::iter::once(&walker));
            white[point] = occupied;
            danger[point] = all.fold(Bitboard::EMPTY, |all, piece| all | attacks(*piece, occupied));
            safe[point] = Bitboard::ALL & !danger[point] & !occupied;
        }
        Some(Frame { still, walker, white, danger, safe })
    }

    /// Where White's king stands.
    pub fn king(&self) -> Point {
        self.still[0].point
    }

    /// The placement of a cell.
    #[cfg(any(test, feature = "table-generator"))]
    pub fn placement(&self, walker: Point, lone: Point) -> Placement {
        let mut placement = Placement::kings(self.king(), lone);
        placement.add(Placed { color: Color::White, kind: self.walker, point: walker });
        self.still[1..].iter().for_each(|piece| placement.add(*piece));
        placement
    }

    /// Where the walker can go, and come from, without a capture.
    #[inline]
    pub fn walks(&self, walker: Point, lone: Point) -> Bitboard {
        let occupied = self.white[walker] | lone.bit();
        piece_attacks(self.walker, walker, occupied) & !occupied
    }

    /// Whether Black's king can stand there with Black to move.
    #[inline]
    pub fn can_stand(&self, walker: Point, lone: Point) -> bool {
        !(self.white[walker] | king_steps(self.king())).contains(lone)
    }

    /// Black's captures.
    #[inline]
    pub fn captures(&self, walker: Point, lone: Point) -> Bitboard {
        king_steps(lone) & self.white[walker] & !self.danger[walker] & !self.king().bit()
    }

    /// Where Black's king can go without a capture.
    #[inline]
    pub fn replies(&self, walker: Point, lone: Point) -> Bitboard {
        king_steps(lone) & self.safe[walker]
    }
}

/// The points a step from a king.
#[inline]
pub fn king_steps(from: Point) -> Bitboard {
    piece_attacks(PieceKind::King, from, Bitboard::EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;

    #[test]
    fn every_cell_leads_back_to_itself_or_an_equal_position() {
        for name in ["KQRvK", "KABvK", "KRPvK", "KQBBvK"] {
            let layout = Layout::new(name.parse().expect("a material"));
            let frames = Frames::of(&layout).expect("a lone king");
            let mut seen = 0;
            for number in (0..frames.count(&layout)).step_by(197) {
                let Some(frame) = frames.frame(&layout, number) else { continue };
                for walker in Point::all().step_by(5) {
                    for lone in frame.safe[walker] {
                        let placement = frame.placement(walker, lone);
                        assert_eq!(placement.material(), layout.material);
                        let (again, cell) = frames.place(&layout, &placement).expect("a place");
                        let twin = frames.frame(&layout, again).expect("a frame");
                        let point = |at: usize| Point::from_index(at).expect("a point");
                        let twin =
                            twin.placement(point(cell / Point::COUNT), point(cell % Point::COUNT));
                        assert_eq!(layout.index(&twin), layout.index(&placement), "{name}");
                        seen += 1;
                    }
                }
            }
            assert!(seen > 1000, "{name}: {seen}");
        }
    }

    #[test]
    fn only_a_lone_king_is_driven() {
        for name in ["KQvK", "KQvKR", "KAAvK", "KPPvK", "KQvKP"] {
            assert!(Frames::of(&Layout::new(name.parse().expect("a material"))).is_none());
        }
    }

    /// The moves of Black's king are those of the rules.
    #[test]
    fn replies_are_the_legal_moves() {
        let layout = Layout::new("KABvK".parse().expect("a material"));
        let frames = Frames::of(&layout).expect("a lone king");
        let frame = frames.frame(&layout, 300).expect("a frame");
        let mut positions = 0;
        for walker in Point::all().filter(|&walker| frame.white[walker].any()) {
            for lone in Point::all().filter(|&lone| frame.can_stand(walker, lone)) {
                let placement = frame.placement(walker, lone);
                let position = placement.position(Color::Black).expect("legal");
                let moves = frame.replies(walker, lone).len() + frame.captures(walker, lone).len();
                assert_eq!(moves as usize, position.legal_moves().len(), "{position}");
                assert_eq!(frame.danger[walker].contains(lone), position.in_check());
                let is_legal = placement.position(Color::White).is_some();
                assert_eq!(frame.safe[walker].contains(lone), is_legal, "{position}");
                positions += 1;
            }
        }
        assert!(positions > 5000, "{positions}");
    }
}
