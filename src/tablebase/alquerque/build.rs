//! Builds tables of Alquerque into a folder, or only counts their positions.
//!
//! Tables are solved one by one on all threads, those with few men first. Tables that later ones
//! need stay in memory. Files are written atomically, so an interrupted build resumes where it
//! stopped: existing tables are read when they are needed.

use std::sync::atomic::{AtomicBool, Ordering};

use qirkat_game::{DRAWING_PLIES, MoveFilter, Rules};
use qirkat_rules::alquerque::Position;
use qirkat_system::machine::thread_pool;
use qirkat_system::parallel;

use super::distance_tables::{DistanceTables, SolvedProfile, longest_run};
use super::material::{MAX_TABLE_MEN, MenMaterial};
use super::ranks::{BoardDistances, DRAWN, Profile, View, cell_of};
use crate::error::TableError;
use crate::generator::buildable_game::{
    BuildError, BuildOptions, BuildStep, BuildableGame, Checked, Checker, MAX_WRONG, PlannedTable,
    SurveyOptions, SurveyStep, Surveyed, SurveyedGame, megabytes, open_table, plan,
    with_dependencies, write_table,
};
use crate::statistics::Statistics;
use crate::tables::Table;
use crate::value::Cell;

/// Bytes of memory for each board of a finished table: an offset and its positions. Up to 6 men it
/// is less than 10.
const BYTES_PER_BOARD: u64 = 11;
/// Bytes per board of the profiles that each thread is solving.
const BYTES_PER_BOARD_IN_WORK: u64 = 160;

type Error = BuildError<MenMaterial>;

impl BuildableGame for Position {
    type Solved = DistanceTables;

    const COUNTED: &'static str = "boards";

    /// Every material that one or more jumps lead to.
    fn children(material: MenMaterial) -> Vec<MenMaterial> {
        let [more, fewer] = material.sides();
        let pairs = (1..=more).flat_map(|one| (1..=fewer).map(move |other| [one, other]));
        pairs.filter_map(MenMaterial::new).filter(|child| *child != material).collect()
    }

    fn build(
        options: &BuildOptions<MenMaterial>,
        stop: &AtomicBool,
        report: &(dyn Fn(BuildStep<MenMaterial>) + Sync),
    ) -> Result<(), Error> {
        let (_locked, planned) = plan::<Position>(options)?;
        let resources = Resources { threads: options.threads, memory: options.memory, stop };
        let progress = |boards: u64| report(BuildStep::Cells(boards));
        report(BuildStep::Total(planned.iter().map(boards_to_solve).sum()));
        let is_wanted = |table: &PlannedTable<MenMaterial>| table.file.is_none();
        resources.solve_all(&planned, &is_wanted, &progress, &|tables, material, statistics| {
            let packed = tables.to_bytes(material, statistics);
            report(write_table::<Position>(options, material, packed)?);
            Ok(())
        })
    }

    fn check(
        checker: &mut Checker<'_, Position>,
        materials: &[MenMaterial],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<Position>>, TableError> {
        let Some(&material) = materials.first() else { return Ok(None) };
        for material in Position::children(material).into_iter().chain([material]) {
            if checker.known.profiles(material).is_none() {
                let Some(table) = checker.tables.table(material) else { return Ok(None) };
                checker.known.insert(table.load()?);
            }
        }
        let groups = Profile::groups(material);
        let checked = parallel::map(groups.len(), &|at| {
            if checker.stop.load(Ordering::Relaxed) {
                return CheckedGroup::default();
            }
            let checked = checker.check_group(&groups[at]);
            progress(checked.entries);
            checked
        });
        if checker.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let entries = checked.iter().map(|it| it.entries).sum();
        let wrong = checked.iter().flat_map(|it| &it.wrong).take(MAX_WRONG).copied().collect();
        let mut has_right_runs = true;
        for (profile, (run, run_at)) in checked.into_iter().flat_map(|it| it.runs) {
            if let Some(solved) = checker.known.profile_mut(&profile) {
                has_right_runs &= solved.run == run;
                solved.run_at = run_at;
            }
        }
        let statistics = checker.known.statistics(material);
        let has_right_statistics =
            has_right_runs && statistics.as_ref() == checker.tables.statistics(material);
        Ok(Some(Checked { entries, wrong, has_right_statistics }))
    }
}

impl SurveyedGame for Position {
    const SURVEYED_PIECES: (usize, usize) = (MAX_TABLE_MEN, 6);

