//! Building opening books, by search and drop-out expansion: the most relevant end of a line is
//! expanded next, and its score is backed up (T. Lincke, "Strategies for the Automatic Construction
//! of Opening Books", *Computers and Games* 2000).
//!
//! A [`BookTree`] is a directed graph, since moves transpose. It knows no search: it says which
//! positions to score, and gets the scores as lines of text, which are also what is kept on disk.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use qirkat_engine::book::{Book, BookEntry, BookResults, ended_score, score_after, score_before};
use qirkat_game::score::Score;
use qirkat_game::{Key, Rules};
use qirkat_rules::variant::{AnyPosition, Variant};
use thiserror::Error;

/// The cost of a ply, in centipawns: a line whose moves lose this much in all is as relevant as a
/// line of best moves that is a ply longer. So 100,000 positions of Chesquerque cover all sensible
/// lines to six plies.
const PLY_COST: u32 = 15;
/// The most that a move costs: one that allows mate costs as much as any other blunder.
const MAX_LOSS: i32 = 500;

/// The positions reached by expanding some from the start. An expanded position has an edge for
/// each legal move; the others are leaves.
pub struct BookTree {
    variant: Variant,
    nodes: Vec<Node>,
    by_key: HashMap<Key, usize>,
    ended: usize,
}

struct Node {
    position: AnyPosition,
    /// By the search, or by the rules where the game has ended. The start is scored only if a line
    /// returns to it.
    score: Option<Score>,
    has_ended: bool,
    /// The nodes after each legal move; none of a leaf.
    edges: Vec<usize>,
}

/// An end of a line of the tree, to be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf(usize);

/// Why a line cannot be added to a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BookLineError {
    #[error("not a position with a score for each legal move")]
    Malformed,
    #[error("not a position at the end of a line so far")]
    NotALeaf,
}

impl BookTree {
    /// The start of a game, not expanded yet.
    pub fn new(variant: Variant) -> BookTree {
        let (nodes, by_key) = (Vec::new(), HashMap::new());
        let mut tree = BookTree { variant, nodes, by_key, ended: 0 };
        tree.add(variant.start());
        tree
    }

    fn add(&mut self, position: AnyPosition) -> usize {
        let next = self.nodes.len();
        let at = *self.by_key.entry(position.key()).or_insert(next);
        if at == next {
            let score = ended_score(&position);
            let has_ended = score.is_some();
            self.ended += usize::from(has_ended);
            self.nodes.push(Node { position, score, has_ended, edges: Vec::new() });
        }
        at
    }

    /// The number of its positions in which the game goes on.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.ended
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn contains(&self, key: Key) -> bool {
        self.by_key.contains_key(&key)
    }

    pub fn position(&self, leaf: Leaf) -> &AnyPosition {
        &self.nodes[leaf.0].position
    }

    fn score_of(&self, position: &AnyPosition) -> Option<Score> {
        let known = self.by_key.get(&position.key()).and_then(|&at| self.nodes[at].score);
        known.or_else(|| ended_score(position))
    }

    /// The positions to be searched before these leaves are expanded, each once.
    pub fn unscored(&self, leaves: &[Leaf]) -> Vec<AnyPosition> {
        let mut seen = HashSet::new();
        let after = leaves.iter().flat_map(|&leaf| {
            let position = self.position(leaf);
            position.legal_moves().into_iter().map(|mv| position.after(mv))
        });
        after.filter(|it| self.score_of(it).is_none() && seen.insert(it.key())).collect()
    }

    /// The line that expands a leaf: its FEN, and each legal move with its score as in UCI, such as
    /// `; e2e4 cp 35`. None until all of [`BookTree::unscored`] is scored.
    pub fn line(&self, leaf: Leaf, searched: &HashMap<Key, Score>) -> Option<String> {
        let position = self.position(leaf);
        let mut line = position.fen();
        for mv in position.legal_moves() {
            let after = position.after(mv);
            let score = self.score_of(&after).or_else(|| searched.get(&after.key()).copied())?;
            line.push_str(&format!("; {mv} {}", score_before(score)));
        }
        Some(line)
    }

    /// Expands the leaf that a line is about.
    ///
    /// # Errors
    /// If it is no [`BookTree::line`] of a leaf of this tree; the tree is then unchanged.
    pub fn expand(&mut self, line: &str) -> Result<(), BookLineError> {
        let mut parts = line.split("; ");
        let read = self.variant.read_fen(parts.next().unwrap_or_default());
        let position = read.map_err(|_| BookLineError::Malformed)?.position;
        let moves = position.legal_moves();
        let scored = moves.iter().map(|mv| {
            let (text, score) = parts.next()?.split_once(' ')?;
            (text == mv.to_string()).then(|| score.parse::<Score>().ok())?
        });
        let scores: Option<Vec<Score>> = scored.collect();
        let scores = scores.filter(|_| parts.next().is_none()).ok_or(BookLineError::Malformed)?;
        let at = *self.by_key.get(&position.key()).ok_or(BookLineError::NotALeaf)?;
        if !self.nodes[at].is_leaf() {
            return Err(BookLineError::NotALeaf);
        }
        for (mv, score) in moves.into_iter().zip(scores) {
            let after = self.add(position.after(mv));
            self.nodes[after].score.get_or_insert(score_after(score));
            self.nodes[at].edges.push(after);
        }
        Ok(())
    }

