//! The help of `qirkat match`.

/// All options, in groups.
pub(in crate::cli) const HELP: &str = "\
Engines:
-engine NAME=VALUE...   an engine; give two or more
-each NAME=VALUE...     what holds for each engine unless it says otherwise
    cmd=PROGRAM  name=TEXT  arg=TEXT  dir=FOLDER  env.NAME=VALUE
    option.NAME=VALUE   a UCI option; without a value it presses a button
    tc=40/60+0.6, tc=10+0.1, st=SECONDS, nodes=N, depth=N
    timemargin=MS       how late an answer may come
    ponder              think on the opponent's time
    restart=on          start the engine anew for each game

Who meets whom:
-games N                games of each meeting, in pairs with colours
                        exchanged (2)
-rounds N               how often everybody meets (1)
-tournament KIND        round-robin (default), or gauntlet: the first
                        against everybody else
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
-openings file=BOOK format=epd|pgn order=sequential|random plies=N start=N
-srand N                seed of openings and their order (0)

Ends of games and of the match:
-draw movenumber=N movecount=N score=CP
-resign movecount=N score=CP twosided=true
-maxmoves N             longer games are draws
-tb DIR                 endgame tables end games where they know the result;
                        <embedded>: those of three pieces in the program
-sprt elo0=A elo1=B alpha=0.05 beta=0.05 model=logistic|normalized

Games and results:
-pgnout FILE            write the games there, each as it ends
-pgnout file=FILE notation=san|lan nodes=true seldepth=true nps=true
    hashfull=true pv=true
                        the same, with moves as XBoard replays them (lan)
                        and more of what engines tell
-live                   show the games being played in FILE.live as they go on,
                        for `qirkat board --watch FILE`
--resume                go on where that file ends; only for the match that
                        was begun there, and with more rounds if wanted
-event TEXT, -site TEXT for the PGN file
-ratinginterval N       report every N games (10; 0 for never)
-crosstable             show who scored what against whom at the end
--report FILE           write the report as JSON too
--overwrite             replace a report of another match

Watching the engines:
-force                  play although options do not fit the engines
-pvcheck off|warn|lose  what comes of lines that make no sense (warn)
-use-affinity [0,2,4-7] bind the engines of each game to cores of their own
-log file=FILE level=trace|debug|info|warn|err append=false
                        the talk with the engines (debug; added to the file)

Files and machines:
--config FILE           a TOML file with the same names, first of all;
                        engine-config/match.toml is an example
--shard 1/4             play every fourth pair only
--merge FILE...         join the JSON reports of the parts of one match;
                        -crosstable may stand among them

As in other tools, and so in any case: -repeat, -recover

qirkat match -engine cmd=./new -engine cmd=./old -each tc=10+0.1 \\
    -games 2 -rounds 1000 -sprt elo0=0 elo1=5 -pgnout games.pgn";
