//! Reading games one by one from a stream.

use std::io::BufRead;

use super::error::{MoveFault, MoveNumber, PgnError, PgnFault};
use super::lexer::{Lexer, MAX_TEXT, Token};
use super::record::{PgnGame, PgnMove};
use crate::game::{GameResult, Rules, SanError};
use crate::text::Excerpt;
use crate::variant::{AnyMove, AnyPosition, UnknownVariant, Variant};

/// Plies read of one game.
const MAX_PLIES: usize = 1 << 16;
/// Tags read of one game.
const MAX_TAGS: usize = 1 << 10;

/// A game and where it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadGame {
    /// The game. Its result is the one behind the moves, or that of the tag
    /// when there is none.
    pub game: PgnGame,
    /// The game's number in its file, from 1.
    pub number: u64,
    /// The line it begins on, from 1.
    pub line: u64,
    /// The line of each move.
    pub move_lines: Vec<u64>,
    /// How many variations were passed over, those inside others not counted.
    pub variations: u64,
    /// The result behind the moves.
    pub written_result: Option<GameResult>,
    /// The line of that result, or the last line of the game without one.
    pub last_line: u64,
}

/// Reads games in PGN, lossily where they are not UTF-8. Move numbers and
/// variations are passed over. Memory is bounded for each game.
pub struct PgnReader<R> {
    lexer: Lexer<R>,
    /// The token that ended the game before and begins the next.
    pending: Option<(u64, Token)>,
    games: u64,
    failed: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from here.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader { lexer: Lexer::new(input), pending: None, games: 0, failed: false }
    }

    /// How many bytes have been read. Behind a game with a result these are all
    /// up to the end of that.
    pub fn offset(&self) -> u64 {
        self.lexer.offset()
    }

    fn next_token(&mut self) -> Result<(u64, Token), PgnError> {
        match self.pending.take() {
            Some(token) => Ok(token),
            None => Ok(self.lexer.next()?),
        }
    }

    fn next_game(&mut self) -> Result<Option<ReadGame>, PgnError> {
        let Some((line, token)) = self.first_token()? else { return Ok(None) };
        self.games += 1;
        let mut gathered = GatheredGame::new(line);
        let mut next = (line, token);
        loop {
            let (line, token) = next;
            if gathered.is_ended_by(&token) {
                // At the end of the text the lexer says so again.
                self.pending = Some((line, token));
                break;
            }
            let last = matches!(token, Token::Result(_)) && gathered.depth == 0;
            gathered.take(line, token);
            if last {
                break;
            }
            next = self.next_token()?;
        }
        gathered.finish(self.games).map(Some)
    }

    /// The first token that belongs to a game.
    fn first_token(&mut self) -> Result<Option<(u64, Token)>, PgnError> {
        loop {
            match self.next_token()? {
                (_, Token::End) => return Ok(None),
                (_, Token::Comment(_)) => {}
                token => return Ok(Some(token)),
            }
        }
    }
}

/// After an I/O error there are no more games; after any other error, there
/// may be.
impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<ReadGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let game = self.next_game();
        self.failed = matches!(game, Err(PgnError::Io(_)));
        game.transpose()
    }
}

/// A game as far as it has been read. After its first fault nothing is kept
/// any more, but its end is still looked for.
struct GatheredGame {
    first_line: u64,
    game: PgnGame,
    position: AnyPosition,
    /// The tag `FEN` and its line, until the variant is known for certain.
    fen: Option<(u64, String)>,
    move_lines: Vec<u64>,
    result: Option<GameResult>,
    fault: Option<(u64, PgnFault)>,
    /// Behind the tags.
    in_moves: bool,
    last_line: u64,
    /// Variations open, with the line of the outermost.
    depth: u64,
    variations: u64,
    variation_line: u64,
    text_kept: usize,
}

impl GatheredGame {
    fn new(first_line: u64) -> GatheredGame {
        let game = PgnGame::default();
        GatheredGame {
            first_line,
            position: game.start,
            fen: None,
            game,
            move_lines: Vec::new(),
            result: None,
            fault: None,
            in_moves: false,
            last_line: first_line,
            depth: 0,
            variations: 0,
            variation_line: 0,
            text_kept: 0,
        }
    }

    /// Whether this token is behind the game: a tag after moves, or the first
    /// tag of another game after nothing but tags.
    fn is_ended_by(&self, token: &Token) -> bool {
        match token {
            Token::End => true,
            Token::Tag { name, .. } => {
                let begun = self.fault.is_some() || self.game.tag("Event").is_some();
                self.in_moves || name == "Event" && begun
            }
            Token::Bad { tag, .. } => *tag && self.in_moves,
            _ => false,
        }
    }

