//! Commands of the user and the replies, with a real engine at its weakest.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;

use super::{Notice, Session, path};
use crate::commands::play::options::PlayOptions;
use qirkat_game::{GameResult, Rules};
use qirkat_rules::variant::Variant;

const LONGEST_WAIT: Duration = Duration::from_secs(60);

fn settle(session: &mut Session) -> Vec<Notice> {
    let begin = Instant::now();
    let mut news = Vec::new();
    loop {
        news.extend(session.poll());
        if !session.is_busy() {
            return news;
        }
        assert!(begin.elapsed() < LONGEST_WAIT, "{news:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn text(news: &[Notice]) -> String {
    let texts = news.iter().map(|news| match news {
        Notice::Message(text) | Notice::Refused(text) | Notice::Ended(text) => text.clone(),
        Notice::Moved { text, .. } => text.clone(),
        Notice::Page { title, text } => format!("{title}\n{text}"),
        Notice::Board | Notice::Leave => String::new(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_engine_answers_hints_and_moves_back_in_every_game() {
    let is_long = std::env::var_os("QIRKAT_TESTS").is_some_and(|effort| effort != "quick");
    for (game, side, begun) in
        [("chesquerque", "white", 0), ("masonic", "black", 1), ("alquerque", "white", 0)]
    {
        let mut session = session(&format!("--game {game} --side {side} --level 0 --hash 1"), "");
        session.start();
        settle(&mut session);
        assert_eq!((session.game.sans().len(), session.flipped), (begun, begun > 0));
        assert!(text(&session.execute("back")).contains("no move of yours"), "{game}");
        let mut mv = session.game.position().legal_moves()[0];
        if is_long || game == "alquerque" {
            session.execute("hint");
            let hint = settle(&mut session);
            assert!(text(&hint).starts_with("Hint: "), "{hint:?}");
            mv = session.hint.expect("a hint");
            assert!(session.game.position().is_legal(mv));
        }
        session.make(mv);
        settle(&mut session);
        assert!(session.game.sans().len() == begun + 2 && !session.game.is_engines_turn());
        assert!(session.needs_saving);
        session.execute("back");
        assert_eq!((session.game.sans().len(), session.needs_saving), (begun, begun > 0), "{game}");
    }
}

#[test]
fn games_end_as_they_may() {
    for (line, fen, words, result) in [
        ("--side both", "", "draw", GameResult::Draw),
        ("--side both", "", "resign", GameResult::BlackWins),
        ("--level 0", "", "resign", GameResult::BlackWins),
        // The engine, which has not thought yet, wants to play on.
        ("--level 0", "", "draw", GameResult::Unfinished),
        ("--side both", "4k4/9/4K4/9/9/9/9/9/R8 w - - 0 1", "a1a9", GameResult::WhiteWins),
    ] {
        let mut session = session(line, fen);
        session.start();
        session.execute(words);
        let found = session.game.ending().map(|ending| ending.result);
        assert_eq!(found.unwrap_or(GameResult::Unfinished), result, "{line} {words}");
    }
}

#[test]
fn a_review_tells_what_the_moves_were_worth() {
    let mut session = session("--side both --hash 1", "4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1");
    session.start();
    assert!(text(&session.execute("review")).contains("nothing to review yet"));
    session.execute("Ra5");
    session.execute("Rxa5");
    session.execute("review");
    let review = text(&settle(&mut session));
    assert!(review.contains("1. Ra5??") && review.contains("White player"), "{review}");
    // The same review serves the graph.
    let graph = text(&session.execute("graph"));
    assert!(graph.contains("100 %") && !session.is_busy(), "{graph}");
    session.execute("back");
    session.execute("graph");
    assert!(session.is_busy() && session.cancel_background() && !session.is_busy());
}

#[test]
fn games_are_saved_where_they_are_to_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    let mut session = session(&format!("--side both --pgn {}", file.display()), "");
    session.start();
    assert!(text(&session.execute("save")).contains("no moves to save"));
    session.execute("e4");
    session.execute("resign");
    let saved = std::fs::read_to_string(&file).expect("a file");
    assert!(saved.contains("1. e4 1-0") && !session.needs_saving, "{saved}");
    assert_eq!(session.save_unsaved(), None);
    // Another game in its place, left in the middle.
    session.execute("new masonic");
    assert_eq!(session.game.sans().len(), 0);
    let first = session.game.position().legal_moves()[0];
    session.make(first);
    let kept = session.save_unsaved().expect("a game that was in no file");
    assert!(kept.contains("games.pgn"), "{kept}");
    let saved = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(saved.matches("[Variant \"Masonic chess\"]").count(), 1, "{saved}");
    let other = folder.path().join("nowhere").join("x.pgn");
    let refused = session.execute(&format!("save {}", other.display()));
    assert!(matches!(refused.as_slice(), [Notice::Refused(_)]), "{refused:?}");
}

#[test]
fn what_is_asked_is_told() {
    let mut session = session("--side both --tc 5+3", "");
    session.start();
    for (asked, told) in [
        ("moves", "18 legal: "),
        ("moves e2", "2 legal: e3 e4"),
        ("moves E2", "2 legal: e3 e4"),
        ("moves e5", "There is no piece on e5."),
        ("moves a1", "Nothing on a1 can move now."),
        ("moves e8", "It is White's turn."),
        ("moves x2", "`x2` is not a point."),
        ("clock", "White 5:00, Black 5:00"),
        ("pieces", "White: king e1, queen d1, rook a1 i1, archbishop f1,"),
        ("help", "hint"),
        (" Level 7 ", "Qirkat (level 7) from the next move on."),
        ("elo 1500", "Qirkat (1500) from the next move on."),
        ("level", "A number from 0 to 20 must follow."),
        ("level 21", "A number from 0 to 20 must follow."),
        ("elo 10", "A number from 500 to 2550 must follow."),
        ("new chess", "`new` takes white, black or both, and the name of a game."),
        ("flip it", "Nothing can follow `flip`."),
        ("hint e4", "Nothing can follow `hint`."),
        ("?", "hint"),
    ] {
        let news = text(&session.execute(asked));
        assert!(news.contains(told), "{asked}: {news}");
    }
    for board in ["board", " ", "flip"] {
        assert_eq!(session.execute(board), [Notice::Board]);
    }
    assert_eq!(session.execute("quit"), [Notice::Leave]);
    assert_eq!(path("~x.pgn"), std::path::Path::new("~x.pgn"));
    session.execute("new Masonic BLACK");
    assert!(session.flipped && session.game.position().variant() == Variant::Masonic);
}

#[derive(Parser)]
struct Call {
    #[command(flatten)]
    options: PlayOptions,
}

/// A session of such options, from a FEN or, where that is empty, the usual start.
pub(crate) fn session(line: &str, fen: &str) -> Session {
    let words = std::iter::once("play").chain(line.split_whitespace());
    let options = Call::try_parse_from(words).expect(line).options;
    let variant = options.game.variant;
    let read = || variant.read_fen(fen).expect(fen).position;
    let start = if fen.is_empty() { variant.start() } else { read() };
    Session::new(Arc::new(options), start)
}
