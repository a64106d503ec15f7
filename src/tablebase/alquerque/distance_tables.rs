//! The distance to the end of every position with few men, solved and kept in memory.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use qirkat_game::{MoveFilter, Rules};
use qirkat_rules::alquerque::Position;
use qirkat_rules::variant::Variant;
use qirkat_system::parallel;

use super::material::MenMaterial;
use super::packing::{blocks, code_block};
use super::ranks::{BoardDistances, DRAWN, PROFILES, Profile, View, cell_of, distance_without_men};
use crate::generator::pack::file_with;
use crate::header::Header;
use crate::packing::block::{Models, new_models};
use crate::packing::range_coder::RangeCoder;
use crate::statistics::Statistics;

/// The most men for [`DistanceTables::new`]; more would hardly fit into memory.
pub const MAX_MEN: usize = 7;

const NOT_SOLVED: u32 = u32::MAX;

/// The distances to the end of all positions with some material: plies until the game ends with the
/// fastest win and the longest defence. Odd ones are wins for the side to move, even ones losses.
///
/// The clock is ignored. Within a profile the men only step along their ranks, and the winner
/// leaves it long before 100 plies: `longest_zeroing` of the statistics is the maximum.
pub struct DistanceTables {
    men: usize,
    /// Indices into `solved` by the number of a profile.
    indices: Vec<u32>,
    solved: Vec<SolvedProfile>,
}

pub struct SolvedProfile {
    pub profile: Profile,
    pub boards: BoardDistances,
    /// The longest run of a won or lost position, and the index of that position: the most plies to
    /// the next jump, step forward or end of the game, if the winner plays the shortest win.
    pub run: u8,
    pub run_at: usize,
}

/// The longest run of a position that is not drawn, and its index. `runs` are the plies to the next
/// jump, step forward or end of each position.
pub fn longest_run(distances: &[u8], runs: &[u8]) -> (u8, usize) {
    let (mut run, mut run_at) = (0, 0);
    for (at, (&distance, &plies)) in distances.iter().zip(runs).enumerate() {
        if distance != DRAWN && plies > run {
            (run, run_at) = (plies, at);
        }
    }
    (run, run_at)
}

impl Default for DistanceTables {
    fn default() -> DistanceTables {
        DistanceTables { men: 0, indices: vec![NOT_SOLVED; PROFILES], solved: Vec::new() }
    }
}

impl DistanceTables {
    /// Solves all positions with up to `men` men, [`MAX_MEN`] at most, on the threads of the
    /// current rayon pool. The indices of profiles take 16 MB; with 5 men the distances take 15 MB,
    /// and seven times as much for each further man.
    pub fn new(men: usize) -> DistanceTables {
        let men = men.min(MAX_MEN);
        let mut tables = DistanceTables::default();
        for material in (2..=men).flat_map(MenMaterial::all) {
            tables.solve(material, &|_| true);
        }
        tables.men = men;
        tables
    }

    /// The most men for which all positions are included.
    pub fn men(&self) -> usize {
        self.men
    }

    /// The number of positions stored: from the side to move's view, and one of each mirrored pair.
    pub fn positions(&self) -> u64 {
        self.solved.iter().map(|solved| solved.boards.distances.len() as u64).sum()
    }

    pub fn covers(&self, position: &Position) -> bool {
        position.occupied().len() as usize <= self.men
    }

    /// The distance to the end of a position in the tables; none for a draw.
    pub fn distance(&self, position: &Position) -> Option<u8> {
        if let Some(distance) = distance_without_men(position) {
            return Some(distance);
        }
        let view = View::of(position);
        let solved = self.solved.get(self.indices[view.profile_number()] as usize)?;
        let distance = solved.boards.distance(&view);
        (distance != DRAWN).then_some(distance)
    }

    /// The profiles of a material in the order of [`Profile::all`]; none unless all are included.
    pub(crate) fn profiles(&self, material: MenMaterial) -> Option<Vec<&SolvedProfile>> {
        Profile::all(material).iter().map(|profile| self.profile(profile)).collect()
    }

