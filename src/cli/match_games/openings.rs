//! The openings of a match, made from the settings.

use anyhow::{Context, Result, bail};

use super::settings::OpeningSettings;
use qirkat_arena::{Opening, OpeningBook, OpeningFormat, RandomOpenings, SearcherPool};
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::variant::Variant;

/// Plies of random openings when nothing is said.
const DEFAULT_PLIES: usize = 8;
/// More random plies than any opening has.
const MOST_PLIES: usize = 200;

/// The openings of a match.
pub(super) struct Book {
    pub openings: OpeningBook,
    /// Numbers of openings begin here.
    pub first: usize,
    /// The settings that decide which they are, by name.
    pub described: Vec<(&'static str, String)>,
    /// A notice of those left out.
    pub notice: Option<String>,
}

/// Reads the openings, or says how they are made.
pub(super) fn book(settings: &OpeningSettings, variant: Variant, seed: u64) -> Result<Book> {
    let first = match settings.start {
        Some(0) => bail!("-openings: start= begins at 1"),
        start => start.unwrap_or(1) - 1,
    };
    let mut book = match format(settings)? {
        None => random(settings, variant, first, seed)?,
        Some(format) => listed(settings, variant, format, first, seed)?,
    };
    book.described.push(("start", (first + 1).to_string()));
    Ok(book)
}

/// How the file is written; nothing for random openings, which need none.
fn format(settings: &OpeningSettings) -> Result<Option<OpeningFormat>> {
    Ok(match (settings.format.as_deref(), &settings.file) {
        (Some("random") | None, None) => None,
        (Some("random"), Some(_)) => bail!("-openings: format=random reads no file="),
        (Some("epd" | "fen"), _) => Some(OpeningFormat::Epd),
        (Some("pgn"), _) => Some(OpeningFormat::Pgn),
        (Some(other), _) => bail!("-openings: format is epd, pgn or random, not `{other}`"),
        (None, Some(file))
            if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn")) =>
        {
            Some(OpeningFormat::Pgn)
        }
        (None, Some(_)) => Some(OpeningFormat::Epd),
    })
}

fn random(settings: &OpeningSettings, variant: Variant, first: usize, seed: u64) -> Result<Book> {
    if settings.order.is_some() {
        bail!("-openings: order= is for a file; random openings come from -srand");
    }
    let plies = settings.plies.unwrap_or(DEFAULT_PLIES);
    if plies > MOST_PLIES {
        bail!("-openings: {MOST_PLIES} random plies at most, not {plies}");
    }
    let balance = settings.balance.unwrap_or(RandomOpenings::BALANCE);
    if balance < 0 {
        bail!("-openings: balance= is a distance from 0, not {balance}");
    }
    let evaluation = AnyEvaluation::embedded(variant);
    let network = evaluation
        .network()
        .map_or_else(|| "none".to_owned(), |network| format!("{:08x}", network.checksum));
    let nodes = RandomOpenings::NODES;
    let described = vec![
        ("format", "random".to_owned()),
        ("plies", plies.to_string()),
        ("balance", balance.to_string()),
        ("network", network),
    ];
    let searchers = SearcherPool::default();
    let openings =
        OpeningBook::Random(RandomOpenings { plies, balance, nodes, evaluation, seed, searchers });
    Ok(Book { openings, first, described, notice: None })
}

fn listed(
    settings: &OpeningSettings,
    variant: Variant,
    format: OpeningFormat,
    first: usize,
    seed: u64,
) -> Result<Book> {
    let Some(file) = &settings.file else { bail!("-openings: needs file=") };
    if settings.balance.is_some() {
        bail!("-openings: balance= is for format=random, not for a file");
    }
    let (mut openings, over) =
        OpeningBook::read(file, format, settings.plies, variant).context("-openings")?;
    let name = file.display();
    if let Some(count) = openings.count().filter(|&count| first >= count) {
        bail!("-openings: start={}, but {name} ends at {count}", first + 1);
    }
    let notice = over.first().map(|number| {
        let (count, unit) = (over.len(), format.unit());
        format!(
            "-openings: {count} left out, for the game is over there: first {name}, {unit} {number}"
        )
    });
    // Of the openings and not of the file, which may be a pipe.
    let checksum = checksum(&openings);
    let order = settings.order.as_deref().unwrap_or("sequential");
    match order {
        "sequential" => {}
        "random" => openings.shuffle(seed),
        other => bail!("-openings: order is sequential or random, not `{other}`"),
    }
    let described = vec![("order", order.to_owned()), ("checksum", checksum)];
    Ok(Book { openings, first, described, notice })
}

fn checksum(book: &OpeningBook) -> String {
    let OpeningBook::List(openings) = book else { return String::new() };
    let mut hasher = crc32fast::Hasher::new();
    for Opening { start, moves } in openings {
        hasher.update(start.fen().as_bytes());
        for mv in moves {
            hasher.update(mv.to_string().as_bytes());
        }
    }
    format!("{:08x} of {} openings", hasher.finalize(), openings.len())
}
