//! A game of which tables are made, checked and asked, however they are made: what programs need
//! that do all this for any of them.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::io;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use qirkat_game::Color;
use qirkat_rules::chess::SquareSet;
use qirkat_rules::variant::Member;
use qirkat_rules::{alquerque, chesquerque};

use crate::alquerque::{MAX_TABLE_MEN, MenChecker, MenMaterial, MenTables};
use crate::error::TableError;
use crate::folder::FolderTables;
use crate::generator::{
    BuildError, BuildOptions, BuildStep, Checked, Checker, MAX_SURVEYED_PIECES, SolvableGame,
    SurveyError, SurveyOptions, SurveyStep, survey,
};
use crate::indexing::layout::Layout;
use crate::indexing::material::{MAX_TABLE_PIECES, Material};
use crate::probe::Probe;
use crate::set::{HasEmbeddedTables, Tables};
use crate::statistics::Statistics;

/// A game of which there are tables. The chess games make them in one way, Alquerque in another.
pub trait TabledGame: Member {
    /// What a table has the positions of.
    type Material: Copy
        + Ord
        + Debug
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync;
    /// Tables that are asked together.
    type Tables: Default;
    /// What checks tables, one after another.
    type Checker<'a>: Send;

    /// How many pieces tables can have, kings included.
    const PIECES: RangeInclusive<usize>;
    /// The names of the distances that tables know.
    const DISTANCES: &'static [&'static str];

    /// What a build or survey counts of what it has solved.
    const COUNTED: &'static str;

    /// A material with the stronger side first, as it is kept.
    fn canonical(material: Self::Material) -> Self::Material;

    /// How many pieces a material has.
    fn pieces(material: Self::Material) -> usize;

    /// Whether a material has pawns.
    fn has_pawns(material: Self::Material) -> bool;

    /// All materials with so many pieces.
    fn materials_of(pieces: usize) -> Vec<Self::Material>;

    /// The position that a number in the statistics of a table stands for.
    fn position_in(material: Self::Material, index: u64, side: Color) -> Option<Self>;

    /// Adds the tables that the program carries: see [`Tables::add_embedded`].
    fn add_embedded(tables: &mut Self::Tables);

    /// Adds those of a folder: see [`Tables::add_folder`].
    ///
    /// # Errors
    /// When the folder cannot be read.
    fn add_folder(tables: &mut Self::Tables, folder: &Path) -> io::Result<FolderTables>;

    /// The materials of tables, in an order in which they can be solved.
    fn materials(tables: &Self::Tables) -> Vec<Self::Material>;

    /// The statistics of a table, if it is here.
    fn statistics(tables: &Self::Tables, material: Self::Material) -> Option<&Statistics>;

    /// Looks a position up: see [`Tables::probe`].
    ///
    /// # Errors
    /// When a table cannot be read.
    fn probe(tables: &Self::Tables, position: &Self) -> Result<Option<Probe<Self>>, TableError>;

    /// Why a position was not found.
    fn why_unknown(tables: &Self::Tables, position: &Self) -> Unknown<Self::Material>;

    /// Builds the tables that are not there yet. `stop` ends it, what is written stays.
    ///
    /// # Errors
    /// When a file cannot be written, another process builds tables in this folder, memory is
    /// too short, or it was stopped.
    fn build(
        options: &BuildOptions<Self::Material>,
        stop: &AtomicBool,
        report: &(dyn Fn(BuildStep<Self::Material>) + Sync),
    ) -> Result<(), BuildError<Self::Material>>;

    /// What checks these tables. `stop` ends a check early.
    fn checker<'a>(tables: &'a Self::Tables, stop: &'a AtomicBool) -> Self::Checker<'a>;

    /// Checks the first of some tables, and forgets what none of them needs: see
    /// [`Checker::check`].
    ///
    /// # Errors
    /// When a table cannot be read.
    fn check(
        checker: &mut Self::Checker<'_>,
        materials: &[Self::Material],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<Self>>, TableError>;
}

/// Why a position was not found in tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown<M> {
    /// It has castling rights.
    Castling,
    /// It has so many pieces, more than any table.
    TooMany(usize),
    /// This table is missing, or one that it leads to.
    NoTable(M),
    /// The 100 plies are so near that too much would have to be looked at.
    Clock,
}

/// A game whose tables can be counted without being kept.
pub trait SurveyedGame: TabledGame {
    /// The most pieces of such tables, and how many when nobody says.
    const SURVEYED_PIECES: (usize, usize);

    /// The tables with so many pieces that can be surveyed, those first of which most is
    /// expected.
    fn to_survey(pieces: usize) -> Vec<Self::Material>;

    /// See [`survey()`].
    ///
    /// # Errors
    /// When a table is none to survey, memory is too short, or it was stopped.
    fn survey(
        options: &SurveyOptions<Self::Material>,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep<Self::Material>) + Sync),
    ) -> Result<(), SurveyError>;
}

impl<G: SolvableGame + HasEmbeddedTables> TabledGame for G {
    type Material = Material<G::Kind>;
    type Tables = Tables<G>;
    type Checker<'a> = Checker<'a, G>;

