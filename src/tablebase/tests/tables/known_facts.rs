//! Known facts about these endings, and what tables guarantee for any position.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use qirkat_evaluation::{Evaluation, MasonicEvaluation};
use qirkat_game::{Evaluate, GameState, Rules};
use qirkat_rules::chesquerque::{Color, PieceKind, Position};
use qirkat_rules::masonic;
use qirkat_search::{SearchLimits, Searcher};
use qirkat_tablebase::{
    BuildError, ChessTableGame, Material, SideStatistics, Statistics, SurveyOptions, SurveyStep,
    SurveyedGame, TableForm, TableGame, TableResult, Tables, Unknown,
};
use qirkat_testing::effort;

use crate::files::build_as;

#[test]
fn longest_mates_with_one_piece_are_as_known() {
    let tables: Tables = Tables::with_embedded();
    for (name, plies) in [("KQvK", 19), ("KAvK", 25), ("KRvK", 23), ("KBvK", 35)] {
        let material: Material = name.parse().expect("a material");
        let white = tables.statistics(material).expect("embedded").sides[0];
        let (longest, index) = white.longest_win.expect("wins");
        assert_eq!((longest, white.draws, white.losses), (plies, 0, 0), "{name}");
        let position = tables.position(material, index, Color::White).expect("a position");
        let value = tables.value(&position).expect("sound").expect("known");
        assert_eq!((value.result, value.dtm), (TableResult::Win, Some(plies)), "{position}");
    }
    let knight = tables.statistics("KNvK".parse().expect("a material")).expect("embedded");
    for side in knight.sides {
        assert_eq!((side.wins, side.losses), (0, 0));
        assert!(side.draws > 0);
    }
}

/// The best move has the value of the position, and moves are sorted best first.
#[test]
fn moves_are_sorted_best_first() {
    let tables: Tables = Tables::with_embedded();
    for fen in [
        "k8/9/2K6/9/9/9/9/8R/9 w - - 0 1",
        "9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1",
        "9/9/9/3k5/9/9/9/5B3/4K4 b - - 0 1",
        "9/1P7/9/3k5/9/9/9/9/4K4 w - - 0 1",
        "9/9/9/9/4k4/9/4P4/9/4K4 b - - 0 1",
        "9/9/9/3k5/9/9/9/5N3/4K4 w - - 0 1",
        // The clock leaves no time to mate.
        "9/9/9/3k5/9/9/9/5B3/4K4 w - - 90 60",
    ] {
        let position: Position = fen.parse().expect("a position");
        let probe = tables.probe(&position).expect("sound").expect("three pieces");
        assert_eq!(probe.moves.len() as u64, position.count_legal_moves());
        assert_eq!(probe.moves[0].value, probe.value, "{fen}");
        for pair in probe.moves.windows(2) {
            assert!(pair[0].value.result >= pair[1].value.result, "{fen}");
        }
    }
}

#[test]
fn the_clock_can_prevent_a_win() {
    let tables: Tables = Tables::with_embedded();
    let with_clock = |clock: u16| -> Position {
        format!("k8/9/2K6/9/9/9/9/8R/9 w - - {clock} 60").parse().expect("a position")
    };
    let value = |clock| tables.value(&with_clock(clock)).expect("sound").expect("known");
    let plies = value(0).dtz.expect("a win");
    assert_eq!(value(100 - plies).result, TableResult::Win);
    assert_eq!(value(101 - plies).result, TableResult::CursedWin);
}

#[test]
fn unknown_positions_return_none() {
    let tables: Tables = Tables::with_embedded();
    for fen in ["4k4/9/9/9/9/9/9/9/R3K4 w Q - 0 1", "4k4/9/9/9/9/9/8b/9/R3K4 w - - 0 1"] {
        let position: Position = fen.parse().expect("a position");
        assert_eq!(tables.value(&position).expect("sound"), None, "{fen}");
        assert_eq!(tables.probe(&position).expect("sound"), None, "{fen}");
    }
}

