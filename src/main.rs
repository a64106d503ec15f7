fn main() {
    let mut args = std::env::args().skip(1);
    let fen = args.next().unwrap();
    let depth: u32 = args.next().unwrap().parse().unwrap();
    let p = qirkat::position::Position::from_fen(&fen).unwrap().position;
    for d in 1..=depth {
        let t = std::time::Instant::now();
        let n = qirkat::position::perft(&p, d);
        let e = t.elapsed().as_secs_f64();
        println!(
            "{d} {n} {:.1} M/s {:.1} ns/lp",
            n as f64 / e / 1e6,
            if d > 1 { e * 1e9 / qirkat::position::perft(&p, d - 1) as f64 } else { 0.0 }
        );
    }
}
