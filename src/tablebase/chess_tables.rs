//! Tables of the chess games, block by block: distances to mate and to zeroing, or results. Tables
//! of distances store only the side to move that packs better; the other is derived from its moves.

use std::ops::RangeInclusive;
use std::sync::Arc;

use arrayvec::ArrayVec;
use qirkat_game::{Color, DRAWING_PLIES, KnownResult};
use qirkat_rules::chess::SquareSet;
use qirkat_rules::{chesquerque, masonic};

use crate::chess_game::ChessBoardGame;
use crate::chess_index::Layout;
use crate::chess_material::{MAX_TABLE_PIECES, Material, Placement};
use crate::error::TableError;
use crate::header::{Header, NAME_BYTES, TableForm, WDL_FLAG, WIDE_FLAGS};
use crate::packing::block::{
    code_mates, code_zeroings, dtm_cell, entry, result_of, unpack_results,
};
use crate::packing::cell_coder::{KnownDistances, Numbers, SuccessorGrid};
use crate::packing::grids::Grids;
use crate::packing::range_coder::RangeCoder;
use crate::tables::{Table, TableGame, Tables, Unknown};
use crate::value::{Cell, Entry, TableValue};

/// How a table's positions are numbered, and which blocks hold them: each grid is a block of two
/// parts, distances to mate and to zeroing, or of one, results.
pub struct ChessNumbering<G: ChessBoardGame> {
    pub form: TableForm,
    layout: Layout<G>,
    grids: Grids<G>,
    pub side: Color,
    is_wide: [bool; 2],
    /// In a table of results, the layout and grids for Black to move, with the colours exchanged:
    /// their blocks follow those for White to move. None if both sides have the same pieces.
    black: Option<(Layout<G>, Grids<G>)>,
}

/// The header bytes of a material: the side to move that is stored, flags and the name. The flags
/// are the widths of distances, or [`WDL_FLAG`].
pub fn material_bytes<G: ChessBoardGame>(
    material: Material<G::Kind>,
    side: Color,
    flags: u8,
) -> Vec<u8> {
    let mut bytes = vec![side as u8, flags];
    bytes.extend(material.to_string().bytes());
    bytes.resize(2 + NAME_BYTES, 0);
    bytes
}

/// A chess game that has tables.
///
/// Generic code is compiled in each crate that calls it, with that crate's optimisation level.
/// Unpacking takes nearly all of the time and much code, so it is compiled here, for each game.
pub trait ChessTableGame: ChessBoardGame {
    /// See [`TableGame::numbering`].
    #[doc(hidden)]
    fn numbering_of(
        header: &Header,
        blocks: usize,
    ) -> Result<(Material<Self::Kind>, ChessNumbering<Self>), TableError>;

    /// The entry of a position; none if a table is missing. In a search an entry with a distance to
    /// mate lacks that to zeroing; and a table of results is probed only right after a zeroing
    /// move, as with Syzygy, since results alone do not tell which moves make progress.
    #[doc(hidden)]
    fn find(
        tables: &Tables<Self>,
        position: &Self,
        in_search: bool,
    ) -> Result<Option<Entry>, TableError>;
}

macro_rules! with_tables {
    ($game:ident) => {
        impl ChessTableGame for $game::Position {
            fn numbering_of(
                header: &Header,
                blocks: usize,
            ) -> Result<(Material<Self::Kind>, ChessNumbering<Self>), TableError> {
                numbering(header, blocks)
            }

            fn find(
                tables: &Tables<Self>,
                position: &Self,
                in_search: bool,
            ) -> Result<Option<Entry>, TableError> {
                tables.find(position, in_search)
            }
        }
    };
}
with_tables!(chesquerque);
with_tables!(masonic);

