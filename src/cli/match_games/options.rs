//! A match on the command line, as users of cutechess-cli type it:
//! `-engine cmd=a -engine cmd=b -each tc=10+0.1 -games 200`.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, bail};

use super::help::option_names;
use super::settings::{
    DrawSettings, EngineSettings, LogSettings, MatchSettings, OpeningSettings, PgnOutSettings,
    ResignSettings, SprtSettings, five_per_cent,
};

/// How similar, at least, an option is that may have been meant.
const MIN_SIMILARITY: f64 = 0.85;

/// Adds what the words say to the settings.
pub(super) fn read(words: &[String], settings: &mut MatchSettings) -> Result<()> {
    let mut given = SeenNames::default();
    let mut given_to_each = SeenNames::default();
    let mut rest = words;
    while let Some((first, behind)) = rest.split_first() {
        let Some(name) = option_name(first) else {
            bail!("`{first}` does not belong to an option")
        };
        let count = behind.iter().take_while(|word| option_name(word).is_none()).count();
        let (words, next) = behind.split_at(count);
        let clause = Clause { name, words };
        let applied = match name {
            "engine" => clause.engine(settings),
            "each" => clause.each(settings, &mut given_to_each),
            _ => given.note(name).and_then(|()| clause.apply(settings)),
        };
        applied.with_context(|| format!("-{name}"))?;
        rest = next;
    }
    Ok(())
}

