//! The options of a match, in cutechess-cli's syntax: `-engine cmd=a -engine cmd=b -each tc=10+0.1
//! -games 200`.
//!
//! The help defines the options and which take values, also for shell completions;
//! [`MatchSettings`] the names and types of values. The words become a table of strings merged over
//! that of the settings file and are then read the same way; strings may stand for numbers and
//! switches.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ValueHint};
use toml::{Table, Value};

use super::settings::{MatchSettings, parse};
use qirkat_rules::variant::Variant;

pub(crate) const HELP: &str = "\
Engines:
-engine NAME=VALUE...   an engine; give two or more
-each NAME=VALUE...     for each engine that has no such value of its own
    cmd=PROGRAM  name=TEXT  dir=FOLDER  env.NAME=VALUE
    proto=uci|xboard    the protocol it speaks (uci)
    conf=NAME           the engine of that name in engines.toml, here or in
                        ~/.config/qirkat (Linux); the rest adds or replaces
    arg=TEXT            an argument of the program; repeat it for more
    args=\"TEXT TEXT\"    several in one, quoted as in a shell
    option.NAME=VALUE   an option; without a value it presses a button
    tc=40/60+0.6, tc=10+0.1, st=SECONDS, nodes=N, depth=N
    timemargin=MS       how late an answer may come
    ponder              think on the opponent's time
    restart=on          restart the engine for each game

Games and pairings:
-variant chesquerque|masonic|alquerque
                        the game (chesquerque)
-games N                games of each meeting, in pairs with colours
                        exchanged (2)
-rounds N               how often everybody meets (1), or rounds of a Swiss
                        tournament (as many as a knockout would have)
-tournament round-robin|gauntlet|knockout|swiss
                        everybody against everybody (round-robin), the first
                        against the others, losers leave, or opponents of
                        about equal scores that have not met
-seeds N                the first N play the gauntlet, each against all
                        others (1)
-noswap                 colours are not exchanged: the first always has
                        White, each game has an opening of its own, and
                        games are counted one by one
-reverse                exchange all colours
-concurrency N          games at a time (as many as there are cores for)
-wait MS                pause between two games

Openings:
-openings format=random plies=8 balance=80
                        random moves that a quick search finds balanced;
                        the default
-openings file=BOOK format=epd|pgn order=sequential|random plies=N start=N
                        games of PGN up to that ply; all without plies=
-openings policy=default|encounter|round
                        an opening for each pair of games, the same ones in
                        all meetings of a round (default); one for each
                        meeting; or one for each round
-srand N                seed of openings and their order (0)

Ends of games and of the match:
-draw movenumber=N movecount=N score=CP
                        drawn if both sides report it for some moves
-resign movecount=N score=CP twosided=true
                        lost if the loser reports it, or both sides
-maxmoves N             longer games are draws; moves of the opening count
-tb DIR                 endgame tables end games whose result they know;
                        <embedded>: those in the program
-sprt elo0=A elo1=B alpha=0.05 beta=0.05 model=logistic|normalized
                        the games of two engines end when this sequential
                        test is decided, and the match when all are

Games and results:
-pgnout FILE            write the games there, each as it ends
-pgnout file=FILE notation=san|lan nodes=true seldepth=true nps=true
    hashfull=true pv=true
                        the same, with moves as XBoard replays them (lan)
                        and more values that engines report
-epdout FILE            write the final position of each game there
-live                   show the games in FILE.live as they are played,
                        for `qirkat board --watch FILE`
--resume                continue the match of that file, with more rounds
                        if wanted
-event TEXT             for the PGN file
-site TEXT              for the PGN file
-ratinginterval N       report every N games (10; 0 for never)
-scoreinterval N        print the score every N games (1; 0 for never)
-outcomeinterval N      print how often each engine's games ended in which
                        way, every N games and at the end (0 for never)
-crosstable             show who scored what against whom at the end
--report FILE           write the report as JSON too
--overwrite             replace a report or a log of another match

