//! Building opening books, by search and drop-out expansion: the most relevant end of a line is
//! expanded next, and its score is backed up (T. Lincke, "Strategies for the Automatic Construction
//! of Opening Books", *Computers and Games* 2000).
//!
//! A [`BookTree`] is a directed graph, since moves transpose. It knows no search: it says which
//! positions to score, and gets the scores as lines of text, which are also what is kept on disk.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};

use qirkat_engine::book::{Book, BookEntry, BookResults, ended_score, score_before};
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{Key, Rules};
use qirkat_rules::variant::{AnyPosition, Variant};
use thiserror::Error;

/// The cost of a ply, in centipawns: a line with this much worse moves is as relevant as a line of
/// best moves that is a ply longer. So 100,000 positions of Chesquerque have six plies of all lines
/// whose moves are sensible.
const PLY_COST: u32 = 15;
/// The most that a bad move costs, so that mates are no further away than other blunders.
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
        self.nodes[0].is_leaf()
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
            // The reverse of `score_before`.
            self.nodes[after].score.get_or_insert(Score::from_bits(-score.to_table(Ply(1))));
            self.nodes[at].edges.push(after);
        }
        Ok(())
    }

    /// The scores of all nodes for the side to move, and those of their edges, backed up from the
    /// leaves. An edge to a position that is not further from the start has the score of its search:
    /// so there are no cycles.
    fn backed_up(&self) -> (Vec<Score>, Vec<Vec<Score>>) {
        let mut plies = vec![u32::MAX; self.nodes.len()];
        let (mut queue, mut order) = (VecDeque::from([0]), Vec::new());
        plies[0] = 0;
        while let Some(at) = queue.pop_front() {
            order.push(at);
            for &after in &self.nodes[at].edges {
                if plies[after] == u32::MAX {
                    plies[after] = plies[at] + 1;
                    queue.push_back(after);
                }
            }
        }
        let own = |at: usize| self.nodes[at].score.unwrap_or_default();
        let mut scores: Vec<Score> = (0..self.nodes.len()).map(own).collect();
        let mut of_edges = vec![Vec::new(); self.nodes.len()];
        for &at in order.iter().rev() {
            let score = |&after: &usize| {
                score_before(if plies[after] > plies[at] { scores[after] } else { own(after) })
            };
            let edges: Vec<Score> = self.nodes[at].edges.iter().map(score).collect();
            scores[at] = edges.iter().copied().max().unwrap_or(scores[at]);
            of_edges[at] = edges;
        }
        (scores, of_edges)
    }

    /// The leaves to be expanded next, at most this many, the most relevant first: those with the
    /// least sum of plies and of what their moves lose against the best.
    pub fn next_leaves(&self, most: usize) -> Vec<Leaf> {
        let (scores, of_edges) = self.backed_up();
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
            for (&after, &score) in node.edges.iter().zip(&of_edges[at]) {
                let loss = (scores[at] - score).min(MAX_LOSS);
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
        let scored = self.nodes.iter().zip(self.backed_up().0).filter(|(node, _)| !node.has_ended);
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

    /// Minimax over the lines alone: what the tree must back up.
    struct Slow {
        moves: HashMap<Key, Vec<(AnyPosition, Score)>>,
        plies: HashMap<Key, usize>,
    }

    impl Slow {
        fn new(variant: Variant, lines: &[String]) -> Slow {
            let mut moves = HashMap::new();
            for line in lines {
                let mut parts = line.split("; ");
                let fen = parts.next().expect("a FEN");
                let position = variant.read_fen(fen).expect(fen).position;
                let after = parts.map(|part| {
                    let (mv, score) = part.split_once(' ').expect(part);
                    let after = position.after(position.read_move(mv).expect(mv));
                    (after, score.parse().expect(score))
                });
                moves.insert(position.key(), after.collect::<Vec<_>>());
            }
            let mut plies = HashMap::from([(variant.start().key(), 0)]);
            let mut ply = 0;
            while plies.values().any(|&it| it == ply) {
                let here = plies.iter().filter(|(_, it)| **it == ply).map(|(key, _)| *key);
                let next: Vec<Key> = here
                    .flat_map(|key| moves.get(&key).into_iter().flatten())
                    .map(|(after, _)| after.key())
                    .collect();
                ply += 1;
                for key in next {
                    plies.entry(key).or_insert(ply);
                }
            }
            Slow { moves, plies }
        }

        fn value(&self, key: Key) -> Option<Score> {
            let value = |(after, score): &(AnyPosition, Score)| {
                let is_further = self.plies[&after.key()] > self.plies[&key];
                let below = if is_further { self.value(after.key()) } else { None };
                let below = below.map(|score| match -score {
                    won if won.is_win() => Score::from_bits(won.to_bits() - 1),
                    lost if lost.is_loss() => Score::from_bits(lost.to_bits() + 1),
                    other => other,
                });
                below.unwrap_or(*score)
            };
            self.moves.get(&key)?.iter().map(value).max()
        }
    }

    #[test]
    fn scores_are_those_of_a_slow_minimax() {
        for variant in Variant::ALL {
            let (tree, lines) = grown(variant, 6);
            let slow = Slow::new(variant, &lines);
            let book = tree.book("a test".to_owned(), &HashMap::new());
            let mut expanded = 0;
            for (position, known, plies) in book.reachable(&variant.start()) {
                assert_eq!(slow.plies.get(&position.key()), Some(&plies), "{position}");
                let value = slow.value(position.key());
                assert_eq!(known.entry.is_expanded, value.is_some(), "{position}");
                assert_eq!(known.entry.score, value.unwrap_or(known.entry.score), "{position}");
                expanded += usize::from(value.is_some());
            }
            assert_eq!((expanded, tree.len()), (lines.len(), book.len()), "{variant}");
            assert!(expanded > 30 && slow.plies.len() < lines.len() * 60, "{variant}: {expanded}");
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
