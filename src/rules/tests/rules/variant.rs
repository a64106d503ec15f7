use qirkat_game::Rules;
use qirkat_rules::variant::{CannotPass, Place, Variant};

#[test]
fn points_are_parsed() {
    for (variant, text, read) in [
        (Variant::Chesquerque, "i9", Some("i9")),
        (Variant::Chesquerque, "E5", Some("e5")),
        (Variant::Masonic, "i9", None),
        (Variant::Alquerque, "e5", Some("e5")),
        (Variant::Alquerque, "a0", None),
        (Variant::Alquerque, "", None),
        (Variant::Alquerque, "é", None),
        (Variant::Alquerque, "e55", None),
    ] {
        let place = Place::parse(variant, text).map(|place| place.to_string());
        assert_eq!(place.as_deref(), read, "{text}");
    }
    assert_eq!(Place::all(Variant::Chesquerque).count(), 81);
}

#[test]
fn passing_swaps_the_side_to_move_unless_in_check() {
    for variant in Variant::ALL {
        let start = variant.start();
        let passed = start.after_null_move().expect("nobody is in check");
        assert_eq!(passed.side_to_move(), !start.side_to_move());
        assert_eq!(passed.fen().split(' ').next(), start.fen().split(' ').next());
        let read = variant.read_fen(&passed.fen()).expect("a position").position;
        assert_eq!(read, passed, "as if it had been set up so");
    }
    for (fen, why) in [
        ("4k4/9/9/9/9/9/9/9/r3K4 w - - 0 1", CannotPass::InCheck),
        ("k8/7R1/9/9/9/9/9/9/1R2K4 w - - 0 1", CannotPass::NoReply),
    ] {
        let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        assert_eq!(position.after_null_move(), Err(why), "{fen}");
    }
}

/// The step back is forbidden only for the next move.
#[test]
fn passing_allows_the_step_back() {
    let fen = "m4/5/5/2M2/5 w c2b2 a5b5 3 9";
    let position = Variant::Alquerque.read_fen(fen).expect(fen).position;
    let passed = position.after_null_move().expect("no check here");
    assert_eq!(passed.fen(), "m4/5/5/2M2/5 b a5b5 - 4 9");
}

#[test]
fn pieces_match_the_fen() {
    for variant in Variant::ALL {
        let mut position = variant.start();
        for ply in 0..40 {
            let fen = position.fen();
            let board = fen.split(' ').next().unwrap_or_default();
            let letters: String = board.chars().filter(char::is_ascii_alphabetic).collect();
            let found: String = position.pieces().iter().map(|&(_, letter)| letter).collect();
            assert_eq!(found, letters, "{fen}");
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            let (from, to) = mv.ends();
            let mover = position.piece_on(from);
            assert_eq!(mv.places().first(), Some(&from));
            assert_eq!(mv.places().last(), Some(&to));
            position.make(mv);
            if mv.promotion().is_none() {
                assert_eq!(position.piece_on(to), mover, "{fen} {mv}");
            }
        }
    }
}

#[test]
fn attackers_of_a_point_are_found() {
    let alquerque = "5/5/5/1m3/2M2 w - - 0 1";
    for (variant, fen, point, attackers) in [
        // A pawn on a diagonal point attacks diagonally, and a rook along its file.
        (Variant::Chesquerque, "4k4/9/9/4p4/4P4/3P5/9/9/R2RK4 w - - 0 1", "d4", "d1"),
        // Black's knight on d7 protects e5 over d6, White's bishop attacks it.
        (Variant::Chesquerque, "4k4/9/3n5/9/4p4/9/9/7B1/4K4 w - - 0 1", "e5", "d7 h2"),
        (Variant::Alquerque, alquerque, "b2", "c1"),
        (Variant::Alquerque, alquerque, "c1", ""),
    ] {
        let position = variant.read_fen(fen).expect(fen).position;
        let mut found = position.attackers(Place::parse(variant, point).expect(point));
        found.sort_by_key(|place| (place.file, place.rank));
        let found: Vec<String> = found.iter().map(Place::to_string).collect();
        assert_eq!(found.join(" "), attackers, "{point} in {fen}");
    }
}