    fn to_survey(men: usize) -> Vec<MenMaterial> {
        MenMaterial::all(men).collect()
    }

    fn survey(
        options: &SurveyOptions<MenMaterial>,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep<MenMaterial>) + Sync),
    ) -> Result<(), Error> {
        let all = with_dependencies::<Position>(&options.materials).into_iter();
        let planned: Vec<PlannedTable<MenMaterial>> =
            all.map(|material| PlannedTable { material, file: None }).collect();
        let resources = Resources { threads: options.threads, memory: options.memory, stop };
        report(SurveyStep::Total(planned.iter().map(boards_to_solve).sum()));
        let progress = |boards: u64| report(SurveyStep::Positions(boards));
        let is_wanted =
            |table: &PlannedTable<MenMaterial>| options.materials.contains(&table.material);
        resources.solve_all(&planned, &is_wanted, &progress, &|_, material, statistics| {
            report(SurveyStep::Surveyed(Box::new(Surveyed { material, statistics })));
            Ok(())
        })
    }
}

/// The boards of a table, counted for both sides to move.
fn boards(material: MenMaterial) -> u64 {
    let ways =
        |of: u64, men: usize| (0..men as u64).fold(1, |ways, man| ways * (of - man) / (man + 1));
    let [more, fewer] = material.sides();
    let boards = ways(25, more) * ways(25 - more as u64, fewer);
    if more == fewer { boards } else { 2 * boards }
}

fn boards_to_solve(table: &PlannedTable<MenMaterial>) -> u64 {
    if table.file.is_some() { 0 } else { boards(table.material) }
}

struct Resources<'a> {
    threads: usize,
    memory: u64,
    stop: &'a AtomicBool,
}

/// Called with a table that has been solved and its statistics.
type OnSolved<'a> =
    &'a (dyn Fn(&DistanceTables, MenMaterial, Statistics) -> Result<(), Error> + Sync);

impl Resources<'_> {
    fn solve_all(
        &self,
        planned: &[PlannedTable<MenMaterial>],
        is_wanted: &(dyn Fn(&PlannedTable<MenMaterial>) -> bool + Sync),
        progress: &(dyn Fn(u64) + Sync),
        on_solved: OnSolved<'_>,
    ) -> Result<(), Error> {
        self.check_memory(planned)?;
        let pool = thread_pool(self.threads)?;
        pool.install(|| {
            let mut tables = DistanceTables::default();
            for (at, table) in planned.iter().enumerate() {
                let material = table.material;
                if let Some(profiles) =
                    table.file.as_deref().and_then(open_table::<Position>).map(|it| it.load())
                {
                    let profiles = profiles.map_err(|error| Error::File {
                        path: table.file.clone().unwrap_or_default(),
                        error: std::io::Error::other(error),
                    })?;
                    tables.insert(profiles);
                } else {
                    let continues = tables.solve(material, &|boards| {
                        progress(boards as u64);
                        !self.stop.load(Ordering::Relaxed)
                    });
                    if !continues {
                        return Err(Error::Stopped);
                    }
                }
                if is_wanted(table) {
                    let statistics = tables.statistics(material).unwrap_or_default();
                    let longest = |side: usize| statistics.sides[side].longest_zeroing;
                    let run = longest(0).max(longest(1)).map_or(0, |(plies, _)| plies);
                    if run > DRAWING_PLIES {
                        return Err(Error::Clock(material));
                    }
                    on_solved(&tables, material, statistics)?;
                }
                if !is_needed(material, &planned[at + 1..]) {
                    tables.remove_last(material);
                }
                if self.stop.load(Ordering::Relaxed) {
                    return Err(Error::Stopped);
                }
            }
            Ok(())
        })
    }

    fn check_memory(&self, planned: &[PlannedTable<MenMaterial>]) -> Result<(), Error> {
        let mut kept = 0;
        for (at, table) in planned.iter().enumerate() {
            let own = boards(table.material) * BYTES_PER_BOARD;
            let largest = Profile::all(table.material).iter().map(Profile::boards).max();
            let in_work = if table.file.is_some() { 0 } else { 2 * largest.unwrap_or(0) as u64 };
            let needed = kept + own + in_work * BYTES_PER_BOARD_IN_WORK * self.threads as u64;
            if needed > self.memory {
                let (needed, given) = megabytes(needed, self.memory);
                return Err(Error::Memory { material: table.material, needed, given });
            }
            if is_needed(table.material, &planned[at + 1..]) {
                kept += own;
            }
        }
        Ok(())
    }
}