Watching the engines:
-force                  play even if options do not fit the engines
-pvcheck off|warn|lose  what a faulty line of an engine leads to (warn)
-use-affinity [0,2,4-7]
                        bind the engines of each game to cores of their own
-log file=FILE level=trace|debug|info|warn|err append=false
                        log the communication (debug: without `info`
                        lines of searches; appended)
-debug                  show all communication on standard error

Files and machines:
--config FILE           a TOML file with the same names; must come first;
                        engine-config/match.toml is an example
--shard 1/4             play every fourth pair only
--merge FILE...         join the JSON reports of the parts of one match;
                        -crosstable may be among them

Accepted from other tools; always done here:
-repeat                 every opening is played twice
-recover                a crashed engine is restarted

Examples:
  Is the new engine stronger? A test that ends when it is decided:
    qirkat match -engine cmd=./new -engine cmd=./old -each tc=10+0.1 \\
        -games 2 -rounds 1000 -sprt elo0=0 elo1=5 -pgnout games.pgn
  Another match with the settings of a file, shown in the browser:
    qirkat match --config match.toml -rounds 50 -pgnout match.pgn -live";

/// Marks the name of an option with one dash. The completion generators support only two dashes, so
/// their output for such names is changed afterwards.
pub(crate) const ONE_DASH: char = '@';

const EXAMPLES: &str = "Examples:";

const DESCRIPTION_COLUMN: usize = 24;

pub(crate) fn help_options() -> Vec<Arg> {
    read_help().into_iter().map(HelpOption::into_arg).collect()
}

fn read_help() -> Vec<HelpOption> {
    let mut found: Vec<HelpOption> = Vec::new();
    // Whether the option's own description is over: what follows is about its keys or other forms.
    let mut is_described = false;
    for line in HELP.lines().take_while(|line| *line != EXAMPLES) {
        let (usage, description) = line.split_once("  ").unwrap_or((line, ""));
        if let Some(dashed) = usage.strip_prefix('-') {
            let (name, values) = dashed.split_once(' ').unwrap_or((dashed, ""));
            // An option with several forms has a line for each.
            let known = found.iter().position(|option| option.name == name);
            let mut option = known.map(|index| found.remove(index)).unwrap_or_default();
            option.name = name;
            option.value = values.split(' ').next().unwrap_or_default();
            option.add_keys(values);
            is_described = known.is_some();
            if !is_described {
                option.text.push_str(description);
            }
            found.push(option);
        } else if let Some(option) = found.last_mut().filter(|_| line.starts_with(' ')) {
            match line.split_at_checked(DESCRIPTION_COLUMN) {
                Some((before, text)) if before.trim().is_empty() => {
                    if !is_described {
                        option.text.push(' ');
                        option.text.push_str(text);
                    }
                }
                _ => {
                    option.add_keys(line);
                    // A usage may take two lines.
                    is_described = !option.text.is_empty();
                }
            }
        }
    }
    // `-engine`, the first, accepts the keys of `-each`, where both are documented.
    if let [engine, each, ..] = found.as_mut_slice() {
        engine.keys.clone_from(&each.keys);
    }
    found
}

#[derive(Default)]
struct HelpOption {
    /// Without its dash.
    pub name: &'static str,
    /// The name of its first value; empty if it takes none.
    pub value: &'static str,
    /// Prefixes of its values, such as `tc=`; variable names are cut off, as in `option.`.
    keys: Vec<&'static str>,
    text: String,
}

impl HelpOption {
    fn add_keys(&mut self, text: &'static str) {
        for word in text.split_ascii_whitespace().filter(|word| word.contains('=')) {
            let end = word.find(['.', '=']).map_or(0, |end| end + 1);
            let key = &word[..end];
            let is_name = key.starts_with(|letter: char| letter.is_ascii_lowercase());
            if is_name && !self.keys.contains(&key) {
                self.keys.push(key);
            }
        }
    }