    /// The scores of all nodes for the side to move, backed up from the leaves: that of an expanded
    /// node is the best of its moves' scores. A side that can do no better than repeat positions draws.
    ///
    /// Each expanded node begins as a draw, and each sweep looks at least a ply further. What can be
    /// forced takes fewer plies than there are nodes, so the sweeps end.
    fn backed_up(&self) -> Vec<Score> {
        let first = |node: &Node| node.score.filter(|_| node.edges.is_empty()).unwrap_or_default();
        let mut scores: Vec<Score> = self.nodes.iter().map(first).collect();
        for _ in &self.nodes {
            let mut is_changed = false;
            // Most edges lead to a later node.
            for (at, node) in self.nodes.iter().enumerate().rev() {
                let edges = node.edges.iter().map(|&after| score_before(scores[after]));
                let best = edges.max().unwrap_or(scores[at]);
                is_changed |= best != scores[at];
                scores[at] = best;
            }
            if !is_changed {
                break;
            }
        }
        scores
    }

    /// The leaves to be expanded next, at most this many, the most relevant first: those with the
    /// least sum of plies and of what their moves lose against the best.
    pub fn next_leaves(&self, most: usize) -> Vec<Leaf> {
        let scores = self.backed_up();
        let mut costs = vec![u32::MAX; self.nodes.len()];
        let (mut open, mut leaves) = (BinaryHeap::from([Reverse((0, 0))]), Vec::new());
        costs[0] = 0;
        while leaves.len() < most
            && let Some(Reverse((cost, at))) = open.pop()
        {
            let node = &self.nodes[at];
            if cost > costs[at] {
                continue;
            }
            if node.is_leaf() {
                leaves.push(Leaf(at));
            }
            for &after in &node.edges {
                let loss = (scores[at] - score_before(scores[after])).min(MAX_LOSS);
                let cost = cost.saturating_add(PLY_COST + loss as u32);
                if cost < costs[after] {
                    costs[after] = cost;
                    open.push(Reverse((cost, after)));
                }
            }
        }
        leaves
    }

    /// The book of its positions, with the results of games.
    pub fn book(&self, origin: String, results: &HashMap<Key, BookResults>) -> Book {
        let scored = self.nodes.iter().zip(self.backed_up()).filter(|(node, _)| !node.has_ended);
        let entries = scored.map(|(node, score)| {
            let key = node.position.key();
            let results = results.get(&key).copied().unwrap_or_default();
            (key, BookEntry { score, is_expanded: !node.edges.is_empty(), results })
        });
        Book::new(self.variant, origin, entries)
    }
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.edges.is_empty() && !self.has_ended
    }
}

#[cfg(test)]
mod tests {
    use qirkat_game::splitmix::splitmix64;

    use super::*;
    use qirkat_game::distance::Ply;

    /// Scores that a search could find, the same for each position.
    fn searched(leaves: &[AnyPosition]) -> HashMap<Key, Score> {
        let score = |position: &AnyPosition| {
            let mut state = position.key().0;
            let random = splitmix64(&mut state);
            let score = match random % 50 {
                0 => Score::mating_at(Ply((random >> 32) as u16 % 20 * 2 + 1)),
                1 => Score::mated_at(Ply((random >> 32) as u16 % 20 * 2 + 2)),
                _ => Score::centipawns((random >> 32) as i32 % 100),
            };
            (position.key(), score)
        };
        leaves.iter().map(score).collect()
    }

    fn grown(variant: Variant, rounds: usize) -> (BookTree, Vec<String>) {
        let (mut tree, mut lines) = (BookTree::new(variant), Vec::new());
        for _ in 0..rounds {
            let leaves = tree.next_leaves(8);
            let scores = searched(&tree.unscored(&leaves));
            for &leaf in &leaves {
                lines.push(tree.line(leaf, &scores).expect("all is scored"));
            }
            for line in &lines[lines.len() - leaves.len()..] {
                tree.expand(line).expect(line);
            }
        }
        (tree, lines)
    }

    /// The values of the positions of these lines by minimax, where play is a draw after as many plies
    /// as there are lines: what the tree must back up.
    fn slow_values(variant: Variant, lines: &[String]) -> HashMap<Key, Score> {
        let read = |line: &String| {
            let mut parts = line.split("; ");
            let fen = parts.next().expect("a FEN");
            let position = variant.read_fen(fen).expect(fen).position;
            let after = parts.map(|part| {
                let (mv, score) = part.split_once(' ').expect(part);
                let after = position.after(position.read_move(mv).expect(mv));
                (after.key(), score.parse().expect(score))
            });
            (position.key(), after.collect::<Vec<(Key, Score)>>())
        };
        let moves: HashMap<_, _> = lines.iter().map(read).collect();
        let mut values: HashMap<_, _> = moves.keys().map(|&key| (key, Score::DRAW)).collect();
        for _ in lines {
            let value = |&(after, score): &(Key, Score)| match values.get(&after).map(|&it| -it) {
                Some(won) if won.is_win() => Score::from_bits(won.to_bits() - 1),
                Some(lost) if lost.is_loss() => Score::from_bits(lost.to_bits() + 1),
                other => other.unwrap_or(score),
            };
            let best = |moves: &Vec<_>| moves.iter().map(value).max().expect("moves");
            values = moves.iter().map(|(&key, moves)| (key, best(moves))).collect();
        }
        values
    }

