//! Puzzles: positions with one solution, for people.
//!
//! [`built_in`] returns those that come with Qirkat. A [`Miner`] finds more in self-play games: a
//! mate is proved to be the shortest and unique, a winning or saving move is searched twice against
//! the best alternative. Themes are read off the board; a puzzle's level says how hard it is for a
//! person: by the lowest engine level that solves it, the length of a mate, and a quiet move.

use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use lzma_rust2::XzReader;

use qirkat_engine::{
    AnySearcher, FULL_SKILL, SearchLimits, SearchLine, handicap_of_level, line_chances,
};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Rules, Searchable};
use qirkat_problem::{Aim, ProofControl, ProofTable, SolveRequest, Stipulation, solve};
use qirkat_rules::alquerque;
use qirkat_rules::chess::{Geometry, Kind, MoveOf, Position, SquareSet};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant, VariantGame};
use qirkat_search::{ResourceError, SearchControl, TableMemoryError};
use qirkat_tablebase::AllTables;

use crate::review::{DECIDED, Line, Phase, is_obvious};
use crate::suite::{TACTICS, TestPosition, read_suite};

/// The mined puzzles of a game, as packed by `build.rs`.
macro_rules! packed {
    ($game:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $game, ".epd.xz"))
    };
}

/// A game's puzzles that come with Qirkat, from easy to hard: the suite, if it is for that game,
/// and the mined ones. They are read at the first call.
pub fn built_in(variant: Variant) -> &'static [TestPosition] {
    static SETS: [LazyLock<Vec<TestPosition>>; 3] = [
        LazyLock::new(|| by_level(Variant::Chesquerque, TACTICS, packed!("chesquerque"))),
        LazyLock::new(|| by_level(Variant::Masonic, "", packed!("masonic"))),
        LazyLock::new(|| by_level(Variant::Alquerque, "", packed!("alquerque"))),
    ];
    &SETS[variant as usize]
}

fn by_level(variant: Variant, suite: &str, mined: &[u8]) -> Vec<TestPosition> {
    let mut puzzles = if suite.is_empty() { Vec::new() } else { read(variant, suite.as_bytes()) };
    puzzles.extend(read(variant, BufReader::new(XzReader::new(mined, false))));
    puzzles.sort_by_key(|puzzle| puzzle.level);
    puzzles
}

fn read(variant: Variant, epd: impl BufRead) -> Vec<TestPosition> {
    let read = read_suite(epd, "the built-in puzzles", variant);
    read.inspect_err(|error| log::error!("{error}")).unwrap_or_default()
}

/// Players per level, who each overlook different moves; all must solve it.
const PLAYERS: u64 = 2;
/// The step between the levels tried: neighbouring levels hardly differ.
const LEVELS_APART: usize = 2;

/// The difficulty of mates in one, two and more moves, by length alone.
const LEVELS_OF_MATES: [u8; 6] = [0, 5, 9, 13, 16, 18];
/// Added for a quiet move: people look at checks and captures first.
const QUIET_LEVELS: u8 = 2;

/// How hard a puzzle is for a person, from 0 to [`FULL_SKILL`], where `engine_level` is the lowest
/// that solves it. Weak levels overlook moves as people do, but long mates no more often than short
/// ones.
fn difficulty(puzzle: &TestPosition, engine_level: u8) -> u8 {
    let level = puzzle.mate.map_or(engine_level, |moves| {
        let longest = LEVELS_OF_MATES.len() - 1;
        let at = usize::from(moves).saturating_sub(1).min(longest);
        (engine_level + LEVELS_OF_MATES[at]) / 2
    });
    let quiet = if puzzle.has_theme("quiet") { QUIET_LEVELS } else { 0 };
    (level + quiet).min(FULL_SKILL as u8)
}

