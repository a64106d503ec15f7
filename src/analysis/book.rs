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
/// best moves that is a ply longer.
const PLY_COST: u32 = 25;
/// The most that a bad move costs, so that mates are no further away than other blunders.
const MAX_LOSS: i32 = 500;

/// The positions reached by expanding some from the start. An expanded position has an edge for
/// each legal move; the others are leaves.
pub struct BookTree {
    variant: Variant,
    nodes: Vec<Node>,
    by_key: HashMap<Key, usize>,
    expanded: usize,
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
        let mut tree = BookTree { variant, nodes, by_key, expanded: 0, ended: 0 };
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
        self.expanded == 0
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
        self.expanded += 1;
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
