//! Kinds of pieces and their letters.

use crate::piece_kinds;

piece_kinds! {
    /// A kind of piece, least valuable first: the order in which an exchange uses them
    /// ("least valuable attacker").
    ///
    /// ```
    /// use qirkat_rules::chesquerque::PieceKind;
    ///
    /// let kind: PieceKind = "a".parse()?;
    /// assert_eq!(kind, PieceKind::Archbishop);
    /// assert_eq!(kind.name(), "archbishop");
    /// assert!(PieceKind::Rook < kind && kind < PieceKind::Queen);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    PieceKind: "pnbraqk",
    promotions [Queen, Archbishop, Rook, Bishop, Knight],
    /// Straight steps; captures straight ahead from plain points,
    /// diagonally from diagonal points.
    Pawn 'p' 'P' "pawn",
    /// Two steps over an empty leg.
    Knight 'n' 'N' "knight",
    /// Slides along diagonals, steps along ranks and files.
    Bishop 'b' 'B' "bishop",
    /// Slides along ranks and files, steps along diagonals.
    Rook 'r' 'R' "rook",
    /// Bishop and knight in one.
    Archbishop 'a' 'A' "archbishop",
    /// Slides along every line.
    Queen 'q' 'Q' "queen",
    /// One step along any line; castles.
    King 'k' 'K' "king",
}