    fn take(&mut self, line: u64, token: Token) {
        self.last_line = line;
        self.in_moves |= matches!(
            token,
            Token::Symbol(_)
                | Token::MoveNumber
                | Token::Result(_)
                | Token::OpenVariation
                | Token::CloseVariation
        );
        if self.in_moves {
            self.settle_start();
        }
        let taken = match token {
            Token::OpenVariation => self.open_variation(line),
            Token::CloseVariation => self.close_variation(),
            Token::Bad { fault, .. } => Err(fault),
            _ if self.depth > 0 || self.fault.is_some() => Ok(()),
            Token::Tag { name, value } => self.take_tag(line, name, value),
            Token::Comment(text) => self.take_comment(&text),
            Token::Symbol(text) => self.take_move(line, &text),
            Token::Nag(nag) => self.take_nag(nag),
            Token::Result(result) => self.take_result(result),
            Token::MoveNumber | Token::End => Ok(()),
        };
        if let Err(fault) = taken {
            self.fault.get_or_insert((line, fault));
        }
    }

    fn open_variation(&mut self, line: u64) -> Result<(), PgnFault> {
        if self.depth == 0 {
            self.variation_line = line;
            self.variations += 1;
        }
        self.depth += 1;
        Ok(())
    }

    fn close_variation(&mut self) -> Result<(), PgnFault> {
        self.depth = self.depth.checked_sub(1).ok_or(PgnFault::CloseVariation)?;
        Ok(())
    }

    fn take_tag(&mut self, line: u64, name: String, value: String) -> Result<(), PgnFault> {
        if self.game.tag(&name).is_some() {
            return Err(PgnFault::TagTwice(Excerpt::of(&name)));
        }
        if name == "Variant" {
            let variant: Variant =
                value.parse().map_err(|UnknownVariant| PgnFault::Variant(Excerpt::of(&value)))?;
            self.position = variant.start();
            self.game.start = self.position;
        }
        if name == "FEN" {
            self.fen = Some((line, value.clone()));
        }
        self.keep_text(name.len() + value.len())?;
        if self.game.tags.len() == MAX_TAGS {
            return Err(PgnFault::TooLong);
        }
        self.game.tags.push((name, value));
        Ok(())
    }

    /// Goes to where the game starts, now that all tags are read.
    fn settle_start(&mut self) {
        let Some((line, fen)) = self.fen.take() else { return };
        match self.position.variant().read_fen(&fen) {
            Ok(parsed) => {
                self.position = parsed.position;
                self.game.start = parsed.position;
            }
            Err(error) => {
                self.fault.get_or_insert((line, PgnFault::Fen(error)));
            }
        }
    }

    /// Several comments behind one move become one.
    fn take_comment(&mut self, text: &str) -> Result<(), PgnFault> {
        if text.is_empty() {
            return Ok(());
        }
        self.keep_text(text.len() + 1)?;
        let place = match self.game.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.game.opening_comment,
        };
        match place {
            Some(comment) => {
                comment.push(' ');
                comment.push_str(text);
            }
            None => *place = Some(text.to_owned()),
        }
        Ok(())
    }

    /// A mark before the first move belongs to nothing.
    fn take_nag(&mut self, nag: Option<u8>) -> Result<(), PgnFault> {
        self.keep_text(1)?;
        if let (Some(nag), Some(last)) = (nag, self.game.moves.last_mut()) {
            last.nags.push(nag);
        }
        Ok(())
    }

    fn keep_text(&mut self, length: usize) -> Result<(), PgnFault> {
        self.text_kept += length;
        if self.text_kept >= MAX_TEXT { Err(PgnFault::TooLong) } else { Ok(()) }
    }

    fn take_move(&mut self, line: u64, text: &str) -> Result<(), PgnFault> {
        if self.game.moves.len() == MAX_PLIES {
            return Err(PgnFault::TooLong);
        }
        let mv = read_move(&self.position, text).map_err(|fault| PgnFault::Move {
            number: MoveNumber::of(&self.position),
            text: Excerpt::of(text),
            fault,
        })?;
        self.position = self.position.play(mv);
        self.game.moves.push(PgnMove::from(mv));
        self.move_lines.push(line);
        Ok(())
    }

    fn take_result(&mut self, result: GameResult) -> Result<(), PgnFault> {
        self.result = Some(result);
        if self.game.tags.is_empty() && self.game.moves.is_empty() {
            return Err(PgnFault::ResultAlone);
        }
        Ok(())
    }

    fn finish(mut self, number: u64) -> Result<ReadGame, PgnError> {
        self.settle_start();
        if self.depth > 0 {
            self.fault.get_or_insert((self.variation_line, PgnFault::OpenVariation));
        }
        if let Some((line, fault)) = self.fault {
            return Err(PgnError::Game { game: number, line, fault });
        }
        let tagged = self.game.tag("Result").and_then(GameResult::parse);
        self.game.result = self.result.or(tagged).unwrap_or(GameResult::Unfinished);
        Ok(ReadGame {
            game: self.game,
            number,
            line: self.first_line,
            last_line: self.last_line,
            move_lines: self.move_lines,
            variations: self.variations,
            written_result: self.result,
        })
    }
}