/// The lowest level, from 0 to [`FULL_SKILL`], that solves a puzzle, or the highest if none does.
/// None when `stop` is raised.
pub fn solving_level(
    puzzle: &TestPosition,
    searcher: &mut AnySearcher,
    stop: &Arc<AtomicBool>,
) -> Result<Option<u8>, TableMemoryError> {
    let game = puzzle.game();
    for level in (0..FULL_SKILL as u8).step_by(LEVELS_APART) {
        let mut is_solved = true;
        for seed in 0..PLAYERS {
            searcher.clear()?;
            let mut limits = SearchLimits::default();
            limits.handicap = handicap_of_level(level.into(), seed);
            let control = SearchControl::with_stop_flag(Arc::clone(stop));
            let result = searcher.search_under(&control, &game, &[], &limits, &mut |_| {});
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            is_solved = result.best.is_some_and(|mv| puzzle.is_solution(mv));
            if !is_solved {
                break;
            }
        }
        if is_solved {
            return Ok(Some(level));
        }
    }
    Ok(Some(FULL_SKILL as u8))
}

/// The fewest and the most random plies at the start of a game.
const RANDOM_PLIES: (u64, u64) = (4, 10);
/// The lowest and the highest level of the players: they see some tactics and miss more.
const LEVELS: (u64, u64) = (2, 8);
/// One game in this many is mined for mates, which are plentiful; the others for other puzzles.
const MATE_GAME_RATE: u64 = 3;
/// Mining starts at a random ply below this, so that puzzles come from all phases of the game.
const FIRST_LOOK_BELOW: u64 = 60;
/// Mining stops this many plies after its start, or, if not for mates, when the game is decided.
const PLIES_LOOKED_AT: usize = 60;

/// Nodes to look at a position, and for the first and the second check of a candidate.
const LOOK_NODES: u64 = 2_000;
const CHECK_NODES: [u64; 2] = [30_000, 150_000];
/// Of the candidates that the lowest level solves, except mates, one in this many is kept.
const EASY_KEEP_RATE: u64 = 4;
/// An obvious capture, a recapture or a winning one, must be overlooked by the levels below this.
const MIN_OBVIOUS_LEVEL: u8 = 4;
/// With fewer legal moves there is nothing to find.
const LEAST_MOVES: u64 = 4;

/// Expected points for the side to move, in a win: the minimum for the solution, the maximum for
/// any other move. Then the same if the solution saves the game.
const WINNING: f64 = 0.8;
const NOT_WINNING: f64 = 0.6;
const SAVED: f64 = 0.45;
const NOT_SAVED: f64 = 0.12;
/// A win must be new: the expected points before the last move were at most this.
const BALANCED: f64 = 0.62;

const LONGEST_MATE: u8 = 5;
/// Of the mates in one, plentiful and easy, one in this many is kept.
const MATE_IN_ONE_KEEP_RATE: u64 = 3;
/// Thousands of nodes that a mate proof may take.
const PROOF_THOUSANDS: u64 = 400;
/// Megabytes of the transposition tables of the judge, the players and the proofs.
const JUDGE_MEGABYTES: usize = 16;
const PLAYER_MEGABYTES: usize = 1;
const PROOF_MEGABYTES: usize = 16;

pub struct Miner {
    variant: Variant,
    judge: AnySearcher,
    player: AnySearcher,
    proofs: ProofTable,
    stop: Arc<AtomicBool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Mate(u8),
    /// Win; all other moves leave the game open.
    Win,
    /// Save the game; all other moves lose.
    Save,
}

impl Miner {
    /// A miner that judges by this evaluation and the built-in tables, until `stop` is raised.
    pub fn new(evaluation: &AnyEvaluation, stop: Arc<AtomicBool>) -> Result<Miner, ResourceError> {
        let searcher = |megabytes| {
            let mut searcher = AnySearcher::with_resources(evaluation.clone(), 1, megabytes)?;
            searcher.set_tablebases(Some(AllTables::with_embedded()));
            Ok::<_, ResourceError>(searcher)
        };
        Ok(Miner {
            variant: evaluation.variant(),
            judge: searcher(JUDGE_MEGABYTES)?,
            player: searcher(PLAYER_MEGABYTES)?,
            proofs: ProofTable::new(PROOF_MEGABYTES)?,
            stop,
        })
    }