impl Clause<'_> {
    fn engine(&self, settings: &mut MatchSettings) -> Result<()> {
        let mut engine = EngineSettings::default();
        self.engine_words(&mut engine, &mut SeenNames::default())?;
        settings.engine.push(engine);
        Ok(())
    }

    fn each(&self, settings: &mut MatchSettings, given: &mut SeenNames) -> Result<()> {
        self.engine_words(&mut settings.each, given)
    }

    fn apply(&self, settings: &mut MatchSettings) -> Result<()> {
        match self.name {
            "games" => settings.games = Some(self.value()?),
            "rounds" => settings.rounds = Some(self.value()?),
            "concurrency" => settings.concurrency = Some(self.value()?),
            "tournament" => settings.tournament = Some(self.value()?),
            "seeds" => settings.seeds = Some(self.value()?),
            "repeat" => settings.repeat = self.repeat()?,
            "noswap" => settings.noswap = self.switch()?,
            "reverse" => settings.reverse = self.switch()?,
            "wait" => settings.wait = Some(self.value()?),
            "openings" => {
                let openings = settings.openings.get_or_insert_default();
                self.each_pair(|key, value| opening_word(openings, key, value))?;
            }
            "pgnout" => self.pgn_out(settings.pgnout.get_or_insert_default())?,
            "epdout" => settings.epdout = Some(self.epd_out()?),
            "live" => settings.live = self.switch()?,
            "sprt" => settings.sprt = Some(self.sprt()?),
            "draw" => settings.draw = Some(self.draw()?),
            "resign" => settings.resign = Some(self.resign()?),
            "maxmoves" => settings.maxmoves = Some(self.value()?),
            "tb" => settings.tb = Some(self.text()?),
            "ratinginterval" => settings.ratinginterval = Some(self.value()?),
            "scoreinterval" => settings.scoreinterval = Some(self.value()?),
            "crosstable" => settings.crosstable = self.switch()?,
            "srand" => settings.srand = Some(self.value()?),
            "event" => settings.event = Some(self.text()?),
            "site" => settings.site = Some(self.text()?),
            "resume" => settings.resume = self.switch()?,
            "overwrite" => settings.overwrite = self.switch()?,
            "report" => settings.report = self.report()?,
            "shard" => settings.shard = Some(self.value()?),
            "force" => settings.force = self.switch()?,
            "pvcheck" => settings.pvcheck = Some(self.value()?),
            "use-affinity" => settings.use_affinity = Some(self.words.join(",")),
            "log" => {
                let log = settings.log.get_or_insert_default();
                self.each_pair(|key, value| log_word(log, key, value))?;
            }
            // Broken engines come back anyway.
            "recover" => drop(self.switch()?),
            "variant" => settings.variant = self.value()?,
            "config" | "merge" => bail!("comes before all other options"),
            name => bail!("unknown option{}", hint(name)),
        }
        Ok(())
    }

    /// How it is anyway, unless another number is given.
    fn repeat(&self) -> Result<bool> {
        if !self.words.is_empty() && self.value::<u32>()? != 2 {
            bail!("every opening is played twice, not {} times", self.words[0]);
        }
        Ok(true)
    }

    fn engine_words(&self, engine: &mut EngineSettings, given: &mut SeenNames) -> Result<()> {
        self.pairs(
            given,
            |word| match word {
                // The one switch among the pairs, as cutechess-cli has it.
                "ponder" => Some(("ponder", "true")),
                _ => word.split_once('='),
            },
            |key, value| engine_word(engine, key, value),
        )
    }

    /// A file, as cutechess-cli has it, or pairs, as fastchess has them.
    fn pgn_out(&self, settings: &mut PgnOutSettings) -> Result<()> {
        self.pairs(
            &mut SeenNames::default(),
            |word| match word {
                // Only finished games are written anyway.
                "fi" => Some(("fi", "true")),
                "min" => Some(("min", "true")),
                _ => word.split_once('=').or(Some(("file", word))),
            },
            |key, value| pgn_out_word(settings, key, value),
        )
    }

    /// The same for the file alone.
    fn epd_out(&self) -> Result<PathBuf> {
        let mut file = None;
        self.pairs(
            &mut SeenNames::default(),
            |word| word.split_once('=').or(Some(("file", word))),
            |key, value| {
                match key {
                    "file" => file = Some(value.into()),
                    _ => bail!("unknown"),
                }
                Ok(())
            },
        )?;
        file.context("needs file=")
    }

    /// The same; counts of pairs, which fastchess has to be asked for, are shown anyway.
    fn report(&self) -> Result<Option<PathBuf>> {
        let mut file = None;
        self.pairs(
            &mut SeenNames::default(),
            |word| word.split_once('=').or(Some(("file", word))),
            |key, value| {
                match (key, value) {
                    ("file", _) => file = Some(value.into()),
                    ("penta", "true") => {}
                    ("penta", _) => bail!("pairs are always counted"),
                    _ => bail!("unknown"),
                }
                Ok(())
            },
        )?;
        Ok(file)
    }

    fn sprt(&self) -> Result<SprtSettings> {
        let mut sprt = SprtSettings {
            elo0: f64::NAN,
            elo1: f64::NAN,
            alpha: five_per_cent(),
            beta: five_per_cent(),
            model: None,
        };
        self.each_pair(|key, value| {
            match key {
                "elo0" => sprt.elo0 = parse(value)?,
                "elo1" => sprt.elo1 = parse(value)?,
                "alpha" => sprt.alpha = parse(value)?,
                "beta" => sprt.beta = parse(value)?,
                "model" => sprt.model = Some(value.to_owned()),
                _ => bail!("unknown"),
            }
            Ok(())
        })?;
        if sprt.elo0.is_nan() || sprt.elo1.is_nan() {
            bail!("needs elo0= and elo1=");
        }
        Ok(sprt)
    }

    fn draw(&self) -> Result<DrawSettings> {
        let mut draw = DrawSettings { movenumber: 0, movecount: 0, score: -1 };
        self.each_pair(|key, value| {
            match key {
                "movenumber" => draw.movenumber = parse(value)?,
                "movecount" => draw.movecount = parse(value)?,
                "score" => draw.score = parse(value)?,
                _ => bail!("unknown"),
            }
            Ok(())
        })?;
        Ok(draw)
    }

    fn resign(&self) -> Result<ResignSettings> {
        let mut resign = ResignSettings { movecount: 0, score: 0, twosided: false };
        self.each_pair(|key, value| {
            match key {
                "movecount" => resign.movecount = parse(value)?,
                "score" => resign.score = parse(value)?,
                "twosided" => resign.twosided = parse(value)?,
                _ => bail!("unknown"),
            }
            Ok(())
        })?;
        Ok(resign)
    }
}

/// A hint at the option that may have been meant.
fn hint(name: &str) -> String {
    if let Some((name, value)) = name.split_once('=') {
        return format!("; a blank stands before a value: -{name} {value}");
    }
    let similar = |known: &&str| strsim::jaro_winkler(known, &name.to_lowercase());
    let names = option_names();
    let likely = names.into_iter().filter(|known| similar(known) > MIN_SIMILARITY);
    match likely.max_by(|one, other| similar(one).total_cmp(&similar(other))) {
        Some(known) => format!("; did you mean -{known}?"),
        None => " (see qirkat match --help)".to_owned(),
    }
}

