//! Zobrist keys of positions: pieces, side to move, castling rights and
//! en-passant possibility (A. Zobrist, "A New Hashing Method with Application
//! for Game Playing", 1970).

use super::cell::{Cell, PerCell};
use super::en_passant::EnPassant;
use super::piece::PieceKind;
use crate::chess::CastlingRights;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Key};

struct Keys {
    pieces: [[PerCell<u64>; PieceKind::COUNT]; 2],
    castling: [u64; CastlingRights::COUNT],
    /// By the file passed over and the way the pawn went.
    en_passant: [[u64; 2]; Cell::FILES as usize],
    black_to_move: u64,
}

static KEYS: Keys = {
    let mut state = 0x6D61_736F_6E69_6331;
    let mut keys = Keys {
        pieces: [[PerCell([0; Cell::COUNT]); PieceKind::COUNT]; 2],
        castling: [0; CastlingRights::COUNT],
        en_passant: [[0; 2]; Cell::FILES as usize],
        black_to_move: splitmix64(&mut state),
    };
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < PieceKind::COUNT {
            let mut cell = 0;
            while cell < Cell::COUNT {
                keys.pieces[color][kind].0[cell] = splitmix64(&mut state);
                cell += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    let mut index = 1;
    while index < CastlingRights::COUNT {
        keys.castling[index] = splitmix64(&mut state);
        index += 1;
    }
    let mut file = 0;
    while file < Cell::FILES as usize {
        keys.en_passant[file] = [splitmix64(&mut state), splitmix64(&mut state)];
        file += 1;
    }
    keys
};

#[inline]
pub(super) fn piece(color: Color, kind: PieceKind, cell: Cell) -> Key {
    Key(KEYS.pieces[color.index()][kind.index()][cell])
}

#[inline]
pub(super) fn castling(rights: CastlingRights) -> Key {
    Key(KEYS.castling[rights.index()])
}

/// The key of an en-passant possibility. Of the two pawns that can have passed
/// over a cell one stands on the same file, the other does not.
#[inline]
pub(super) fn en_passant(target: EnPassant) -> Key {
    let same_file = target.passed.file() == target.pawn.file();
    Key(KEYS.en_passant[target.passed.file() as usize][usize::from(same_file)])
}

#[inline]
pub(super) fn black_to_move() -> Key {
    Key(KEYS.black_to_move)
}
