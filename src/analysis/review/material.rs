//! Material: the pieces on a board, counted by kind, for any game.

use qirkat_game::Color;
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_rules::{alquerque, chesquerque, masonic};

/// The most kinds of pieces that any game has.
const KINDS: usize = chesquerque::PieceKind::COUNT;

/// The pieces of both sides by kind, the cheapest kind first. Kings stay in any game
/// that has them, so they cancel out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Material {
    variant: Variant,
    counts: [[i32; KINDS]; 2],
}

impl Material {
    pub fn of(position: &AnyPosition) -> Material {
        let mut counts = [[0; KINDS]; 2];
        for color in Color::ALL {
            let own = &mut counts[color.index()];
            match position {
                AnyPosition::Chesquerque(position) => {
                    for kind in chesquerque::PieceKind::ALL {
                        own[kind.index()] = position.of(color, kind).len() as i32;
                    }
                }
                AnyPosition::Masonic(position) => {
                    for kind in masonic::PieceKind::ALL {
                        own[kind.index()] = position.of(color, kind).len() as i32;
                    }
                }
                AnyPosition::Alquerque(position) => own[0] = position.men(color).len() as i32,
            }
        }
        Material { variant: position.variant(), counts }
    }

    /// A side's material less the other's, in centipawns.
    pub fn balance(&self, color: Color) -> i32 {
        self.worth(color) - self.worth(!color)
    }

    /// The worth of a side's pieces but its king, in centipawns.
    pub fn worth(&self, color: Color) -> i32 {
        (0..KINDS).map(|kind| self.counts[color.index()][kind] * value(self.variant, kind)).sum()
    }

    /// The same without pawns, where there are others.
    pub fn worth_of_pieces(&self) -> i32 {
        let all: i32 = Color::ALL.into_iter().map(|color| self.worth(color)).sum();
        let pawns: i32 = self.counts.iter().map(|own| own[0]).sum();
        match self.variant {
            Variant::Alquerque => all,
            _ => all - pawns * value(self.variant, 0),
        }
    }

    /// The change since an earlier count, from the view of a side.
    pub fn change_since(&self, before: &Material, side: Color) -> MaterialChange {
        let mut change = MaterialChange { variant: self.variant, ..MaterialChange::default() };
        // Lost pieces, or gained ones if negative.
        let lost = |color: Color, kind: usize| {
            before.counts[color.index()][kind] - self.counts[color.index()][kind]
        };
        let promotions =
            |color| (1..KINDS).map(|kind| -lost(color, kind)).filter(|&gained| gained > 0).sum();
        let (own_promotions, other_promotions): (i32, i32) = (promotions(side), promotions(!side));
        change.promoted_to = (1..KINDS).rev().find(|&kind| lost(side, kind) < 0);
        for kind in 0..KINDS {
            let (mut own, mut other) = (lost(side, kind), lost(!side, kind));
            if kind == 0 {
                // A pawn that has become a piece was not taken.
                own -= own_promotions;
                other -= other_promotions;
            }
            // What both have lost is an exchange and not worth a word.
            let (own, other) = (own.max(0), other.max(0));
            let exchanged = own.min(other);
            change.taken[kind] = other - exchanged;
            change.given[kind] = own - exchanged;
        }
        change
    }
}

/// The least gain by an exchange that is called by its pieces, in centipawns.
const SURE_GAIN: i32 = 350;

/// The pieces that a side has taken and given, exchanges of equal pieces left out.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct MaterialChange {
    variant: Variant,
    taken: [i32; KINDS],
    given: [i32; KINDS],
    promoted_to: Option<usize>,
}

impl MaterialChange {
    /// The winnings, as in `a queen for a rook`. Nothing if nothing was taken, or if what was
    /// given for it is so near in worth, or of so many kinds, that another order of moves
    /// may make it something else.
    pub fn winnings(&self) -> Option<String> {
        let taken = self.list(&self.taken)?;
        let Some(given) = self.list(&self.given) else { return Some(taken) };
        let worth = |counts: &[i32; KINDS]| -> i32 {
            (0..KINDS).map(|kind| counts[kind] * value(self.variant, kind)).sum()
        };
        let kinds = self.taken.iter().chain(&self.given).filter(|&&count| count > 0).count();
        let is_sure = kinds == 2 && worth(&self.taken) - worth(&self.given) >= SURE_GAIN;
        is_sure.then(|| format!("{taken} for {given}"))
    }

    /// Whether it can be told in words.
    pub fn has_name(&self) -> bool {
        self.promotion().is_some() || self.winnings().is_some()
    }

