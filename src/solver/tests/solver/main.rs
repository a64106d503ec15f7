#[test]
#[ignore]
fn start() {
    use qirkat_rules::alquerque::*;
    use qirkat_solver::*;
    let now = std::time::Instant::now();
    let tables = DistanceTables::new(5);
    eprintln!("tables {} {:?}", tables.positions(), now.elapsed());
    let position = Position::start();
    let mut prover = Prover::new(&tables, Color::White, 4096).unwrap();
    let won = prover
        .prove(&position, &mut |p| {
            if p.nodes() % (1 << 21) == 0 {
                eprintln!("{} {} {:?}", p.nodes(), p.proved(), now.elapsed());
            }
            true
        })
        .unwrap();
    eprintln!("{won} {} {} {:?}", prover.nodes(), prover.proved(), now.elapsed());
    let certificate = Certificate::new(&prover, &position).unwrap();
    eprintln!("{} decisions {:?}", certificate.decisions.len(), now.elapsed());
    let mut bytes = Vec::new();
    certificate.write(&mut bytes).unwrap();
    std::fs::write("/tmp/try/start.cert", &bytes).unwrap();
    eprintln!("{} bytes {:?}", bytes.len(), now.elapsed());
    let read = Certificate::read(&*bytes).unwrap();
    assert!(read == certificate);
    eprintln!("{:?} {:?}", verify(&read), now.elapsed());
}
