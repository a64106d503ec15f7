//! The engine's answer to one `go`, and the rules that every answer must keep.

use std::collections::HashMap;
use std::time::Duration;

use crate::info::{Info, Score};
use crate::limits::slack;
use qirkat_testing::games::{Game, START, Standing};
use qirkat_testing::reference::{RefMove, RefPosition};

#[derive(Default)]
pub struct Answer {
    pub best: String,
    pub ponder: Option<String>,
    /// Every `info` line without a `string`.
    pub infos: Vec<Info>,
    pub notices: Vec<String>,
    /// From sending `go` to receiving `bestmove`.
    pub took: Duration,
}

impl Answer {
    /// Reads all lines from a `go` to its `bestmove`, inclusive.
    pub fn parse<'a>(
        lines: impl Iterator<Item = &'a str>,
        took: Duration,
    ) -> Result<Answer, String> {
        let mut answer = Answer { took, ..Answer::default() };
        for line in lines {
            if line == "readyok" {
                continue;
            }
            if line.starts_with("info ") {
                let info = Info::parse(line).map_err(|error| format!("{error}: {line}"))?;
                match info.notice {
                    Some(text) => answer.notices.push(text),
                    None => answer.infos.push(info),
                }
                continue;
            }
            if !answer.best.is_empty() {
                return Err(format!("more after bestmove: {line}"));
            }
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["bestmove", best] => answer.best = best.to_owned(),
                ["bestmove", best, "ponder", ponder] => {
                    answer.best = best.to_owned();
                    answer.ponder = Some(ponder.to_owned());
                }
                _ => return Err(format!("nobody asked for: {line}")),
            }
        }
        Ok(answer)
    }

    pub fn last(&self) -> &Info {
        let mut shown = self.infos.iter().rev();
        shown.find(|info| info.is_main_line()).expect("an answer has a line")
    }

    pub fn score(&self) -> Score {
        let mut exact = self.infos.iter().rev().filter(|info| info.is_main_line() && !info.bound);
        exact.next().and_then(|info| info.score).expect("an answer has an exact score")
    }

    pub fn depth(&self) -> u64 {
        let depths = self.infos.iter().filter(|info| info.is_line()).filter_map(|info| info.depth);
        depths.max().expect("an answer has a depth")
    }

    /// The last set of lines: one for each `multipv` index, best first.
    pub fn last_lines(&self) -> Vec<&Info> {
        let mut lines: Vec<&Info> = Vec::new();
        for info in self.infos.iter().rev().filter(|info| info.is_line()) {
            if lines.iter().all(|line| line.multipv != info.multipv) {
                lines.push(info);
            }
        }
        lines.sort_by_key(|info| info.multipv);
        lines
    }

    pub fn fingerprint(&self) -> Vec<String> {
        let lines = self.infos.iter().filter(|info| info.is_line());
        let mut print: Vec<String> = lines
            .map(|info| {
                format!(
                    "{:?} {:?} {:?} {:?} {} {:?} {}",
                    info.depth,
                    info.seldepth,
                    info.multipv,
                    info.score,
                    info.bound,
                    info.nodes,
                    info.pv.join(" ")
                )
            })
            .collect();
        print.push(format!("{} {:?}", self.best, self.ponder));
        print
    }

    pub fn check(&self, game: &Game, wdl: bool) -> Result<(), String> {
        let mut tree = Tree::over(game);
        if tree.node("")?.legal.is_empty() {
            return self.check_ended(game);
        }
        self.check_order()?;
        self.check_fields(wdl)?;
        for info in self.infos.iter().filter(|info| !info.pv.is_empty()) {
            check_line(&mut tree, info).map_err(|error| format!("{error}: {info:?}"))?;
        }
        let mut played = vec![self.best.clone()];
        tree.walk(&played).map_err(|error| format!("bestmove: {error}"))?;
        played.extend(self.ponder.clone());
        tree.walk(&played).map_err(|error| format!("ponder: {error}"))?;
        Ok(())
    }

    fn check_ended(&self, game: &Game) -> Result<(), String> {
        let expected = match game.standing() {
            Standing::Mated => Score::Mate(0),
            _ => Score::Centipawns(0),
        };
        if self.best != "(none)" || self.ponder.is_some() {
            return Err(format!("{} is a move in a game that is over", self.best));
        }
        match &self.infos[..] {
            [only]
                if only.depth == Some(0) && only.score == Some(expected) && only.pv.is_empty() =>
            {
                Ok(())
            }
            other => Err(format!("expected one line with depth 0 and {expected:?}, got {other:?}")),
        }
    }

    /// A scored line comes first, the last PV starts with the best move, and counters never
    /// decrease.
    fn check_order(&self) -> Result<(), String> {
        let lines: Vec<&Info> = self.infos.iter().filter(|info| info.is_main_line()).collect();
        let Some(last) = lines.last() else {
            return Err("bestmove came before a scored line".to_owned());
        };
        if last.pv[0] != self.best {
            return Err(format!("the last line starts with {}, not {}", last.pv[0], self.best));
        }
        for pair in lines.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            if after.depth < before.depth || after.nodes < before.nodes || after.time < before.time
            {
                return Err(format!("depth, nodes or time goes back: {before:?} {after:?}"));
            }
        }
        if last.time.is_some_and(|told| told > (self.took + slack()).as_millis() as u64) {
            return Err(format!("time {:?} is told, {:?} went by", last.time, self.took));
        }
        Ok(())
    }

    fn check_fields(&self, wdl: bool) -> Result<(), String> {
        for info in self.infos.iter().filter(|info| info.score.is_some()) {
            let told = [info.depth, info.seldepth, info.nodes, info.nps, info.time];
            if info.pv.is_empty() || told.iter().any(Option::is_none) {
                return Err(format!("a field is missing: {info:?}"));
            }
            if info.seldepth == Some(0) {
                return Err(format!("a line of moves is one ply deep at least: {info:?}"));
            }
            if info.wdl.is_some() != wdl {
                return Err(format!("wdl asked for: {wdl}: {info:?}"));
            }
        }
        if self.last().hashfull.is_none() {
            return Err(format!("hashfull is missing: {:?}", self.last()));
        }
        Ok(())
    }
}