    const PIECES: RangeInclusive<usize> = 3..=MAX_TABLE_PIECES;
    const DISTANCES: &'static [&'static str] = &["DTM", "DTZ"];
    const COUNTED: &'static str = "positions";

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

    fn add_embedded(tables: &mut Tables<G>) {
        tables.add_embedded();
    }

    fn add_folder(tables: &mut Tables<G>, folder: &Path) -> io::Result<FolderTables> {
        tables.add_folder(folder)
    }

    fn materials(tables: &Tables<G>) -> Vec<Self::Material> {
        let mut materials: Vec<Self::Material> = tables.materials().collect();
        Material::sort_for_solving(&mut materials);
        materials
    }

    fn statistics(tables: &Tables<G>, material: Self::Material) -> Option<&Statistics> {
        tables.statistics(material)
    }

    fn probe(tables: &Tables<G>, position: &G) -> Result<Option<Probe<G>>, TableError> {
        tables.probe(position)
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

    fn build(
        options: &BuildOptions<Self::Material>,
        stop: &AtomicBool,
        report: &(dyn Fn(BuildStep<Self::Material>) + Sync),
    ) -> Result<(), BuildError<Self::Material>> {
        G::build_tables(options, stop, report)
    }

    fn checker<'a>(tables: &'a Tables<G>, stop: &'a AtomicBool) -> Checker<'a, G> {
        Checker::new(tables, stop)
    }

    fn check(
        checker: &mut Checker<'_, G>,
        materials: &[Self::Material],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<G>>, TableError> {
        let Some(&material) = materials.first() else { return Ok(None) };
        let checked = checker.check(material, progress);
        checker.forget_all_but_children_of(materials);
        checked
    }
}

impl SurveyedGame for chesquerque::Position {
    const SURVEYED_PIECES: (usize, usize) = (MAX_SURVEYED_PIECES, MAX_SURVEYED_PIECES);

    fn to_survey(pieces: usize) -> Vec<Material> {
        let mut materials = Material::all(pieces);
        materials.retain(|it| !it.has_pawns());
        materials.sort_by_key(|it| it.leaves_one_king_bare());
        materials
    }

    fn survey(
        options: &SurveyOptions,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep) + Sync),
    ) -> Result<(), SurveyError> {
        survey(options, stop, report)
    }
}

impl TabledGame for alquerque::Position {
    type Material = MenMaterial;
    type Tables = MenTables;
    type Checker<'a> = MenChecker<'a>;

    const PIECES: RangeInclusive<usize> = 2..=MAX_TABLE_MEN;
    const DISTANCES: &'static [&'static str] = &["Plies"];
    const COUNTED: &'static str = "boards";

    fn canonical(material: MenMaterial) -> MenMaterial {
        material
    }

    fn pieces(material: MenMaterial) -> usize {
        material.men()
    }

    fn has_pawns(_: MenMaterial) -> bool {
        false
    }

    fn materials_of(men: usize) -> Vec<MenMaterial> {
        MenMaterial::all(men).collect()
    }

    fn position_in(material: MenMaterial, index: u64, side: Color) -> Option<Self> {
        material.position(index, side)
    }

    fn add_embedded(tables: &mut MenTables) {
        tables.add_embedded();
    }

    fn add_folder(tables: &mut MenTables, folder: &Path) -> io::Result<FolderTables> {
        tables.add_folder(folder)
    }

    fn materials(tables: &MenTables) -> Vec<MenMaterial> {
        tables.materials().collect()
    }

    fn statistics(tables: &MenTables, material: MenMaterial) -> Option<&Statistics> {
        tables.statistics(material)
    }

    fn probe(tables: &MenTables, position: &Self) -> Result<Option<Probe<Self>>, TableError> {
        tables.probe(position)
    }

    fn why_unknown(tables: &MenTables, position: &Self) -> Unknown<MenMaterial> {
        match MenMaterial::of(position) {
            None => Unknown::TooMany(position.occupied().len() as usize),
            Some(material) if tables.statistics(material).is_none() => Unknown::NoTable(material),
            Some(_) => Unknown::Clock,
        }
    }

    fn build(
        options: &BuildOptions<MenMaterial>,
        stop: &AtomicBool,
        report: &(dyn Fn(BuildStep<MenMaterial>) + Sync),
    ) -> Result<(), BuildError<MenMaterial>> {
        crate::alquerque::build(options, stop, report)
    }

    fn checker<'a>(tables: &'a MenTables, stop: &'a AtomicBool) -> MenChecker<'a> {
        MenChecker::new(tables, stop)
    }

    fn check(
        checker: &mut MenChecker<'_>,
        materials: &[MenMaterial],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Checked<Self>>, TableError> {
        materials.first().map_or(Ok(None), |&material| checker.check(material, progress))
    }
}

impl SurveyedGame for alquerque::Position {
    const SURVEYED_PIECES: (usize, usize) = (MAX_TABLE_MEN, 6);

    fn to_survey(men: usize) -> Vec<MenMaterial> {
        MenMaterial::all(men).collect()
    }

    fn survey(
        options: &SurveyOptions<MenMaterial>,
        stop: &AtomicBool,
        report: &(dyn Fn(SurveyStep<MenMaterial>) + Sync),
    ) -> Result<(), SurveyError> {
        crate::alquerque::survey(options, stop, report)
    }
}
