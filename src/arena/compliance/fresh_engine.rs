//! How each check has the engine started anew.

use super::examinee::Examinee;
use super::examiner::Examiner;
use super::finding::Outcome;

impl Examiner<'_> {
    /// The engine, started anew and ready to play this game.
    pub(super) fn engine(&self) -> Outcome<Examinee<'_>> {
        let mut engine = self.greeted()?;
        engine.choose_variant()?;
        engine.ready(self.patience.set_up())?;
        Ok(engine)
    }

    /// The engine, started anew, which has answered `uci`.
    pub(super) fn greeted(&self) -> Outcome<Examinee<'_>> {
        let mut engine = Examinee::start(self)?;
        engine.greet()?;
        *self.name.borrow_mut() = engine.greeting.names.first().cloned();
        Ok(engine)
    }
}
