//! The options of `qirkat analyse`, and where an analysis begins and ends by them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{ArgGroup, Args};
use indicatif::ProgressBar;

use crate::pgn::game_input::{hint, open_games};
use crate::resources::SearchResources;
use crate::setup;
use crate::value_names::named;
use qirkat_engine::SearchLimits;
use qirkat_game::distance::Depth;
use qirkat_rules::chesquerque::MAX_MOVES;
use qirkat_rules::pgn::{PgnError, PgnGame, PgnReader};
use qirkat_rules::variant::{AnyGame, AnyMove, UnknownVariant, Variant};
use qirkat_search::TimeBudget;

/// How long to think when nothing bounds it.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

#[derive(Args)]
#[command(group = ArgGroup::new("source").args(["fen", "pgn", "epd"]))]
pub(crate) struct AnalyseOptions {
    /// Which game: chesquerque, masonic or alquerque; with --pgn, the number of
    /// the game in the file
    #[arg(long, value_name = "GAME", value_parser = named(game_or_number, Variant::ALL.map(Variant::name)), hide_possible_values = true)]
    pub(super) game: Option<GameOrNumber>,
    /// The position; the usual starting position when not given
    #[arg(long, value_name = "FEN")]
    pub(super) fen: Option<String>,
    /// Take the position from a game in this PGN file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Where to look in that game: after so many plies; at its end when not given
    #[arg(long, value_name = "PLIES", requires = "pgn")]
    pub(super) ply: Option<usize>,
    /// Analyse each position of this EPD file, `-` being standard input, and print
    /// it with `acd`, `acn`, `ce`, `pm`, `pv`, and `bm` where there was none
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "searchmoves", "threat", "infinite", "multipv"])]
    pub(super) epd: Option<PathBuf>,
    /// Moves made from there, such as `e2e4 e8e6` or `e4 e6`
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub(super) moves: Vec<String>,
    /// Look at these moves only
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub(super) searchmoves: Vec<String>,
    /// Stop after this many plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i16).range(1..=i64::from(Depth::MAX.0)))]
    pub(super) depth: Option<i16>,
    /// Stop after this many milliseconds; 5000 when nothing else bounds it
    #[arg(long, value_name = "MS")]
    pub(super) movetime: Option<u64>,
    /// Stop after this many positions
    #[arg(long, value_name = "N")]
    pub(super) nodes: Option<u64>,
    /// Look for a mate in so many moves, and stop when it is found or excluded
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(1..=i64::from(Depth::MAX.0 / 2)))]
    pub(super) mate: Option<u16>,
    /// Go on until Ctrl-C, which prints what was found
    #[arg(long, conflicts_with_all = ["depth", "movetime", "nodes", "mate"])]
    pub(super) infinite: bool,
    /// Lines to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_MOVES as i64))]
    pub(super) multipv: u16,
    /// First show what the other side threatens: its best line if it could move now
    #[arg(long)]
    pub(super) threat: bool,
    #[command(flatten)]
    pub(super) resources: SearchResources,
    /// Print each line of the search as a JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
}

/// The value of `--game`: a game by its name, or the number of one in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameOrNumber {
    Game(Variant),
    Number(u64),
}

fn game_or_number(text: &str) -> Result<GameOrNumber, UnknownVariant> {
    match text.parse() {
        Ok(number) => Ok(GameOrNumber::Number(number)),
        Err(_) => text.parse().map(GameOrNumber::Game),
    }
}

pub(crate) const HELP: &str = "\
Examples:
  The start, ten plies deep, its three best moves:
    qirkat analyse --depth 10 --multipv 3
  A position behind two moves, for three seconds:
    qirkat analyse --moves e4 e6 --movetime 3000
  A mate in two, with proof:
    qirkat analyse --fen '4k4/9/p1R6/8p/6B2/6P1P/P6P1/9/5K3 w - - 0 1' --mate 2
  The tenth ply of a game in a file:
    qirkat analyse --pgn games.pgn --ply 10";

impl AnalyseOptions {
    /// The game that is meant where no file says it.
    pub fn variant(&self) -> anyhow::Result<Variant> {
        match self.game {
            None => Ok(Variant::default()),
            Some(GameOrNumber::Game(variant)) => Ok(variant),
            Some(GameOrNumber::Number(number)) => {
                bail!("--game {number}: the number of a game goes with --pgn")
            }
        }
    }

    /// The game as it stands where the analysis begins: a position by its FEN, or a moment of
    /// a game in a file.
    pub fn start(&self) -> anyhow::Result<AnyGame> {
        let mut game = match &self.pgn {
            Some(path) => self.start_in_pgn(path)?,
            None => setup::start(self.variant()?, self.fen.as_deref())?,
        };
        setup::make_moves(&mut game, &self.moves)?;
        Ok(game)
    }

    fn start_in_pgn(&self, path: &Path) -> anyhow::Result<AnyGame> {
        let number = match self.game {
            None => 1,
            Some(GameOrNumber::Number(number)) => number,
            Some(GameOrNumber::Game(variant)) => bail!(
                "--game {variant}: with --pgn it is the number of the game; the file says which"
            ),
        };
        let record = find(path, number)?;
        let plies = record.moves.len();
        let wanted = self.ply.unwrap_or(plies);
        if wanted > plies {
            bail!("--ply {wanted}: game {number} of {} has {plies}", path.display());
        }
        let mut game = AnyGame::from_position(record.start);
        record.moves[..wanted].iter().for_each(|played| game.play(played.mv));
        Ok(game)
    }

    /// The moves of `--searchmoves`; one argument may hold several.
    pub fn search_moves(&self, game: &AnyGame) -> anyhow::Result<Vec<AnyMove>> {
        let texts = self.searchmoves.iter().flat_map(|text| text.split_ascii_whitespace());
        let read = |text: &str| {
            let mv = game.position().read_move(text);
            mv.with_context(|| format!("--searchmoves: `{text}` is not legal"))
        };
        texts.map(read).collect()
    }

    /// The limits of the search, but for its moves.
    pub fn limits(&self) -> SearchLimits {
        let bounded = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.infinite;
        let time = self.movetime.map(Duration::from_millis);
        let hard = if bounded { time } else { Some(DEFAULT_TIME) };
        let mut limits = SearchLimits::time(TimeBudget { soft: None, hard })
            .with_multi_pv(usize::from(self.multipv));
        limits.depth = self.depth.map(Depth);
        limits.nodes = self.nodes;
        limits.mate = self.mate;
        limits
    }
}

fn find(path: &Path, number: u64) -> anyhow::Result<PgnGame> {
    let name = path.display().to_string();
    let mut games = 0;
    for read in PgnReader::new(open_games(path, &ProgressBar::hidden())?) {
        games += 1;
        match read {
            Err(error @ PgnError::Io(_)) => return Err(error).context(name),
            _ if games != number => {}
            read => {
                let game = read.map(|read| read.game);
                return game.map_err(|error| anyhow!("{name}: {error}{}", hint(&error)));
            }
        }
    }
    match games {
        0 => bail!("{name} holds no game"),
        _ => bail!("--game {number}: {name} holds {games}"),
    }
}