    fn into_arg(self) -> Arg {
        let HelpOption { name, value, keys, text } = self;
        let name = name.strip_prefix('-').map_or(format!("{ONE_DASH}{name}"), str::to_owned);
        let arg = Arg::new(name.clone()).long(name).help(text.trim().to_owned());
        if value.is_empty() {
            return arg.action(ArgAction::SetTrue);
        }
        let arg = arg.value_name(value).action(ArgAction::Append);
        if !keys.is_empty() {
            return arg.value_parser(PossibleValuesParser::new(keys));
        }
        if value.contains('|') {
            return arg.value_parser(PossibleValuesParser::new(value.split('|')));
        }
        arg.value_hint(match value.trim_end_matches('.') {
            "FILE" => ValueHint::FilePath,
            "DIR" => ValueHint::DirPath,
            _ => ValueHint::Other,
        })
    }
}

const MIN_SIMILARITY: f64 = 0.85;

/// The settings of a file, overridden by the command line.
pub(super) fn read(words: &[String], mut settings: Table) -> Result<MatchSettings> {
    let options = read_help();
    let mut given = BTreeSet::new();
    let mut given_to_each = BTreeSet::new();
    let mut rest = words;
    while let Some((first, following)) = rest.split_first() {
        let Some(name) = option_name(first) else {
            bail!("`{first}` does not belong to an option")
        };
        let count = following.iter().take_while(|word| option_name(word).is_none()).count();
        let (words, next) = following.split_at(count);
        let option = GivenOption { name, words };
        let may_repeat = matches!(name, "engine" | "each");
        let checked = if may_repeat { Ok(()) } else { add_once(&mut given, name) };
        let added =
            checked.and_then(|()| option.add_to(&mut settings, &options, &mut given_to_each));
        if let Err(error) = added.with_context(|| format!("-{name}")) {
            // Report the first error; earlier words may have wrong types.
            return MatchSettings::from_words(settings).and(Err(error));
        }
        rest = next;
    }
    MatchSettings::from_words(settings)
}

/// An option as given, with the words after it.
struct GivenOption<'a> {
    name: &'a str,
    words: &'a [String],
}