    /// The kind that a pawn has become.
    pub fn promotion(&self) -> Option<&'static str> {
        self.promoted_to.map(|kind| kind_name(self.variant, kind))
    }

    /// The dearest first, as in `a queen and two pawns`.
    fn list(&self, counts: &[i32; KINDS]) -> Option<String> {
        let texts: Vec<String> = (0..KINDS)
            .rev()
            .filter(|&kind| counts[kind] > 0)
            .map(|kind| counted(counts[kind], kind_name(self.variant, kind)))
            .collect();
        let (last, others) = texts.split_last()?;
        Some(if others.is_empty() {
            last.clone()
        } else {
            format!("{} and {last}", others.join(", "))
        })
    }
}

/// A number of pieces in words, as in `a knight` and `two men`.
pub(super) fn counted(number: i32, name: &str) -> String {
    const WORDS: [&str; 5] = ["two", "three", "four", "five", "six"];
    if number == 1 {
        let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        return format!("{article} {name}");
    }
    let several = if name == MAN { MEN.to_owned() } else { format!("{name}s") };
    match usize::try_from(number - 2).ok().and_then(|at| WORDS.get(at)) {
        Some(word) => format!("{word} {several}"),
        None => format!("{number} {several}"),
    }
}

const MAN: &str = "man";
const MEN: &str = "men";

pub(super) fn kind_name(variant: Variant, kind: usize) -> &'static str {
    match variant {
        Variant::Chesquerque => {
            chesquerque::PieceKind::ALL.get(kind).map_or("", |kind| kind.name())
        }
        Variant::Masonic => masonic::PieceKind::ALL.get(kind).map_or("", |kind| kind.name()),
        Variant::Alquerque => MAN,
    }
}

/// The value of a piece of a kind in exchanges; of a king nothing, since it is never
/// exchanged.
pub(super) fn value(variant: Variant, kind: usize) -> i32 {
    let values: &[i32] = match variant {
        Variant::Chesquerque => &chesquerque::PIECE_VALUES,
        Variant::Masonic => &masonic::PIECE_VALUES,
        Variant::Alquerque => &[alquerque::MAN_VALUE],
    };
    let is_king = variant != Variant::Alquerque && kind + 1 == values.len();
    if is_king { 0 } else { values.get(kind).copied().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variant: Variant, fen: &str) -> Material {
        Material::of(&variant.read_fen(fen).expect(fen).position)
    }

    #[test]
    fn changes_are_told_in_pieces() {
        let before = "4k4/9/9/2n1p4/9/9/3R1B3/3P5/4K4 w - - 0 1";
        for (after, white, black) in [
            (before, None, None),
            ("4k4/9/9/4p4/9/9/3R1B3/3P5/4K4 w - - 0 1", Some("a knight"), None),
            // A rook for a knight is sure, a knight and a pawn for a bishop is not.
            ("4k4/9/9/4p4/9/9/5B3/3P5/4K4 w - - 0 1", None, Some("a rook for a knight")),
            ("4k4/9/9/2n1p4/9/9/5B3/3P5/4K4 w - - 0 1", None, Some("a rook")),
            ("4k4/9/9/9/9/9/3R5/3P5/4K4 w - - 0 1", None, None),
            ("4k4/9/9/2n1p4/9/9/5B3/9/4K4 w - - 0 1", None, Some("a rook and a pawn")),
            // Pawn for pawn is an exchange.
            ("4k4/9/9/2n6/9/9/5B3/9/4K4 w - - 0 1", None, Some("a rook")),
        ] {
            let (then, now) = (of(Variant::Chesquerque, before), of(Variant::Chesquerque, after));
            assert_eq!(
                now.change_since(&then, Color::White).winnings().as_deref(),
                white,
                "{after}"
            );
            assert_eq!(
                now.change_since(&then, Color::Black).winnings().as_deref(),
                black,
                "{after}"
            );
        }
    }

    #[test]
    fn a_promoted_pawn_was_not_taken() {
        let then = of(Variant::Chesquerque, "4k4/P8/9/9/9/9/9/9/4K4 w - - 0 1");
        let now = of(Variant::Chesquerque, "A3k4/9/9/9/9/9/9/9/4K4 b - - 0 1");
        let change = now.change_since(&then, Color::White);
        assert_eq!(change.promotion(), Some("archbishop"));
        assert_eq!(change.winnings(), None);
        assert_eq!(now.change_since(&then, Color::Black).winnings(), None);
        assert_eq!(counted(1, "archbishop"), "an archbishop");
    }

    #[test]
    fn men_are_counted() {
        let then = of(Variant::Alquerque, "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1");
        let now = of(Variant::Alquerque, "mmmmm/mmm2/mm1MM/MMMMM/MMMM1 w - - 0 1");
        assert_eq!(now.change_since(&then, Color::White).winnings().as_deref(), Some("a man"));
        assert_eq!(now.balance(Color::White), alquerque::MAN_VALUE);
    }
}