fn numbering<G: ChessBoardGame>(
    header: &Header,
    blocks: usize,
) -> Result<(Material<G::Kind>, ChessNumbering<G>), TableError> {
    let side = if header.material[0] == 0 { Color::White } else { Color::Black };
    let is_wide = WIDE_FLAGS.map(|flag| header.material[1] & flag != 0);
    let name = header.material[2..].iter().take_while(|&&letter| letter != 0);
    let name: String = name.map(|&letter| char::from(letter)).collect();
    let material: Material<G::Kind> = name.parse().map_err(|_| TableError::damaged_header())?;
    let is_table = material.pieces() > 2 && material.is_canonical();
    let can_be_table = !material.has_pawns() || Layout::<G>::may_have_grids(material, blocks);
    if !is_table || !can_be_table {
        return Err(TableError::damaged_header());
    }
    let form = header.form();
    let sides = sides_of::<G>(material, side, form);
    let count = sides.iter().map(|(layout, grids)| grids.count(layout)).sum::<usize>();
    let matches_header = sides.iter().all(|(layout, _)| Grids::can_store(layout, side))
        && header.units == Grids::<G>::CELLS
        && blocks == count
        && (form == TableForm::Distances || header.material[..2] == [0, WDL_FLAG]);
    let mut sides = sides.into_iter();
    let (Some((layout, grids)), true) = (sides.next(), matches_header) else {
        return Err(TableError::damaged_header());
    };
    let black = sides.next();
    Ok((material, ChessNumbering { form, layout, grids, side, is_wide, black }))
}

/// The layouts and grids of a table's blocks. With results only, those of Black to move are of the
/// material with colours exchanged.
pub fn sides_of<G: ChessBoardGame>(
    material: Material<G::Kind>,
    side: Color,
    form: TableForm,
) -> ArrayVec<(Layout<G>, Grids<G>), 2> {
    let has_black = form == TableForm::Wdl && !material.is_symmetric();
    let materials = [Some(material), has_black.then(|| material.flipped())];
    let sides = materials.into_iter().flatten().map(|material| {
        let layout = Layout::new(material);
        let grids = Grids::of(&layout, side, form);
        (layout, grids)
    });
    sides.collect()
}

impl<G: ChessTableGame> TableGame for G {
    type Material = Material<G::Kind>;
    type Numbering = ChessNumbering<G>;
    type Block = Numbers;
    type Lookup = ();
    type Strategies = ();

    const EMBEDDED: &'static [&'static [u8]] = G::EMBEDDED_FILES;
    const PIECES: RangeInclusive<usize> = 3..=MAX_TABLE_PIECES;
    const SMALL: usize = 3;
    const DISTANCES: &'static [&'static str] = &["DTM", "DTZ"];

    fn canonical(material: Self::Material) -> Self::Material {
        material.canonical()
    }

    fn pieces(material: Self::Material) -> usize {
        material.pieces()
    }

    fn has_pawns(material: Self::Material) -> bool {
        material.has_pawns()
    }

    fn materials_of(pieces: usize) -> Vec<Self::Material> {
        Material::all(pieces)
    }

    fn position_in(material: Self::Material, index: u64, side: Color) -> Option<G> {
        Layout::new(material).position(index, side)
    }

    fn numbering(
        header: &Header,
        blocks: usize,
    ) -> Result<(Self::Material, ChessNumbering<G>), TableError> {
        G::numbering_of(header, blocks)
    }

    #[inline]
    fn may_know(position: &G, largest: usize) -> bool {
        let position = position.chess();
        position.occupied().len() as usize <= largest && position.castling().is_empty()
    }

    fn value(
        tables: &Tables<G>,
        (): &mut (),
        position: &G,
    ) -> Result<Option<TableValue>, TableError> {
        let found = G::find(tables, position, false)?;
        Ok(found.and_then(|entry| TableValue::new(entry, position.clock())))
    }

    fn move_value(
        tables: &Tables<G>,
        (): &mut (),
        child: &G,
        clock: u16,
    ) -> Result<Option<TableValue>, TableError> {
        // Before a zeroing move the clock still runs, and the move itself counts.
        let found = G::find(tables, child, false)?;
        Ok(found.and_then(|entry| TableValue::new(entry.before(child.clock() == 0), clock)))
    }

    fn known(tables: &Tables<G>, position: &G) -> Result<Option<KnownResult>, TableError> {
        let Some(entry) = G::find(tables, position, true)? else { return Ok(None) };
        let mate = entry.dtm;
        if mate.distance().is_none() {
            let is_mated = || mate.is_loss() && position.legal_moves().is_empty();
            let value = TableValue::new(entry, position.clock()).map(KnownResult::from);
            return Ok(value.map(|it| if is_mated() { KnownResult::Loss(Some(0)) } else { it }));
        }
        // A mate within 100 plies needs no zeroing move.
        let is_soon = mate.plies().saturating_add(position.clock()) <= DRAWING_PLIES;
        if is_soon || !(mate.is_win() || mate.is_loss()) {
            return Ok(Some(mate.into()));
        }
        Ok(tables.value(position)?.map(KnownResult::from))
    }

    fn why_unknown(tables: &Tables<G>, position: &G) -> Unknown<Self::Material> {
        let pieces = position.chess().occupied().len() as usize;
        if !position.chess().castling().is_empty() {
            Unknown::Castling
        } else if pieces > MAX_TABLE_PIECES {
            Unknown::TooMany(pieces)
        } else if matches!(tables.value(position), Ok(None))
            && matches!(G::find(tables, position, false), Ok(Some(_)))
        {
            Unknown::Clock
        } else {
            Unknown::NoTable(Material::of(position).canonical())
        }
    }
}