impl GivenOption<'_> {
    fn add_to(
        &self,
        settings: &mut Table,
        options: &[HelpOption],
        given_to_each: &mut BTreeSet<String>,
    ) -> Result<()> {
        let GivenOption { name, words } = *self;
        let known = options.iter().find(|option| option.name.trim_start_matches('-') == name);
        let Some(option) = known else { bail!("unknown option{}", hint(name, options)) };
        let (value, entry) = (option.value, |value| (name.to_owned(), value));
        let (name, value) = match (name, words) {
            ("config" | "merge", _) => bail!("must come before all other options"),
            ("engine", _) => {
                let mut engine = Table::new();
                self.add_pairs(&mut engine, &mut BTreeSet::new())?;
                push(settings, "engine", Value::Table(engine));
                return Ok(());
            }
            ("each", _) => return self.add_pairs(table_in(settings, name), given_to_each),
            ("openings" | "log" | "pgnout" | "epdout" | "report", _) => {
                return self.add_pairs(table_in(settings, name), &mut BTreeSet::new());
            }
            ("sprt" | "draw" | "resign", _) => {
                let mut table = Table::new();
                self.add_pairs(&mut table, &mut BTreeSet::new())?;
                entry(Value::Table(table))
            }
            ("use-affinity", _) => entry(words.join(",").into()),
            // This is the default; other numbers are not supported.
            ("repeat", [times]) if parse::<u32>(times)? == 2 => entry(true.into()),
            ("repeat", [times]) => bail!("every opening is played twice, not {times} times"),
            (_, [word, ..]) if value.is_empty() => bail!("unexpected `{word}`"),
            // Broken engines are always restarted.
            ("recover", _) => return Ok(()),
            (_, []) if value.is_empty() => entry(true.into()),
            (_, []) => bail!("needs a value"),
            (_, [_, more, ..]) if !matches!(value, "TEXT" | "DIR") => bail!("unexpected `{more}`"),
            ("variant", [word, ..]) => entry(parse::<Variant>(word)?.name().into()),
            _ => entry(words.join(" ").into()),
        };
        settings.insert(name, value);
        Ok(())
    }

    /// Adds words of the form name=value, each name once.
    fn add_pairs(&self, table: &mut Table, given: &mut BTreeSet<String>) -> Result<()> {
        if self.words.is_empty() {
            bail!("needs name=value");
        }
        for word in self.words {
            let Some((key, value)) = self.split(word) else {
                let hint = match self.name {
                    "engine" if word.contains('/') => format!("; cmd={word} names its program"),
                    _ => String::new(),
                };
                bail!("`{word}` is not of the form name=value{hint}");
            };
            // `arg` may be repeated.
            let checked = if key == "arg" { Ok(()) } else { add_once(given, key) };
            checked
                .and_then(|()| self.add_pair(table, key, value))
                .with_context(|| key.to_owned())?;
        }
        Ok(())
    }

    /// Splits name and value. A word without `=` is a switch, as in cutechess-cli, or a file.
    fn split<'a>(&self, word: &'a str) -> Option<(&'a str, &'a str)> {
        match (self.name, word) {
            ("engine" | "each", "ponder") | ("pgnout", "fi" | "min") => Some((word, "true")),
            ("pgnout" | "epdout" | "report", _) => word.split_once('=').or(Some(("file", word))),
            // Presses a button.
            ("engine" | "each", _) if word.starts_with("option.") => {
                word.split_once('=').or(Some((word, "")))
            }
            _ => word.split_once('='),
        }
    }

    fn add_pair(&self, table: &mut Table, key: &str, value: &str) -> Result<()> {
        if let Some((map @ ("option" | "env"), name)) = key.split_once('.')
            && !name.is_empty()
        {
            // A button has no value.
            table_in(table, map).insert(name.to_owned(), value.into());
            return Ok(());
        }
        match (self.name, key, value) {
            (.., "") => bail!("needs a value"),
            ("engine" | "each", "arg", _) => push(table, key, value.into()),
            // Already the default here: only finished games are written, and pairs counted, which
            // fastchess does on request.
            ("pgnout", "fi", "true") | ("report", "penta", "true") => {}
            ("pgnout", "fi", _) => bail!("only finished games are written"),
            ("pgnout", "min", _) => bail!("games need their tags for --resume"),
            ("report", "penta", _) => bail!("pairs are always counted"),
            _ => _ = table.insert(key.to_owned(), value.into()),
        }
        Ok(())
    }
}

/// The table of this name. A string in its place is a file name.
fn table_in<'a>(settings: &'a mut Table, name: &str) -> &'a mut Table {
    let value = settings.entry(name).or_insert_with(|| Table::new().into());
    if let Value::String(file) = value {
        *value = Table::from_iter([("file".to_owned(), Value::from(std::mem::take(file)))]).into();
    } else if !value.is_table() {
        *value = Table::new().into();
    }
    match value {
        Value::Table(table) => table,
        _ => unreachable!("a table was put there"),
    }
}

fn push(table: &mut Table, name: &str, value: Value) {
    let list = table.entry(name).or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(list) = list {
        list.push(value);
    }
}

fn hint(name: &str, options: &[HelpOption]) -> String {
    if let Some((name, value)) = name.split_once('=') {
        let known = options.iter().find(|option| option.name.trim_start_matches('-') == name);
        return match known {
            Some(option) if option.value.is_empty() => format!("; -{name} takes no value"),
            _ => format!("; a blank comes before a value: -{name} {value}"),
        };
    }
    let similar = |known: &&str| strsim::jaro_winkler(known, &name.to_lowercase());
    let names = options.iter().map(|option| option.name.trim_start_matches('-'));
    let likely = names.filter(|known| similar(known) > MIN_SIMILARITY);
    match likely.max_by(|one, other| similar(one).total_cmp(&similar(other))) {
        Some(known) => format!("; did you mean -{known}?"),
        None => " (see qirkat match --help)".to_owned(),
    }
}

