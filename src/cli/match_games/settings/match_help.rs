//! The help of `qirkat match`.

/// All options, in groups.
pub(in crate::cli) const HELP: &str = "\
Engines:
-engine NAME=VALUE...   an engine; give two or more
-each NAME=VALUE...     what holds for each engine unless it says otherwise
    cmd=PROGRAM  name=TEXT  dir=FOLDER  env.NAME=VALUE
    conf=NAME           the engine of that name in engines.toml, here or in
                        ~/.config/qirkat; the rest is added or replaces
    arg=TEXT            an argument of the program, for each one more
    args=\"TEXT TEXT\"    several in one, quoted as in a shell
    option.NAME=VALUE   a UCI option; without a value it presses a button
    tc=40/60+0.6, tc=10+0.1, st=SECONDS, nodes=N, depth=N
    timemargin=MS       how late an answer may come
    ponder              think on the opponent's time
    restart=on          start the engine anew for each game

Who meets whom, at what:
-variant GAME           chesquerque (default), masonic or alquerque
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
                        random moves, as far as a quick search calls it even
-openings file=BOOK format=epd|pgn order=sequential|random plies=N start=N
                        games of PGN up to that ply; all of them without plies=
-srand N                seed of openings and their order (0)

Ends of games and of the match:
-draw movenumber=N movecount=N score=CP
                        drawn where both sides have said so for some moves
-resign movecount=N score=CP twosided=true
                        lost where the loser has said so, or both sides
-maxmoves N             longer games are draws
-tb DIR                 endgame tables end games where they know the result;
                        <embedded>: those of three pieces in the program
-sprt elo0=A elo1=B alpha=0.05 beta=0.05 model=logistic|normalized
                        the match ends when this sequential test is decided

Games and results:
-pgnout FILE            write the games there, each as it ends
-pgnout file=FILE notation=san|lan nodes=true seldepth=true nps=true
    hashfull=true pv=true
                        the same, with moves as XBoard replays them (lan)
                        and more of what engines tell
-epdout FILE            write the position in which each game ends there
-live                   show the games being played in FILE.live as they go on,
                        for `qirkat board --watch FILE`
--resume                go on where that file ends; only for the match that
                        was begun there, and with more rounds if wanted
-event TEXT             for the PGN file
-site TEXT              for the PGN file
-ratinginterval N       report every N games (10; 0 for never)
-scoreinterval N        tell the score every N games (1; 0 for never)
-crosstable             show who scored what against whom at the end
--report FILE           write the report as JSON too

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

qirkat match -engine cmd=./new -engine cmd=./old -each tc=10+0.1 \\
    -games 2 -rounds 1000 -sprt elo0=0 elo1=5 -pgnout games.pgn";
