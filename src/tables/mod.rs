//! Endgame tablebases.

mod cell;
mod generator;
mod king_pairs;
mod layout;
mod material;
mod moves;
mod pawns;
mod placement;
mod slice_solver;
mod symmetry;

pub use material::{MAX_TABLE_PIECES, Material, MaterialError};

#[doc(hidden)]
pub fn experiment(pieces: usize, only: &str, sink: &mut dyn FnMut(&str, usize, Vec<&[u8]>)) {
    let mut all = generator::SolvedTables::default();
    for n in 3..=pieces {
        for m in Material::all(n) {
            let start = std::time::Instant::now();
            if n == 4 && !only.is_empty() && !only.split(',').any(|o| m.to_string() == o) { continue; }
            let t = generator::generate(m, &all, &mut |_| true).unwrap();
            for (side, s) in ["w", "b"].iter().zip(0..2) {
                let mut wins = 0; let mut losses = 0; let mut draws = 0; let mut longest = 0; let mut cursed = 0; let mut lz = 0;
                for (c, z) in t.dtm[s].iter().zip(&t.dtz[s]) {
                    if *c == cell::Cell::BROKEN { continue }
                    if c.is_win() { wins += 1 } else if c.is_loss() { losses += 1 } else { draws += 1 }
                    assert_eq!(c.is_win(), z.is_win());
                    assert_eq!(c.is_loss(), z.is_loss());
                    longest = longest.max(c.plies()); lz = lz.max(z.plies());
                    if z.plies() > 100 { cursed += 1 }
                }
                println!("{m} {side}: w {wins} d {draws} l {losses} longest {longest} dtz {lz} cursed {cursed}");
            }
            println!("{m} {} cells x2 in {:.2}s", t.layout.cells(), start.elapsed().as_secs_f64());
            {
                let v: Vec<Vec<u8>> = t.dtm.iter().chain(&t.dtz).map(|v| v.iter().flat_map(|c| c.0.to_le_bytes()).collect()).collect();
                sink(&m.to_string(), t.layout.pair_stride, v.iter().map(|v| &v[..]).collect());
            }
            all.insert(std::sync::Arc::new(t));
        }
    }
}
