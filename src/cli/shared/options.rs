//! Options of several commands: the position, and the threads, hash size, network and tables of a
//! search. The structs have no doc comments: clap would show them as the command's help.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::builder::{NonEmptyStringValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command, Error, ValueHint};

use super::terminal::print_message;
use qirkat_analysis::casual::TimeControl;
use qirkat_engine::AnySearcher;
use qirkat_evaluation::AnyEvaluation;
use qirkat_evaluation::load_network::{EMBEDDED, load_evaluation};
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_search::MAX_THREADS;
use qirkat_system::machine::{cores, megabytes_of_memory};
use qirkat_system::time_text::{TimeTextError, Unit, read_time};
use qirkat_tablebase::AllTables;
use qirkat_tablebase::load_tables::load_tables;

#[derive(Args)]
pub(crate) struct GameChoice {
    /// Which game: chesquerque (the default), masonic or alquerque
    #[arg(long = "game", value_name = "GAME", default_value_t, hide_default_value = true, value_parser = named(Variant::from_str, Variant::ALL.map(Variant::name)), hide_possible_values = true)]
    pub variant: Variant,
}

#[derive(Args)]
pub(crate) struct PositionOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// The position; the usual starting position when not given
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Moves to play from there, such as `e2e4 e8e6` or `e4 e6`
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
}

pub(crate) fn game(options: &PositionOptions) -> anyhow::Result<AnyGame> {
    let mut game = start(options.game.variant, options.fen.as_deref())?;
    make_moves(&mut game, &options.moves)?;
    Ok(game)
}

pub(crate) fn start(variant: Variant, fen: Option<&str>) -> anyhow::Result<AnyGame> {
    fen.map_or_else(
        || Ok(variant.new_game()),
        |fen| position(variant, fen).map(AnyGame::from_position),
    )
}

/// The position of `--fen`; `startpos`, as in UCI, is the start position.
pub(crate) fn position(variant: Variant, fen: &str) -> anyhow::Result<AnyPosition> {
    if fen.trim() == "startpos" {
        return Ok(variant.start());
    }
    let parsed = variant.read_fen(fen).map_err(|error| {
        let likely = Variant::with_board_of(fen).filter(|&likely| likely != variant);
        let hint = likely
            .map(|game| {
                let note = match game {
                    Variant::Masonic => "; orthodox chess is not played here",
                    _ => "",
                };
                format!(" (it looks like {}: try --game {game}){note}", game.title())
            })
            .unwrap_or_default();
        anyhow!("--fen: {error}{hint}")
    })?;
    if let Some(notice) = parsed.notice {
        print_message(format_args!("--fen: {notice}"));
    }
    Ok(parsed.position)
}

/// Plays the moves of `--moves`; one argument may have several.
pub(crate) fn make_moves(game: &mut AnyGame, moves: &[String]) -> anyhow::Result<()> {
    let texts = moves.iter().flat_map(|text| text.split_ascii_whitespace());
    for (index, text) in (1..).zip(texts) {
        let mv = game.position().read_move(text);
        game.play(mv.with_context(|| format!("--moves: move {index} `{text}` is not legal"))?);
    }
    Ok(())
}

#[derive(Args)]
pub(crate) struct SearchResources {
    /// Threads to search with; one when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = megabytes)]
    pub hash: u32,
    #[command(flatten)]
    pub eval_file: EvalFile,
    #[command(flatten)]
    pub table_path: TablePath,
}

impl SearchResources {
    pub fn threads(&self, default: usize) -> usize {
        self.threads.map_or(default, usize::from)
    }

    pub fn searcher(&self, variant: Variant) -> anyhow::Result<AnySearcher> {
        self.searcher_on(self.threads(1), variant)
    }

