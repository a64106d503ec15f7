//! The engine's playing strength.

use qirkat_engine::{ELO_RANGE, FULL_SKILL, Settings};

/// The engine's name at its full strength, and how it begins otherwise.
const NAME: &str = "Qirkat";

/// How well the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// A level, as `Skill Level` in UCI.
    Level(u32),
    /// A rating, as `UCI_Elo`.
    Elo(u32),
}

impl Strength {
    /// As well as it can.
    pub const FULL: Strength = Strength::Level(FULL_SKILL);

    /// When nobody says more: one that a newcomer can beat.
    pub const USUAL: Strength = Strength::Level(3);

    /// The engine's name with its strength.
    pub fn name(self) -> String {
        match self {
            Strength::FULL => NAME.to_owned(),
            Strength::Level(level) => format!("{NAME} (level {level})"),
            Strength::Elo(elo) => format!("{NAME} ({elo})"),
        }
    }

    /// The strength that a player has by its name, if that is the engine's.
    pub fn of_name(name: &str) -> Option<Strength> {
        let rest = name.strip_prefix(NAME)?.trim();
        let number = |text: &str, (least, most)| {
            text.parse().ok().filter(|number| (least..=most).contains(number))
        };
        let said = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let level = said.and_then(|said| number(said.strip_prefix("level ")?, (0, FULL_SKILL)));
        let elo = said.and_then(|said| number(said, ELO_RANGE));
        Some(level.map(Strength::Level).or(elo.map(Strength::Elo)).unwrap_or(Strength::FULL))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strength_is_known_by_its_name() {
        for strength in [Strength::FULL, Strength::USUAL, Strength::Level(0), Strength::Elo(1500)] {
            assert_eq!(Strength::of_name(&strength.name()), Some(strength));
        }
        for (name, strength) in [
            ("You", None),
            ("", None),
            ("Qirkat 0.1.0", Some(Strength::FULL)),
            ("Qirkat (level 99)", Some(Strength::FULL)),
        ] {
            assert_eq!(Strength::of_name(name), strength, "{name}");
        }
    }
}
