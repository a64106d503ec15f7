//! The pieces of a table.

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use arrayvec::ArrayVec;
use qirkat_game::Color;
use qirkat_rules::chesquerque;
use qirkat_rules::chess::{Geometry, Kind, Piece, SquareSet};
use thiserror::Error;

use crate::chess_game::ChessBoardGame;

/// The most pieces, kings included, that tables support.
pub const MAX_TABLE_PIECES: usize = 6;
/// All but the kings.
pub const MAX_OTHERS: usize = MAX_TABLE_PIECES - 2;

/// All kinds but the king, strongest first.
fn strongest_first<K: Kind>() -> impl Iterator<Item = K> {
    K::ALL.iter().rev().copied().filter(|&kind| kind != K::KING)
}

/// The pieces of each side besides its king, which identify a table.
///
/// A table is stored only with White as the stronger side: see [`Material::is_canonical`]. The
/// default kinds of pieces are those of Chesquerque.
///
/// ```
/// use qirkat_tablebase::Material;
///
/// let material: Material = "KRvKB".parse()?;
/// assert_eq!(material.pieces(), 4);
/// assert_eq!("KBvKR".parse::<Material>()?.canonical(), material);
/// assert_eq!(Material::<qirkat_rules::chesquerque::PieceKind>::all(3).len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material<K = chesquerque::PieceKind> {
    /// For each side, the count of each kind, four bits each, the strongest kind highest; above
    /// them the number of pieces.
    sides: [u32; 2],
    kinds: PhantomData<K>,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not the material of a table such as `KRvKB`")]
pub struct MaterialError(String);

/// What a piece of this kind adds to its side's number.
#[inline]
fn unit<K: Kind>(kind: K) -> u32 {
    if kind == K::KING { 0 } else { (1 << (4 * kind.index())) | (1 << 24) }
}

impl<K: Kind> Material<K> {
    pub const KINGS: Material<K> = Material { sides: [0; 2], kinds: PhantomData };

    #[must_use]
    pub fn with(mut self, color: Color, kind: K) -> Material<K> {
        self.sides[color.index()] += unit(kind);
        self
    }

    /// Without one such piece, which that side must have; a king changes nothing.
    #[must_use]
    pub fn without(mut self, color: Color, kind: K) -> Material<K> {
        self.sides[color.index()] -= unit(kind);
        self
    }

    pub fn of<G: ChessBoardGame<Kind = K>>(position: &G) -> Material<K> {
        let position = position.chess();
        let pieces = position.occupied().into_iter().filter_map(|point| position.piece_on(point));
        pieces.fold(Material::KINGS, |all, piece| all.with(piece.color, piece.kind))
    }

    /// The number of pieces, kings included.
    pub fn pieces(self) -> usize {
        2 + self.sides.iter().map(|side| (side >> 24) as usize).sum::<usize>()
    }

    pub fn count(self, color: Color, kind: K) -> usize {
        if kind == K::KING {
            return 1;
        }
        (self.sides[color.index()] >> (4 * kind.index())) as usize & 0xF
    }

    /// A side's pieces besides its king, strongest first.
    pub fn others(self, color: Color) -> impl Iterator<Item = K> {
        strongest_first().flat_map(move |kind| std::iter::repeat_n(kind, self.count(color, kind)))
    }

    pub fn has_pawns(self) -> bool {
        self.sides.iter().any(|side| side & 0xF != 0)
    }

    /// Whether a side has only its king.
    pub fn leaves_one_king_bare(self) -> bool {
        self.sides.contains(&0)
    }

    pub fn is_symmetric(self) -> bool {
        self.sides[0] == self.sides[1]
    }

    #[must_use]
    pub fn flipped(self) -> Material<K> {
        Material { sides: [self.sides[1], self.sides[0]], ..self }
    }

    /// Whether White has more pieces than Black, or as many and at least as strong ones.
    pub fn is_canonical(self) -> bool {
        self.sides[0] >= self.sides[1]
    }

    /// The material with White as the stronger side.
    #[must_use]
    pub fn canonical(self) -> Material<K> {
        if self.is_canonical() { self } else { self.flipped() }
    }

    /// The materials of all tables with this many pieces, in solving order: fewer pawns first,
    /// since pawns promote.
    pub fn all(pieces: usize) -> Vec<Material<K>> {
        let mut all = vec![Material::KINGS];
        for _ in 2..pieces {
            let mut more: Vec<Material<K>> = all
                .iter()
                .flat_map(|material| {
                    Color::ALL.into_iter().flat_map(move |color| {
                        strongest_first().map(move |kind| material.with(color, kind).canonical())
                    })
                })
                .collect();
            more.sort_unstable();
            more.dedup();
            all = more;
        }
        all.retain(|material| material.pieces() > 2);
        all
    }

    /// The number of both sides' pawns.
    pub fn pawns(self) -> usize {
        Color::ALL.into_iter().map(|color| self.count(color, K::PAWN)).sum()
    }