/// The rules of one line: legal moves only, a complete mate, and a draw score for a single move
/// only if that move ends the game.
fn check_line(tree: &mut Tree, info: &Info) -> Result<(), String> {
    tree.walk(&info.pv)?;
    let plies = info.pv.len() as i64;
    let wrong = match info.score {
        Some(Score::Mate(moves)) if !info.bound => {
            let complete = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            plies != complete || tree.standing_after(&info.pv)? != Standing::Mated
        }
        Some(Score::Centipawns(0)) if plies == 1 => {
            tree.standing_after(&info.pv)? != Standing::Drawn
        }
        _ => false,
    };
    if wrong {
        let end = tree.standing_after(&info.pv)?;
        return Err(format!("the score does not fit a line that ends {end:?}"));
    }
    Ok(())
}

/// The reference positions along the lines of one answer, each computed once.
struct Tree<'a> {
    game: &'a Game,
    nodes: HashMap<String, Node>,
}

struct Node {
    position: RefPosition,
    legal: HashMap<String, RefMove>,
}

impl Node {
    fn of(position: RefPosition) -> Node {
        let legal = position.legal_moves().into_iter();
        let legal = legal.map(|found| (found.to_string(), found)).collect();
        Node { position, legal }
    }
}

impl<'a> Tree<'a> {
    fn over(game: &'a Game) -> Tree<'a> {
        let root = RefPosition::from_fen(&game.fen()).expect("a FEN of the reference's own");
        Tree { game, nodes: HashMap::from([(String::new(), Node::of(root))]) }
    }

    fn node(&self, path: &str) -> Result<&Node, String> {
        self.nodes.get(path).ok_or_else(|| format!("{path} was not walked"))
    }

    fn walk(&mut self, line: &[String]) -> Result<(), String> {
        let mut path = String::new();
        for text in line {
            let here = self.node(&path)?;
            let Some(found) = here.legal.get(text) else {
                return Err(format!("{text} is not legal in {}", here.position.to_fen()));
            };
            let next = format!("{path} {text}");
            if !self.nodes.contains_key(&next) {
                let after = Node::of(here.position.play(*found));
                self.nodes.insert(next.clone(), after);
            }
            path = next;
        }
        Ok(())
    }

    fn standing_after(&self, line: &[String]) -> Result<Standing, String> {
        let mut path = String::new();
        let mut positions = Vec::new();
        for text in line {
            path = format!("{path} {text}");
            positions.push(&self.node(&path)?.position);
        }
        Ok(self.game.standing_after(&positions))
    }
}

#[test]
fn answers_that_break_a_rule_are_detected() {
    const MATE: &str = "9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60";
    let told = "seldepth 1 nodes 5 nps 5 hashfull 0 time 0";
    // Position; score and moves of the last line; best move; whether it is valid.
    for (fen, score, pv, best, right) in [
        (MATE, "mate 1", "c6c3", "c6c3", true),
        (MATE, "mate 1", "c6c5", "c6c5", false),
        (MATE, "mate 2", "c6c3", "c6c3", false),
        (MATE, "cp 900", "c6c5", "c6c5", true),
        (MATE, "cp 0", "c6c5", "c6c5", false),
        (MATE, "cp 900", "c6c5", "c6c3", false),
        (MATE, "cp 900", "c6c5 b3b4 b4b5", "c6c5", false),
        (MATE, "cp 900", "e2e4", "e2e4", false),
        (MATE, "cp 900", "c6c5", "(none)", false),
        ("9/9/9/9/9/9/k8/1N7/3K5 b - - 0 60", "cp 0", "a3b2", "a3b2", true),
        (START, "cp 0", "e2e4", "e2e4", false),
        (START, "cp 0", "e2e4 e8e6", "e2e4", true),
    ] {
        let game = Game::from_fen(fen);
        let line = format!("info depth 1 {told} score {score} pv {pv}");
        let best = format!("bestmove {best}");
        let answer =
            Answer::parse([line.as_str(), best.as_str()].into_iter(), Duration::from_secs(1));
        let verdict = answer.and_then(|answer| answer.check(&game, false));
        assert_eq!(verdict.is_ok(), right, "{fen} {line} {best}: {verdict:?}");
    }
}