/// A legal move in long or standard algebraic notation, perhaps with a hyphen
/// in the middle.
///
/// XBoard writes `O-O` for both castlings of this game, so it may mean the
/// queen's wing where nobody can castle on the archbishop's.
fn read_move(position: &AnyPosition, text: &str) -> Result<AnyMove, MoveFault> {
    let castling = text.starts_with(['O', '0']);
    let joined = if castling { text.to_owned() } else { text.replace('-', "") };
    match AnyMove::parse(position.variant(), joined.trim_end_matches(['+', '#'])) {
        Some(mv) if position.is_legal(mv) => Ok(mv),
        Some(_) => Err(MoveFault::Illegal),
        None => match position.parse_san(&joined) {
            Err(SanError::Illegal(_)) if castling => Ok(position.parse_san("O-O-O")?),
            read => Ok(read?),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<ReadGame, PgnError>> {
        PgnReader::new(text.as_bytes()).collect()
    }

    fn only(text: &str) -> PgnGame {
        let mut games = read(text);
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0).unwrap_or_else(|error| panic!("{text}: {error}")).game
    }

    fn line_of(game: &PgnGame) -> String {
        let moves: Vec<AnyMove> = game.moves.iter().map(|played| played.mv).collect();
        game.start.san_line(&moves).join(" ")
    }

    /// Each game as its moves, or as what is wrong with it.
    fn summary(text: &str) -> Vec<String> {
        let describe = |game: Result<ReadGame, PgnError>| match game {
            Ok(read) => format!("{} {}", line_of(&read.game), read.game.result),
            Err(error) => error.to_string(),
        };
        read(text).into_iter().map(describe).collect()
    }

    #[test]
    fn many_ways_to_write_moves() {
        for text in [
            "1. b3 b7 2. Nc3 Nc7 *",
            "1.b3 b7 2.Nc3 Nc7 *",
            "b3 b7 Nc3 Nc7 *",
            "1. b2b3 1... b8b7 2 b1c3 b9c7 *",
            "1. b2-b3 b8-b7 2. Nb1-c3! Nb9c7?! *",
            "1.\tb3\r\nb7 {x} 2. Nc3 ; 2. d3\r\nNc7 *\u{1a}",
            "1. b3 $1 (1. d4 (1. c4 {)} b6) d7) 1... b7 2.Nc3\n% Nd7 1-0\nNc7 *",
            "\u{feff}[Event \"a\"]\r[White \"b\"]\r1. b3 b7 2. Nc3 Nc7 *",
        ] {
            assert_eq!(line_of(&only(text)), "b3 b7 Nc3 Nc7", "{text}");
        }
    }

    #[test]
    fn castlings_are_kept_apart() {
        let fen = "[FEN \"r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1\"]\n";
        for (text, line) in [
            ("O-O O-O-O", "O-O O-O-O"),
            ("0-0-0 0-0", "O-O-O O-O"),
            ("Ke1h1 Ke9b9", "O-O O-O-O"),
            ("e1b1 e9h9", "O-O-O O-O"),
        ] {
            assert_eq!(line_of(&only(&format!("{fen}{text} *"))), line, "{text}");
        }
    }

    #[test]
    fn a_short_castling_may_be_the_only_one_there_is() {
        let fen = "[FEN \"r3k4/9/9/9/9/9/9/2P6/R3K4 w Qq - 0 1\"]\n";
        assert_eq!(line_of(&only(&format!("{fen}O-O O-O+ *"))), "O-O-O O-O-O");
        let fault = "game 1, line 2: move 2. O-O: not a legal move here";
        assert_eq!(summary(&format!("{fen}1. O-O O-O 2. O-O *")), [fault]);
    }

    #[test]
    fn tags_keep_their_escapes() {
        let game = only(r#"[Event "a \"b\" \\ c:\d"] [White ""] *"#);
        assert_eq!(game.tag("Event"), Some(r#"a "b" \ c:\d"#));
        assert_eq!(game.tag("White"), Some(""));
        assert_eq!(game.tag("Black"), None);
    }

    #[test]
    fn comments_join() {
        let game = only("[Event \"x\"] {before} {all} 1. e4 {a\n  b} ;c\n{} e6 *");
        assert_eq!(game.opening_comment.as_deref(), Some("before all"));
        assert_eq!(game.moves[0].comment.as_deref(), Some("a b c"));
        assert_eq!(game.moves[1].comment, None);
    }

    #[test]
    fn marks_belong_to_the_move_before() {
        let text = "$1 1. e4! e6 $2 !? (1... e8e6??) 2. d4 $999 $ !!!! {x} $14 d7?! *";
        let nags: Vec<Vec<u8>> = only(text).moves.into_iter().map(|played| played.nags).collect();
        assert_eq!(nags, [vec![1], vec![2, 5], vec![14], vec![6]]);
    }

    #[test]
    fn variations_are_counted() {
        let text = "1. e4 (1. d4 (1. c4)) (1. f4) e6 * 1. e4 *";
        let counts: Vec<u64> =
            read(text).into_iter().map(|read| read.expect("a game").variations).collect();
        assert_eq!(counts, [2, 0]);
    }

    #[test]
    fn games_end_in_many_ways() {
        for (text, expected) in [
            ("1. e4 1-0 1. d4 1/2-1/2", vec!["e4 1-0", "d4 1/2-1/2"]),
            ("1. e4\n[Event \"\"]\n1. d4 0-1", vec!["e4 *", "d4 0-1"]),
            ("[Event \"a\"][Result \"1-0\"]\n[Event \"b\"]1. d4 *", vec![" 1-0", "d4 *"]),
            ("[Result \"0-1\"] 1. e4", vec!["e4 0-1"]),
            ("", vec![]),
            ("; nothing\n {at all} ", vec![]),
        ] {
            assert_eq!(summary(text), expected, "{text}");
        }
    }

    #[test]
    fn faults_are_told_and_the_next_game_is_read() {
        let next = "\n\n[Event \"next\"]\n\n1. d4 *\n";
        for (text, fault) in [
            (
                "1. e4 e6\n2. Nf3 (2. Nc3 1-0) {0-1} d4 *",
                "line 2: move 2. Nf3: not a legal move here",
            ),
            ("1. e4 zz *", "line 1: move 1... zz: not a move in algebraic notation"),
            (
                "[Event \"a\"]\n[Variant \"Capablanca\"]\n1. e4 *",
                "line 2: variant `Capablanca` is not a game played here: chesquerque, \
                 masonic or alquerque",
            ),
            ("[FEN \"9/9 w - -\"]\n1. e4 *", "line 1: FEN tag: board: 2 ranks instead of 9"),
            (
                "[Event \"a\"]\n[Event 7]\n1. e4 *",
                "line 2: tag is not of the form [Name \"value\"]",
            ),
            ("[Site \"a\"]\n[Site \"b\"]\n1. e4 *", "line 2: tag Site stands twice"),
            ("1. e4\n{cut of", "line 2: comment is not closed"),
            ("1. e4\n(1. d4 (1. c4) 1-0", "line 2: variation is not closed"),
            ("1. e4 ) e6 *", "line 1: `)` closes nothing"),
            ("1. e4 <x> *", "line 1: unexpected `<`"),
            ("1-0", "line 1: result without a game"),
        ] {
            let expected = vec![format!("game 1, {fault}"), "d4 *".to_owned()];
            assert_eq!(summary(&format!("{text}{next}")), expected, "{text}");
        }
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["[Event \"a\"]", "", "1. e4 e6", "2. d4 {", "} d7", "*"].join(end);
            let read = read(&text).remove(0).expect("a game");
            assert_eq!(read.move_lines, [3, 3, 4, 5]);
            assert_eq!((read.number, read.line, read.last_line), (1, 1, 6));
        }
    }

    #[test]
    fn a_million_of_anything_does_no_harm() {
        for junk in ["(", "()", "{", "1. ", "e4 ", "[", "\"", "x", "$", "* ", "{} "] {
            let text = format!("1. e4 {}\n", junk.repeat(1_000_000));
            assert!(read(&text).len() <= 1_000_001);
        }
        let text = format!("1. e4 {}e6 *", "{abc} ".repeat(1_000_000));
        assert_eq!(summary(&text), ["game 1, line 1: game is too long"]);
    }
}