    /// The tables that a capture, a promotion or both lead to: canonical, and without the two bare
    /// kings (KvK), which have no table.
    pub fn children(self) -> Vec<Material<K>> {
        let mut children: Vec<Material<K>> = Vec::new();
        for color in Color::ALL {
            let mut changed = vec![self];
            if self.count(color, K::PAWN) > 0 {
                let without = self.without(color, K::PAWN);
                changed.extend(K::PROMOTIONS.iter().map(|&kind| without.with(color, kind)));
            }
            for material in changed {
                children.push(material);
                let captured = strongest_first().filter(|&kind| material.count(!color, kind) > 0);
                children.extend(captured.map(|kind| material.without(!color, kind)));
            }
        }
        let mut children: Vec<Material<K>> =
            children.into_iter().map(Material::canonical).collect();
        children.retain(|child| *child != self.canonical() && child.pieces() > 2);
        children.sort_unstable();
        children.dedup();
        children
    }
}

/// Solving order, each table after those that its captures and promotions lead to: by number of
/// pieces, then of pawns, then strongest first.
impl<K: Kind> Ord for Material<K> {
    fn cmp(&self, other: &Material<K>) -> Ordering {
        let key = |it: &Material<K>| (it.pieces(), it.pawns(), Reverse(it.sides));
        key(self).cmp(&key(other))
    }
}

impl<K: Kind> PartialOrd for Material<K> {
    fn partial_cmp(&self, other: &Material<K>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Kind> fmt::Display for Material<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |color| -> String {
            std::iter::once(K::KING)
                .chain(self.others(color))
                .map(|kind| kind.letter().to_ascii_uppercase())
                .collect()
        };
        f.pad(&format!("{}v{}", side(Color::White), side(Color::Black)))
    }
}

impl<K: Kind> FromStr for Material<K> {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material<K>, MaterialError> {
        let error = || MaterialError(text.chars().take(20).collect());
        let (white, black) = text.split_once(['v', 'V']).ok_or_else(error)?;
        let mut material = Material::KINGS;
        for (color, side) in Color::ALL.into_iter().zip([white, black]) {
            let pieces = side.strip_prefix(['K', 'k']).ok_or_else(error)?;
            if pieces.len() > MAX_OTHERS {
                return Err(error());
            }
            for letter in pieces.chars() {
                let kind =
                    K::from_letter(letter).filter(|&kind| kind != K::KING).ok_or_else(error)?;
                material = material.with(color, kind);
            }
        }
        if material.pieces() > MAX_TABLE_PIECES { Err(error()) } else { Ok(material) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed<G: ChessBoardGame> {
    pub color: Color,
    pub kind: G::Kind,
    pub point: G::Square,
}

impl<G: ChessBoardGame> Placed<G> {
    #[inline]
    pub fn attacks(self, occupied: G::Bitboard) -> G::Bitboard {
        G::attacks(self.color, self.kind, self.point, occupied)
    }
}

/// A few pieces on points: White's king first, then Black's.
#[derive(Clone, Debug)]
pub struct Placement<G: ChessBoardGame> {
    pub pieces: ArrayVec<Placed<G>, MAX_TABLE_PIECES>,
    pub occupied: G::Bitboard,
}

impl<G: ChessBoardGame> Placement<G> {
    /// The pieces of a position; none if there are too many.
    pub fn of(position: &G) -> Option<Placement<G>> {
        if position.chess().occupied().len() as usize > MAX_TABLE_PIECES {
            return None;
        }
        let [white, black] = Color::ALL.map(|color| position.chess().king(color));
        let mut placement: Placement<G> = Placement::kings(white, black);
        for point in position.chess().occupied() & !placement.occupied {
            if let Some(Piece { color, kind }) = position.chess().piece_on(point) {
                placement.add(Placed { color, kind, point });
            }
        }
        Some(placement)
    }

    #[inline]
    pub fn kings(white: G::Square, black: G::Square) -> Placement<G> {
        let king = |color, point| Placed { color, kind: G::Kind::KING, point };
        let mut placement = Placement { pieces: ArrayVec::new(), occupied: G::Bitboard::EMPTY };
        placement.add(king(Color::White, white));
        placement.add(king(Color::Black, black));
        placement
    }

    #[inline]
    pub fn add(&mut self, piece: Placed<G>) {
        self.pieces.push(piece);
        self.occupied |= G::Bitboard::of(piece.point);
    }

    pub fn material(&self) -> Material<G::Kind> {
        self.pieces[2..]
            .iter()
            .fold(Material::KINGS, |material, piece| material.with(piece.color, piece.kind))
    }

    pub fn flipped(&self) -> Placement<G> {
        let [white, black] = Color::ALL.map(|color| G::Geometry::flipped(self.king(!color)));
        let mut flipped = Placement::kings(white, black);
        for piece in &self.pieces[2..] {
            let point = G::Geometry::flipped(piece.point);
            flipped.add(Placed { color: !piece.color, point, ..*piece });
        }
        flipped
    }

    #[inline]
    pub fn king(&self, color: Color) -> G::Square {
        self.pieces[color.index()].point
    }

    pub fn position(&self, side_to_move: Color) -> Option<G> {
        let pieces =
            self.pieces.iter().map(|it| (Piece { color: it.color, kind: it.kind }, it.point));
        G::from_pieces(pieces, side_to_move)
    }
}
