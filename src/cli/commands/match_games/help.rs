//! The help of `qirkat match`, also used for shell completions.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ValueHint};

pub(crate) const HELP: &str = "\
Engines:
-engine NAME=VALUE...   an engine; give two or more
-each NAME=VALUE...     what holds for each engine unless it says otherwise
    cmd=PROGRAM  name=TEXT  dir=FOLDER  env.NAME=VALUE
    conf=NAME           the engine of that name in engines.toml, here or in
                        ~/.config/qirkat (Linux); the rest adds or replaces
    arg=TEXT            an argument of the program, for each one more
    args=\"TEXT TEXT\"    several in one, quoted as in a shell
    option.NAME=VALUE   a UCI option; without a value it presses a button
    tc=40/60+0.6, tc=10+0.1, st=SECONDS, nodes=N, depth=N
    timemargin=MS       how late an answer may come
    ponder              think on the opponent's time
    restart=on          start the engine anew for each game

Who meets whom, at what:
-variant chesquerque|masonic|alquerque
                        the game (chesquerque)
-games N                games of each meeting, in pairs with colours
                        exchanged (2)
-rounds N               how often everybody meets (1)
-tournament round-robin|gauntlet
                        everybody against everybody (round-robin), or the
                        first against the others
-seeds N                the first N play the gauntlet, each against all
                        others (1)
-noswap                 colours are not exchanged: the first always has
                        White, each game has an opening of its own, and
                        games are counted one by one
-reverse                all colours the other way round
-concurrency N          games at a time (as many as there are cores for)
-wait MS                pause between two games

Openings:
-openings format=random plies=8 balance=80
                        random moves, as far as a quick search calls it even;
                        so it is without -openings, too
-openings file=BOOK format=epd|pgn order=sequential|random plies=N start=N
                        games of PGN up to that ply; all without plies=
-srand N                seed of openings and their order (0)

Ends of games and of the match:
-draw movenumber=N movecount=N score=CP
                        drawn where both sides have said so for some moves
-resign movecount=N score=CP twosided=true
                        lost where the loser has said so, or both sides
-maxmoves N             longer games are draws; moves of the opening count
-tb DIR                 endgame tables end games where they know the result;
                        <embedded>: those in the program
-sprt elo0=A elo1=B alpha=0.05 beta=0.05 model=logistic|normalized
                        the match of two engines ends when this sequential
                        test is decided

Games and results:
-pgnout FILE            write the games there, each as it ends
-pgnout file=FILE notation=san|lan nodes=true seldepth=true nps=true
    hashfull=true pv=true
                        the same, with moves as XBoard replays them (lan)
                        and more of what engines tell
-epdout FILE            write the position in which each game ends there
-live                   show the games in FILE.live as they are played,
                        for `qirkat board --watch FILE`
--resume                go on where that file ends; only for the match that
                        was begun there, and with more rounds if wanted
-event TEXT             for the PGN file
-site TEXT              for the PGN file
-ratinginterval N       report every N games (10; 0 for never)
-scoreinterval N        tell the score every N games (1; 0 for never)
-crosstable             show who scored what against whom at the end
--report FILE           write the report as JSON too
--overwrite             replace a report or a log of another match

Watching the engines:
-force                  play although options do not fit the engines
-pvcheck off|warn|lose  what comes of lines that make no sense (warn)
-use-affinity [0,2,4-7]
                        bind the engines of each game to cores of their own
-log file=FILE level=trace|debug|info|warn|err append=false
                        the talk with the engines (debug; added to the file)

Files and machines:
--config FILE           a TOML file with the same names, first of all;
                        engine-config/match.toml is an example
--shard 1/4             play every fourth pair only
--merge FILE...         join the JSON reports of the parts of one match;
                        -crosstable may stand among them

As in other tools, and so in any case:
-repeat                 every opening is played twice
-recover                an engine that breaks down is started again

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
    read_help().into_iter().map(Arg::from).collect()
}

pub(super) fn read_help() -> Vec<HelpOption> {
    let mut found: Vec<HelpOption> = Vec::new();
    // Its first description is the option's; the others are those of its keys.
    let mut is_described = false;
    for line in HELP.lines().take_while(|line| *line != EXAMPLES) {
        let (usage, description) = line.split_once("  ").unwrap_or((line, ""));
        if let Some(dashed) = usage.strip_prefix('-') {
            let (name, values) = dashed.split_once(' ').unwrap_or((dashed, ""));
            // An option with several forms has a line for each.
            let known = found.iter().position(|option| option.name == name);
            let mut option = known.map(|place| found.remove(place)).unwrap_or_default();
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
pub(super) struct HelpOption {
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
}

impl From<HelpOption> for Arg {
    fn from(option: HelpOption) -> Arg {
        let HelpOption { name, value, keys, text } = option;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::match_games::options::read;

    #[test]
    fn the_options_of_the_help_are_options() {
        let options = help_options();
        assert!(options.len() > 30, "{options:?}");
        for option in options {
            let name = option.get_id().as_str().trim_start_matches(ONE_DASH);
            let mut words = vec![format!("-{name}")];
            let keys = option.get_possible_values();
            words.extend(keys.iter().map(|key| key.get_name().replace('.', ".x=") + "?"));
            if let Err(error) = read(&words, toml::Table::new()) {
                let text = format!("{error:#}");
                assert!(!text.contains("unknown"), "{words:?}: {text}");
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
            read(words, toml::Table::new()).expect(line);
        }
    }
}