    /// The first puzzle in the game with this number; deterministic.
    pub fn mine(&mut self, number: u64) -> Result<Option<TestPosition>, ResourceError> {
        let mut random = Random(number.wrapping_mul(0x9E6C_63D0_876A_3F6B));
        let mut game = self.variant.new_game();
        for _ in 0..random.within(RANDOM_PLIES) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                return Ok(None);
            }
            game.play(moves[random.below(moves.len() as u64) as usize]);
        }
        let levels = [(); 2].map(|()| random.within(LEVELS));
        let is_for_mates = self.variant.has_mates() && random.below(MATE_GAME_RATE) == 0;
        let first_look = random.below(FIRST_LOOK_BELOW) as usize;
        let mut before = None;
        self.judge.clear()?;
        self.player.clear()?;
        while game.outcome().is_none()
            && game.moves().len() < first_look + PLIES_LOOKED_AT
            && !self.is_stopped()
        {
            if game.moves().len() >= first_look
                && game.position().count_legal_moves() >= LEAST_MOVES
            {
                let Some(line) = self.best(&game, &[], LOOK_NODES) else { break };
                let goal = if is_for_mates {
                    self.mate(&line, &mut random)
                } else {
                    self.only_move(&game, &line, before)
                };
                if let Some(goal) = goal
                    && let Some(puzzle) = self.puzzle(&game, goal, &mut random)?
                {
                    return Ok((!self.is_stopped()).then_some(puzzle));
                }
                let expected = self.expected(&line);
                if !is_for_mates && !(DECIDED..=1.0 - DECIDED).contains(&expected) {
                    break;
                }
                before = Some(1.0 - expected);
            } else {
                before = None;
            }
            let level = levels[game.moves().len() % 2] as f64;
            let Some(mv) = self.played(&game, level, random.next()) else { break };
            game.play(mv);
        }
        Ok(None)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn played(&mut self, game: &AnyGame, level: f64, seed: u64) -> Option<AnyMove> {
        let mut limits = SearchLimits::default();
        limits.handicap = handicap_of_level(level, seed);
        let control = SearchControl::with_stop_flag(Arc::clone(&self.stop));
        self.player.search_under(&control, game, &[], &limits, &mut |_| {}).best
    }

    fn best(&mut self, game: &AnyGame, excluded: &[AnyMove], nodes: u64) -> Option<SearchLine> {
        let mut limits = SearchLimits::default();
        limits.nodes = Some(nodes);
        let control = SearchControl::with_stop_flag(Arc::clone(&self.stop));
        let mut best = None;
        let mut report = |line: &SearchLine| best = Some(line.clone());
        self.judge.search_except(&control, game, excluded, &limits, &mut report);
        best.filter(|line| !line.moves.is_empty())
    }

    fn mate(&self, line: &SearchLine, random: &mut Random) -> Option<Goal> {
        let moves = u8::try_from(line.score.moves_to_mate()?).ok()?;
        let is_short = (1..=LONGEST_MATE).contains(&moves);
        let is_posed = is_short && (moves > 1 || random.below(MATE_IN_ONE_KEEP_RATE) == 0);
        is_posed.then_some(Goal::Mate(moves))
    }

    /// The goal, if a short search suggests an only move; `before`: expected points a move ago.
    fn only_move(
        &mut self,
        game: &AnyGame,
        line: &SearchLine,
        before: Option<f64>,
    ) -> Option<Goal> {
        let expected = self.expected(line);
        if expected >= WINNING {
            let is_new = before.is_some_and(|before| before <= BALANCED);
            return is_new.then_some(Goal::Win);
        }
        if expected < SAVED {
            return None;
        }
        let second = self.best(game, &line.moves[..1], LOOK_NODES)?;
        (self.expected(&second) <= NOT_SAVED).then_some(Goal::Save)
    }

    fn expected(&self, line: &SearchLine) -> f64 {
        line_chances(self.variant, line).expected()
    }

    /// The puzzle in this position, if its solution is unique.
    fn puzzle(
        &mut self,
        played: &AnyGame,
        goal: Goal,
        random: &mut Random,
    ) -> Result<Option<TestPosition>, ResourceError> {
        let position = with_reset_counter(played.position());
        let game = AnyGame::from_position(position);
        self.judge.clear()?;
        let mut line = None;
        let checks = if let Goal::Mate(_) = goal { &CHECK_NODES[..1] } else { &CHECK_NODES };
        for &nodes in checks {
            let Some(best) = self.best(&game, &[], nodes) else { return Ok(None) };
            let solution = best.moves[0];
            let is_only = match goal {
                Goal::Mate(moves) => self.only_mate(&game, moves) == Some(solution),
                Goal::Win | Goal::Save => {
                    let Some(second) = self.best(&game, &[solution], nodes) else {
                        return Ok(None);
                    };
                    let (least, most) =
                        if goal == Goal::Win { (WINNING, NOT_WINNING) } else { (SAVED, NOT_SAVED) };
                    self.expected(&best) >= least && self.expected(&second) <= most
                }
            };
            let is_same = line.as_ref().is_none_or(|line: &SearchLine| line.moves[0] == solution);
            if !is_only || !is_same {
                return Ok(None);
            }
            line = Some(best);
        }
        let Some(line) = line else { return Ok(None) };
        let mate = if let Goal::Mate(moves) = goal { Some(moves.into()) } else { None };
        let themes = themes(&game, &line, goal);
        let (best, avoid) = (vec![line.moves[0]], Vec::new());
        let (id, comment, level) = (String::new(), None, None);
        let mut puzzle = TestPosition { id, position, best, avoid, mate, comment, themes, level };
        let Some(level) = solving_level(&puzzle, &mut self.judge, &self.stop)? else {
            return Ok(None);
        };
        puzzle.level = Some(difficulty(&puzzle, level));
        let is_too_obvious = match goal {
            Goal::Mate(_) => false,
            Goal::Win | Goal::Save => {
                level == 0 && random.below(EASY_KEEP_RATE) > 0
                    || level < MIN_OBVIOUS_LEVEL && is_obvious(played, puzzle.best[0])
            }
        };
        Ok((!is_too_obvious).then_some(puzzle))
    }

    /// The move proved to be the only one that mates in this many moves, if no mate is shorter.
    fn only_mate(&self, game: &AnyGame, moves: u8) -> Option<AnyMove> {
        let stipulation = Stipulation::new(Aim::DIRECT_MATE, moves)?;
        let request = SolveRequest { variations: 0, ..SolveRequest::new(stipulation) };
        // Called about every thousand positions.
        let asked = AtomicU64::new(0);
        let is_over =
            || self.is_stopped() || asked.fetch_add(1, Ordering::Relaxed) >= PROOF_THOUSANDS;
        let control = ProofControl { stop: &is_over, report: &|_| () };
        let solution = solve(game.position(), &request, &self.proofs, &control).ok()?;
        match &solution.keys[..] {
            [key] if solution.open.is_empty() && solution.solved == Some(stipulation) => {
                game.position().read_move(&key.mv.uci).ok()
            }
            _ => None,
        }
    }
}

