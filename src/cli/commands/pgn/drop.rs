//! What commands of `qirkat pgn` leave out of the games that they write.

use std::borrow::Cow;

use clap::Args;

use qirkat_rules::pgn::{PgnGame, PgnMove, command_value, split_comment};

#[derive(Args)]
pub(crate) struct DropOptions {
    /// Leave out comments (not commands within, as [%eval ...]), clocks ([%clk ...] and
    /// the like), variations or nags ($1, !?); several with commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = PARTS, hide_possible_values = true)]
    drop: Vec<String>,
}

const PARTS: [&str; 4] = ["comments", "clocks", "variations", "nags"];

/// A side's clock, the time used for a move, that used in the game, and a mechanical clock.
const CLOCKS: [&str; 4] = ["clk", "emt", "egt", "mct"];

impl DropOptions {
    pub fn applied_to<'a>(&self, game: &'a PgnGame) -> Cow<'a, PgnGame> {
        let mut game = Cow::Borrowed(game);
        if !self.drop.is_empty() {
            let game = game.to_mut();
            self.shorten(&mut game.opening_comment);
            self.apply_to_line(&mut game.moves);
        }
        game
    }

    fn has(&self, part: &str) -> bool {
        self.drop.iter().any(|dropped| dropped == part)
    }

    fn apply_to_line(&self, moves: &mut [PgnMove]) {
        for played in moves {
            self.shorten(&mut played.starting_comment);
            self.shorten(&mut played.comment);
            if self.has("nags") {
                played.nags.clear();
            }
            if self.has("variations") {
                played.variations.clear();
            }
            played.variations.iter_mut().for_each(|line| self.apply_to_line(line));
        }
    }

    fn shorten(&self, comment: &mut Option<String>) {
        let Some(text) = comment else { return };
        let (mut commands, mut words) = split_comment(text);
        let before = (commands.len(), words.len());
        if self.has("clocks") {
            let is_clock = |it: &&str| CLOCKS.iter().any(|name| command_value(it, name).is_some());
            commands.retain(|command| !is_clock(command));
        }
        if self.has("comments") {
            words.clear();
        }
        if (commands.len(), words.len()) != before {
            commands.extend(Some(words.as_str()).filter(|words| !words.is_empty()));
            *comment = Some(commands.join(" ")).filter(|text| !text.is_empty());
        }
    }
}