impl<G: ChessTableGame> Table<G> {
    /// The stored entry of a placement. A table of distances stores only one side to move, which
    /// `side` must be. A result may be too low if the best capture gives the right one.
    pub fn find(
        &self,
        placement: &Placement<G>,
        side: Color,
        in_search: bool,
    ) -> Result<Option<Entry>, TableError> {
        let ChessNumbering { form, layout, grids, black, .. } = &self.numbering;
        if *form == TableForm::Wdl {
            let (first, layout, grids) = match black {
                Some((black, of_black)) if side == Color::Black => {
                    (grids.count(layout), black, of_black)
                }
                _ => (0, layout, grids),
            };
            let flipped = (side == Color::Black).then(|| placement.flipped());
            let found = grids.find(layout, flipped.as_ref().unwrap_or(placement));
            let Some((grid, cell)) = found else { return Ok(None) };
            let number = self.results(first, layout, grids, grid)?.get(cell);
            let lengths = self.header.statistics.sides.iter().filter_map(|it| it.longest_zeroing);
            let longest = lengths.map(|(plies, _)| plies).max().unwrap_or_default();
            let in_time = longest.clamp(1, DRAWING_PLIES);
            return Ok(Some(Entry::of_result(result_of(number), in_time, Entry::LATE)));
        }
        let Some((grid, cell)) = grids.find(layout, placement) else { return Ok(None) };
        let mate = self.dtm(grid)?.get(cell);
        if in_search {
            return Ok(Some(Entry { dtm: dtm_cell(mate), dtz: Cell::DRAW }));
        }
        Ok(Some(entry(mate, self.dtz(grid)?.get(cell))))
    }

    fn results(
        &self,
        first: usize,
        layout: &Layout<G>,
        grids: &Grids<G>,
        number: usize,
    ) -> Result<Arc<Numbers>, TableError> {
        self.part(first + number, Numbers::bytes, || {
            let Some(grid) = grids.grid(layout, number) else { return Ok(Numbers::EMPTY) };
            let model = &self.models()?[usize::from(first > 0)];
            Ok(unpack_results(&grid, model, &self.packed(first + number)?))
        })
    }

    fn dtm(&self, number: usize) -> Result<Arc<Numbers>, TableError> {
        let ChessNumbering { layout, grids, is_wide, .. } = &self.numbering;
        self.part(2 * number, Numbers::bytes, || {
            let Some(grid) = grids.grid(layout, number) else { return Ok(Numbers::EMPTY) };
            // The recursion is bounded: a pawn makes at most as many steps as there are ranks.
            let step_successors =
                grids.after_pawn_steps(layout, number).into_iter().filter_map(|number| {
                    let grid = grids.grid(layout, number)?;
                    Some(self.dtm(number).map(|mates| (grid, mates)))
                });
            let step_successors: Vec<SuccessorGrid<G>> =
                step_successors.collect::<Result<_, _>>()?;
            let packed = self.packed(2 * number)?;
            let mut decoder = RangeCoder::reading(&packed);
            let model = &mut self.models()?[0].clone();
            Ok(code_mates(
                &grid,
                &step_successors,
                model,
                &mut decoder,
                &KnownDistances::NONE,
                is_wide[0],
            ))
        })
    }