/// The position with its 100-ply counter reset: a puzzle has no past.
fn with_reset_counter(position: &AnyPosition) -> AnyPosition {
    let fen = position.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    if let [.., clock, _] = &mut fields[..] {
        *clock = "0";
    }
    let read = position.variant().read_fen(&fields.join(" "));
    read.map_or(*position, |read| read.position)
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn within(&mut self, (least, most): (u64, u64)) -> u64 {
        least + self.below(most - least + 1)
    }
}

/// The solver's first moves that are searched for themes.
const MOVES_LOOKED_AT: usize = 3;
/// The minimum material that a sacrifice gives up, in centipawns.
const SACRIFICE: i32 = 150;

/// The themes of a solution, the first move of a line: goal, tactics, and phase of the game.
fn themes(game: &AnyGame, line: &SearchLine, goal: Goal) -> Vec<String> {
    let mut themes = vec![match (goal, game.position()) {
        (Goal::Mate(moves), _) => format!("mate-{moves}"),
        (Goal::Win, _) => "win".to_owned(),
        (Goal::Save, AnyPosition::Alquerque(_)) => "last-safe-step".to_owned(),
        (Goal::Save, _) => "defence".to_owned(),
    }];
    let mut add = |theme: &str| themes.push(theme.to_owned());
    let whole = Line { game, moves: &line.moves, score: line.score, is_drawn: line.is_drawn };
    if !matches!(goal, Goal::Mate(_)) && whole.forks() {
        add("fork");
    }
    match game.position() {
        AnyPosition::Chesquerque(position) => chess_themes(position, &line.moves, &mut add),
        AnyPosition::Masonic(position) => chess_themes(position, &line.moves, &mut add),
        AnyPosition::Alquerque(position) => draughts_themes(position, &line.moves, &mut add),
    }
    add(match Phase::of(game.position()) {
        Phase::Opening => "opening",
        Phase::Middlegame => "middle-game",
        Phase::Endgame => "ending",
    });
    themes
}

