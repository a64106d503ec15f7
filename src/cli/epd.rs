//! Files of EPD: their positions read one by one, as soon as each is there, and lines written.

use std::path::Path;

use anyhow::Context;

use super::files::open_input;
use qirkat_game::text::lines_of;
use qirkat_rules::epd::{EpdError, EpdRecord, Operation, read_epd};
use qirkat_rules::variant::{AnyPosition, Variant};

/// Fields of a position in EPD.
const FIELDS: usize = 4;

/// A position with its operations.
pub(super) struct EpdLine {
    /// The file and the number of the line, for messages.
    pub place: String,
    pub position: AnyPosition,
    pub operations: Vec<Operation>,
}

impl EpdLine {
    pub fn id(&self) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == "id")
    }
}

/// The positions of a file, `-` being standard input. The inner error is that of a faulty
/// line, which can be left out; after the outer one nothing can be read any more.
pub(super) fn epd_lines(
    path: &Path,
    variant: Variant,
) -> anyhow::Result<impl Iterator<Item = anyhow::Result<anyhow::Result<EpdLine>>> + use<>> {
    let name = path.display().to_string();
    let lines = (1..).zip(lines_of(open_input(path)?));
    Ok(lines.filter_map(move |(number, line)| match line.with_context(|| name.clone()) {
        Err(error) => Some(Err(error)),
        Ok(line) => match read_epd(line.as_slice(), &name, variant) {
            Err(EpdError::Fen { path, error, .. }) => {
                Some(Ok(Err(EpdError::Fen { path, line: number, error }.into())))
            }
            Err(error) => Some(Err(error.into())),
            Ok(records) => Some(Ok(read(records.first()?, format!("{name}, line {number}")))),
        },
    }))
}

fn read(record: &EpdRecord, place: String) -> anyhow::Result<EpdLine> {
    let operations = record.operations().with_context(|| place.clone())?;
    Ok(EpdLine { place, position: record.position, operations })
}

/// A position with operations in a line, without its clocks.
pub(super) fn epd_text(position: &AnyPosition, operations: &[Operation]) -> String {
    let fen = position.fen();
    let fields = fen.split(' ').take(FIELDS).map(str::to_owned);
    fields.chain(operations.iter().map(Operation::to_string)).collect::<Vec<_>>().join(" ")
}
