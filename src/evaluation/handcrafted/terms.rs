//! The terms of the hand-crafted evaluation and their features. Each [`Feature`] has a
//! [`Tapered`] value in `values.rs`. The search sums values, the tuner keeps the counts
//! (an evaluation trace).

use super::tapered::Tapered;
use crate::values;

/// Terms of the evaluation, as `eval` shows them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Term {
    /// The right to move.
    Tempo,
    /// Material.
    Material,
    /// Piece-square values.
    Placement,
    /// How many points the pieces attack.
    Mobility,
    /// Pawn structure.
    Pawns,
    /// Passed pawns.
    PassedPawns,
    /// Enemy pieces under attack.
    Threats,
    /// King safety: attacks on the own king.
    KingDanger,
}

impl Term {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// All terms, in the order in which they are shown.
    pub const ALL: [Term; Self::COUNT] = [
        Term::Tempo,
        Term::Material,
        Term::Placement,
        Term::Mobility,
        Term::Pawns,
        Term::PassedPawns,
        Term::Threats,
        Term::KingDanger,
    ];

    /// The name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Tempo => "Tempo",
            Term::Material => "Material",
            Term::Placement => "Placement",
            Term::Mobility => "Mobility",
            Term::Pawns => "Pawns",
            Term::PassedPawns => "Passed pawns",
            Term::Threats => "Threats",
            Term::KingDanger => "King danger",
        }
    }
}

macro_rules! blocks {
    ($($block:ident = $values:ident of $term:ident,)*) => {
        /// Features that belong together, named as in `values.rs`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(super) enum Block {
            $($block,)*
        }

        const TERMS: &[Term] = &[$(Term::$term,)*];
        const TABLES: &[&[Tapered]] = &[$(&values::$values,)*];
    };
}

// In the order of `values.rs`, which the tuner writes anew.
blocks! {
    Tempo = TEMPO of Tempo,
    Material = MATERIAL of Material,
    OnRank = ON_RANK of Placement,
    OnFile = ON_FILE of Placement,
    OnDiagonalPoint = ON_DIAGONAL_POINT of Placement,
    Mobility = MOBILITY of Mobility,
    FirstMobility = FIRST_MOBILITY of Mobility,
    BishopPair = BISHOP_PAIR of Material,
    RookFile = ROOK_FILE of Mobility,
    SupportedPawn = SUPPORTED_PAWN of Pawns,
    Phalanx = PHALANX of Pawns,
    IsolatedPawn = ISOLATED_PAWN of Pawns,
    DoubledPawn = DOUBLED_PAWN of Pawns,
    Passed = PASSED of PassedPawns,
    PassedSupported = PASSED_SUPPORTED of PassedPawns,
    PassedBlocked = PASSED_BLOCKED of PassedPawns,
    PassedSafe = PASSED_SAFE of PassedPawns,
    PassedOwnKing = PASSED_OWN_KING of PassedPawns,
    PassedEnemyKing = PASSED_ENEMY_KING of PassedPawns,
    Threat = THREAT of Threats,
    Hanging = HANGING of Threats,
    DangerBase = DANGER_BASE of KingDanger,
    KingRingAttacker = KING_RING_ATTACKER of KingDanger,
    KingRingAttack = KING_RING_ATTACK of KingDanger,
    WeakKingRing = WEAK_KING_RING of KingDanger,
    SafeCheck = SAFE_CHECK of KingDanger,
    KingEscape = KING_ESCAPE of KingDanger,
    ShelterPawn = SHELTER_PAWN of KingDanger,
    StormPawn = STORM_PAWN of KingDanger,
    OpenKingFile = OPEN_KING_FILE of KingDanger,
}

/// A feature of a position that is counted. It has a place in `values.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature(usize);

/// Where each block begins, and at last how many features there are.
const OFFSETS: [usize; TABLES.len() + 1] = {
    let mut offsets = [0; TABLES.len() + 1];
    let mut block = 0;
    while block < TABLES.len() {
        offsets[block + 1] = offsets[block] + TABLES[block].len();
        block += 1;
    }
    offsets
};

impl Block {
    /// The feature at this place of the block.
    #[inline]
    pub const fn at(self, index: usize) -> Feature {
        Feature(OFFSETS[self as usize] + index)
    }
}

impl Feature {
    /// How many there are.
    pub const COUNT: usize = OFFSETS[TABLES.len()];

    /// All features, in the order of `values.rs`.
    pub fn all() -> impl Iterator<Item = Feature> {
        (0..Self::COUNT).map(Feature)
    }

    /// The feature's place in tables of [`Feature::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0
    }

    /// Its value.
    #[inline]
    pub const fn value(self) -> Tapered {
        VALUES[self.0]
    }

    /// The term it belongs to.
    pub fn term(self) -> Term {
        TERMS[OFFSETS.partition_point(|&offset| offset <= self.0) - 1]
    }
}

/// All values, block after block.
const VALUES: [Tapered; Feature::COUNT] = {
    let mut values = [Tapered::ZERO; Feature::COUNT];
    let mut block = 0;
    while block < TABLES.len() {
        let mut index = 0;
        while index < TABLES[block].len() {
            values[OFFSETS[block] + index] = TABLES[block][index];
            index += 1;
        }
        block += 1;
    }
    values
};