fn engine_word(engine: &mut EngineSettings, key: &str, value: &str) -> Result<()> {
    match key {
        "conf" => engine.conf = Some(value.to_owned()),
        "name" => engine.name = Some(value.to_owned()),
        "cmd" => engine.cmd = Some(value.into()),
        "dir" => engine.dir = Some(value.into()),
        "arg" => engine.arg.push(value.to_owned()),
        "args" => engine.args = Some(value.to_owned()),
        "tc" => engine.tc = Some(value.to_owned()),
        "st" => engine.st = Some(parse(value)?),
        "nodes" => engine.nodes = Some(parse(value)?),
        "depth" => engine.depth = Some(parse(value)?),
        "timemargin" => engine.timemargin = Some(parse(value)?),
        "ponder" => engine.ponder = Some(parse(value)?),
        "restart" => engine.restart = Some(value.to_owned()),
        "proto" if value == "uci" => {}
        "proto" => bail!("only uci engines can play, not `{value}`"),
        _ => {
            if let Some(name) = key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                engine.option.insert(name.to_owned(), toml::Value::String(value.to_owned()));
            } else if let Some(name) = key.strip_prefix("env.").filter(|name| !name.is_empty()) {
                engine.env.insert(name.to_owned(), value.to_owned());
            } else {
                bail!("unknown");
            }
        }
    }
    Ok(())
}

fn log_word(log: &mut LogSettings, key: &str, value: &str) -> Result<()> {
    match key {
        "file" => log.file = Some(value.into()),
        "level" => log.level = Some(value.to_owned()),
        "append" => log.append = Some(parse(value)?),
        _ => bail!("unknown"),
    }
    Ok(())
}

fn opening_word(openings: &mut OpeningSettings, key: &str, value: &str) -> Result<()> {
    match key {
        "file" => openings.file = Some(value.into()),
        "format" => openings.format = Some(value.to_owned()),
        "order" => openings.order = Some(value.to_owned()),
        "plies" => openings.plies = Some(parse(value)?),
        "start" => openings.start = Some(parse(value)?),
        "balance" => openings.balance = Some(parse(value)?),
        _ => bail!("unknown"),
    }
    Ok(())
}

fn pgn_out_word(settings: &mut PgnOutSettings, key: &str, value: &str) -> Result<()> {
    match key {
        "file" => settings.file = Some(value.into()),
        "notation" => settings.notation = Some(value.to_owned()),
        "nodes" => settings.nodes = parse(value)?,
        "seldepth" => settings.seldepth = parse(value)?,
        "nps" => settings.nps = parse(value)?,
        "hashfull" => settings.hashfull = parse(value)?,
        "pv" => settings.pv = parse(value)?,
        "fi" if value == "true" => {}
        "fi" => bail!("only finished games are written"),
        "min" => bail!("games need their tags for --resume"),
        _ => bail!("unknown"),
    }
    Ok(())
}

/// One option with the words behind it.
struct Clause<'a> {
    pub name: &'a str,
    pub words: &'a [String],
}

/// Names that may be given once.
#[derive(Default)]
struct SeenNames(BTreeSet<String>);

impl SeenNames {
    /// Notes a name; case does not tell names apart, as UCI has it for
    /// options.
    pub fn note(&mut self, name: &str) -> Result<()> {
        if !self.0.insert(name.to_ascii_lowercase()) {
            bail!("given twice");
        }
        Ok(())
    }
}

impl Clause<'_> {
    /// An option that is there or not.
    pub fn switch(&self) -> Result<bool> {
        match self.words.first() {
            Some(word) => bail!("unexpected `{word}`"),
            None => Ok(true),
        }
    }

    pub fn text(&self) -> Result<String> {
        if self.words.is_empty() {
            bail!("needs a value");
        }
        Ok(self.words.join(" "))
    }

    pub fn value<T: FromStr<Err: Display>>(&self) -> Result<T> {
        match self.words {
            [] => bail!("needs a value"),
            [_, more, ..] => bail!("unexpected `{more}`"),
            [word] => parse(word),
        }
    }

    /// Takes words of the form name=value, each name once.
    pub fn each_pair(&self, on_pair: impl FnMut(&str, &str) -> Result<()>) -> Result<()> {
        self.pairs(&mut SeenNames::default(), |word| word.split_once('='), on_pair)
    }

    pub fn pairs(
        &self,
        given: &mut SeenNames,
        split: impl Fn(&str) -> Option<(&str, &str)>,
        mut on_pair: impl FnMut(&str, &str) -> Result<()>,
    ) -> Result<()> {
        if self.words.is_empty() {
            bail!("needs name=value");
        }
        for word in self.words {
            let Some((key, value)) = split(word) else {
                let hint = match self.name {
                    "engine" if word.contains('/') => format!("; cmd={word} names its program"),
                    _ => String::new(),
                };
                bail!("`{word}` is not of the form name=value{hint}");
            };
            // A program may have several arguments.
            let noted = if key == "arg" { Ok(()) } else { given.note(key) };
            let taken = noted.and_then(|()| match value {
                // A button has no value.
                "" if !key.starts_with("option.") && !key.starts_with("env.") => {
                    bail!("needs a value")
                }
                value => on_pair(key, value),
            });
            taken.with_context(|| key.to_owned())?;
        }
        Ok(())
    }
}