fn chess_themes<G: Geometry>(position: &Position<G>, line: &[AnyMove], add: &mut impl FnMut(&str))
where
    Position<G>: VariantGame<Move = MoveOf<G>>,
{
    let line = &typed_moves::<Position<G>>(line)[..];
    let Some(&first) = line.first() else { return };
    let after = position.after(first);
    let checkers = after.checkers();
    let discovered_checkers = checkers & !G::Bitboard::of(first.to);
    if discovered_checkers.any() && !position.is_castling(first) {
        add(if checkers.more_than_one() { "double-check" } else { "discovered-check" });
    }
    let pins: Vec<G::Square> =
        after.pinned().into_iter().filter(|&pinned| is_used(&after, pinned, line)).collect();
    if !pins.is_empty() {
        add("pin");
    }
    let opens_leg = discovered_checkers.into_iter().any(|by| has_leg(&after, by));
    if opens_leg || pins.iter().any(|&pinned| is_on_leg(&after, pinned)) {
        add("leg");
    }
    if solver_moves(line).any(|mv| mv.promotion.is_some()) {
        add("promotion");
    }
    if !position.see_ge(first, -SACRIFICE) {
        add("sacrifice");
    }
    if !position.is_noisy(first) && checkers.is_empty() {
        add("quiet");
    }
}

/// Whether a pin helps the solver: the pinned piece cannot take the moved one, or is taken.
fn is_used<G: Geometry>(after: &Position<G>, pinned: G::Square, line: &[MoveOf<G>]) -> bool
where
    Position<G>: Searchable<Move = MoveOf<G>>,
{
    let Some(first) = line.first() else { return false };
    let may_take = after.legal_moves().iter().any(|mv| mv.from == pinned && mv.to == first.to);
    let is_taken = solver_moves(line).skip(1).any(|mv| mv.to == pinned)
        && line.iter().skip(1).step_by(2).take(MOVES_LOOKED_AT).all(|mv| mv.from != pinned);
    is_taken || !may_take && after.attackers(first.to).contains(pinned)
}

/// Whether a piece is a knight with a leg between it and the king. That it gives check is not
/// tested here.
fn has_leg<G: Geometry>(after: &Position<G>, by: G::Square) -> bool {
    let king = after.king(after.side_to_move());
    after.kind_on(by).is_some_and(|kind| kind.name() == "knight") && G::between(king, by).any()
}

/// Whether a pinned piece of the side to move keeps a knight from giving check by standing on its
/// leg.
fn is_on_leg<G: Geometry>(after: &Position<G>, pinned: G::Square) -> bool {
    let king = after.king(after.side_to_move());
    let enemies = after.of_color(!after.side_to_move());
    let free = after.occupied() & !G::Bitboard::of(pinned);
    enemies.into_iter().any(|by| {
        has_leg(after, by)
            && G::between(king, by).contains(pinned)
            && after.kind_on(by).is_some_and(|kind| G::attacks(kind, by, free).contains(king))
    })
}

fn draughts_themes(position: &alquerque::Position, line: &[AnyMove], add: &mut impl FnMut(&str)) {
    let line = typed_moves::<alquerque::Position>(line);
    let Some(first) = line.first() else { return };
    if solver_moves(&line).any(|mv| mv.jumps() > 1) {
        add("chain");
    }
    let is_answered_by_jump = position.after(*first).can_jump();
    if !first.is_jump() {
        add(if is_answered_by_jump { "sacrifice" } else { "quiet" });
    }
}

fn typed_moves<G: VariantGame>(line: &[AnyMove]) -> Vec<G::Move> {
    line.iter().map_while(|&mv| G::own_move(mv)).collect()
}

