//! Twins: problems that arise from another by a change of its position, in Popeye's words.

use qirkat_game::text::Excerpt;
use qirkat_game::{Board, Color, PieceCode};
use qirkat_rules::fen::FenError;
use qirkat_rules::variant::{AnyPosition, Place, VariantGame};
use thiserror::Error;

use super::compose::{MaybePiece, rebuilt};
use super::mate_game::{ProblemError, in_mate_game};
use super::stipulation::{Stipulation, StipulationError};

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TwinError {
    #[error(
        "`{0}` is no change such as `move a1 b2`, `remove a1`, `add Qa1`, \
         `exchange a1 b2`, `mirror a1 i1`, `rotate 180` or `stip #3`"
    )]
    Malformed(Excerpt),
    #[error("`{0}`: no piece there")]
    Empty(Excerpt),
    #[error(transparent)]
    Stipulation(#[from] StipulationError),
    #[error(transparent)]
    Position(#[from] FenError),
    #[error(transparent)]
    Game(#[from] ProblemError),
}

/// The position and stipulation after changes such as `move a1 b2, remove c3`. A piece replaces what
/// is on its point. En passant is lost, and castling where king or rook are no longer at home.
///
/// # Errors
/// If a change is malformed or impossible, or the position is invalid after all of them.
///
/// ```
/// use qirkat_problem::twin;
/// use qirkat_rules::variant::Variant;
///
/// let position = Variant::Chesquerque.read_fen("k8/9/K8/9/9/9/9/8R/9 w - - 0 1")?.position;
/// let (changed, stipulation) = twin(&position, "#1".parse()?, "move i2 h1, stip h#1.5")?;
/// assert_eq!(changed.fen(), "k8/9/K8/9/9/9/9/9/7R1 w - - 0 1");
/// assert_eq!(stipulation.to_string(), "h#1.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn twin(
    position: &AnyPosition,
    stipulation: Stipulation,
    changes: &str,
) -> Result<(AnyPosition, Stipulation), TwinError> {
    in_mate_game!(position, own => changed(own, stipulation, changes))?
}

fn changed<G: VariantGame + Board>(
    position: &G,
    mut stipulation: Stipulation,
    changes: &str,
) -> Result<(AnyPosition, Stipulation), TwinError> {
    let mut pieces: Vec<MaybePiece> =
        (0..G::POINTS).map(|point| position.piece_at(point)).collect();
    for change in changes.split(',').map(str::trim) {
        match change.strip_prefix("stip ") {
            Some(text) => stipulation = text.parse()?,
            None => make_change::<G>(&mut pieces, change)?,
        }
    }
    Ok((rebuilt::<G>(position, &pieces)?, stipulation))
}

fn make_change<G: VariantGame + Board>(
    pieces: &mut [MaybePiece],
    change: &str,
) -> Result<(), TwinError> {
    let malformed = || TwinError::Malformed(Excerpt::of(change));
    let (verb, operands) = change.split_once(' ').ok_or_else(malformed)?;
    // `a1 b2`, `a1b2`, and Popeye's `a1<-->b2`.
    let operands: Vec<char> =
        operands.chars().filter(|letter| !matches!(letter, ' ' | '-' | '<' | '>')).collect();
    let point = |file, rank| point::<G>(file, rank).ok_or_else(malformed);
    let take =
        |piece: &mut MaybePiece| piece.take().ok_or_else(|| TwinError::Empty(Excerpt::of(change)));
    match (verb, operands.as_slice()) {
        ("add", &[letter, file, rank]) => {
            let piece = piece::<G>(letter).ok_or_else(malformed)?;
            pieces[point(file, rank)?] = Some(piece);
        }
        ("remove", &[file, rank]) => {
            take(&mut pieces[point(file, rank)?])?;
        }
        ("move", &[file, rank, to_file, to_rank]) => {
            let (from, to) = (point(file, rank)?, point(to_file, to_rank)?);
            pieces[to] = Some(take(&mut pieces[from])?);
        }
        ("exchange", &[file, rank, other_file, other_rank]) => {
            let (one, other) = (point(file, rank)?, point(other_file, other_rank)?);
            let (first, second) = (take(&mut pieces[one])?, take(&mut pieces[other])?);
            (pieces[one], pieces[other]) = (Some(second), Some(first));
        }
        ("rotate", ['1', '8', '0']) => pieces.reverse(),
        ("mirror", &['a', '1', file, rank]) => {
            let corner = point(file, rank)?;
            if corner == G::POINTS - G::FILES {
                pieces.reverse();
            } else if corner != G::FILES - 1 {
                return Err(malformed());
            }
            pieces.chunks_mut(G::FILES).for_each(<[MaybePiece]>::reverse);
        }
        _ => return Err(malformed()),
    }
    Ok(())
}

fn point<G: VariantGame>(file: char, rank: char) -> Option<usize> {
    Some(Place::parse(G::VARIANT, &format!("{file}{rank}"))?.number(G::VARIANT))
}

fn piece<G: Board>(letter: char) -> Option<PieceCode> {
    let of_kind = |kind| Color::ALL.map(|color| PieceCode::new(color, kind));
    (0..G::KIND_LETTERS.len()).flat_map(of_kind).find(|&piece| G::letter(piece) == Some(letter))
}
