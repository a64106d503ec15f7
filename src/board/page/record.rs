//! A game as it is saved: the tree of moves, the node shown, and the play.

use std::collections::HashMap;
use std::error::Error;
use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::game_tree::{Annotation, GameTree, Node, NodeId, ROOT, TreeFull};
use super::pgn_tree::{pgn_of, tree_of};
use qirkat_analysis::casual::{CasualGame, GameEnding};
use qirkat_game::Rules;
use qirkat_game::text::is_layout;
use qirkat_rules::pgn::{GameResult, PgnGame};
use qirkat_rules::variant::{AnyMove, Variant};
use qirkat_system::format_version::FormatVersion;
use qirkat_system::host::random;

/// The maximum number of characters shown per tag: the page gets the tags with every move.
const MAX_TAG: usize = 200;

/// A tag's value as shown, without characters that change the writing direction.
pub(crate) fn tag_shown(value: &str) -> String {
    value.trim().chars().filter(|letter| !is_layout(*letter)).take(MAX_TAG).collect()
}

#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// Its name in the folder of games.
    pub id: String,
    pub variant: Variant,
    pub tree: GameTree,
    pub current: NodeId,
    pub play: Option<PlayedGame>,
    pub tags: Vec<(String, String)>,
    pub result: GameResult,
}

/// A game as it is played: its players, clocks and end, and the engine's strength.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct PlayedGame {
    #[serde(flatten)]
    pub game: CasualGame,
    /// Full strength if not given.
    pub elo: Option<u32>,
    /// Milliseconds per engine move without clocks.
    pub think: u32,
    pub last: NodeId,
    /// Whether a hint was given or a move taken back: such a game is not rated.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub helped: bool,
}

#[derive(Serialize, Deserialize)]
struct SavedRecord {
    #[serde(default)]
    version: FormatVersion<1>,
    #[serde(rename = "game")]
    variant: Variant,
    start: String,
    nodes: Vec<SavedNode>,
    current: usize,
    /// Its `last` is an index into `nodes`, too.
    play: Option<PlayedGame>,
    tags: Vec<(String, String)>,
    result: GameResult,
}

/// A node of the tree. Nodes are numbered from the root, 0.
#[derive(Serialize, Deserialize)]
struct SavedNode {
    parent: usize,
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    annotation: Annotation,
}

/// Why a file cannot be read, for people.
pub(crate) type ReadError = Box<dyn Error + Send + Sync>;

impl Record {
    pub fn new(tree: GameTree) -> Record {
        let variant = tree.get(ROOT).map_or_else(Variant::default, |root| root.position.variant());
        Record {
            id: new_id(),
            variant,
            tree,
            current: ROOT,
            play: None,
            tags: Vec::new(),
            result: GameResult::Unfinished,
        }
    }

    pub fn from_pgn(game: &PgnGame) -> Result<Record, TreeFull> {
        let tree = tree_of(game)?;
        Ok(Record { tags: game.tags.clone(), result: game.result, ..Record::new(tree) })
    }

    pub fn to_pgn(&self) -> PgnGame {
        let ending = self.play.as_ref().and_then(|play| play.game.ending.as_ref());
        let mut game =
            PgnGame { tags: self.tags.clone(), result: self.result(), ..pgn_of(&self.tree) };
        if let Some(ending) = ending.filter(|ending| ending.result != GameResult::Unfinished) {
            ending.note(&mut game);
        }
        game
    }

    /// The result according to the play, the rules or the tag.
    pub fn result(&self) -> GameResult {
        self.ending().map_or(GameResult::Unfinished, |ending| ending.result)
    }

    /// How and why the game ended, from the play, the rules or the tags; the reason may be empty.
    pub fn ending(&self) -> Option<GameEnding> {
        let played = self.play.as_ref().and_then(|play| play.game.ending.clone());
        let by_rule = || {
            let end = self.tree.end_of_main_line();
            self.tree.game_at(end).outcome().map(GameEnding::by_rule)
        };
        let by_tag = || {
            let reason = GameEnding::reason_in(|name| self.tag(name)).unwrap_or_default();
            (self.result != GameResult::Unfinished)
                .then_some(GameEnding { result: self.result, reason })
        };
        played.or_else(by_rule).or_else(by_tag)
    }