fn is_needed(material: MenMaterial, later: &[PlannedTable<MenMaterial>]) -> bool {
    later
        .iter()
        .any(|table| table.file.is_none() && Position::children(table.material).contains(&material))
}

impl Table<Position> {
    /// Loads the whole table on the threads of the current rayon pool.
    pub fn load(&self) -> Result<Vec<SolvedProfile>, TableError> {
        let loaded = parallel::map(self.numbering.len(), &|at| self.load_profile(at));
        loaded.into_iter().collect()
    }

    fn load_profile(&self, at: usize) -> Result<SolvedProfile, TableError> {
        let placed = &self.numbering[at];
        let profile = placed.profile;
        let mut boards = BoardDistances::new(&profile, 0..profile.boards());
        let mut start = 0;
        for number in 0..super::packing::blocks(&profile).count() {
            let block = self.unpack(placed, number)?.distances;
            boards.distances[start..start + block.len()].copy_from_slice(&block);
            start += block.len();
        }
        Ok(SolvedProfile { profile, boards, run: self.run(at), run_at: 0 })
    }
}

impl Checker<'_, Position> {
    /// Derives all distances of a group of profiles again, and their longest runs.
    fn check_group(&self, profiles: &[Profile]) -> CheckedGroup {
        let mut checked = CheckedGroup::default();
        let group: Vec<&SolvedProfile> =
            profiles.iter().filter_map(|profile| self.known.profile(profile)).collect();
        let distances: Vec<u8> =
            group.iter().flat_map(|solved| &solved.boards.distances).copied().collect();
        // Where the positions of the second profile begin.
        let second = group.first().map_or(0, |first| first.boards.distances.len());
        let index_of = |view: &View| {
            let at = usize::from(profiles[0].number() != view.profile_number());
            at * second + group[at].boards.index_of(view)
        };
        let (mut nodes, mut edges): (Vec<Node>, Vec<usize>) = Default::default();
        for position in group.iter().flat_map(|solved| solved.profile.positions()) {
            let distance = cell_of(distances[nodes.len()]);
            let mut best = Cell::loss(0);
            let mut node = Node { first: edges.len(), ..Node::default() };
            position.for_each_move(MoveFilter::All, &mut |mv| {
                let next = position.after(mv);
                let value = self.known.distance(&next).map_or(Cell::DRAW, cell_of).before();
                best = best.better(value);
                if next.halfmove_clock() == 0 {
                    node.leaves = true;
                    node.wins_at_once |= value.is_win() && value == distance;
                } else {
                    edges.push(index_of(&View::of(&next)));
                }
            });
            if best != distance && checked.wrong.len() < MAX_WRONG {
                checked.wrong.push(position);
            }
            node.end = edges.len();
            nodes.push(node);
        }
        checked.entries = nodes.len() as u64;
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&at| distances[at] != DRAWN).collect();
        order.sort_by_key(|&at| distances[at]);
        let mut runs = vec![0_u8; nodes.len()];
        for at in order {
            let (distance, node) = (distances[at], &nodes[at]);
            let after = || {
                edges[node.first..node.end]
                    .iter()
                    .map(|&after| (distances[after], runs[after].saturating_add(1)))
            };
            let run = if distance.is_multiple_of(2) {
                after().map(|(_, run)| run).max().max(node.leaves.then_some(1))
            } else if node.wins_at_once {
                Some(1)
            } else {
                after().filter(|&(after, _)| after == distance - 1).map(|(_, run)| run).min()
            };
            runs[at] = run.unwrap_or(0);
        }
        let mut rest = &*runs;
        for solved in group {
            let (own, others) = rest.split_at(solved.boards.distances.len());
            rest = others;
            checked.runs.push((solved.profile, longest_run(&solved.boards.distances, own)));
        }
        checked
    }
}

/// The check of a profile and its counterpart with the other side to move.
#[derive(Default)]
struct CheckedGroup {
    entries: u64,
    wrong: Vec<Position>,
    runs: Vec<(Profile, (u8, usize))>,
}

/// The moves of a position that stay in its group, as a range of edges.
#[derive(Default)]
struct Node {
    first: usize,
    end: usize,
    leaves: bool,
    /// Whether a move out of the group is a shortest win.
    wins_at_once: bool,
}
