//! Checks a table: derives every distance anew from those of the positions that its legal moves
//! lead to, one position after another, and counts anew what the table comes to.

use std::sync::atomic::Ordering;

use qirkat_game::{MoveFilter, Rules};
use qirkat_rules::alquerque::Position;
use qirkat_system::parallel;

use super::distance_tables::{SolvedSlice, longest_run};
use super::material::MenMaterial;
use super::men_tables::PlacedProfile;
use super::ranks::{Profile, View};
use super::slice::{DRAWN, Slice, cell_of};
use crate::cell::Cell;
use crate::error::TableError;
use crate::generator::buildable_game::{BuildableGame, Checked, Checker, SHOWN};
use crate::tables::Table;

impl Table<Position> {
    /// The whole table in memory, on the threads of the current rayon pool.
    pub fn load(&self) -> Result<Vec<SolvedSlice>, TableError> {
        let profiles = &self.numbering;
        let loaded = parallel::map(profiles.len(), &|at| self.load_slice(&profiles[at]));
        loaded.into_iter().collect()
    }

    fn load_slice(&self, placed: &PlacedProfile) -> Result<SolvedSlice, TableError> {
        let profile = placed.profile;
        let mut slice = Slice::new(&profile, 0..profile.boards(), DRAWN);
        let mut start = 0;
        for number in 0..super::packing::blocks(&profile).count() {
            let block = self.unpack(placed, number)?.distances;
            slice.distances[start..start + block.len()].copy_from_slice(&block);
            start += block.len();
        }
        Ok(SolvedSlice { profile, slice, run: self.run(placed), run_at: 0 })
    }
}

impl Checker<'_, Position> {
    /// See [`Checker::check`].
    pub(super) fn check_men(
        &mut self,
        material: MenMaterial,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<Position>>, TableError> {
        for material in Position::children(material).into_iter().chain([material]) {
            if self.known.slices(material).is_none() {
                let Some(table) = self.tables.table(material) else { return Ok(None) };
                self.known.insert(table.load()?);
            }
        }
        let profiles = Profile::all(material);
        let groups: Vec<Profile> =
            profiles.into_iter().filter(|it| it.number() <= it.turned().number()).collect();
        let checked = parallel::map(groups.len(), &|at| {
            if self.stop.load(Ordering::Relaxed) {
                return CheckedGroup::default();
            }
            let checked = self.check_group(&groups[at]);
            progress(checked.entries);
            checked
        });
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let entries = checked.iter().map(|it| it.entries).sum();
        let wrong = checked.iter().flat_map(|it| &it.wrong).take(SHOWN).copied().collect();
        let mut has_right_runs = true;
        for (profile, (run, run_at)) in checked.into_iter().flat_map(|it| it.runs) {
            if let Some(solved) = self.known.slice_mut(&profile) {
                has_right_runs &= solved.run == run;
                solved.run_at = run_at;
            }
        }
        let statistics = self.known.statistics(material);
        let has_right_statistics =
            has_right_runs && statistics.as_ref() == self.tables.statistics(material);
        Ok(Some(Checked { entries, wrong, has_right_statistics }))
    }

    /// Checks a profile with the one that its steps along ranks lead to.
    fn check_group(&self, profile: &Profile) -> CheckedGroup {
        let mut checked = CheckedGroup::default();
        let turned = profile.turned();
        let mut profiles = vec![*profile];
        profiles.extend((turned != *profile).then_some(turned));
        let slices: Vec<&SolvedSlice> =
            profiles.iter().filter_map(|profile| self.known.slice(profile)).collect();
        let mut nodes: Vec<Vec<Node>> = Vec::new();
        let mut edges = Vec::new();
        for &solved in &slices {
            nodes.push(self.derive(solved, &slices, &mut edges, &mut checked));
        }
        let mut by_distance: Vec<(u8, usize, usize)> = Vec::new();
        for (slice, solved) in slices.iter().enumerate() {
            let known = solved.slice.distances.iter().enumerate().filter(|(_, it)| **it != DRAWN);
            by_distance.extend(known.map(|(at, &distance)| (distance, slice, at)));
        }
        by_distance.sort_unstable();
        let mut runs: Vec<Vec<u8>> = nodes.iter().map(|it| vec![0; it.len()]).collect();
        for (distance, slice, at) in by_distance {
            let Some(node) = nodes[slice].get(at) else { continue };
            let after = edges[node.first..node.end].iter().map(|&(slice, at)| {
                (slices[slice].slice.distances[at], runs[slice][at].saturating_add(1))
            });
            let run = if distance.is_multiple_of(2) {
                after.map(|(_, run)| run).max().max(node.leaves.then_some(1))
            } else if node.wins_at_once {
                Some(1)
            } else {
                after.filter(|&(after, _)| after == distance - 1).map(|(_, run)| run).min()
            };
            runs[slice][at] = run.unwrap_or(0);
        }
        let runs = slices.iter().zip(runs);
        let longest = runs
            .map(|(solved, runs)| (solved.profile, longest_run(&solved.slice.distances, &runs)));
        checked.runs = longest.collect();
        checked
    }

    /// Derives the distances of a slice, and notes where its steps along ranks lead.
    fn derive(
        &self,
        solved: &SolvedSlice,
        group: &[&SolvedSlice],
        edges: &mut Vec<(usize, usize)>,
        checked: &mut CheckedGroup,
    ) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(solved.slice.distances.len());
        for number in 0..solved.profile.boards() {
            let board = solved.profile.board(number);
            if !board.is_numbered() {
                continue;
            }
            for position in board.positions() {
                let distance = cell_of(solved.slice.distances[nodes.len()]);
                let mut best = Cell::loss(0);
                let mut node = Node { first: edges.len(), ..Node::default() };
                position.for_each_move(MoveFilter::All, &mut |mv| {
                    let next = position.after(mv);
                    let value = self.known.distance(&next).map_or(Cell::DRAW, cell_of).before();
                    best = best.better(value);
                    if next.halfmove_clock() == 0 {
                        node.leaves = true;
                        node.wins_at_once |= value.is_win() && value == distance;
                        return;
                    }
                    let view = View::of(&next);
                    let is_it = |it: &&SolvedSlice| it.profile.number() == view.profile();
                    if let Some(slice) = group.iter().position(is_it) {
                        edges.push((slice, group[slice].slice.place(&view)));
                    }
                });
                if best != distance && checked.wrong.len() < SHOWN {
                    checked.wrong.push(position);
                }
                node.end = edges.len();
                nodes.push(node);
            }
        }
        checked.entries += nodes.len() as u64;
        nodes
    }
}