    /// The value of a PGN tag, shortened to be shown.
    pub fn tag(&self, name: &str) -> Option<String> {
        let found = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| tag_shown(value))
    }

    pub fn is_being_played(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.game.is_running())
    }

    pub fn is_worth_keeping(&self) -> bool {
        self.play.is_some() || self.tree.nodes().nth(1).is_some()
    }

    pub fn to_json(&self) -> serde_json::Result<String> {
        let order = self.tree.in_order();
        let indices: HashMap<NodeId, usize> =
            order.iter().enumerate().map(|(index, &id)| (id, index)).collect();
        let index = |id: NodeId| indices.get(&id).copied().unwrap_or(0);
        let nodes = order.iter().filter_map(|&id| self.tree.get(id));
        let saved_node = |node: &Node| SavedNode {
            parent: node.parent.map_or(0, index),
            mv: node.mv.map_or_else(String::new, |mv| mv.to_string()),
            annotation: node.annotation.clone(),
        };
        let saved = SavedRecord {
            version: FormatVersion,
            variant: self.variant,
            start: self.tree.get(ROOT).map_or_else(String::new, |root| root.position.fen()),
            nodes: nodes.map(saved_node).collect(),
            current: index(self.current),
            play: self.play.clone().map(|it| PlayedGame { last: index(it.last) as NodeId, ..it }),
            tags: self.tags.clone(),
            result: self.result,
        };
        serde_json::to_string(&saved)
    }

    pub fn from_json(id: &str, text: &str) -> Result<Record, ReadError> {
        let saved: SavedRecord = serde_json::from_str(text)?;
        let start = saved.variant.read_fen(&saved.start)?.position;
        let mut tree = GameTree::new(start);
        let mut ids: Vec<NodeId> = Vec::with_capacity(saved.nodes.len());
        for (number, node) in saved.nodes.into_iter().enumerate() {
            let added = match number {
                0 => ROOT,
                _ => {
                    let parent = ids.get(node.parent).copied().unwrap_or(ROOT);
                    let before = tree.get(parent).map(|before| before.position);
                    let mv = match node.mv.as_str() {
                        AnyMove::NULL_TEXT => Some(AnyMove::null(saved.variant)),
                        text => before.and_then(|before| before.read_move(text).ok()),
                    };
                    let is_possible =
                        |mv: &AnyMove| before.and_then(|at| at.after_or_null(*mv)).is_some();
                    let mv = mv
                        .filter(is_possible)
                        .ok_or_else(|| format!("move {number} of the file is not legal"))?;
                    tree.add(parent, mv)?
                }
            };
            ids.push(added);
            if let Some(at) = tree.get_mut(added) {
                at.annotation = node.annotation;
            }
        }
        let node = |index: usize| ids.get(index).copied().unwrap_or(ROOT);
        let play = saved.play.map(|mut play| {
            play.last = node(play.last as usize);
            let notes: Vec<String> =
                tree.line_to(play.last).map(|node| node.annotation.notes.join(" ")).collect();
            let notes = notes.iter().map(|notes| Some(notes.as_str()));
            play.game.clocks.read_past(start.side_to_move(), notes);
            play
        });
        Ok(Record {
            id: id.to_owned(),
            current: node(saved.current),
            play,
            tags: saved.tags,
            result: saved.result,
            ..Record::new(tree)
        })
    }
}

const ID_LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyz23456789";
const ID_LENGTH: usize = 12;

fn new_id() -> String {
    let letter = || char::from(ID_LETTERS[(random() % ID_LETTERS.len() as u64) as usize]);
    std::iter::repeat_with(letter).take(ID_LENGTH).collect()
}