/// Adds a name that may be given only once, ignoring case as UCI does for options.
fn add_once(given: &mut BTreeSet<String>, name: &str) -> Result<()> {
    if !given.insert(name.to_ascii_lowercase()) {
        bail!("given twice");
    }
    Ok(())
}

/// The name of an option with one or two dashes. Negative numbers are not options.
pub(super) fn option_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    name.starts_with(|letter: char| letter.is_ascii_alphabetic()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(line: &str) -> Result<MatchSettings> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        read(&words, Table::new())
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
        assert!(settings.resume && settings.srand == Some(7));
        assert_eq!((settings.games, settings.rounds), (Some(2), Some(100)));
    }

    #[test]
    fn mistakes_are_named() {
        for (line, message) in [
            ("-engine cmd", "`cmd` is not of the form name=value"),
            ("-engine ./a", "`./a` is not of the form name=value; cmd=./a names its program"),
            ("-draw x=1", "unknown name `x`, expected one of `movenumber`, `movecount`, `score`"),
            ("-games x", "needs a whole number, not `x`"),
            ("-games -2", "needs a whole number of 0 or more, not `-2`"),
            ("-rounds 99999999999999999999", "needs a smaller number, not `99999999999999999999`"),
            ("-each st=x", "st: needs a number, not `x`"),
            ("-each ponder=1", "ponder: needs true or false, not `1`"),
            ("-games", "needs a value"),
            ("-sprt elo0=1", "missing `elo1`"),
            ("-sprt model=x", "model: unknown value `x`, expected `logistic` or `normalized`"),
            ("-round 3", "unknown option; did you mean -rounds?"),
            ("-Resume", "unknown option; did you mean -resume?"),
            ("-rounds=3", "unknown option; a blank comes before a value: -rounds 3"),
            ("-variant go", "`go`: not one of the games chesquerque, masonic and alquerque"),
        ] {
            let option = line.split(' ').next().expect("a word");
            for line in [line, &format!("-{line}")] {
                let error = settings(line).expect_err(line);
                assert_eq!(format!("{error:#}"), format!("{option}: {message}"));
            }
        }
        let error = settings("stray").expect_err("no option");
        assert_eq!(format!("{error:#}"), "`stray` does not belong to an option");
    }

    #[test]
    fn the_options_of_the_help_are_options() {
        let options = help_options();
        assert!(options.len() > 30, "{options:?}");
        for option in options {
            let name = option.get_id().as_str().trim_start_matches(ONE_DASH);
            let mut words = vec![format!("-{name}")];
            let keys = option.get_possible_values();
            words.extend(keys.iter().map(|key| key.get_name().replace('.', ".x=") + "?"));
            if let Err(error) = read(&words, Table::new()) {
                let text = format!("{error:#}");
                let is_unknown = text.contains("unknown option") || text.contains("unknown name");
                assert!(!is_unknown, "{words:?}: {text}");
            }
            assert!(option.get_help().is_some_and(|help| !help.to_string().is_empty()), "{name}");
        }
    }

    #[test]
    fn the_examples_of_the_help_are_options() {
        let examples = HELP.split_once(EXAMPLES).expect("examples").1.replace("\\\n", "");
        for line in examples.lines().filter(|line| line.contains("qirkat match ")) {
            let words = shlex::split(line).expect("words of a shell");
            let has_file = words[2] == "--config";
            let words = &words[if has_file { 4 } else { 2 }..];
            assert!(words.len() > 3, "{line}");
            read(words, Table::new()).expect(line);
        }
    }
}
