//! Kinds of pieces and their letters.

use crate::piece_kinds;

piece_kinds! {
    /// A kind of piece, least valuable first: the order in which an exchange uses them
    /// ("least valuable attacker").
    PieceKind: "pnbrqk",
    promotions [Queen, Rook, Bishop, Knight],
    /// Steps forward along the cants; captures one step diagonally forward.
    Pawn 'p' 'P' "pawn",
    /// Leaps: a step along a rank or cant, then a diagonal step outward.
    Knight 'n' 'N' "knight",
    /// Slides along diagonals, steps along ranks and cants.
    Bishop 'b' 'B' "bishop",
    /// Slides along ranks and cants.
    Rook 'r' 'R' "rook",
    /// Slides along every line.
    Queen 'q' 'Q' "queen",
    /// One step along any line; castles.
    King 'k' 'K' "king",
}
