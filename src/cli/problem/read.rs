//! Problems as they are stated: on the command line, or line by line in EPD.

use std::iter;

use anyhow::{Context, bail};

use super::ProblemOptions;
use crate::epd::{EpdLine, epd_lines};
use crate::setup;
use qirkat_game::text::Excerpt;
use qirkat_problem::{Aim, Stipulation};
use qirkat_rules::epd::Operation;
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};

pub(super) struct StatedProblem {
    /// Its name, if it has one.
    pub id: Option<String>,
    pub position: AnyPosition,
    pub stipulation: Stipulation,
    /// The keys that it is said to have.
    pub keys: Vec<AnyMove>,
    /// All operations that EPD gives it.
    pub operations: Vec<Operation>,
}

/// Problems, one after the other. The inner error is that of a problem that can be left out;
/// after the outer one nothing can be read any more.
type Problems<'a> = Box<dyn Iterator<Item = anyhow::Result<anyhow::Result<StatedProblem>>> + 'a>;

/// The problems of the file, or the one of the command line.
pub(super) fn problems(options: &ProblemOptions) -> anyhow::Result<Problems<'_>> {
    let variant = options.game.variant;
    if variant == Variant::Alquerque {
        bail!("--game {variant}: there is no mate in it, so there are no problems to solve");
    }
    match (&options.file, options.stipulation) {
        (Some(path), _) if path.is_dir() => bail!("{} is a folder", path.display()),
        (Some(path), given) => {
            let lines = epd_lines(path, variant)?;
            let stated = move |line: EpdLine| stated(line, given);
            Ok(Box::new(lines.map(move |line| line.map(|line| line.and_then(stated)))))
        }
        (None, Some(stipulation)) => {
            let position = *setup::start(variant, options.fen.as_deref())?.position();
            let (keys, operations) = (Vec::new(), Vec::new());
            let stated = StatedProblem { id: None, position, stipulation, keys, operations };
            Ok(Box::new(iter::once(Ok(Ok(stated)))))
        }
        (None, None) => bail!("--stipulation is missing"),
    }
}

/// The problem of a line, whose operations say what the command line leaves open.
fn stated(line: EpdLine, given: Option<Stipulation>) -> anyhow::Result<StatedProblem> {
    let id = line.id().map(|it| it.operands.join(" "));
    let EpdLine { place, position, operations } = line;
    let stipulation = given.map_or_else(|| stated_stipulation(&operations), Ok);
    let stipulation = stipulation.with_context(|| place.clone())?;
    let keys = match stipulation.aim() {
        Aim::HelpMate => Vec::new(),
        _ => stated_keys(&position, &operations).context(place)?,
    };
    Ok(StatedProblem { id, position, stipulation, keys, operations })
}

/// The stipulation by `dm`, `sm` or `hm`; just one of them.
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
