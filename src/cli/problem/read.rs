//! Problems as they are stated: on the command line, or line by line in EPD.

use std::fs::File;
use std::io::{self, BufRead, BufReader, stdin};
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use super::ProblemOptions;
use crate::setup;
use qirkat_game::text::{Excerpt, lines_of};
use qirkat_notation::epd::{EpdError, Operation, read_epd};
use qirkat_problem::{Aim, Stipulation};
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};

/// A problem as it is stated.
pub(super) struct Stated {
    /// Its name, if it has one.
    pub id: Option<String>,
    pub position: AnyPosition,
    pub stipulation: Stipulation,
    /// The keys that it is said to have.
    pub keys: Vec<AnyMove>,
    /// Everything that EPD says of it.
    pub operations: Vec<Operation>,
}

/// A problem that cannot be read.
pub(super) struct Fault {
    pub error: anyhow::Error,
    /// Whether nothing can be read any more.
    pub is_last: bool,
}

/// What is given to solve, one after the other.
pub(super) struct Given<'a> {
    options: &'a ProblemOptions,
    name: String,
    source: Source,
}

enum Source {
    One(Option<Box<Stated>>),
    Lines { lines: Box<dyn Iterator<Item = io::Result<Vec<u8>>>>, line: usize },
}

/// What the source is called in complaints.
pub(super) fn name_of(options: &ProblemOptions) -> String {
    options.file.as_deref().map(|path| path.display().to_string()).unwrap_or_default()
}

impl<'a> Given<'a> {
    /// Opens the file, or sets up the position.
    pub fn open(options: &'a ProblemOptions) -> anyhow::Result<Given<'a>> {
        let name = name_of(options);
        let variant = options.game.variant;
        if variant == Variant::Alquerque {
            bail!("--game {variant}: there is no mate in it, so there are no problems to solve");
        }
        let source = match (&options.file, options.stipulation) {
            (Some(path), _) => Source::Lines { lines: Box::new(lines_of(opened(path)?)), line: 0 },
            (None, Some(stipulation)) => {
                let position = *setup::start(variant, options.fen.as_deref())?.position();
                let (keys, operations) = (Vec::new(), Vec::new());
                let stated = Stated { id: None, position, stipulation, keys, operations };
                Source::One(Some(Box::new(stated)))
            }
            (None, None) => bail!("--stipulation is missing"),
        };
        Ok(Given { options, name, source })
    }
}

fn opened(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    if path.is_dir() {
        bail!("{} is a folder", name());
    }
    Ok(Box::new(BufReader::new(file)))
}

impl Iterator for Given<'_> {
    type Item = Result<Stated, Fault>;

    fn next(&mut self) -> Option<Result<Stated, Fault>> {
        let (lines, line) = match &mut self.source {
            Source::One(stated) => return stated.take().map(|stated| Ok(*stated)),
            Source::Lines { lines, line } => (lines, line),
        };
        loop {
            *line += 1;
            let bytes = match lines.next()? {
                Ok(bytes) => bytes,
                Err(error) => {
                    let error = anyhow!(error).context(self.name.clone());
                    return Some(Err(Fault { error, is_last: true }));
                }
            };
            match read_line(&bytes, &self.name, *line, self.options) {
                Ok(None) => {}
                Ok(Some(stated)) => return Some(Ok(stated)),
                Err(error) => {
                    let is_last = matches!(error.downcast_ref(), Some(EpdError::File { .. }));
                    return Some(Err(Fault { error, is_last }));
                }
            }
        }
    }
}

/// Reads a line; none if it is empty or a comment.
fn read_line(
    bytes: &[u8],
    name: &str,
    line: usize,
    options: &ProblemOptions,
) -> anyhow::Result<Option<Stated>> {
    let records = read_epd(bytes, name, options.game.variant).map_err(|error| match error {
        EpdError::Fen { path, error, .. } => EpdError::Fen { path, line, error },
        other => other,
    })?;
    let Some(record) = records.into_iter().next() else { return Ok(None) };
    let place = || format!("{name}, line {line}");
    let operations = record.operations().with_context(place)?;
    let stipulation = match options.stipulation {
        Some(stipulation) => stipulation,
        None => stated_stipulation(&operations).with_context(place)?,
    };
    let keys = match stipulation.aim() {
        Aim::HelpMate => Vec::new(),
        _ => stated_keys(&record.position, &operations).with_context(place)?,
    };
    let id = operations.iter().find(|it| it.opcode == "id").map(|it| it.operands.join(" "));
    Ok(Some(Stated { id, position: record.position, stipulation, keys, operations }))
}

/// What `dm`, `sm` or `hm` say; just one of them.
fn stated_stipulation(operations: &[Operation]) -> anyhow::Result<Stipulation> {
    let aims = [Aim::DirectMate, Aim::SelfMate, Aim::HelpMate];
    let aim_of = |it: &Operation| aims.into_iter().find(|aim| aim.opcode() == it.opcode);
    let mut stated = operations.iter().filter_map(|it| Some((aim_of(it)?, it)));
    let (aim, operation) =
        stated.next().context("no `dm`, `hm` or `sm` with the number of moves")?;
    if let Some((_, other)) = stated.next() {
        bail!("both `{}` and `{}`", operation.opcode, other.opcode);
    }
    let number = operation.operands.first();
    let number = number.with_context(|| format!("{}: no number of moves", aim.opcode()))?;
    Stipulation::from_number(aim, number).with_context(|| aim.opcode().to_owned())
}

/// The moves that `bm` names.
fn stated_keys(position: &AnyPosition, operations: &[Operation]) -> anyhow::Result<Vec<AnyMove>> {
    let named = operations.iter().filter(|it| it.opcode == "bm");
    named
        .flat_map(|it| &it.operands)
        .map(|text| {
            let context = || format!("bm {}", Excerpt::of(text));
            position.read_move(text).with_context(context)
        })
        .collect()
}
