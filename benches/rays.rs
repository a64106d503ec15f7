//! Ways to find what a slider attacks on 81 points: the one that Qirkat uses
//! and the ones it was chosen over. All are checked against each other first.
//! Each figure is the time for one rook on any point and one bishop on a
//! diagonal point.

#![allow(missing_docs, reason = "a benchmark may fail and is no library")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use qirkat::chesquerque::{Bitboard, Point, diagonal_attacks, orthogonal_attacks};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// A point and what is occupied around it.
type Query = (Point, Bitboard);

/// Step by step until a piece is met.
fn walk(from: Point, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
    let mut attacks = Bitboard::default();
    for (files, ranks) in directions {
        let mut next = from.offset(files, ranks);
        while let Some(point) = next {
            attacks |= point.bit();
            next = if occupied.contains(point) { None } else { point.offset(files, ranks) };
        }
    }
    attacks
}

/// Classical rays: the first blocker of each ray by a bit scan cuts off the
/// ray behind it.
struct Rays {
    /// Two directions towards higher indices, then two towards lower ones.
    rays: Vec<[u128; 4]>,
}

impl Rays {
    fn new(directions: [(i8, i8); 4]) -> Rays {
        let ray = |from: Point, (files, ranks): (i8, i8)| {
            let mut bits = 0;
            let mut next = from.offset(files, ranks);
            while let Some(point) = next {
                bits |= 1 << point.index();
                next = point.offset(files, ranks);
            }
            bits
        };
        Rays { rays: Point::all().map(|from| directions.map(|way| ray(from, way))).collect() }
    }

    fn attacks(&self, from: Point, occupied: u128) -> u128 {
        let rays = &self.rays[from.index()];
        let mut attacks = 0;
        for (direction, ray) in rays.iter().enumerate() {
            let blockers = ray & occupied;
            attacks |= ray;
            if blockers != 0 {
                let first = if direction < 2 {
                    blockers.trailing_zeros()
                } else {
                    127 - blockers.leading_zeros()
                };
                attacks ^= self.rays[first as usize][direction];
            }
        }
        attacks
    }
}

/// The bits of each line gathered with `pext`, looked up, and scattered again
/// with `pdep`.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod gathered {
    use super::{Point, walk};
    use qirkat::chesquerque::Bitboard;
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    struct Line {
        low: u64,
        high: u64,
        in_low: u32,
        attacks: Vec<u16>,
    }

    impl Line {
        fn new(from: Point, way: (i8, i8)) -> Line {
            let ways = [way, (-way.0, -way.1), way, (-way.0, -way.1)];
            let points: Vec<Point> = walk(from, Bitboard::default(), ways).into_iter().collect();
            let mask = points.iter().fold(0, |mask: u128, point| mask | 1 << point.index());
            let attacks = (0..1_usize << points.len())
                .map(|pattern| {
                    let pieces = points
                        .iter()
                        .enumerate()
                        .filter(|(index, _)| pattern >> index & 1 != 0)
                        .map(|(_, &point)| point)
                        .collect();
                    let attacked = walk(from, pieces, ways);
                    let indexed = points.iter().enumerate();
                    indexed.fold(0, |bits, (index, &point)| {
                        bits | u16::from(attacked.contains(point)) << index
                    })
                })
                .collect();
            let (low, high) = (mask as u64, (mask >> 64) as u64);
            Line { low, high, in_low: low.count_ones(), attacks }
        }

        #[expect(unsafe_code, reason = "no safe interface to these instructions")]
        fn attacks(&self, occupied: u128) -> u128 {
            // SAFETY: the module is only compiled where BMI2 is there.
            unsafe {
                let pieces = _pext_u64(occupied as u64, self.low)
                    | _pext_u64((occupied >> 64) as u64, self.high) << self.in_low;
                let attacks = u64::from(self.attacks[pieces as usize]);
                u128::from(_pdep_u64(attacks, self.low))
                    | u128::from(_pdep_u64(attacks >> self.in_low, self.high)) << 64
            }
        }
    }

    pub struct Gathered(Vec<[Line; 2]>);

    impl Gathered {
        pub fn new(directions: [(i8, i8); 4]) -> Gathered {
            let lines = |from| [Line::new(from, directions[0]), Line::new(from, directions[1])];
            Gathered(Point::all().map(lines).collect())
        }

        pub fn attacks(&self, from: Point, occupied: u128) -> u128 {
            let [a, b] = &self.0[from.index()];
            a.attacks(occupied) | b.attacks(occupied)
        }
    }
}

