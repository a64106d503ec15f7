use std::collections::HashMap;

use qirkat_game::{MoveFilter, Rules, Searchable, Terminal};
use qirkat_rules::alquerque::{Color, Key, MAN_VALUE, Move, PackedMove, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::super::tables::fens;
use super::walks::walk;
use super::{POSITIONS, read};

const WALKS: u64 = 300;
const PLIES: usize = 60;

fn for_each_position(mut check: impl FnMut(&Position)) {
    for seed in 0..WALKS {
        walk(seed, PLIES).iter().for_each(&mut check);
    }
    for fen in fens(POSITIONS) {
        check(&read(fen));
    }
}

#[test]
fn fens_keys_and_symmetries_are_consistent() {
    let mut fen_of_key: HashMap<Key, String> = HashMap::new();
    for_each_position(|position| {
        let fen = position.fen();
        assert_eq!(&read(&fen), position, "{fen} read back, key included");
        let what_repeats = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let same = fen_of_key.entry(position.key()).or_insert_with(|| what_repeats.clone());
        assert_eq!(*same, what_repeats, "two positions share a key");

        let flipped = position.flipped();
        assert_eq!(flipped.flipped(), *position);
        assert_eq!(position.mirrored().mirrored(), *position);
        let moves = position.count_legal_moves();
        for seen in [flipped, position.mirrored()] {
            assert_eq!(seen, read(&seen.fen()), "{fen}");
            assert_eq!(seen.count_legal_moves(), moves, "{fen}");
        }
    });
}

#[test]
fn move_queries_agree_with_the_move_list() {
    for_each_position(|position| {
        let moves = position.legal_moves();
        let jumps = moves.iter().any(|mv| mv.is_jump());
        assert_eq!(position.must_respond(), jumps, "{position}");
        assert_eq!(Rules::has_legal_moves(position), !moves.is_empty(), "{position}");
        assert!(position.may_lack_moves() || !moves.is_empty());
        assert_eq!(position.without_moves(), Terminal::Lost);
        assert_eq!(position.null_move(), None);
        for &mv in moves.iter().take(200) {
            let next = position.after(mv);
            assert_eq!(position.gives_check(mv), next.must_respond(), "{position} {mv}");
            let taken = position.men(!position.side_to_move()).len()
                - next.men(!position.side_to_move()).len();
            assert_eq!(position.gain(mv), MAN_VALUE * taken as i32, "{position} {mv}");
            assert_eq!(mv.captured().len(), taken, "{position} {mv}");
            assert_eq!(mv.points().last(), Some(mv.to()), "{position} {mv}");
            assert!(position.butterfly_slot(mv) < Position::BUTTERFLY_SLOTS);
            assert!(position.piece_to(mv) < Position::PIECE_TO);
            assert!(position.capture_slot(mv) < Position::CAPTURE_SLOTS);
            let is_forward = mv.is_jump() || !mv.first_direction().is_sideways();
            let clock = if is_forward { 0 } else { position.halfmove_clock() + 1 };
            assert_eq!(next.halfmove_clock(), clock, "{position} {mv}");
            assert_eq!(next.is_drawn_by_100_plies(), next.plies_to_100_ply_draw() == 0);
        }
    });
}

#[test]
fn history_slots_are_unique() {
    for_each_position(|position| {
        let mut quiet = Vec::new();
        position
            .for_each_move(MoveFilter::Quiet, &mut |mv| quiet.push(position.butterfly_slot(mv)));
        let count = quiet.len();
        quiet.sort_unstable();
        quiet.dedup();
        assert_eq!(quiet.len(), count, "{position}");
    });
}

#[test]
fn packed_moves_survive_a_round_trip() {
    let mut rng = StdRng::seed_from_u64(16);
    let (mut exact, mut shared) = (0, 0);
    for_each_position(|position| {
        let moves = position.legal_moves();
        for &mv in moves.iter().take(400) {
            let packed = position.pack(mv);
            assert_ne!(packed, PackedMove::NONE);
            let unpacked = position.unpack(packed).expect("it stands for a legal move");
            assert!(moves.contains(&unpacked), "{position} {mv} {unpacked}");
            if unpacked == mv {
                exact += 1;
            } else {
                assert!(mv.jumps() > 3, "{position} {mv} {unpacked}");
                shared += 1;
            }
        }
        // Any number from a table unpacks to a legal move exactly if that is listed; a jump is
        // legal or does not unpack.
        for _ in 0..60 {
            check_unpacked(position, PackedMove(rng.random()), &moves);
        }
        assert_eq!(position.unpack(PackedMove::NONE), None);
    });
    assert!(exact > 20_000 && shared < exact / 100, "{exact} exact, {shared} shared");
    let position = read("5/2m2/2M2/5/5 w - - 0 1");
    for number in 0..=u16::MAX {
        check_unpacked(&position, PackedMove(number), &position.legal_moves());
    }
}

fn check_unpacked(position: &Position, packed: PackedMove, moves: &[Move]) {
    if let Some(mv) = position.unpack(packed) {
        assert_eq!(position.is_legal(mv), moves.contains(&mv), "{position} {mv}");
        assert!(!mv.is_jump() || moves.contains(&mv), "{position} {mv}");
        assert_eq!(position.pack(mv), packed, "{position} {mv}");
    }
}

fn exchange(position: &Position, mv: Move) -> i32 {
    let count = |mv: &Move| mv.jumps() as i32;
    let next = position.after(mv);
    let replies = next.legal_moves();
    let after = replies.iter().filter(|reply| reply.is_jump()).map(|&reply| {
        let back = next.after(reply).legal_moves().iter().map(count).max();
        back.unwrap_or(0) - count(&reply)
    });
    MAN_VALUE * (count(&mv) + after.min().unwrap_or(0))
}

#[test]
fn see_agrees_with_move_lists() {
    let (mut offers, mut wins) = (0, 0);
    for_each_position(|position| {
        for &mv in position.legal_moves().iter().take(20) {
            let next = position.after(mv);
            let replies = next.legal_moves();
            let longest = |position: &Position| position.count_legal_moves();
            // The search for the best reply is cut short if there are very many.
            if replies.len() > 32 || replies.iter().any(|&mv| longest(&next.after(mv)) > 32) {
                continue;
            }
            let worth = exchange(position, mv);
            assert!(position.see_ge(mv, worth), "{position} {mv} {worth}");
            assert!(!position.see_ge(mv, worth + 1), "{position} {mv} {worth}");
            offers += usize::from(worth < 0);
            wins += usize::from(!mv.is_jump() && worth > 0);
        }
    });
    assert!(offers > 1000 && wins > 100, "{offers} men offered, {wins} won by offering");
}

#[test]
fn structure_hashes_depend_only_on_the_men() {
    let hashes = |fen: &str| read(fen).structure_hashes();
    let one = hashes("5/1m3/5/2M2/5 w - - 0 1");
    let black_elsewhere = hashes("5/2m2/5/2M2/5 w - - 0 1");
    assert_eq!(one, hashes("5/1m3/5/2M2/5 b - - 9 9"));
    assert_eq!(one.pieces[Color::White.index()], black_elsewhere.pieces[Color::White.index()]);
    assert_ne!(one.pieces[Color::Black.index()], black_elsewhere.pieces[Color::Black.index()]);
    assert_ne!(one.pawns, black_elsewhere.pawns);
}
