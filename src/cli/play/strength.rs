//! The engine's playing strength.

use crate::engine::{FULL_SKILL, Settings};

/// How well the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strength {
    /// A level, as `Skill Level` in UCI.
    Level(u32),
    /// A rating, as `UCI_Elo`.
    Elo(u32),
}

impl Strength {
    /// As well as it can.
    pub const FULL: Strength = Strength::Level(FULL_SKILL);

    /// The engine's name with its strength.
    pub fn name(self) -> String {
        match self {
            Strength::FULL => "Qirkat".to_owned(),
            Strength::Level(level) => format!("Qirkat (level {level})"),
            Strength::Elo(elo) => format!("Qirkat ({elo})"),
        }
    }

    /// Makes the engine play so.
    pub fn apply(self, settings: &mut Settings) {
        match self {
            Strength::Level(level) => {
                settings.limit_strength = false;
                settings.skill_level = level;
            }
            Strength::Elo(elo) => {
                settings.limit_strength = true;
                settings.elo = elo;
            }
        }
    }
}
