//! Draws the screen: the board, the side panel, and the lines below.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use super::app::{App, Dialog, Page, candidates, completion};
use super::layout::{MIN_HEIGHT, MIN_WIDTH, Mark, marks, put, shown_keys};
use crate::commands::play::board_drawing::BoardDrawing;
use crate::commands::play::session::Session;
use crate::commands::play::user_input::color_of;
use crate::shared::terminal;
use qirkat_analysis::casual::clock_text;
use qirkat_game::text::one_line;
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::Place;

pub(crate) fn draw(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    if let Some(Dialog::Page(page)) = app.dialog.as_ref() {
        return draw_page(frame.buffer_mut(), area, page, app);
    }
    let Some(layout) = app.layout(area) else {
        return draw_too_small(frame.buffer_mut(), area, app);
    };
    let buffer = frame.buffer_mut();
    put(buffer, layout.title, 1, 0, &title(app), app.theme.title());
    draw_board(buffer, layout.board, &layout.drawing, app);
    draw_panel(buffer, layout.panel, app);
    draw_message(buffer, layout.message, app);
    for (column, key, command) in shown_keys() {
        put(buffer, layout.keys, column, 0, &key, Style::new());
        let column = column + key.len() as u16;
        put(buffer, layout.keys, column, 0, command, app.theme.key_label());
    }
    let column = draw_input(buffer, layout.input, app);
    if app.dialog.is_none() {
        frame.set_cursor_position(Position::new(column, layout.input.y));
    }
}

fn title(app: &App) -> String {
    let session = &app.session;
    let variant = session.game.position().variant().title();
    let state = match session.game.ending() {
        Some(ending) => format!("{}, {}", ending.reason, ending.result),
        None => {
            let check = if session.game.position().in_check() { ", in check" } else { "" };
            format!("{:?} to move{check}", session.game.side_to_move())
        }
    };
    format!("Qirkat  {variant}  {state}")
}

/// A question, a review's progress, or the last message.
fn draw_message(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = app.theme;
    let question = app.dialog.as_ref().and_then(Dialog::question);
    let (text, style) = match (question, app.session.review_progress()) {
        (Some(question), _) => (question, theme.to_move()),
        (None, Some((done, all))) => {
            (format!("Reviewed {done} of {all} moves. Esc cancels."), theme.title())
        }
        (None, None) if app.is_refusal => (app.message.clone(), theme.refusal()),
        (None, None) => (app.message.clone(), theme.title()),
    };
    for (row, line) in (0..).zip(lines_of(&text, area.width.saturating_sub(2))) {
        put(buffer, area, 1, row, &line, style);
    }
}

fn lines_of(text: &str, width: u16) -> Vec<String> {
    terminal::wrapped_text(text, width.into(), 0).lines().map(str::to_owned).collect()
}

/// Draws the prompt with the side to move and the typed text; returns the cursor column.
fn draw_input(buffer: &mut Buffer, area: Rect, app: &App) -> u16 {
    let game = &app.session.game;
    let prompt = match (game.ending(), app.session.search_text()) {
        (Some(_), _) => "Game over: ".to_owned(),
        (None, Some(text)) => text.to_owned(),
        (None, None) => format!("{:?}'s move: ", game.side_to_move()),
    };
    put(buffer, area, 1, 0, &prompt, Style::new());
    let typed_at = 1 + prompt.len() as u16;
    put(buffer, area, typed_at, 0, &app.input, app.theme.title());
    let end = typed_at + app.input.width() as u16;
    if let Some(rest) = completion(&app.input, game.position()) {
        put(buffer, area, end, 0, &rest, app.theme.faint());
    }
    (area.x + end).min(area.right().saturating_sub(1))
}

fn draw_page(buffer: &mut Buffer, area: Rect, page: &Page, app: &App) {
    put(buffer, area, 1, 0, &page.title, app.theme.title());
    for (row, line) in (1..).zip(page.visible_lines(area)) {
        put(buffer, area, 1, row, &line, Style::new());
    }
    let hint = match page.has_more(area) {
        (false, false) => " Esc: back to the game ",
        _ => " Esc: back to the game   Up, Down, PgUp, PgDn: more ",
    };
    let style = Style::new().add_modifier(Modifier::REVERSED);
    put(buffer, area, 0, area.height.saturating_sub(1), hint, style);
}

fn draw_too_small(buffer: &mut Buffer, area: Rect, app: &App) {
    let text = match app.dialog.as_ref().and_then(Dialog::question) {
        Some(question) => question,
        None => format!(
            "{}x{} is too small: make the terminal {MIN_WIDTH}x{MIN_HEIGHT} (or use --plain)",
            area.width, area.height
        ),
    };
    let lines = lines_of(&text, area.width);
    let top = area.height.saturating_sub(lines.len() as u16) / 2;
    for (row, line) in (top..).zip(&lines) {
        put(buffer, area, 0, row, line, app.theme.title());
    }
}

