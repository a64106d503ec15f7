//! The screen as a person sees it and uses it, without a terminal.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use super::app::App;
use super::layout::Theme;
use super::view;
use crate::commands::play::session::tests::session;
use qirkat_game::splitmix::splitmix64;

const PLAIN: Theme = Theme { colors: false, unicode: false, symbols: false };
const FULL: Theme = Theme { colors: true, unicode: true, symbols: true };

struct Seat {
    app: App,
    terminal: Terminal<TestBackend>,
}

impl Seat {
    fn new(line: &str, theme: Theme, size: (u16, u16)) -> Seat {
        Seat::at(line, "", theme, size)
    }

    fn at(line: &str, fen: &str, theme: Theme, (width, height): (u16, u16)) -> Seat {
        let mut app = App::new(session(line, fen), theme);
        app.start();
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        Seat { app, terminal }
    }

    fn two(game: &str) -> Seat {
        Seat::new(&format!("--side both --game {game}"), PLAIN, (80, 24))
    }

    fn area(&self) -> Rect {
        self.terminal.backend().buffer().area
    }

    fn press(&mut self, code: KeyCode) {
        let area = self.area();
        self.app.take(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), area);
    }

    fn type_line(&mut self, text: &str) {
        text.chars().for_each(|letter| self.press(KeyCode::Char(letter)));
        self.press(KeyCode::Enter);
    }

    fn click_at(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let click = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        let area = self.area();
        self.app.take(Event::Mouse(click), area);
    }

    fn click(&mut self, point: &str) {
        let layout = self.app.layout(self.area()).expect("room");
        let bytes = point.as_bytes();
        let (column, row) = layout.drawing.spot(bytes[0] - b'a', bytes[1] - b'1');
        self.click_at(layout.board.x + column, layout.board.y + row);
    }

    fn rows(&mut self) -> Vec<String> {
        self.terminal.draw(|frame| view::draw(frame, &self.app)).expect("a drawing");
        let buffer = self.terminal.backend().buffer();
        let rows = buffer.content.chunks(usize::from(buffer.area.width).max(1));
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>())
            .map(|row| row.trim_end().to_owned())
            .collect()
    }

    fn expect(&mut self, words: &[&str]) {
        let screen = self.rows().join("\n");
        for words in words {
            assert!(screen.contains(words), "no {words:?} in\n{screen}");
        }
    }

    fn sans(&self) -> String {
        self.app.session.game.sans().join(" ")
    }
}

#[test]
fn the_smallest_screen_shows_everything_of_each_game() {
    for (game, words) in [
        ("chesquerque", ["9  r---n---b---q---k---a", "    a   b   c   d   e   f   g   h   i"]),
        ("masonic", ["8    | r | n | b | q | k | b", " 2    | P | P | P | P | P | P | P"]),
        ("alquerque", [" 3  m-------m-------*-------M", "    a       b       c       d"]),
    ] {
        let mut seat = Seat::two(game);
        seat.expect(&words);
        seat.expect(&["White to move", "> White  White player", "F1Help F2Hint", "F10Quit"]);
        let rows = seat.rows();
        assert!(rows.iter().all(|row| row.is_ascii()), "{rows:?}");
    }
}

#[test]
fn moves_are_typed_completed_and_refused_with_a_reason() {
    let mut seat = Seat::two("chesquerque");
    for letter in "e2".chars() {
        seat.press(KeyCode::Char(letter));
    }
    // The legal points are marked while one types.
    seat.expect(&["e2e3 e2e4", "[P]", "---o---"]);
    seat.press(KeyCode::Tab);
    seat.type_line("4");
    assert_eq!(seat.sans(), "e4");
    seat.type_line("a9a5");
    seat.expect(&["The path is blocked on a8."]);
    seat.type_line("e8e6");
    seat.expect(&[&format!("   1. {:<14} e6", "e4"), "<p>"]);
    seat.type_line("nonsense");
    seat.expect(&["`nonsense` is not a move"]);
    seat.press(KeyCode::F(3));
    seat.press(KeyCode::F(4));
    assert_eq!(seat.sans(), "e4");
    seat.expect(&["Black to move", " 1  R---N---B---A---K---Q---B---N---R"]);
}

#[test]
fn the_input_holds_what_can_be_seen_and_no_more() {
    let mut seat = Seat::two("chesquerque");
    let area = seat.area();
    for (text, count) in [("e\u{1b}[2\n", 3), (&"é".repeat(1000), 60)] {
        seat.app.take(Event::Paste(text.to_owned()), area);
        assert_eq!(seat.app.input.chars().count(), count);
    }
    seat.press(KeyCode::Backspace);
    assert_eq!(seat.app.input.chars().count(), 59);
}

#[test]
fn moves_are_clicked() {
    let mut seat = Seat::two("chesquerque");
    seat.click("e2");
    seat.expect(&["[P]", "White's move: e2"]);
    seat.click("e4");
    assert_eq!(seat.sans(), "e4");
    seat.click("e9");
    seat.expect(&["Nothing on e9 can move now."]);
    seat.click("d8");
    seat.click("d8");
    seat.expect(&["Black's move:"]);
    seat.click("d8");
    seat.click("e6");
    seat.expect(&["A pawn"]);
    seat.click("d6");
    assert_eq!(seat.sans(), "e4 d6");
    // The keys below are clicked too: F3 takes back.
    seat.click_at(15, 23);
    assert_eq!(seat.sans(), "e4");
    let mut seat = Seat::two("alquerque");
    for point in ["d3", "c3", "b3", "d3"] {
        seat.click(point);
    }
    assert_eq!(seat.sans(), "d3c3 b3d3");
    let mut seat = Seat::two("masonic");
    seat.click("e2");
    seat.click("f4");
    assert_eq!(seat.app.session.game.state.moves().len(), 1);
}

