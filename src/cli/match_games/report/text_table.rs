//! Columns of text.

use unicode_width::UnicodeWidthStr;

/// Between two columns.
const GAP: &str = "  ";

/// Rows as lines, with columns as wide as their widest cell. One column begins
/// at the left, numbers end at the right.
pub(in crate::match_games) fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                let blanks = " ".repeat(width - cell.width());
                if column == left { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
            })
            .collect();
        text.push_str(cells.join(GAP).trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_cells_make_wide_columns() {
        let rows =
            [["Rank", "Name", "Elo"], ["1", "a very long name", "7"], ["12", "駒", "-1234.5"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let expected = "Rank  Name                  Elo\n   \
                           1  a very long name        7\n  \
                          12  駒                -1234.5\n";
        assert_eq!(aligned(&rows, 1), expected);
    }
}
