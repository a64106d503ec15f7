use super::games::tags;
use crate::run::Folder;

const TWO: &str = "match -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT -each depth=1 \
                   option.Hash=1 -maxmoves 2 -concurrency 1";

fn game_of(variant: &str) -> String {
    format!("[Event \"?\"]\n[Variant \"{variant}\"]\n[Result \"*\"]\n\n*\n\n")
}

#[test]
fn finished_openings_are_skipped() {
    let chesquerque = game_of("Chesquerque");
    let mate = "[SetUp \"1\"]\n[FEN \"4k4/R8/1R7/9/9/9/9/9/4K4 w - - 0 1\"]\n[Result \"1-0\"]\n\n\
                1. Rb9# 1-0\n\n";
    let (stale, alive) = ("4k4/9/9/9/9/9/9/9/R3K4 w - - 100 80", "4k4/9/9/9/9/9/9/9/R3K4 w - -");
    let folder = Folder::with([
        ("games.pgn", format!("{chesquerque}{mate}{chesquerque}{mate}")),
        ("mates.pgn", mate.to_owned()),
        ("book.epd", format!("# a book\n{stale}\n{alive}\n{alive}\n")),
    ]);
    for (openings, told, starts) in [
        ("file=games.pgn", "2 left out because the game is over: first games.pgn, game 2", 2),
        ("file=games.pgn plies=0", "", 3),
        ("file=book.epd", "1 left out because the game is over: first book.epd, line 2", 2),
    ] {
        let name = openings.replace(['=', ' '], "-");
        let line = format!("{TWO} -rounds 3 -openings {openings} -pgnout {name}.out");
        let err = folder.ends(0, &line).err;
        let left_out: Vec<&str> = err.lines().filter(|line| line.contains("left out")).collect();
        let expected = format!("qirkat: -openings: {told}");
        assert_eq!(left_out, if told.is_empty() { vec![] } else { vec![expected.as_str()] });
        // No game without a move of an engine is counted.
        let pgn = folder.read(&format!("{name}.out"));
        let none = pgn.split("[Event ").skip(1).find(|game| !game.contains("/1 0."));
        assert_eq!((tags(&pgn, "Result").len(), none), (6, None));
        let again = format!("the file has {starts}: it is repeated");
        assert_eq!(err.contains(&again), starts < 3, "{err}");
    }
    let complaint = "mates.pgn: no opening in it can be played: the game is over in all 1\n";
    folder.refuse(&format!("{TWO} -openings file=mates.pgn"), complaint);
}

#[test]
fn openings_of_another_game_are_refused() {
    let [chesquerque, masonic] = ["Chesquerque", "Masonic chess"].map(game_of);
    let start = qirkat::variant::Variant::Masonic.start().fen();
    let folder = Folder::with([
        ("both.pgn", chesquerque + &masonic),
        ("masonic.pgn", masonic),
        ("masonic.epd", format!("{start}\n")),
    ]);
    for (more, file, complaint) in [
        ("", "masonic.pgn", "game 1 is of Masonic chess, not of Chesquerque: `-variant masonic`"),
        ("", "masonic.epd", "line 1 is of Masonic chess, not of Chesquerque: `-variant masonic`"),
        ("", "both.pgn", "game 2 is of Masonic chess, not of Chesquerque"),
        ("-variant masonic", "both.pgn", "game 1 is of Chesquerque, not of Masonic chess"),
    ] {
        let line = format!("{TWO} {more} -openings file={file}");
        folder.refuse(&line, &format!("-openings: {file}, {complaint}"));
    }
    for file in ["masonic.pgn", "masonic.epd"] {
        folder.play(&format!("{TWO} -variant masonic -openings file={file} -pgnout {file}.out"));
        let variants = tags(&folder.read(&format!("{file}.out")), "Variant");
        assert_eq!(variants, ["Masonic chess"; 2], "{file}");
    }
}