/// What was found of a profile and its other side.
#[derive(Default)]
struct CheckedGroup {
    entries: u64,
    wrong: Vec<Position>,
    /// The longest run of each profile, and where it is.
    runs: Vec<(Profile, (u8, usize))>,
}

/// The moves of a position: a part of the edges that stay in its group.
#[derive(Clone, Copy, Default)]
struct Node {
    first: usize,
    end: usize,
    /// Whether another move leaves it.
    leaves: bool,
    /// Whether one of those takes the shortest way to a win.
    wins_at_once: bool,
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::alquerque::{DistanceTables, MenTables};

    /// A table in which one distance is another, as a file.
    fn with_a_fault(change: impl Fn(&mut u8)) -> Checked<Position> {
        let material: MenMaterial = "2v1".parse().expect("a material");
        let mut solved = DistanceTables::new(3);
        let statistics = solved.statistics(material).expect("solved");
        let profiles = Profile::all(material);
        let largest = profiles.iter().max_by_key(|it| it.boards()).expect("a profile");
        let slice = &mut solved.slice_mut(largest).expect("solved").slice;
        change(&mut slice.distances[7]);
        let mut tables = MenTables::new();
        let bytes = solved.to_bytes(material, statistics).expect("packed");
        tables.add(Box::new(&*bytes.leak())).expect("a table");
        tables.add_embedded();
        let stop = AtomicBool::new(false);
        let mut checker = Checker::new(&tables, &stop);
        checker.check(&[material], &|_| ()).expect("sound").expect("complete")
    }

    #[test]
    fn a_wrong_distance_is_found() {
        let right = with_a_fault(|_| ());
        assert!(right.wrong.is_empty() && right.has_right_statistics, "{right:?}");
        let faults: [fn(&mut u8); 3] = [|it| *it += 2, |it| *it += 1, |it| *it = DRAWN];
        for fault in faults {
            let checked = with_a_fault(fault);
            assert!(!checked.wrong.is_empty(), "{checked:?}");
        }
    }
}