/// From a position with the longest mate of each table, the engine mates in as many plies.
fn assert_mates_in_the_fewest_plies<E>(names: &[&str])
where
    E: Evaluate<Game: ChessTableGame> + Default,
{
    let tables = Arc::new(Tables::<E::Game>::with_embedded());
    let mut searcher = Searcher::<E>::new().expect("memory");
    searcher.set_tablebase(Some(tables.clone()));
    for name in names {
        let material = name.parse().expect("a material");
        let (plies, index) =
            tables.statistics(material).expect("embedded").sides[0].longest_win.expect("wins");
        let start = tables.position(material, index, Color::White).expect("a position");
        let mut game = GameState::from_position(start);
        let result = searcher.search(&game, &SearchLimits::depth(1));
        assert_eq!(result.score.plies_to_mate(), Some(plies as i16), "{start}");
        for _ in 0..plies {
            assert_eq!(game.outcome(), None, "{start}");
            let result = searcher.search(&game, &SearchLimits::depth(1));
            game.play(result.best.expect("a move"));
        }
        let outcome = game.outcome().expect("the end");
        assert_eq!(outcome.winner(), Some(Color::White), "{start}");
    }
}

#[test]
fn the_engine_mates_in_the_fewest_plies() {
    assert_mates_in_the_fewest_plies::<Evaluation>(&["KQvK", "KAvK", "KRvK", "KBvK", "KPvK"]);
    assert_mates_in_the_fewest_plies::<MasonicEvaluation>(&[
        "KQvK", "KRvK", "KBvK", "KNvK", "KPvK",
    ]);
}

/// With results only, the engine keeps a win with each move and finds the mate itself: no table
/// tells it a distance.
#[test]
fn the_engine_wins_with_results_only() {
    let folder = tempfile::tempdir().expect("a folder");
    build_as::<Position>(folder.path(), &["KQvK", "KRvK"], TableForm::Wdl);
    let mut wdl = Tables::new();
    wdl.add_folder(folder.path()).expect("read");
    // The longest distance to zeroing is 23, so that a later win may come too late.
    for (clock, is_certain) in [(0, true), (76, true), (78, false)] {
        let text = format!("k8/9/2K6/9/9/9/9/8R/9 w - - {clock} 60");
        let position: Position = text.parse().expect("a position");
        let value = wdl.value(&position).expect("sound");
        assert_eq!(value.map(|it| it.result), is_certain.then_some(TableResult::Win), "{text}");
        if !is_certain {
            assert_eq!(Position::why_unknown(&wdl, &position), Unknown::Clock);
        }
    }
    let exact: Tables = Tables::with_embedded();
    let mut searcher = Searcher::<Evaluation>::new().expect("memory");
    searcher.set_tablebase(Some(Arc::new(wdl)));
    for name in ["KQvK", "KRvK"] {
        let statistics = exact.statistics(name.parse().expect("a material")).expect("embedded");
        let (plies, index) = statistics.sides[0].longest_win.expect("wins");
        let material = name.parse().expect("a material");
        let start = exact.position(material, index, Color::White).expect("a position");
        let mut game = GameState::from_position(start);
        let first = searcher.search(&game, &SearchLimits::depth(2));
        assert!(!first.score.is_mate(), "{start}: {}", first.score);
        while game.outcome().is_none() {
            let limits = SearchLimits::depth(9);
            let result = searcher.search(&game, &limits);
            let value = exact.value(game.position()).expect("sound").expect("three pieces");
            if let (Some(mate), Some(dtm)) = (result.score.plies_to_mate(), value.dtm) {
                assert!(mate.unsigned_abs() >= dtm, "{}: {}", game.position(), result.score);
            }
            game.play(result.best.expect("a move"));
            let value = exact.value(game.position()).expect("sound").expect("three pieces");
            assert_ne!(value.result, TableResult::Draw, "{}", game.position());
        }
        assert_eq!(game.outcome().expect("the end").winner(), Some(Color::White), "{start}");
        let played = game.position().reversible_plies();
        assert!(played < 3 * usize::from(plies), "{start}: mate after {played} plies");
    }
}

/// The number of tables by pieces; all names are valid, and those with three pieces are built in.
fn count_tables<G: ChessTableGame>() -> [usize; 3] {
    let built_in: Vec<Material<G::Kind>> = Tables::<G>::with_embedded().materials().collect();
    assert_eq!(built_in, Material::all(3));
    [3, 4, 5].map(|pieces| {
        let all = Material::<G::Kind>::all(pieces);
        for &material in &all {
            assert!(material.pieces() == pieces && material.is_canonical(), "{material}");
            assert_eq!(material.to_string().parse(), Ok(material));
        }
        all.len()
    })
}

