use std::collections::BTreeSet;

use qirkat_game::splitmix::splitmix64;

use super::*;

#[test]
fn rules_of_pieces_on_points() {
    let rows = include_str!("examples.txt").lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let [variant, fen, point, text] = row.splitn(4, " ; ").collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let variant: Variant = variant.parse().expect("a game");
        let position = variant.read_fen(fen).expect("a position").position;
        let place = Place::parse(variant, point).expect("a point");
        let told = rule_of(&position, place).expect("a piece").text;
        assert_eq!(told, text, "{point} in {fen}");
    }
}

/// The moves of a piece by the points that it leads over, of which a chess move has the ends.
fn moves_of(position: &AnyPosition, place: Place) -> BTreeSet<Vec<String>> {
    let moves = position.legal_moves().into_iter().filter(|mv| mv.ends().0 == place);
    moves.map(|mv| mv.places().iter().map(Place::to_string).collect()).collect()
}

#[test]
fn rules_agree_with_the_move_generator() {
    let mut seed = 7;
    let mut stuck = 0;
    for variant in Variant::ALL {
        for _ in 0..12 {
            let mut position = variant.start();
            for _ in 0..60 {
                let turns = [Some(position), position.after_null_move().ok()];
                for (place, letter) in position.pieces() {
                    let color =
                        if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                    let Some(turn) =
                        turns.iter().flatten().find(|turn| turn.side_to_move() == color)
                    else {
                        continue;
                    };
                    let rule = rule_of(&position, place).expect("a piece");
                    let told = rule.ways.iter().map(|way| match (variant, way.points.as_slice()) {
                        (Variant::Alquerque, points) => points.to_vec(),
                        (_, points) => {
                            vec![points[0].clone(), points[points.len() - 1].clone()]
                        }
                    });
                    let legal = moves_of(turn, place);
                    let context = format!("{place} in {}: {}", position.fen(), rule.text);
                    assert_eq!(told.collect::<BTreeSet<_>>(), legal, "{context}");
                    assert_eq!(rule.text.contains("cannot move"), legal.is_empty(), "{context}");
                    stuck += usize::from(legal.is_empty());
                    let empty = |name: &String| {
                        let place = Place::parse(variant, name).expect("a point");
                        turn.piece_on(place).is_none()
                    };
                    if variant != Variant::Alquerque {
                        let mut inner =
                            rule.ways.iter().flat_map(|way| &way.points[1..way.points.len() - 1]);
                        assert!(inner.all(empty), "{context}");
                    }
                    if let Some((_, names)) = rule.text.split_once("is blocked on ") {
                        let names = names.split([';', '.']).next().unwrap_or_default();
                        let mut names = names
                            .split(", ")
                            .flat_map(|part| part.split(" and "))
                            .map(str::to_owned);
                        assert!(names.all(|name| !empty(&name)), "{context}");
                    }
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.after(moves[splitmix64(&mut seed) as usize % moves.len()]);
            }
        }
    }
    assert!(stuck > 1000, "{stuck}");
}