    pub fn searcher_on(&self, threads: usize, variant: Variant) -> anyhow::Result<AnySearcher> {
        let evaluation = self.eval_file.evaluation(variant)?;
        let mut searcher = AnySearcher::with_resources(evaluation, threads, self.hash as usize)?;
        searcher.set_tablebases(self.table_path.tables()?);
        Ok(searcher)
    }
}

#[derive(Args)]
pub(crate) struct TablePath {
    /// A folder of endgame tables to probe, besides those in the program; `<none>` for no
    /// tables
    #[arg(long, value_name = "FOLDER", default_value = EMBEDDED, value_hint = ValueHint::DirPath, value_parser = NonEmptyStringValueParser::new())]
    table_path: String,
}

impl TablePath {
    pub fn tables(&self) -> anyhow::Result<Option<AllTables>> {
        tables(&self.table_path).context("--table-path")
    }

    pub fn other_than_embedded(&self) -> Option<&str> {
        Some(self.table_path.as_str()).filter(|name| *name != EMBEDDED)
    }
}

/// The endgame tables of this name. Fails if the folder has none, or a damaged one.
pub(crate) fn tables(name: &str) -> anyhow::Result<Option<AllTables>> {
    let (tables, fault) = load_tables(name)?;
    fault.map_or(Ok(tables), |fault| Err(fault.into()))
}

/// Parses a size. The machine's memory is queried only when parsing, since every start of the
/// program builds the argument list.
pub(crate) fn megabytes(text: &str) -> Result<u32, String> {
    let most = megabytes_of_memory();
    let size = text.parse().ok().filter(|&size: &u32| (1..=most).contains(&(size as usize)));
    size.ok_or_else(|| format!("not a number of megabytes from 1 to {most}"))
}

#[derive(Args)]
pub(crate) struct Threads {
    /// Threads; as many as there are cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
}

impl Threads {
    pub fn count(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

/// A time above zero, in seconds or as minutes:seconds.
pub(crate) fn positive_time(text: &str) -> Result<Duration, &'static str> {
    match read_time(text, Unit::Seconds) {
        Ok(Duration::ZERO) | Err(TimeTextError::Negative) => Err("not above zero"),
        Ok(time) => Ok(time),
        Err(TimeTextError::NotANumber) => Err("not a time such as 90 or 1:30"),
        Err(TimeTextError::TooLong) => Err("too long"),
    }
}

#[derive(Args)]
pub(crate) struct EvalFile {
    /// The network to evaluate with; `<none>` for material and placement alone
    #[arg(long, value_name = "FILE", default_value = EMBEDDED, value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    eval_file: String,
}

impl EvalFile {
    pub fn evaluation(&self, variant: Variant) -> anyhow::Result<AnyEvaluation> {
        load_evaluation(variant, &self.eval_file).context("--eval-file")
    }

    pub fn other_than_embedded(&self) -> Option<&str> {
        Some(self.eval_file.as_str()).filter(|name| *name != EMBEDDED)
    }
}

/// A parser that also names its usual values, for help and completions. It alone decides what is
/// accepted.
#[derive(Clone)]
pub(crate) struct Named<P> {
    parser: P,
    names: Vec<&'static str>,
}

pub(crate) fn named<P: TypedValueParser>(
    parser: P,
    names: impl IntoIterator<Item = &'static str>,
) -> Named<P> {
    Named { parser, names: names.into_iter().collect() }
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// Parses a number, or two such as `4-8` with the separator `-`.
pub(crate) fn range<T: FromStr + Ord>(text: &str, separator: &str) -> Option<RangeInclusive<T>> {
    let (first, last) = text.split_once(separator).unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(first..=last)
}

/// Parses `5+3`: five minutes plus three seconds per move.
pub(crate) fn time_control(text: &str) -> Result<TimeControl, String> {
    let it = TimeControl::read(text, Unit::Minutes).ok_or("not a time such as 5+3 or 1:30+0.5")?;
    if it == it.bounded() {
        Ok(it)
    } else {
        Err("a clock has at least a second and at most a day".to_owned())
    }
}