/// The first moves of the side that begins a line.
fn solver_moves<M: Copy>(line: &[M]) -> impl Iterator<Item = M> + '_ {
    line.iter().copied().step_by(2).take(MOVES_LOOKED_AT)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use qirkat_game::distance::Depth;
    use qirkat_game::score::Score;
    use qirkat_testing::effort;

    use super::*;
    use crate::test_lines::play;

    #[test]
    fn every_built_in_puzzle_has_a_choice_themes_and_a_level() {
        for (variant, least) in
            [(Variant::Chesquerque, 3_000), (Variant::Masonic, 1_000), (Variant::Alquerque, 1_000)]
        {
            let puzzles = built_in(variant);
            assert!(puzzles.len() >= least, "{variant}: {}", puzzles.len());
            let mut boards = HashSet::new();
            for puzzle in puzzles {
                let id = &puzzle.id;
                assert!(puzzle.position.count_legal_moves() > 1, "{id}");
                assert!(!puzzle.themes.is_empty() && puzzle.level.is_some(), "{id}");
                assert_eq!(puzzle.mate.is_some(), puzzle.has_theme("mate"), "{id}");
                assert!(boards.insert(puzzle.position.key()), "{id} is there twice");
            }
        }
    }

    /// The first game with a puzzle has the same puzzle when it is mined again, and the puzzle is
    /// read back from its EPD line.
    #[test]
    fn a_game_has_the_same_puzzle_every_time() {
        let variants = [Variant::Masonic, Variant::Alquerque];
        for variant in variants.into_iter().take(effort([1, 2, 2])) {
            let evaluation = AnyEvaluation::embedded(variant);
            let mut miner = Miner::new(&evaluation, Arc::default()).expect("a small miner");
            let mut mined = |number| miner.mine(number).expect("memory for a small table");
            let (number, puzzle) = (1..200)
                .find_map(|number| Some((number, mined(number)?)))
                .expect("a puzzle in two hundred games");
            assert!(puzzle.position.count_legal_moves() >= LEAST_MOVES && puzzle.best.len() == 1);
            assert!(puzzle.level.is_some() && puzzle.themes.len() > 1, "{puzzle:?}");
            assert_eq!(mined(number).as_ref(), Some(&puzzle));
            let named = TestPosition { id: "it".to_owned(), ..puzzle };
            let read = read_suite(named.epd().as_bytes(), "mined", variant);
            assert_eq!(read.expect("its own line"), [named]);
        }
    }

    #[test]
    fn themes_are_read_off_the_board() {
        // The game, the position, a line, and its themes; the goal is told by the first of these.
        for case in [
            "chesquerque: 4k4/9/9/9/9/9/R8/1R7/4K4: b2b8 e9d9 a3a9: mate-2 quiet ending",
            "chesquerque: 4k4/9/9/9/R7b/9/9/9/K8: a5e5 e9d9 e5i5: win fork ending",
            "chesquerque: 9/2P6/9/9/k8/9/9/9/K8: c8c9q a5a4 c9c5: win promotion ending",
            // The bishop leaves the rook's file, and the knight's leg.
            "chesquerque: 4k4/1q7/9/9/4B4/9/9/9/K3R4: e5b8: win discovered-check ending",
            "chesquerque: 4k4/3N5/1q1N5/9/9/9/9/9/K8: d8b7: win discovered-check leg ending",
            // The queen stands on the leg of the knight that looks at its king.
            "chesquerque: 4k4/3q5/3N4p/5B3/9/9/9/9/K8: a1a2 i7i6 f6d8: win pin leg quiet ending",
            "masonic: 4k3/8/8/8/R6b/8/8/4K3: a4g4 e8d8 g4h4: win sacrifice ending",
            "alquerque: 5/5/1m1m1/5/M3M: a1b1: last-safe-step quiet ending",
        ] {
            let parts: Vec<&str> = case.split(": ").collect();
            let &[variant, board, moves, told] = &parts[..] else { panic!("{case}") };
            let variant = Variant::ALL.into_iter().find(|it| it.name() == variant).expect(case);
            let goal = match told.split(' ').next() {
                Some("win") => Goal::Win,
                Some("mate-2") => Goal::Mate(2),
                _ => Goal::Save,
            };
            let fen = format!("{board} w - - 0 1");
            let game = AnyGame::from_position(variant.read_fen(&fen).expect(case).position);
            let moves = play(&mut game.clone(), moves);
            let line = SearchLine::new(Depth(5), Score::centipawns(500), moves);
            assert_eq!(themes(&game, &line, goal).join(" "), told, "{case}");
        }
    }
}
