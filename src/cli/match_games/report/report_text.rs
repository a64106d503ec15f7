//! The report of a match as text.

use super::match_report::Report;
use super::pair_statistics::{estimate, llr, state};
use super::standings_table::StandingsTable;
use qirkat_arena::statistics::{Sprt, SprtState};
use qirkat_arena::{HeadToHead, Schedule};
use qirkat_game::text::push;

impl Report {
    /// The report as text.
    pub fn text(&self, cross_table: bool) -> String {
        let standings = self.standings();
        let mut text = String::new();
        let rule = "-".repeat(64);
        push(&mut text, format_args!("{rule}\n"));
        let names: Vec<&str> = self.players.iter().map(|player| player.name.as_str()).collect();
        let table = StandingsTable::new(&names, &standings);
        if self.players.len() > 2 {
            push(&mut text, format_args!("{}\n", table.list()));
        }
        if cross_table {
            push(&mut text, format_args!("{}\n", table.cross_table()));
        }
        let sprt = self.sprt.and_then(|sprt| sprt.test().ok());
        for (first, second) in self.schedule.meetings() {
            let total = standings.head_to_head(first, Some(second));
            self.push_meeting(first, second, &total, &mut text);
            if let Some(sprt) = &sprt {
                push_sprt(sprt, &self.schedule, &total, &mut text);
            }
        }
        for faults in self.faults.iter().filter(|faults| faults.any()) {
            push(&mut text, format_args!("{faults}\n"));
        }
        text.push_str(&rule);
        text
    }

    fn push_meeting(&self, first: usize, second: usize, total: &HeadToHead, text: &mut String) {
        let [one, other] = [first, second].map(|player| &self.players[player]);
        let control = if one.time_control == other.time_control {
            one.time_control.clone()
        } else {
            format!("{} against {}", one.time_control, other.time_control)
        };
        push(text, format_args!("Results of {} vs {} ({control}):\n", one.name, other.name));
        let games = total.games;
        if let Some(estimate) = estimate(&self.schedule, total) {
            push(text, format_args!("Elo: {:.2}, nElo: {:.2}\n", estimate.elo, estimate.nelo));
            let pairs = estimate.pairs_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            push(
                text,
                format_args!(
                    "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {pairs}\n",
                    100.0 * estimate.los,
                    100.0 * estimate.draw_ratio
                ),
            );
        }
        let count = games.games();
        push(
            text,
            format_args!(
                "Games: {count}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)\n",
                games.wins,
                games.losses,
                games.draws,
                games.points(),
                100.0 * games.points() / count.max(1) as f64
            ),
        );
        for (color, games) in [("White", total.with_white), ("Black", total.with_black)] {
            push(
                text,
                format_args!(
                    "  with {color}: Wins: {}, Losses: {}, Draws: {}\n",
                    games.wins, games.losses, games.draws
                ),
            );
        }
        if self.schedule.is_paired() {
            push(text, format_args!("Ptnml(0-2): {:?}\n", total.pairs.0));
        }
    }
}

fn push_sprt(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead, text: &mut String) {
    let llr = llr(sprt, schedule, total);
    let (lower, upper) = sprt.bounds();
    let share = if llr < 0.0 { llr / lower } else { llr / upper };
    push(
        text,
        format_args!(
            "LLR: {llr:.2} ({:.1} %) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]\n",
            100.0 * share,
            sprt.elo0(),
            sprt.elo1()
        ),
    );
    match state(sprt, schedule, total) {
        SprtState::Continue => {}
        SprtState::AcceptH0 => text.push_str("SPRT: H0 was accepted\n"),
        SprtState::AcceptH1 => text.push_str("SPRT: H1 was accepted\n"),
    }
}
