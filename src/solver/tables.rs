//! The distance to the end of every position with few men.

use qirkat_game::{MoveFilter, Rules};
use qirkat_rules::alquerque::Position;
use qirkat_system::parallel;

use crate::ranks::{PROFILES, Profile, View};

/// The most men of tables: with more they would not fit into memory.
pub const MAX_MEN: usize = 7;

/// Neither side wins.
const DRAWN: u8 = u8::MAX;
/// No profile.
const NONE: u32 = u32::MAX;

/// The distances to the end of all positions with up to so many men: how many plies the game
/// still takes if the winner hurries and the loser delays. Odd ones are won for the side to
/// move, even ones lost.
///
/// The clock is left out: within a profile the men only step along their ranks, and the winner
/// leaves it long before 100 plies have passed.
pub struct DistanceTables {
    men: usize,
    /// The place in `slices` by the number of a profile.
    places: Vec<u32>,
    slices: Vec<Slice>,
}

/// The positions of one rank profile, with the side to move seen as going up the board.
struct Slice {
    /// Where the positions of each board begin.
    boards: Vec<u32>,
    distances: Vec<u8>,
}

impl DistanceTables {
    /// Solves all positions with up to so many men, [`MAX_MEN`] at most, on the threads of the
    /// current rayon pool. With 5 it takes 20 MB, and seven times as much for each man more.
    pub fn new(men: usize) -> DistanceTables {
        let men = men.min(MAX_MEN);
        let mut tables = DistanceTables { men, places: vec![NONE; PROFILES], slices: Vec::new() };
        for men in 1..=men {
            tables.add(men);
        }
        tables
    }

    /// The most men that positions in the tables have.
    pub fn men(&self) -> usize {
        self.men
    }

    /// How many positions there are, each with one side to move.
    pub fn positions(&self) -> u64 {
        self.slices.iter().map(|slice| slice.distances.len() as u64).sum()
    }

    /// Whether a position is in the tables.
    pub fn covers(&self, position: &Position) -> bool {
        position.occupied().len() as usize <= self.men
    }

    /// The distance to the end of a position in the tables; none where neither side wins.
    pub fn distance(&self, position: &Position) -> Option<u8> {
        if position.men(position.side_to_move()).is_empty() {
            return Some(0);
        }
        let view = View::of(position);
        let slice = self.slices.get(self.places[view.profile()] as usize)?;
        let distance = slice.distances[slice.place(&view)];
        (distance != DRAWN).then_some(distance)
    }

    /// Solves all positions with exactly so many men: those first that have come furthest.
    fn add(&mut self, men: usize) {
        let mut groups: Vec<Vec<Profile>> = Vec::new();
        for profile in Profile::all(men) {
            let turned = profile.turned();
            match profile.number().cmp(&turned.number()) {
                std::cmp::Ordering::Less => groups.push(vec![profile, turned]),
                std::cmp::Ordering::Equal => groups.push(vec![profile]),
                std::cmp::Ordering::Greater => {}
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group[0].progress()));
        for layer in groups.chunk_by(|a, b| a[0].progress() == b[0].progress()) {
            let solved = parallel::map(layer.len(), &|number| self.solve(&layer[number]));
            for (group, slices) in layer.iter().zip(solved) {
                for (profile, slice) in group.iter().zip(slices) {
                    self.places[profile.number()] = self.slices.len() as u32;
                    self.slices.push(slice);
                }
            }
        }
    }