#[test]
fn the_number_of_tables_is_as_documented() {
    assert_eq!(count_tables::<Position>(), [6, 42, 182]);
    assert_eq!(count_tables::<masonic::Position>(), [5, 30, 110]);
    let children = |text: &str| -> Vec<String> {
        let children = text.parse::<Material>().expect("a material").children();
        let mut names: Vec<String> = children.iter().map(ToString::to_string).collect();
        names.sort();
        names
    };
    assert_eq!(children("KRvKB"), ["KBvK", "KRvK"]);
    assert_eq!(children("KPvK"), ["KAvK", "KBvK", "KNvK", "KQvK", "KRvK"]);
    assert!("KKvK".parse::<Material<PieceKind>>().is_err());
    assert!("KAvK".parse::<Material<masonic::PieceKind>>().is_err());
    assert!("KQQQQQvK".parse::<Material<PieceKind>>().is_err());
}

type Surveys = Vec<(Material, Statistics)>;

fn survey_in(
    names: &[&str],
    threads: usize,
    megabytes: u64,
) -> Result<Surveys, BuildError<Material>> {
    let materials = names.iter().map(|name| name.parse().expect("a material")).collect();
    let options = SurveyOptions { materials, threads, memory: megabytes << 20 };
    let found = Mutex::new(Vec::new());
    Position::survey(&options, &AtomicBool::new(false), &|step| {
        if let SurveyStep::Surveyed(table) = step {
            found.lock().expect("whole").push((table.material, table.statistics));
        }
    })?;
    Ok(found.into_inner().expect("whole"))
}

fn survey(names: &[&str]) -> Surveys {
    // One thread is the least.
    survey_in(names, 0, 4096).expect("surveyed")
}

/// Too little memory is refused before the work, and what is asked for is enough.
#[test]
fn surveys_name_the_memory_that_they_need() {
    let names = ["KRvKP", "KPvKP", "KPPvK"];
    let refused = |megabytes| match survey_in(&names, 3, megabytes) {
        Err(BuildError::Memory { needed, .. }) => Some(needed),
        surveyed => (surveyed.expect("memory").len() != names.len()).then_some(0),
    };
    let needed = refused(1).expect("a megabyte is too little");
    assert_eq!(refused(needed - 1), Some(needed));
    assert!(effort([true, false, false]) || refused(needed).is_none());
}

/// Statistics counted by rows agree with those counted by cells, and with those of tables checked
/// against their successors.
#[test]
fn surveys_agree_with_tables() {
    let tables: Tables = Tables::with_embedded();
    for (material, statistics) in survey(&["KQvK", "KAvK", "KRvK", "KBvK", "KNvK"]) {
        assert_eq!(Some(&statistics), tables.statistics(material), "{material}");
    }
    // With pawns there are no distances to mate.
    for (material, statistics) in survey(&["KPvK"]) {
        let mut expected = *tables.statistics(material).expect("it is built in");
        expected.sides =
            expected.sides.map(|it| SideStatistics { longest_win: None, longest_loss: None, ..it });
        assert_eq!(statistics, expected);
    }
    // Five pieces take minutes.
    let names = ["KBvKN", "KNNvK", "KAvKA", "KBNvKN", "KNNvKN"];
    let names = &names[..effort([3, 3, 5])];
    let found = survey(names).into_iter().map(|(_, it)| {
        let sides = it.sides.map(|side| {
            let longest = [side.longest_win, side.longest_loss, side.longest_zeroing];
            (side.wins, side.draws, side.losses, longest.map(|it| it.map_or(0, |(plies, _)| plies)))
        });
        (sides, it.zugzwangs, it.full_zugzwangs)
    });
    assert_eq!(found.collect::<Vec<_>>(), FOUND[..names.len()]);
}

/// For each side to move: wins, draws, losses, the longest win, loss and zeroing; then mutual
/// zugzwangs and full ones.
type Facts = ([(u64, u64, u64, [u16; 3]); 2], u64, u64);

const FOUND: [Facts; 5] = [
    (
        [(9_234_800, 24_187_056, 24, [127, 0, 95]), (104, 33_581_284, 1_248_292, [1, 126, 94])],
        1064,
        0,
    ),
    ([(16_164_120, 67_076, 0, [57, 0, 57]), (0, 2_358_040, 16_325_144, [0, 58, 58])], 8, 0),
    (
        [
            (7_159_172, 23_616_556, 109_464, [29, 28, 23]),
            (7_159_172, 23_616_556, 109_464, [29, 28, 23]),
        ],
        488,
        8,
    ),
    (
        [
            (2_395_102_776, 8_845_904, 1_624, [119, 0, 43]),
            (7_016, 551_280_572, 2_133_134_460, [1, 128, 44]),
        ],
        96,
        0,
    ),
    (
        [
            (279_332_628, 972_483_500, 64, [171, 0, 141]),
            (336, 1_318_270_624, 23_852_816, [1, 170, 140]),
        ],
        40_904,
        0,
    ),
];
