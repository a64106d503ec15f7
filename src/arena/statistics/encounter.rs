//! Encounters: what two players scored in games that belong together.

/// What two players scored in games that belong together: a pair from one
/// opening, or a single game. Encounters that went alike are counted in one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    /// The first player.
    pub first: usize,
    /// The second player.
    pub second: usize,
    /// How many games belong together.
    pub games: f64,
    /// The first player's points in these games.
    pub points: f64,
    /// How many encounters went so.
    pub count: f64,
}

impl Encounter {
    /// The first player's points in all of them.
    pub(super) fn won(&self) -> f64 {
        self.count * self.points
    }

    /// The second player's points in all of them.
    pub(super) fn lost(&self) -> f64 {
        self.count * (self.games - self.points)
    }
}