    pub(crate) fn profile_mut(&mut self, profile: &Profile) -> Option<&mut SolvedProfile> {
        let at = self.indices[profile.number()];
        self.solved.get_mut(at as usize)
    }

    pub(crate) fn profile(&self, profile: &Profile) -> Option<&SolvedProfile> {
        self.solved.get(self.indices[profile.number()] as usize)
    }

    /// The statistics of a material; none unless it is included.
    pub fn statistics(&self, material: MenMaterial) -> Option<Statistics> {
        let profiles = self.profiles(material)?;
        let parts = parallel::map(profiles.len(), &|at| {
            let mut statistics = Statistics::default();
            if let Some(turned) = self.profile(&profiles[at].profile.turned()) {
                count_profile(&mut statistics, profiles[at], &turned.boards);
            }
            statistics
        });
        let mut statistics = Statistics::default();
        parts.iter().for_each(|part| statistics.add(part));
        let [more, fewer] = material.sides();
        // With equal numbers of men, Black's positions are White's turned by 180 degrees.
        if more == fewer {
            statistics.sides[1] = statistics.sides[0];
        }
        Some(statistics)
    }

    pub(crate) fn insert(&mut self, profiles: Vec<SolvedProfile>) {
        for solved in profiles {
            self.indices[solved.profile.number()] = self.solved.len() as u32;
            self.solved.push(solved);
        }
    }

    /// Drops this material if it was added last.
    pub(crate) fn remove_last(&mut self, material: MenMaterial) {
        while let Some(last) = self.solved.last()
            && MenMaterial::new(last.profile.men()) == Some(material)
        {
            self.indices[last.profile.number()] = NOT_SOLVED;
            self.solved.pop();
        }
    }

    /// Solves all positions with a material on the threads of the current rayon pool, the most
    /// advanced profiles first. The materials with fewer men that jumps lead to must be present.
    /// `progress` gets the number of boards solved and returns whether to continue. Returns false
    /// if it was stopped so.
    pub fn solve(
        &mut self,
        material: MenMaterial,
        progress: &(dyn Fn(usize) -> bool + Sync),
    ) -> bool {
        let mut groups = Profile::groups(material);
        // The largest groups of a layer start first.
        let size = |group: &[Profile]| group[0].boards();
        groups.sort_by_key(|group| std::cmp::Reverse((group[0].advancement(), size(group))));
        let continues = AtomicBool::new(true);
        for layer in groups.chunk_by(|a, b| a[0].advancement() == b[0].advancement()) {
            let solved = parallel::map(layer.len(), &|number| {
                if !continues.load(Relaxed) {
                    return Vec::new();
                }
                let solved = Group::new(self, &layer[number]).solve();
                if !progress(solved.iter().map(|it| it.profile.boards()).sum()) {
                    continues.store(false, Relaxed);
                }
                solved
            });
            if !continues.load(Relaxed) {
                return false;
            }
            self.insert(solved.into_iter().flatten().collect());
        }
        true
    }
}

/// Retrograde analysis (T. Ströhlein, 1970) of a profile together with the one that its steps along
/// ranks lead to, which is the same seen from the other side.
struct Group<'a> {
    tables: &'a DistanceTables,
    profiles: &'a [Profile],
    boards: Vec<BoardDistances>,
    /// The offset of each profile's positions among all.
    offsets: Vec<usize>,
    shared: Vec<SharedMoves>,
    /// The targets of steps along ranks, grouped by [`SharedMoves`].
    edges: Vec<u32>,
    distances: Vec<u8>,
    /// The plies to the next jump, step forward or end, as far as known.
    runs: Vec<u8>,
}

/// The positions of a board with the same step forbidden to the opponent. They share all moves but
/// the forbidden step of the side to move, so they are examined together.
#[derive(Clone, Copy)]
struct SharedMoves {
    /// The index of the position in which no step is forbidden, and the stride to the next one.
    first: u32,
    stride: u8,
    /// The number of positions: one more than there are steps along ranks.
    count: u8,
    first_edge: u32,
    leaving: LeavingMoves,
}

