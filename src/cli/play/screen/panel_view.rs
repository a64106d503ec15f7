//! Beside the board: players and clocks, the moves, and what the typed text can become.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::app::App;
use super::layout::put;
use super::theme::Theme;
use crate::play::session::Session;
use crate::shared::terminal;
use qirkat_analysis::casual::clock_text;
use qirkat_game::text::one_line;
use qirkat_game::{Color, Rules};

/// Rows for the players, and the empty one below them.
const PLAYER_ROWS: u16 = 3;
/// Rows for what the typed text can become.
const CANDIDATE_ROWS: u16 = 3;
/// Columns of a move's number, and of each move.
const NUMBER_WIDTH: usize = 4;
const MOVE_WIDTH: usize = 14;

pub(super) fn draw(buffer: &mut Buffer, area: Rect, app: &App) {
    let (session, theme) = (app.session(), app.theme());
    for (row, color) in (0..).zip(Color::ALL) {
        draw_player(buffer, area, row, color, session, theme);
    }
    let rows = area.height.saturating_sub(PLAYER_ROWS + CANDIDATE_ROWS + 1);
    draw_moves(buffer, area, rows, session, theme);
    draw_candidates(buffer, area, app);
}

fn draw_player(
    buffer: &mut Buffer,
    area: Rect,
    row: u16,
    color: Color,
    session: &Session,
    theme: Theme,
) {
    let game = session.game();
    let has_move = game.ending().is_none() && game.side_to_move() == color;
    let sign = match (has_move, theme.unicode) {
        (true, true) => "►",
        (true, false) => ">",
        (false, _) => " ",
    };
    let style = if has_move { theme.to_move() } else { Style::new() };
    let name = one_line(&game.player(color, &session.engine_name()), area.width.into());
    put(buffer, area, 0, row, &format!("{sign} {color:?}  {name}"), style);
    if let Some(left) = game.left(color) {
        let text = clock_text(left);
        let column = area.width.saturating_sub(text.len() as u16 + 1);
        put(buffer, area, column, row, &format!(" {text}"), style);
    }
}

/// The last moves, as many as have room.
fn draw_moves(buffer: &mut Buffer, area: Rect, rows: u16, session: &Session, theme: Theme) {
    let lines = move_lines(session);
    let hidden = lines.len().saturating_sub(rows.into());
    if lines.is_empty() {
        put(buffer, area, 0, PLAYER_ROWS, "No moves yet.", theme.faint());
    }
    for (row, line) in (PLAYER_ROWS..).zip(&lines[hidden..]) {
        put(buffer, area, 0, row, line, Style::new());
    }
}

/// The moves, White's and Black's in a line.
fn move_lines(session: &Session) -> Vec<String> {
    let game = session.game();
    let start = game.state().start();
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
    let candidates = app.input().candidates(app.session().game().position());
    let text = terminal::wrapped("", &candidates, area.width.into(), 0);
    let lines: Vec<&str> = text.lines().collect();
    let top = area.height.saturating_sub(CANDIDATE_ROWS);
    for (row, line) in (top..area.height).zip(&lines) {
        let is_last = row + 1 == area.height;
        let more = if is_last && lines.len() > usize::from(CANDIDATE_ROWS) { " ..." } else { "" };
        let room = usize::from(area.width).saturating_sub(more.len());
        let shown: String = line.chars().take(room).chain(more.chars()).collect();
        put(buffer, area, 0, row, &shown, app.theme().faint());
    }
}