#[test]
fn a_pawn_put_on_the_last_rank_asks_what_it_becomes() {
    let fen = "4k4/P8/9/9/9/9/9/9/4K4 w - - 0 1";
    let mut seat = Seat::at("--side both", fen, PLAIN, (80, 24));
    seat.click("a8");
    seat.click("a9");
    seat.expect(&["What does the pawn become? Type ", "White's move: a8a9"]);
    seat.press(KeyCode::Char('a'));
    assert_eq!(seat.sans(), "a9=A");
    seat.type_line("back");
    seat.type_line("a8a9");
    seat.expect(&["A pawn on the last rank becomes"]);
}

#[test]
fn giving_up_and_leaving_are_asked_about() {
    let mut seat = Seat::two("chesquerque");
    seat.type_line("e4");
    seat.press(KeyCode::F(6));
    seat.expect(&["Resign the game?"]);
    seat.press(KeyCode::Char('x'));
    seat.press(KeyCode::Char('n'));
    assert_eq!(seat.app.session.game.ending(), None);
    seat.press(KeyCode::F(10));
    seat.expect(&["Save the game before you leave?"]);
    seat.press(KeyCode::Esc);
    assert!(!seat.app.has_left);
    seat.type_line("resign");
    seat.press(KeyCode::Char('y'));
    seat.expect(&["The game is over: Black resigns, 1-0.", "Game over:"]);
    seat.type_line("e6");
    seat.expect(&["The game is over: Black resigns; `new` begins another."]);
    seat.type_line("quit");
    seat.press(KeyCode::Char('n'));
    assert!(seat.app.has_left);
    assert_eq!(seat.app.session.save_unsaved(), None);
}

#[test]
fn help_takes_the_screen_and_gives_it_back() {
    let mut seat = Seat::two("chesquerque");
    seat.press(KeyCode::Char('?'));
    seat.expect(&[&format!("{:<30} give up", "resign"), "Esc: back to the game"]);
    seat.press(KeyCode::Char('x'));
    seat.press(KeyCode::Esc);
    seat.expect(&["White to move"]);
}

#[test]
fn a_small_terminal_gets_one_clear_sentence() {
    for (width, height) in [(79, 24), (80, 23), (40, 10), (12, 9)] {
        let mut seat = Seat::new("--side both", PLAIN, (width, height));
        let told = seat.rows().join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let sentence = "is too small: make the terminal 80x24 (or use --plain)";
        assert_eq!(told, format!("{width}x{height} {sentence}"));
    }
    for size in [(10, 3), (3, 10), (1, 1)] {
        Seat::new("--side both", PLAIN, size).rows();
    }
    let mut seat = Seat::new("--side both", PLAIN, (79, 24));
    seat.expect(&["79x24 is too small: make the terminal 80x24"]);
    seat.terminal.backend_mut().resize(100, 30);
    seat.expect(&["White to move"]);
}

#[test]
fn colours_and_symbols_are_used_where_they_are_had() {
    let mut seat = Seat::new("--side both", FULL, (120, 40));
    seat.expect(&["♚", "♟", "─", "╲", "•"]);
    seat.type_line("e4");
    seat.expect(&["<♟>"]);
    let buffer = seat.terminal.backend().buffer();
    let backgrounds: std::collections::HashSet<_> =
        buffer.content.iter().map(|cell| cell.bg).collect();
    assert!(backgrounds.len() > 2, "{backgrounds:?}");
}

#[test]
fn garbage_is_survived() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    let is_long = std::env::var_os("QIRKAT_TESTS").is_some_and(|effort| effort != "quick");
    let rounds = if is_long { 400 } else { 80 };
    let mut random = 7;
    for game in ["chesquerque", "masonic", "alquerque"] {
        let line = format!("--side both --game {game} --pgn {}", file.display());
        let mut seat = Seat::new(&line, FULL, (80, 24));
        for _ in 0..rounds {
            let number = splitmix64(&mut random);
            let (column, row) = ((number >> 8) as u16 % 130, (number >> 32) as u16 % 45);
            match number % 16 {
                0..=5 => {
                    let letters = "abcdefghi123456789NBRQKAOx=- é\u{1F600}";
                    let index = usize::from(column) % letters.chars().count();
                    let letter = letters.chars().nth(index).unwrap_or('x');
                    seat.press(KeyCode::Char(letter));
                }
                6 => seat.press(KeyCode::Enter),
                7 => seat.press(KeyCode::Tab),
                8 | 9 => {
                    use KeyCode::{Backspace, Esc, F, Home};
                    let keys = [Esc, Backspace, Home, F(99), F(1), F(3), F(4), F(9)];
                    seat.press(keys[usize::from(row % 8)]);
                }
                10 => seat.terminal.backend_mut().resize(column.max(1), row.max(1)),
                11 => seat.terminal.backend_mut().resize(80 + column % 41, 24 + row % 17),
                12 => {
                    let area = seat.area();
                    seat.app.take(Event::Paste("e4\n\u{0}\u{1b}[31m".repeat(9)), area);
                }
                _ => seat.click_at(column, row),
            }
            seat.rows();
        }
        seat.terminal.backend_mut().resize(80, 24);
        seat.press(KeyCode::Esc);
        seat.expect(&["Qirkat  ", "F10Quit"]);
    }
}
