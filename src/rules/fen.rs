//! The FEN fields that all games share: piece placement, and clocks.

use qirkat_game::text::Excerpt;

/// The maximum of a clock, in FEN and in counting.
pub(crate) const MAX_CLOCK: u16 = 9999;

/// A fault of the piece placement, the first field of a FEN. Ranks are counted from 1, as on the
/// board.
pub(crate) enum PlacementFault {
    RankCount(usize),
    /// A rank that is too short or too long; reading stops at too many points.
    RankWidth {
        rank: usize,
        width: usize,
    },
    UnknownLetter {
        letter: char,
        rank: usize,
    },
}

/// Reads the placement on a board of `files` and `ranks`, and calls `put` for each piece with its
/// file and rank from 0. `piece` parses a letter.
pub(crate) fn read_placement<P>(
    [files, ranks]: [u8; 2],
    text: &str,
    piece: impl Fn(char) -> Option<P>,
    mut put: impl FnMut(u8, u8, P),
) -> Result<(), PlacementFault> {
    let count = text.split('/').count();
    if count != usize::from(ranks) {
        return Err(PlacementFault::RankCount(count));
    }
    for (text, rank) in text.split('/').zip((0..ranks).rev()) {
        let number = usize::from(rank) + 1;
        let mut width = 0;
        for letter in text.chars() {
            if let Some(run) = letter.to_digit(10).filter(|&run| run > 0) {
                width += run as usize;
            } else if let Some(piece) = piece(letter) {
                if width < usize::from(files) {
                    put(width as u8, rank, piece);
                }
                width += 1;
            } else {
                return Err(PlacementFault::UnknownLetter { letter, rank: number });
            }
        }
        if width != usize::from(files) {
            return Err(PlacementFault::RankWidth { rank: number, width });
        }
    }
    Ok(())
}

/// Writes the placement: the letters of the pieces by file and rank from 0, ranks from the last
/// down separated by `/`, runs of empty points as numbers.
pub fn placement_text([files, ranks]: [u8; 2], letter: impl Fn(u8, u8) -> Option<char>) -> String {
    let ranks = (0..ranks).rev().map(|rank| {
        let mut text = String::new();
        let mut empty = 0;
        let close_run = |text: &mut String, empty: &mut u32| {
            text.extend(char::from_digit(std::mem::take(empty), 10).filter(|&digit| digit != '0'));
        };
        for file in 0..files {
            match letter(file, rank) {
                None => empty += 1,
                Some(letter) => {
                    close_run(&mut text, &mut empty);
                    text.push(letter);
                }
            }
        }
        close_run(&mut text, &mut empty);
        text
    });
    ranks.collect::<Vec<_>>().join("/")
}

/// Reads the halfmove clock and fullmove number, which may be missing: only digits, up to
/// [`MAX_CLOCK`]. `fault` makes the error for an invalid one.
pub(crate) fn read_clocks<'a, E>(
    fields: &mut impl Iterator<Item = &'a str>,
    fault: impl Fn(&'static str, Excerpt) -> E,
) -> Result<(u16, u16), E> {
    let mut clock = |name, missing| {
        let Some(text) = fields.next() else { return Ok(missing) };
        let has_digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|&number| has_digits_only && number <= MAX_CLOCK);
        number.ok_or_else(|| fault(name, Excerpt::of(text)))
    };
    Ok((clock("halfmove clock", 0)?, clock("fullmove number", 1)?.max(1)))
}
