//! The whole screen.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use super::app::App;
use super::dialog::{Dialog, Page};
use super::layout::{LEAST_HEIGHT, LEAST_WIDTH, Layout, put};
use super::{board_view, key_bar, panel_view};
use crate::play::session::Purpose;
use crate::shared::terminal;

pub(super) fn draw(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    if let Some(Dialog::Page(page)) = app.dialog() {
        return draw_page(frame.buffer_mut(), area, page, app);
    }
    let Some(layout) = app.layout(area) else {
        return draw_too_small(frame.buffer_mut(), area, app);
    };
    let buffer = frame.buffer_mut();
    put(buffer, layout.title, 1, 0, &title(app), app.theme().title());
    board_view::draw(buffer, layout.board, &layout.drawing, app);
    panel_view::draw(buffer, layout.panel, app);
    draw_message(buffer, layout.message, app);
    draw_keys(buffer, &layout, app);
    let column = draw_input(buffer, layout.input, app);
    if app.dialog().is_none() {
        frame.set_cursor_position(Position::new(column, layout.input.y));
    }
}

fn title(app: &App) -> String {
    let session = app.session();
    let variant = session.game().position().variant().title();
    let state = match session.game().ending() {
        Some(ending) => format!("{}, {}", ending.reason, ending.result),
        None => {
            let check = if session.game().position().in_check() { ", in check" } else { "" };
            format!("{:?} to move{check}", session.game().side_to_move())
        }
    };
    format!("Qirkat  {variant}  {state}")
}

/// A question, how far a review has come, or what was told last.
fn draw_message(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = app.theme();
    let question = app.dialog().and_then(Dialog::question);
    let (text, style) = match (question, app.session().review_progress()) {
        (Some(question), _) => (question, theme.to_move()),
        (None, Some((done, all))) => {
            (format!("Reviewed {done} of {all} moves. Esc breaks it off."), theme.title())
        }
        (None, None) if app.is_refusal() => (app.message().to_owned(), theme.refusal()),
        (None, None) => (app.message().to_owned(), theme.title()),
    };
    for (row, line) in (0..).zip(lines_of(&text, area.width.saturating_sub(2))) {
        put(buffer, area, 1, row, &line, style);
    }
}

/// A text in lines of at most `width` columns.
fn lines_of(text: &str, width: u16) -> Vec<String> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let lines = terminal::wrapped("", &words, width.into(), 0);
    lines.lines().map(str::to_owned).collect()
}

/// Draws the typed text behind a word about whose turn it is, and returns the column behind it.
fn draw_input(buffer: &mut Buffer, area: Rect, app: &App) -> u16 {
    let game = app.session().game();
    let prompt = match (game.ending(), app.session().thinks()) {
        (Some(_), _) => "Game over: ".to_owned(),
        (None, Some(Purpose::Reply)) => "Qirkat thinks: ".to_owned(),
        (None, Some(Purpose::Hint)) => "Looking for a hint: ".to_owned(),
        (None, None) => format!("{:?}'s move: ", game.side_to_move()),
    };
    put(buffer, area, 1, 0, &prompt, Style::new());
    let typed_at = 1 + prompt.len() as u16;
    put(buffer, area, typed_at, 0, app.input().text(), app.theme().title());
    let end = typed_at + app.input().width();
    if let Some(rest) = app.input().completion(game.position()) {
        put(buffer, area, end, 0, &rest, app.theme().faint());
    }
    (area.x + end).min(area.right().saturating_sub(1))
}

fn draw_keys(buffer: &mut Buffer, layout: &Layout, app: &App) {
    for key in key_bar::shown() {
        put(buffer, layout.keys, key.column, 0, &key.key, Style::new());
        let column = key.column + key.key.len() as u16;
        put(buffer, layout.keys, column, 0, key.name, app.theme().key_label());
    }
}

fn draw_page(buffer: &mut Buffer, area: Rect, page: &Page, app: &App) {
    put(buffer, area, 1, 0, page.title(), app.theme().title());
    for (row, line) in (1..).zip(page.seen(area)) {
        put(buffer, area, 1, row, &line, Style::new());
    }
    let hint = match page.goes_on(area) {
        (false, false) => " Esc: back to the game ",
        _ => " Esc: back to the game   Up, Down, PgUp, PgDn: more ",
    };
    let style = Style::new().add_modifier(Modifier::REVERSED);
    put(buffer, area, 0, area.height.saturating_sub(1), hint, style);
}

/// A sentence, as far as there is room for it.
fn draw_too_small(buffer: &mut Buffer, area: Rect, app: &App) {
    let text = match app.dialog().and_then(Dialog::question) {
        Some(question) => question,
        None => format!(
            "{}x{} is too small: make the terminal {LEAST_WIDTH}x{LEAST_HEIGHT} (or use --plain)",
            area.width, area.height
        ),
    };
    let lines = lines_of(&text, area.width);
    let top = area.height.saturating_sub(lines.len() as u16) / 2;
    for (row, line) in (top..).zip(&lines) {
        put(buffer, area, 0, row, line, app.theme().title());
    }
}