fn bits(set: Bitboard) -> u128 {
    set.into_iter().fold(0, |bits, point| bits | 1 << point.index())
}

fn queries() -> Vec<(Query, Query)> {
    let mut rng = StdRng::seed_from_u64(9);
    let mut query = |diagonal: bool| loop {
        let from = Point::all().nth(rng.random_range(0..Point::COUNT));
        // About 30 of the 81 points are taken, as in a middle game.
        let occupied = Point::all().filter(|_| rng.random_ratio(3, 8)).collect();
        if let Some(from) = from.filter(|from| !diagonal || from.is_diagonal()) {
            return (from, occupied);
        }
    };
    (0..1024).map(|_| (query(false), query(true))).collect()
}

fn rays(criterion: &mut Criterion) {
    let queries = queries();
    let raw: Vec<((Point, u128), (Point, u128))> =
        queries.iter().map(|&((a, x), (b, y))| ((a, bits(x)), (b, bits(y)))).collect();
    let classical = [Rays::new(ORTHOGONAL), Rays::new([(1, 1), (-1, 1), (-1, -1), (1, -1)])];
    for &((rook, pieces), (bishop, other_pieces)) in &queries {
        let expected = walk(rook, pieces, ORTHOGONAL);
        assert_eq!(orthogonal_attacks(rook, pieces), expected);
        assert_eq!(classical[0].attacks(rook, bits(pieces)), bits(expected));
        let expected = walk(bishop, other_pieces, DIAGONAL);
        assert_eq!(diagonal_attacks(bishop, other_pieces), expected);
        assert_eq!(classical[1].attacks(bishop, bits(other_pieces)), bits(expected));
    }

    let mut group = criterion.benchmark_group("rook and bishop");
    group.throughput(criterion::Throughput::Elements(queries.len() as u64));
    let over_sets = |attacks: fn(Point, Bitboard, bool) -> Bitboard| {
        let queries = queries.clone();
        move || {
            queries.iter().fold(Bitboard::default(), |all, &((a, x), (b, y))| {
                all ^ attacks(a, black_box(x), false) ^ attacks(b, black_box(y), true)
            })
        }
    };
    let walking = over_sets(|from, pieces, diagonal| {
        walk(from, pieces, if diagonal { DIAGONAL } else { ORTHOGONAL })
    });
    group.bench_function("walking", |bencher| bencher.iter(&walking));
    group.bench_function("classical rays", |bencher| {
        bencher.iter(|| {
            raw.iter().fold(0, |all, &((a, x), (b, y))| {
                all ^ classical[0].attacks(a, black_box(x)) ^ classical[1].attacks(b, black_box(y))
            })
        });
    });
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        let gathered = [ORTHOGONAL, DIAGONAL].map(gathered::Gathered::new);
        for &((rook, pieces), (bishop, other_pieces)) in &raw {
            assert_eq!(gathered[0].attacks(rook, pieces), classical[0].attacks(rook, pieces));
            assert_eq!(
                gathered[1].attacks(bishop, other_pieces),
                classical[1].attacks(bishop, other_pieces)
            );
        }
        group.bench_function("gather and scatter", |bencher| {
            bencher.iter(|| {
                raw.iter().fold(0, |all, &((a, x), (b, y))| {
                    all ^ gathered[0].attacks(a, black_box(x))
                        ^ gathered[1].attacks(b, black_box(y))
                })
            });
        });
    }
    let subtracting = over_sets(|from, pieces, diagonal| {
        if diagonal { diagonal_attacks(from, pieces) } else { orthogonal_attacks(from, pieces) }
    });
    group.bench_function("byte-reversed subtraction", |bencher| bencher.iter(&subtracting));
    group.finish();
}

criterion_group!(benches, rays);
criterion_main!(benches);
