use crate::run::Folder;

const TWO: &str = "-engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT";

#[test]
fn large_numbers_are_accepted() {
    Folder::new().play(&format!(
        "match {TWO} -each tc=1000000 depth=1 timemargin=18446744073709551615 \
         -maxmoves 4294967295 -draw movenumber=4294967295 movecount=4294967295 score=1 \
         -resign movecount=4294967295 score=2147483647 -srand 18446744073709551615"
    ));
}

#[test]
fn unexpected_effects_are_reported() {
    let folder = Folder::with([("one.epd", "4k4/9/9/9/9/9/9/9/R3K4 w - -\n")]);
    for (more, told) in [
        ("-noswap -sprt elo0=-400 elo1=400", "-sprt counts single games here, not pairs"),
        ("-games 3 -sprt elo0=-400 elo1=400", "-sprt counts single games here, not pairs"),
        (
            "-openings file=one.epd -rounds 2",
            "-openings: 2 are needed from number 1 on, but the file has 1: it is repeated",
        ),
    ] {
        let line = format!("match {TWO} -each depth=1 -maxmoves 2 {more}");
        assert_eq!(folder.ends(0, &line).err.trim_end(), format!("qirkat: {told}"), "{more}");
    }
}