    fn dtz(&self, number: usize) -> Result<Arc<Numbers>, TableError> {
        let ChessNumbering { layout, grids, is_wide, .. } = &self.numbering;
        self.part(2 * number + 1, Numbers::bytes, || {
            let Some(grid) = grids.grid(layout, number) else { return Ok(Numbers::EMPTY) };
            let dtm = self.dtm(number)?;
            let packed = self.packed(2 * number + 1)?;
            let mut decoder = RangeCoder::reading(&packed);
            let model = &mut self.models()?[1].clone();
            Ok(code_zeroings(&grid, &dtm, model, &mut decoder, &KnownDistances::NONE, is_wide[1]))
        })
    }
}

impl<G: ChessTableGame> Tables<G> {
    /// Looks up a position, or derives it from its moves if it is not stored: with the other side
    /// to move, or with a capture en passant. None if a table is missing.
    fn find(&self, position: &G, in_search: bool) -> Result<Option<Entry>, TableError> {
        if !self.may_know(position) {
            return Ok(None);
        }
        self.trim_cache();
        let Some(placement) = Placement::of(position) else { return Ok(None) };
        let material = placement.material();
        if material.pieces() == 2 {
            return Ok(Some(Entry::DRAW));
        }
        let Some(table) = self.table(material.canonical()) else { return Ok(None) };
        let is_wdl = table.numbering.form == TableForm::Wdl;
        if is_wdl && in_search && position.clock() > 0 {
            return Ok(None);
        }
        let (placement, side) = match position.side_to_move() {
            // With equal material either orientation will do.
            side if !material.is_canonical()
                || material.is_symmetric() && table.numbering.side != side =>
            {
                (placement.flipped(), !side)
            }
            side => (placement, side),
        };
        if position.chess().en_passant().is_none() && (is_wdl || table.numbering.side == side) {
            let found = table.find(&placement, side, in_search)?;
            return if is_wdl { self.with_captures(position, found) } else { Ok(found) };
        }
        let derived = derive(position, &mut |child| self.find(child, in_search))?;
        if in_search && derived.is_some_and(|entry| entry.dtm.distance().is_none()) {
            // Without a distance to mate, that to zeroing is needed too.
            return derive(position, &mut |child| self.find(child, false));
        }
        Ok(derived)
    }

    /// Raises a stored result to that of the best capture; none if the table of a capture is
    /// missing.
    fn with_captures(
        &self,
        position: &G,
        stored: Option<Entry>,
    ) -> Result<Option<Entry>, TableError> {
        let Some(mut entry) = stored else { return Ok(None) };
        let pieces = position.chess().occupied().len();
        for child in position.legal_moves().into_iter().map(|mv| position.after(mv)) {
            if child.chess().occupied().len() < pieces {
                let Some(found) = self.find(&child, false)? else { return Ok(None) };
                entry = entry.better(found.before(true).without_distances());
            }
        }
        Ok(Some(entry))
    }
}

/// The entry of a position, derived from those of its legal moves; none if one of them is unknown.
pub fn derive<G: ChessBoardGame>(
    position: &G,
    entry: &mut dyn FnMut(&G) -> Result<Option<Entry>, TableError>,
) -> Result<Option<Entry>, TableError> {
    let mut best: Option<Entry> = None;
    for mv in position.legal_moves() {
        let child = position.after(mv);
        let Some(found) = entry(&child)? else { return Ok(None) };
        let value = found.before(child.clock() == 0);
        best = Entry::best(best, value);
    }
    let end = if position.chess().in_check() { Cell::loss(0) } else { Cell::DRAW };
    Ok(Some(best.unwrap_or(Entry { dtm: end, dtz: end })))
}
