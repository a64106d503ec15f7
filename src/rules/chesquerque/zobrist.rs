//! Zobrist keys of positions: pieces, side to move, castling rights and
//! en-passant possibility (A. Zobrist, "A New Hashing Method with Application
//! for Game Playing", 1970).

use super::piece::PieceKind;
use super::point::{PerPoint, Point};
use crate::chess::CastlingRights;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Key};

struct Keys {
    pieces: [[PerPoint<u64>; PieceKind::COUNT]; 2],
    castling: [u64; CastlingRights::COUNT],
    en_passant: [u64; Point::FILES as usize],
    black_to_move: u64,
}

static KEYS: Keys = {
    let mut state = 0x2545_F491_4F6C_DD1D;
    let mut keys = Keys {
        pieces: [[PerPoint([0; Point::COUNT]); PieceKind::COUNT]; 2],
        castling: [0; CastlingRights::COUNT],
        en_passant: [0; Point::FILES as usize],
        black_to_move: splitmix64(&mut state),
    };
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < PieceKind::COUNT {
            let mut point = 0;
            while point < Point::COUNT {
                keys.pieces[color][kind].0[point] = splitmix64(&mut state);
                point += 1;
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
    while file < Point::FILES as usize {
        keys.en_passant[file] = splitmix64(&mut state);
        file += 1;
    }
    keys
};

#[inline]
pub(super) fn piece(color: Color, kind: PieceKind, point: Point) -> Key {
    Key(KEYS.pieces[color.index()][kind.index()][point])
}

#[inline]
pub(super) fn castling(rights: CastlingRights) -> Key {
    Key(KEYS.castling[rights.index()])
}

/// The key of an en-passant possibility on `point`.
#[inline]
pub(super) fn en_passant(point: Point) -> Key {
    Key(KEYS.en_passant[point.file() as usize])
}

#[inline]
pub(super) fn black_to_move() -> Key {
    Key(KEYS.black_to_move)
}
