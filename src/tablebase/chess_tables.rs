//! Tables of the chess games: distances to mate and to zeroing, block by block. Only the side to
//! move that packs better is stored; the other is derived from its moves.

use std::ops::RangeInclusive;
use std::sync::Arc;

use qirkat_game::{Color, KnownResult};
use qirkat_rules::chess::SquareSet;
use qirkat_rules::{chesquerque, masonic};

use crate::chess_game::ChessBoardGame;
use crate::chess_index::Layout;
use crate::chess_material::{MAX_TABLE_PIECES, Material, Placement};
use crate::error::TableError;
use crate::header::Header;
use crate::packing::block::{code_mates, code_zeroings, dtm_cell, entry};
use crate::packing::cell_coder::{KnownDistances, Numbers, SuccessorGrid};
use crate::packing::grids::Grids;
use crate::packing::range_coder::RangeCoder;
use crate::tables::{Table, TableGame, Tables, Unknown};
use crate::value::{CLOCK, Cell, Entry, TableValue};

/// How a table's positions are numbered, and which blocks hold them: each grid has one block of
/// distances to mate and one of distances to zeroing.
pub struct ChessNumbering<G: ChessBoardGame> {
    pub layout: Layout<G>,
    grids: Grids<G>,
    pub side: Color,
    is_wide: [bool; 2],
}

const NAME: usize = 16;

/// The header bytes of a material: the side to move that is stored, the width of distances and the
/// name.
pub fn material_bytes<G: ChessBoardGame>(
    material: Material<G::Kind>,
    side: Color,
    is_wide: [bool; 2],
) -> Vec<u8> {
    let mut bytes = vec![side as u8, u8::from(is_wide[0]) | (u8::from(is_wide[1]) << 1)];
    bytes.extend(material.to_string().bytes());
    bytes.resize(2 + NAME, 0);
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

    /// The entry of a position; none if a table is missing. With `only_mate` it lacks the distance
    /// to zeroing, which is half the work.
    #[doc(hidden)]
    fn find(
        tables: &Tables<Self>,
        position: &Self,
        only_mate: bool,
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
                only_mate: bool,
            ) -> Result<Option<Entry>, TableError> {
                tables.find(position, only_mate)
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
    let is_wide = [1, 2].map(|bit| header.material[1] & bit != 0);
    let name = header.material[2..].iter().take_while(|&&letter| letter != 0);
    let name: String = name.map(|&letter| char::from(letter)).collect();
    let material: Material<G::Kind> = name.parse().map_err(|_| TableError::damaged_header())?;
    let is_table = material.pieces() > 2 && material.is_canonical();
    let can_be_table = !material.has_pawns() || Layout::<G>::may_have_grids(material, blocks);
    if !is_table || !can_be_table {
        return Err(TableError::damaged_header());
    }
    let layout = Layout::new(material);
    let grids = Grids::of(&layout, side);
    let matches_header = Grids::can_keep(&layout, side)
        && header.units == Grids::<G>::CELLS
        && blocks == grids.count(&layout);
    if !matches_header {
        return Err(TableError::damaged_header());
    }
    Ok((material, ChessNumbering { layout, grids, side, is_wide }))
}

impl<G: ChessTableGame> TableGame for G {
    type Material = Material<G::Kind>;
    type Numbering = ChessNumbering<G>;
    type Block = Numbers;
    type Lookup = ();
    type Strategies = ();

    const EMBEDDED: &'static [&'static [u8]] = G::FILES;
    const PIECES: RangeInclusive<usize> = 3..=MAX_TABLE_PIECES;
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
        Ok(found.map(|entry| TableValue::new(entry, position.clock())))
    }

    fn move_value(
        tables: &Tables<G>,
        (): &mut (),
        child: &G,
        clock: u16,
    ) -> Result<Option<TableValue>, TableError> {
        // Before a zeroing move the clock still runs, and the move itself counts.
        let found = G::find(tables, child, false)?;
        Ok(found.map(|entry| TableValue::new(entry.before(child.clock() == 0), clock)))
    }

    fn known(tables: &Tables<G>, position: &G) -> Result<Option<KnownResult>, TableError> {
        let Some(Entry { dtm: mate, .. }) = G::find(tables, position, true)? else {
            return Ok(None);
        };
        // A mate within 100 plies needs no zeroing move.
        let is_soon = mate.plies().saturating_add(position.clock()) <= CLOCK;
        if is_soon || !(mate.is_win() || mate.is_loss()) {
            return Ok(Some(mate.into()));
        }
        Ok(tables.value(position)?.map(KnownResult::from))
    }

    fn why_unknown(_: &Tables<G>, position: &G) -> Unknown<Self::Material> {
        let pieces = position.chess().occupied().len() as usize;
        if !position.chess().castling().is_empty() {
            Unknown::Castling
        } else if pieces > MAX_TABLE_PIECES {
            Unknown::TooMany(pieces)
        } else {
            Unknown::NoTable(Material::of(position).canonical())
        }
    }
}

impl<G: ChessTableGame> Table<G> {
    /// The entry of a placement with the stored side to move.
    pub fn find(
        &self,
        placement: &Placement<G>,
        only_mate: bool,
    ) -> Result<Option<Entry>, TableError> {
        let ChessNumbering { layout, grids, .. } = &self.numbering;
        let Some((grid, cell)) = grids.place(layout, placement) else { return Ok(None) };
        let mate = self.dtm(grid)?.get(cell);
        if only_mate {
            return Ok(Some(Entry { dtm: dtm_cell(mate), dtz: Cell::DRAW }));
        }
        Ok(Some(entry(mate, self.dtz(grid)?.get(cell))))
    }

    fn dtm(&self, number: usize) -> Result<Arc<Numbers>, TableError> {
        let ChessNumbering { layout, grids, is_wide, .. } = &self.numbering;
        self.block(2 * number, Numbers::bytes, || {
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
        self.block(2 * number + 1, Numbers::bytes, || {
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
    fn find(&self, position: &G, only_mate: bool) -> Result<Option<Entry>, TableError> {
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
        let side = position.side_to_move();
        if position.chess().en_passant().is_none() {
            let as_it_is = material.is_canonical() && table.numbering.side == side;
            // With equal material either orientation will do.
            let can_flip = !material.is_canonical() || material.is_symmetric();
            if as_it_is {
                return table.find(&placement, only_mate);
            } else if can_flip && table.numbering.side == !side {
                return table.find(&placement.flipped(), only_mate);
            }
        }
        derive(position, &mut |child| self.find(child, only_mate))
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
        best = Some(best.map_or(value, |best| best.better(value)));
    }
    let end = if position.chess().in_check() { Cell::loss(0) } else { Cell::DRAW };
    Ok(Some(best.unwrap_or(Entry { dtm: end, dtz: end })))
}
