//! The notes of a thread about the moves at the root while it searches them, and
//! its reports of them.

use super::path::is_drawn_by_rule;
use super::search_report::{SearchLine, first_legal_move};
use super::tt_entry::Bound;
use super::window::Window;
use super::worker::{MoveOf, Worker};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, GameState, Outcome, Searchable, Terminal};

impl<E: Evaluate> Worker<'_, E> {
    /// Notes the result of a search of a root move.
    pub fn note_root_move(
        &mut self,
        mv: MoveOf<E>,
        score: Score,
        window: Window,
        is_first: bool,
        nodes_before: u64,
    ) {
        if is_first || score > window.alpha {
            self.path.principal.extend(Ply::ROOT, mv);
        }
        let nodes = self.counters.nodes - nodes_before;
        let line = self.path.principal.root_line();
        let Some(root_move) = self.root.moves.of(mv) else { return };
        root_move.nodes += nodes;
        if !root_move.is_proved && (is_first || score > window.alpha) {
            root_move.score = score;
            root_move.bound = window.bound_of(score);
            root_move.line.clear();
            root_move.line.extend_from_slice(line);
        }
    }

    /// The line of the root move at `rank`, ready to be reported.
    pub fn line(&self, rank: usize, depth: Depth) -> SearchLine<E::Game> {
        let root_move = self.root.moves.at(rank);
        let (nodes, time) = self.counters.progress();
        let mut moves = root_move.line.clone();
        let score = root_move.score;
        let mut bound = root_move.bound;
        let mut is_drawn = false;
        if bound == Bound::Exact {
            bound = bound_by_line(self.task.game, score, &moves);
        }
        if score == Score::DRAW {
            let end = end_of(self.task.game, &moves);
            let ends_drawn = matches!(end.outcome(), Some(Outcome::Draw(_)));
            let end = end.position();
            is_drawn = bound == Bound::Exact && (ends_drawn || self.is_tablebase_draw(end));
            // Match tools take a score of zero with a line of one move to mean
            // that the move ends the game in a draw. Where it does not, any
            // reply is added.
            if moves.len() == 1
                && !ends_drawn
                && let Some(reply) = first_legal_move(end)
            {
                moves.push(reply);
            }
        }
        SearchLine {
            depth,
            selective_depth: self.counters.selective_depth.max(Ply::ROOT.next()),
            rank: rank + 1,
            score,
            bound,
            nodes,
            time,
            hashfull: self.task.tt.hashfull(),
            tablebase_hits: self.task.control.tablebase_hits(),
            moves,
            is_drawn,
        }
    }
}

/// The game at the end of a line, where the rules alone say whether it is drawn: that the search
/// takes one repetition for a draw is a guess of what comes.
fn end_of<G: Searchable>(game: &GameState<G>, line: &[G::Move]) -> GameState<G> {
    let mut end = game.clone();
    line.iter().for_each(|&mv| end.play(mv));
    end
}

/// How the score of a line is to be understood: a mate is exact only if the line ends in it.
pub(super) fn bound_by_line<G: Searchable>(
    game: &GameState<G>,
    score: Score,
    line: &[G::Move],
) -> Bound {
    if !score.is_mate() || is_whole_mate(game, score, line) {
        Bound::Exact
    } else if score.is_win() {
        Bound::Lower
    } else {
        Bound::Upper
    }
}

/// Whether a line ends with the mate that its score tells of, and the search takes no position on
/// the way for a draw.
fn is_whole_mate<G: Searchable>(game: &GameState<G>, score: Score, line: &[G::Move]) -> bool {
    let (mut end, mut ply) = (game.clone(), Ply::ROOT);
    let is_drawn = line.iter().any(|&mv| {
        end.play(mv);
        ply = ply.next();
        is_drawn_by_rule(end.position(), end.history(), ply)
    });
    score.plies_to_mate().is_some_and(|plies| usize::from(plies.unsigned_abs()) == line.len())
        && !is_drawn
        && end.position().without_moves() == Terminal::Lost
        && !end.position().has_legal_moves()
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::chesquerque::Game;

    #[test]
    fn a_mate_is_whole_when_its_line_ends_in_it() {
        let start = "k8/9/K8/9/9/9/9/8R/9 w - - 0 1";
        for (fen, line, plies, is_whole) in [
            (start, "i2i9", 1, true),
            (start, "i2i9", 3, false),
            (start, "i2h2", 1, false),
            (start, "i2h2 a9b9", 2, false),
            (start, "i2h2 a9b9 h2h9", 3, true),
            (start, "i2h2 a9b9 h2h8", 3, false),
            (&start.replace("0 1", "99 60"), "i2i9", 1, true),
            (&start.replace("0 1", "98 60"), "i2h2 a9b9 h2h9", 3, false),
        ] {
            let game = Game::from_position(fen.parse().expect("a FEN"));
            let line: Vec<_> = line.split(' ').map(|mv| mv.parse().expect("a move")).collect();
            assert_eq!(
                is_whole_mate(&game, Score::mating_at(Ply(plies)), &line),
                is_whole,
                "{fen}"
            );
        }
    }
}