    /// Solves a profile together with the one that its steps along ranks lead to, which is the
    /// same seen from the other side.
    fn solve(&self, group: &[Profile]) -> Vec<Slice> {
        let boards: Vec<_> = group.iter().map(Profile::boards).collect();
        let mut slices: Vec<Slice> = boards
            .iter()
            .map(|boards| {
                let mut starts = Vec::with_capacity(boards.len());
                let mut count = 0;
                for board in boards {
                    starts.push(count);
                    count += board.positions().count() as u32;
                }
                Slice { boards: starts, distances: vec![DRAWN; count as usize] }
            })
            .collect();
        let numbers: Vec<usize> = group.iter().map(Profile::number).collect();
        let mut open = Vec::new();
        let mut longest = 0;
        for (number, boards) in boards.iter().enumerate() {
            for (at, position) in boards.iter().flat_map(|board| board.positions()).enumerate() {
                let mut entry = Open::new(Place { slice: number as u8, at: at as u32 });
                position.for_each_move(MoveFilter::All, &mut |mv| {
                    let next = position.after(mv);
                    if next.halfmove_clock() == 0 {
                        entry.see_outside(self.distance(&next));
                    } else {
                        let view = View::of(&next);
                        let number = view.profile();
                        let slice = usize::from(numbers[0] != number);
                        let at = slices[slice].place(&view) as u32;
                        entry.along_rank.push(Place { slice: slice as u8, at });
                    }
                });
                longest = longest.max(entry.farthest());
                if entry.along_rank.is_empty() {
                    slices[number].distances[at] = entry.outside();
                } else {
                    open.push(entry);
                }
            }
        }
        let solved = slices.iter().flat_map(|slice| &slice.distances);
        longest = solved.filter(|&&distance| distance != DRAWN).fold(longest, |a, &b| a.max(b));
        // By rising distance. What has none when nothing more follows is drawn.
        let mut idle = 0;
        for distance in 0..DRAWN {
            let mut found = Vec::new();
            open.retain(|entry| {
                let is_found = entry.ends_in(distance, &slices);
                found.extend(is_found.then_some(entry.place));
                !is_found
            });
            idle = if found.is_empty() { idle + 1 } else { 0 };
            for place in found {
                slices[usize::from(place.slice)].distances[place.at as usize] = distance;
            }
            // Both a win and a loss follow from the distance before.
            if distance > longest && idle > 2 {
                break;
            }
        }
        slices
    }
}

impl Slice {
    fn place(&self, view: &View) -> usize {
        self.boards[view.board()] as usize + view.steps()
    }
}

/// A position of the profiles being solved.
#[derive(Clone, Copy)]
struct Place {
    slice: u8,
    at: u32,
}

/// A position whose distance depends on others of its profile.
struct Open {
    place: Place,
    /// The shortest win by a jump or a step forward; [`DRAWN`] where there is none.
    win: u8,
    /// The longest loss by one; [`DRAWN`] where one does not lose.
    loss: u8,
    /// Where steps along a rank lead.
    along_rank: Vec<Place>,
}

impl Open {
    fn new(place: Place) -> Open {
        Open { place, win: DRAWN, loss: 0, along_rank: Vec::new() }
    }

    /// A move leads out of the profile to a position with this distance.
    fn see_outside(&mut self, distance: Option<u8>) {
        match distance {
            Some(loss) if loss.is_multiple_of(2) => {
                self.win = self.win.min(loss + 1);
                self.loss = DRAWN;
            }
            Some(win) if self.loss != DRAWN => self.loss = self.loss.max(win + 1),
            _ => self.loss = DRAWN,
        }
    }

    /// The distance by moves out of the profile alone.
    fn outside(&self) -> u8 {
        if self.win == DRAWN { self.loss } else { self.win }
    }

    fn farthest(&self) -> u8 {
        let farthest = [self.win, self.loss].into_iter().filter(|&distance| distance != DRAWN);
        farthest.max().unwrap_or(0)
    }

    /// Whether it ends in so many plies, where all that ends sooner is known.
    fn ends_in(&self, distance: u8, slices: &[Slice]) -> bool {
        let mut along_rank = self
            .along_rank
            .iter()
            .map(|place| slices[usize::from(place.slice)].distances[place.at as usize]);
        if distance % 2 == 1 {
            self.win == distance || along_rank.any(|next| next == distance - 1)
        } else {
            self.loss <= distance && along_rank.all(|next| next % 2 == 1 && next < distance)
        }
    }
}