    /// Compares a tree with its lines, and each score with those of the moves. Returns the number of
    /// moves to positions that are no further from the start.
    fn check_scores(variant: Variant, tree: &BookTree, lines: &[String]) -> usize {
        let values = slow_values(variant, lines);
        let book = tree.book("a test".to_owned(), &HashMap::new());
        let reached: Vec<_> = book.reachable(&variant.start()).collect();
        let plies: HashMap<Key, usize> =
            reached.iter().map(|(position, _, plies)| (position.key(), *plies)).collect();
        let (mut expanded, mut back) = (0, 0);
        for (position, known, ply) in reached {
            let value = values.get(&position.key()).copied();
            assert_eq!(known.entry.is_expanded, value.is_some(), "{position}");
            let Some(value) = value else { continue };
            assert_eq!((known.entry.score, known.moves[0].score), (value, value), "{position}");
            let after = known.moves.iter().filter_map(|it| plies.get(&position.after(it.mv).key()));
            back += after.filter(|&&after| after <= ply).count();
            expanded += 1;
        }
        assert_eq!((expanded, tree.len()), (lines.len(), book.len()), "{variant}");
        back
    }

    #[test]
    fn scores_are_those_of_a_slow_minimax() {
        for variant in Variant::ALL {
            let (tree, lines) = grown(variant, 6);
            assert!(lines.len() > 30, "{variant}: {}", lines.len());
            check_scores(variant, &tree, &lines);
        }
    }

    /// Knights go out and home again. Every other move loses something, except perhaps a pawn move
    /// on the way.
    #[test]
    fn who_can_do_no_better_than_to_repeat_draws() {
        let variant = Variant::Masonic;
        for (pawn, value) in [(-20, 0), (30, 10)] {
            let (mut tree, mut position) = (BookTree::new(variant), variant.start());
            let mut lines = Vec::new();
            for best in ["Na3", "Na6", "Nb1", "Nb8"] {
                let mut line = position.fen();
                for mv in position.legal_moves() {
                    let score = match &*position.san(mv) {
                        san if san == best => 25,
                        "h4" if best == "Nb1" => pawn,
                        _ => -10,
                    };
                    line.push_str(&format!("; {mv} cp {score}"));
                }
                tree.expand(&line).expect(&line);
                lines.push(line);
                position.make(position.read_move(best).expect(best));
            }
            assert_eq!(position.key(), variant.start().key());
            assert_eq!(check_scores(variant, &tree, &lines), 1);
            let book = tree.book("a test".to_owned(), &HashMap::new());
            let start = book.entry(&variant.start()).expect("the start");
            assert_eq!(start.score, Score::centipawns(value));
        }
    }

    /// However a position is reached, it is searched once and has one score.
    #[test]
    fn transpositions_are_joined() {
        for variant in [Variant::Chesquerque, Variant::Masonic] {
            let (tree, lines) = grown(variant, 8);
            let edges: usize = lines.iter().map(|line| line.matches("; ").count()).sum();
            assert!(tree.len() < edges, "{variant}: {} of {edges}", tree.len());
        }
    }

    #[test]
    fn only_lines_of_leaves_are_added() {
        let variant = Variant::Alquerque;
        let (mut tree, lines) = grown(variant, 2);
        let other = BookTree::new(Variant::Masonic);
        let [leaf] = other.next_leaves(1)[..] else { panic!("one leaf") };
        let foreign = other.line(leaf, &searched(&other.unscored(&[leaf]))).expect("scored");
        let start = &lines[0];
        let (more, fewer) = (format!("{start}; a1a2 cp 3"), &start[..start.len() - 14]);
        let far = "5/5/1m3/5/3M1 w - - 0 1; d1d2 cp 1; d1c2 cp 0; d1c1 cp 1; d1e1 cp 1; d1e2 cp 1";
        let before = tree.len();
        for (line, fault) in [
            ("", BookLineError::Malformed),
            (fewer, BookLineError::Malformed),
            (&more, BookLineError::Malformed),
            (&start.replace("cp", "mate"), BookLineError::Malformed),
            (&foreign, BookLineError::Malformed),
            (start, BookLineError::NotALeaf),
        ] {
            assert_eq!(tree.expand(line), Err(fault), "{line}");
        }
        assert!(tree.expand(far).is_err());
        assert_eq!(tree.len(), before);
    }
}