fn draw_board(buffer: &mut Buffer, area: Rect, drawing: &BoardDrawing, app: &App) {
    let theme = app.theme;
    for (row, text) in (0..).zip(drawing.rows(|_, _| None)) {
        put(buffer, area, 0, row, &text, theme.faint());
    }
    let session = &app.session;
    let marks = marks(session, &app.input);
    let pieces = session.game.position().pieces();
    for (file, rank) in drawing.points() {
        let piece = pieces.iter().find(|(place, _)| *place == Place { file, rank });
        let mark = marks.get(&Place { file, rank }.to_string()).copied();
        let (column, row) = drawing.spot(file, rank);
        let style = piece.map_or(Style::new(), |(_, letter)| theme.piece(color_of(*letter)));
        let style = mark.map_or(style, |mark| theme.marked(mark, style));
        let mut put = |column, text: &str| put(buffer, area, column, row, text, style);
        match (piece.map(|(_, letter)| theme.letter(*letter)), mark.and_then(Mark::brackets)) {
            // Three columns wide if there are colours or a mark.
            (Some(letter), Some([left, right])) => {
                put(column - 1, &format!("{left}{letter}{right}"));
            }
            (Some(letter), None) if theme.colors => put(column - 1, &format!(" {letter} ")),
            (Some(letter), None) => put(column, &letter.to_string()),
            (None, Some([left, right])) => {
                put(column - 1, left);
                put(column + 1, right);
            }
            (None, None) if mark.is_some() => put(column, theme.target()),
            (None, None) => {}
        }
    }
}

const PLAYER_ROWS: u16 = 3;
const CANDIDATE_ROWS: u16 = 3;
const NUMBER_WIDTH: usize = 4;
const MOVE_WIDTH: usize = 14;

fn draw_panel(buffer: &mut Buffer, area: Rect, app: &App) {
    let (game, theme) = (&app.session.game, app.theme);
    for (row, color) in (0..).zip(Color::ALL) {
        let is_to_move = game.ending().is_none() && game.side_to_move() == color;
        let sign = match (is_to_move, theme.unicode) {
            (true, true) => "►",
            (true, false) => ">",
            (false, _) => " ",
        };
        let style = if is_to_move { theme.to_move() } else { Style::new() };
        let name = game.player(color, &app.session.strength.name());
        let name = one_line(&name, area.width.into());
        put(buffer, area, 0, row, &format!("{sign} {color:?}  {name}"), style);
        if let Some(left) = game.left(color) {
            let text = clock_text(left);
            let column = area.width.saturating_sub(text.len() as u16 + 1);
            put(buffer, area, column, row, &format!(" {text}"), style);
        }
    }
    let lines = move_lines(&app.session);
    let rows = area.height.saturating_sub(PLAYER_ROWS + CANDIDATE_ROWS + 1);
    let hidden = lines.len().saturating_sub(rows.into());
    if lines.is_empty() {
        put(buffer, area, 0, PLAYER_ROWS, "No moves yet.", theme.faint());
    }
    for (row, line) in (PLAYER_ROWS..).zip(&lines[hidden..]) {
        put(buffer, area, 0, row, line, Style::new());
    }
    draw_candidates(buffer, area, app);
}

fn move_lines(session: &Session) -> Vec<String> {
    let game = &session.game;
    let start = game.state.start();
    let mut number = usize::from(start.fullmove_number());
    let mut white = start.side_to_move() == Color::White;
    let mut lines: Vec<String> = Vec::new();
    for san in game.sans() {
        if white {
            lines.push(format!("{number:>NUMBER_WIDTH$}. {san:<MOVE_WIDTH$}"));
        } else {
            match lines.last_mut() {
                Some(line) => line.push_str(&format!(" {san}")),
                None => {
                    let gap = "...";
                    lines.push(format!("{number:>NUMBER_WIDTH$}. {gap:<MOVE_WIDTH$} {san}"));
                }
            }
            number += 1;
        }
        white = !white;
    }
    lines
}

fn draw_candidates(buffer: &mut Buffer, area: Rect, app: &App) {
    let candidates = candidates(&app.input, app.session.game.position());
    let text = terminal::wrapped("", &candidates, area.width.into(), 0);
    let lines: Vec<&str> = text.lines().collect();
    let top = area.height.saturating_sub(CANDIDATE_ROWS);
    for (row, line) in (top..area.height).zip(&lines) {
        let is_last = row + 1 == area.height;
        let more = if is_last && lines.len() > usize::from(CANDIDATE_ROWS) { " ..." } else { "" };
        let room = usize::from(area.width).saturating_sub(more.len());
        let shown: String = line.chars().take(room).chain(more.chars()).collect();
        put(buffer, area, 0, row, &shown, app.theme.faint());
    }
}
