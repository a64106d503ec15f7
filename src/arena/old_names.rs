//! Former names, until the makers of training data use the new ones.

use super::finished_game::PlayedMove;
pub use super::search_info::ReportedScore as Judgement;

impl PlayedMove {
    /// The same as [`PlayedMove::score`].
    pub fn judgement(&self) -> Option<Judgement> {
        self.score()
    }
}