/// Reads a value, or says what is wrong with it.
pub(super) fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T> {
    text.parse().map_err(|error: T::Err| {
        let needs = match error.to_string().as_str() {
            "invalid digit found in string" if text.parse::<i128>().is_ok() => {
                "a whole number from 0 on"
            }
            "invalid digit found in string" => "a whole number",
            "number too large to fit in target type" => "a smaller number",
            "number too small to fit in target type" => "a larger number",
            "invalid float literal" => "a number",
            "provided string was not `true` or `false`" => "true or false",
            fault => return anyhow::anyhow!("`{text}`: {fault}"),
        };
        anyhow::anyhow!("needs {needs}, not `{text}`")
    })
}

/// The name of an option, written with one dash or two. Numbers may be
/// negative and are none.
pub(super) fn option_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    name.starts_with(|letter: char| letter.is_ascii_alphabetic()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(line: &str) -> Result<MatchSettings> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut settings = MatchSettings::default();
        read(&words, &mut settings)?;
        Ok(settings)
    }

    #[test]
    fn a_cutechess_line_is_understood() {
        let settings = settings(
            "-engine cmd=a name=A option.Hash=64 arg=-x -engine cmd=b env.LOG=1 -each tc=10+0.1 \
             proto=uci timemargin=50 -games 2 -rounds 100 -repeat -concurrency 2 \
             -openings file=book.epd format=epd order=random plies=8 -pgnout games.pgn \
             -sprt elo0=-5 elo1=0 alpha=0.05 -draw movenumber=40 movecount=8 score=10 \
             -resign movecount=3 score=600 twosided=true -recover -maxmoves 200 \
             -ratinginterval 20 -tournament gauntlet --resume -srand 7",
        )
        .expect("a good line");
        assert_eq!(settings.engine.len(), 2);
        assert_eq!(settings.engine[0].arg, ["-x"]);
        assert_eq!(settings.each.tc.as_deref(), Some("10+0.1"));
        assert_eq!(settings.sprt.map(|sprt| (sprt.elo0, sprt.beta)), Some((-5.0, 0.05)));
        assert!(settings.resume);
        assert_eq!(
            (settings.games, settings.rounds, settings.srand),
            (Some(2), Some(100), Some(7))
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (line, message) in [
            ("-engine cmd", "-engine: `cmd` is not of the form name=value"),
            (
                "-engine ./a",
                "-engine: `./a` is not of the form name=value; cmd=./a names its program",
            ),
            ("-engine foo=1", "-engine: foo: unknown"),
            ("-games x", "-games: needs a whole number, not `x`"),
            ("-games -2", "-games: needs a whole number from 0 on, not `-2`"),
            (
                "-rounds 99999999999999999999",
                "-rounds: needs a smaller number, not `99999999999999999999`",
            ),
            ("-each st=x", "-each: st: needs a number, not `x`"),
            ("-each ponder=1", "-each: ponder: needs true or false, not `1`"),
            ("-games", "-games: needs a value"),
            ("-sprt elo0=0", "-sprt: needs elo0= and elo1="),
            ("-bogus", "-bogus: unknown option (see qirkat match --help)"),
            ("-round 3", "-round: unknown option; did you mean -rounds?"),
            ("-Resume", "-Resume: unknown option; did you mean -resume?"),
            ("--rounds=3", "-rounds=3: unknown option; a blank stands before a value: -rounds 3"),
            ("stray", "`stray` does not belong to an option"),
            (
                "-variant chess",
                "-variant: `chess`: not a game played here: chesquerque, masonic or alquerque",
            ),
        ] {
            let error = settings(line).expect_err(line);
            assert_eq!(format!("{error:#}"), message);
        }
    }
}