/// Whether a text is a valid record name, which cannot be a path to other files.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|byte| ID_LETTERS.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_analysis::casual::TimeControl;
    use qirkat_rules::pgn::PgnReader;

    fn record() -> Record {
        let pgn =
            "[White \"Ann\"]\n\n{first} 1. e4 $1 {[%clk 0:01:02] bold} e6 (1... --) 2. d3 1-0\n";
        let read = PgnReader::new(pgn.as_bytes()).next().expect("a game").expect("a good one");
        let mut record = Record::from_pgn(&read.game).expect("room");
        let d4 = record.tree.get(ROOT).expect("a root").position.read_move("d4").expect("legal");
        let side = record.tree.add(ROOT, d4).expect("room");
        record.tree.promote(side);
        record.current = side;
        record
    }

    #[test]
    fn games_of_earlier_boards_are_read() {
        for (kept, moves, result) in [
            (
                include_str!("store/earlier/study.json"),
                "{first} 1. e4 $1 {[%clk 0:01:02] bold} (1. d4) 1... e6 {[%eval 0.12]} 2. d3 1-0",
                "1-0",
            ),
            (include_str!("store/earlier/chesquerque.json"), "1. a3 d7 2. h3 h6 3. d3 Bd8 *", "*"),
            (include_str!("store/earlier/masonic.json"), " 2. cc3 ee6 3. Nf3 Nh6 0-1", "0-1"),
            (include_str!("store/earlier/alquerque.json"), " 2. a1c3 a3a1 3. c3a3 a4a2 *", "*"),
        ] {
            let record = Record::from_json("abcdefghijkm", kept).expect(moves);
            let pgn = record.to_pgn();
            let text = pgn.to_string().replace('\n', " ");
            assert!(text.contains(moves) && pgn.result.text() == result, "{text}");
            assert_eq!(record.play.is_some(), !kept.contains("\"play\":null"));
            let again = record.to_json().expect("text");
            assert!(again.starts_with("{\"version\":1,"), "{again}");
            let again = Record::from_json("abcdefghijkm", &again).expect("a record");
            let kept_again = (again.to_pgn(), again.play, again.current, again.id);
            assert_eq!(kept_again, (pgn, record.play, record.current, record.id));
            let newer = kept.replacen('{', "{\"version\":2,\"rules\":[],", 1);
            let refused = Record::from_json("abcdefghijkm", &newer).expect_err("too new");
            assert!(refused.to_string().starts_with("it needs a newer Qirkat (format 2, not 1)"));
        }
    }

    #[test]
    fn games_kept_in_files_keep_their_form() {
        let time_control = TimeControl { base: 10_000, increment: 700 };
        let game = CasualGame::new([true, false], Some(time_control));
        let play = PlayedGame { game, elo: Some(1500), think: 100, last: 3, helped: false };
        let kept = r#"{"people":[true,false],"elo":1500,"think":100,"clock":{"base":10000,"increment":700},"left":[10000,10000],"paused":false,"ending":null,"last":3}"#;
        assert_eq!(serde_json::from_str::<PlayedGame>(kept).expect("a game"), play);
        let kept: serde_json::Value = serde_json::from_str(kept).expect("JSON");
        assert_eq!(serde_json::to_value(&play).expect("JSON"), kept);
    }

    /// After a loss on time, taking back restores the clocks from the moves' comments.
    #[test]
    fn kept_games_know_what_their_clocks_showed() {
        let mut record = record();
        let e4 = record.tree.nodes().find(|(_, node)| node.san == "e4").expect("a move").0;
        let e6 = record.tree.main_line_from(e4).next().expect("a reply");
        record.tree.get_mut(e6).expect("a node").annotation.notes =
            vec!["[%clk 0:00:51]".to_owned()];
        let time_control = TimeControl { base: 70_000, increment: 0 };
        let mut game = CasualGame::new([true, true], Some(time_control));
        game.clocks.left = [0, 51_000];
        game.ending = Some(GameEnding::flag_fell(&Variant::Chesquerque.start()));
        record.play = Some(PlayedGame { game, elo: None, think: 100, last: e6, helped: false });
        let text = record.to_json().expect("text");
        for (moves, left) in [(2, [62_000, 70_000]), (1, [70_000, 70_000])] {
            let mut again = Record::from_json(&record.id, &text).expect("a record");
            let play = again.play.as_mut().expect("a play");
            assert_eq!(play.game.clocks.left, [0, 51_000]);
            let mut game = again.tree.game_at(play.last);
            while game.moves().len() > moves {
                game.undo();
            }
            assert_eq!(play.game.take_back(&game), 1);
            assert_eq!(play.game.clocks.left, left, "{moves}");
        }
    }

    #[test]
    fn names_do_not_turn_what_stands_beside_them() {
        assert_eq!(tag_shown(" \u{202e}Ann\u{2069} "), "Ann");
        assert_eq!(tag_shown("\u{5d0}\u{5d1}"), "\u{5d0}\u{5d1}");
    }

    #[test]
    fn a_game_from_a_file_says_how_it_ended() {
        let mate = r#"[FEN "8k/9/6KR1/9/9/9/9/9/R8 w - - 0 1"]"#;
        for (tags, moves, ending) in [
            ("", "1. e4 0-1", Some(("0-1", ""))),
            ("[Termination \"time forfeit\"]", "1. e4 0-1", Some(("0-1", "time forfeit"))),
            ("[Termination \"Normal\"]", "1. e4 1/2-1/2", Some(("1/2-1/2", ""))),
            ("[Termination \"normal\"][Reason \"draw by agreement\"]", "1. e4 1/2-1/2", {
                Some(("1/2-1/2", "draw by agreement"))
            }),
            ("[Termination \"abandoned\"]", "1. e4 *", None),
            (mate, "1. Ri1 0-1", Some(("1-0", "White mates"))),
            ("[Event \"none\"]", "*", None),
        ] {
            let pgn = format!("{tags}\n\n{moves}\n");
            let read = PgnReader::new(pgn.as_bytes()).next().expect("a game").expect("a good one");
            let record = Record::from_pgn(&read.game).expect("room");
            let found = record.ending().map(|ending| (ending.result.text(), ending.reason));
            assert_eq!(found, ending.map(|(result, why)| (result, why.to_owned())), "{pgn}");
        }
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let good = record().to_json().expect("text");
        for (old, new) in [("e2e4", "e2e5"), ("\"game\"", "\"gam\""), ("9/9/9", "9/9"), ("{", "[")]
        {
            assert!(Record::from_json("x", &good.replace(old, new)).is_err(), "{old} {new}");
        }
        for (id, good) in [("abcdefghijkm", true), ("../../etc/pa", false), ("", false)] {
            assert_eq!(is_id(id), good, "{id}");
        }
    }
}
