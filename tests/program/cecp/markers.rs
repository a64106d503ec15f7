//! What lifting a piece has to mark, by the reference generator.

use qirkat_testing::reference::{RefMove, RefPosition};

/// `lift` for every point, in order.
pub fn lifts() -> String {
    let lines: Vec<String> = points().map(|point| format!("lift {point}")).collect();
    lines.join("\n")
}

/// All that is said in answer to [`lifts`].
pub fn expected(position: &RefPosition) -> Vec<String> {
    let moves = position.legal_moves();
    points().flat_map(|point| of_point(position, &moves, &point)).collect()
}

pub fn is_marker(line: &str) -> bool {
    line.starts_with("highlight ") || line.starts_with("choice ")
}

fn points() -> impl Iterator<Item = String> {
    (b'1'..=b'9')
        .flat_map(|rank| (b'a'..=b'i').map(move |file| format!("{}{}", file as char, rank as char)))
}

fn of_point(position: &RefPosition, moves: &[RefMove], point: &str) -> Vec<String> {
    let mut colors = [None; 81];
    let mut promotes = false;
    for mv in moves.iter().filter(|mv| mv.to_string().starts_with(point)) {
        promotes |= mv.promotion.is_some();
        colors[mv.to] = Some(match mv.promotion {
            Some(_) => 'M',
            None if position.is_capture(*mv) => 'R',
            None => 'Y',
        });
    }
    let mut said = vec![format!("highlight {}", color_fen(&colors))];
    if promotes {
        said.push("choice QRBNA".to_owned());
    }
    said
}

/// Where the piece cannot go it may still be tried.
fn color_fen(colors: &[Option<char>; 81]) -> String {
    let rank = |colors: &[Option<char>]| colors.iter().map(|color| color.unwrap_or('T')).collect();
    let ranks: Vec<String> = colors.chunks(9).rev().map(rank).collect();
    ranks.join("/")
}