/// The index of a position's [`SharedMoves`], and its forbidden step, from 1, or 0 for none.
#[derive(Clone, Copy)]
struct PositionId(u32);

impl PositionId {
    const BITS: u32 = 5;

    const fn new(shared: usize, forbidden: usize) -> PositionId {
        PositionId((shared << PositionId::BITS | forbidden) as u32)
    }

    const fn shared(self) -> usize {
        (self.0 >> PositionId::BITS) as usize
    }

    const fn forbidden(self) -> usize {
        (self.0 & ((1 << PositionId::BITS) - 1)) as usize
    }
}

impl SharedMoves {
    const fn index_of(&self, forbidden: usize) -> usize {
        self.first as usize + forbidden * self.stride as usize
    }
}

/// The results of a position's jumps and steps forward.
#[derive(Clone, Copy)]
struct LeavingMoves {
    /// The shortest win, or [`DRAWN`].
    win: u8,
    /// The longest loss, or [`DRAWN`] if some move does not lose.
    loss: u8,
    is_any: bool,
}

impl<'a> Group<'a> {
    fn new(tables: &'a DistanceTables, profiles: &'a [Profile]) -> Group<'a> {
        let boards: Vec<BoardDistances> = profiles
            .iter()
            .map(|profile| BoardDistances::new(profile, 0..profile.boards()))
            .collect();
        let mut count = 0;
        let mut offsets = Vec::new();
        for boards in &boards {
            offsets.push(count);
            count += boards.distances.len();
        }
        let (distances, runs) = (vec![DRAWN; count], vec![0; count]);
        let (shared, edges) = (Vec::new(), Vec::new());
        Group { tables, profiles, boards, offsets, shared, edges, distances, runs }
    }

    fn solve(mut self) -> Vec<SolvedProfile> {
        for index in 0..self.profiles.len() {
            self.examine_moves(index);
        }
        self.find_distances();
        let (mut distances, mut runs) = (&*self.distances, &*self.runs);
        let profiles = self.profiles.iter().zip(self.boards);
        let solved = profiles.map(|(&profile, mut boards)| {
            let (own, own_runs);
            (own, distances) = distances.split_at(boards.distances.len());
            (own_runs, runs) = runs.split_at(boards.distances.len());
            boards.distances.copy_from_slice(own);
            let (run, run_at) = longest_run(own, own_runs);
            SolvedProfile { profile, boards, run, run_at }
        });
        solved.collect()
    }

    /// Examines all moves, and looks up the results of those that leave the group.
    fn examine_moves(&mut self, index: usize) {
        let profile = self.profiles[index];
        for number in 0..profile.boards() {
            let board = profile.board(number);
            if !board.is_canonical() {
                continue;
            }
            let first = self.offsets[index] + self.boards[index].start(number);
            let [count, stride] = board.step_choices();
            let [own, other] = board.sideways();
            for (steps, other_step) in other.all().enumerate() {
                let Some(position) = board.position(0, other_step) else { continue };
                let mut leaving = LeavingMoves { win: DRAWN, loss: 0, is_any: false };
                let first_edge = self.edges.len();
                self.edges.resize(first_edge + count - 1, u32::MAX);
                position.for_each_move(MoveFilter::All, &mut |mv| {
                    let next = position.after(mv);
                    if next.halfmove_clock() == 0 {
                        leaving.add(self.tables.distance(&next));
                    } else {
                        let view = View::of(&next);
                        let leads_to =
                            usize::from(self.profiles[0].number() != view.profile_number());
                        let at = self.offsets[leads_to] + self.boards[leads_to].index_of(&view);
                        let [from, to] = [mv.from(), mv.to()].map(|point| point.index() as u32);
                        let step = 1 + 2 * from + u32::from(to > from);
                        self.edges[first_edge + own.index_of(step) - 1] = at as u32;
                    }
                });
                self.shared.push(SharedMoves {
                    first: (first + steps) as u32,
                    stride: stride as u8,
                    count: count as u8,
                    first_edge: first_edge as u32,
                    leaving,
                });
            }
        }
    }

    /// Finds all distances, the shortest first. Positions left without one are drawn.
    fn find_distances(&mut self) {
        let mut by_distance: Vec<Vec<PositionId>> = vec![Vec::new(); usize::from(DRAWN)];
        // Steps along ranks not yet known to let the opponent win.
        let mut open = vec![0_u8; self.distances.len()];
        for (number, shared) in self.shared.iter().enumerate() {
            let SharedMoves { count, leaving, .. } = *shared;
            for forbidden in 0..usize::from(count) {
                let edges = count - 1 - u8::from(forbidden > 0);
                open[shared.index_of(forbidden)] = edges;
                self.runs[shared.index_of(forbidden)] = u8::from(leaving.is_any);
                let distance = if edges == 0 { leaving.distance() } else { leaving.win };
                if distance != DRAWN {
                    by_distance[usize::from(distance)].push(PositionId::new(number, forbidden));
                }
            }
        }
        let predecessors = self.predecessors();
        for distance in 0..DRAWN {
            for position in std::mem::take(&mut by_distance[usize::from(distance)]) {
                let index = self.shared[position.shared()].index_of(position.forbidden());
                if self.distances[index] != DRAWN {
                    continue;
                }
                self.distances[index] = distance;
                self.runs[index] = self.run(position, distance);
                for edge in predecessors.leading_to(index) {
                    let shared = &self.shared[edge.shared()];
                    let others =
                        (0..usize::from(shared.count)).filter(|&it| it != edge.forbidden());
                    for forbidden in others {
                        let index = shared.index_of(forbidden);
                        if self.distances[index] != DRAWN {
                            continue;
                        }
                        let follows = if distance.is_multiple_of(2) {
                            distance + 1
                        } else {
                            open[index] -= 1;
                            if open[index] > 0 {
                                continue;
                            }
                            shared.leaving.loss.max(distance + 1)
                        };
                        if let Some(later) = by_distance.get_mut(usize::from(follows)) {
                            later.push(PositionId::new(edge.shared(), forbidden));
                        }
                    }
                }
            }
        }
    }

    /// The steps along ranks by target, each identified by the position in which it is forbidden.
    fn predecessors(&self) -> Predecessors {
        let mut starts = vec![0_u32; self.distances.len() + 1];
        for &to in &self.edges {
            starts[to as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut edges = vec![PositionId(0); self.edges.len()];
        for (number, shared) in self.shared.iter().enumerate() {
            for forbidden in 1..usize::from(shared.count) {
                let to = self.edges[shared.first_edge as usize + forbidden - 1] as usize;
                edges[next[to] as usize] = PositionId::new(number, forbidden);
                next[to] += 1;
            }
        }
        Predecessors { starts, edges }
    }

    /// The plies to the next jump, step forward or end of a position with this distance, when all
    /// shorter ones are known. The winner plays a shortest win, the loser any move.
    fn run(&self, position: PositionId, distance: u8) -> u8 {
        let shared = &self.shared[position.shared()];
        let first = shared.first_edge as usize;
        let edges = self.edges[first..first + usize::from(shared.count) - 1].iter().zip(1..);
        let edges = edges.filter(|&(_, number)| number != position.forbidden());
        let mut edges = edges.map(|(&edge, _)| edge as usize);
        let run = |edge: usize| self.runs[edge].saturating_add(1);
        if distance.is_multiple_of(2) {
            return edges.map(run).max().unwrap_or(0).max(u8::from(shared.leaving.is_any));
        }
        if shared.leaving.win == distance {
            return 1;
        }
        let shortest = edges.by_ref().filter(|&edge| self.distances[edge] == distance - 1);
        shortest.map(run).min().unwrap_or(0)
    }
}

struct Predecessors {
    starts: Vec<u32>,
    edges: Vec<PositionId>,
}

impl Predecessors {
    fn leading_to(&self, index: usize) -> &[PositionId] {
        &self.edges[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

impl LeavingMoves {
    /// Adds the distance of a position outside the profile that a move leads to.
    fn add(&mut self, distance: Option<u8>) {
        self.is_any = true;
        match distance {
            Some(loss) if loss.is_multiple_of(2) => {
                self.win = self.win.min(loss + 1);
                self.loss = DRAWN;
            }
            Some(win) if self.loss != DRAWN => self.loss = self.loss.max(win + 1),
            _ => self.loss = DRAWN,
        }
    }

    /// The distance if there are no other moves.
    fn distance(&self) -> u8 {
        if self.win == DRAWN { self.loss } else { self.win }
    }
}

/// The models are trained on this many blocks, spread evenly; more take time and gain little.
const TRAINING_BLOCKS: usize = 400;

impl DistanceTables {
    /// The file contents of a solved material with these statistics, packed on the threads of the
    /// current rayon pool.
    ///
    /// # Errors
    /// If the compressor fails, or the material is not included.
    pub(crate) fn to_bytes(
        &self,
        material: MenMaterial,
        statistics: Statistics,
    ) -> io::Result<Vec<u8>> {
        let profiles = self.profiles(material).ok_or(io::ErrorKind::NotFound)?;
        let mut trained = new_models();
        let all: Vec<(&SolvedProfile, usize)> = profiles
            .iter()
            .flat_map(|&solved| (0..blocks(&solved.profile).count()).map(move |it| (solved, it)))
            .collect();
        for &(solved, number) in all.iter().step_by(all.len().div_ceil(TRAINING_BLOCKS)) {
            pack_block(solved, number, &mut trained);
        }
        let men = material.sides().map(|men| men as u8).to_vec();
        let runs = profiles.iter().map(|solved| solved.run).collect();
        let header = Header::new(Variant::Alquerque, men, statistics, profiles.len(), runs);
        file_with(header, &trained, |models| {
            parallel::map(all.len(), &|at| {
                let (solved, number) = all[at];
                pack_block(solved, number, &mut models.clone())
            })
        })
    }
}

fn pack_block(solved: &SolvedProfile, number: usize, models: &mut Models) -> Vec<u8> {
    let mut encoder = RangeCoder::writing();
    if let Some(boards) = blocks(&solved.profile).nth(number) {
        let known = solved.boards.part(&boards);
        code_block(&solved.profile, boards, models, &mut encoder, known);
    }
    encoder.finish()
}

/// Counts the positions of a profile; `turned` has the other side to move. Every position counts,
/// including its mirror image, with each step that can be forbidden. Mutual zugzwangs are counted
/// only where no step is forbidden, so that both sides see the same position.
fn count_profile(statistics: &mut Statistics, solved: &SolvedProfile, turned: &BoardDistances) {
    let SolvedProfile { profile, boards, run, run_at } = solved;
    let [own, other] = profile.men();
    let side = usize::from(own < other);
    for number in 0..profile.boards() {
        let board = profile.board(number);
        if !board.is_canonical() {
            continue;
        }
        let start = boards.start(number);
        let count = board.step_choices().into_iter().product::<usize>();
        let positions = start..start + count;
        for at in positions.clone() {
            let cell = cell_of(boards.distances[at]);
            let index = || state_of(profile, number, at - start);
            statistics.sides[side].count(cell, None, board.weight(), index);
        }
        if positions.contains(run_at) {
            let index = state_of(profile, number, run_at - start);
            statistics.sides[side].longest_zeroing = Some((u16::from(*run), index));
        }
        if side == 0 {
            let other = board.turned();
            let other = if other.is_canonical() { other } else { other.mirrored() };
            let both = [boards.of_board(board), turned.of_board(other)].map(cell_of);
            statistics.count_zugzwang(both, board.weight(), || state_of(profile, number, 0));
        }
    }
}

/// The state of a position as the side to move sees it; statistics identify positions by it.
fn state_of(profile: &Profile, number: usize, steps: usize) -> u64 {
    profile.board(number).positions().nth(steps).map_or(u64::MAX, |position| position.state().0)
}
