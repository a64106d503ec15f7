//! Engines that misbehave, as shell scripts.

use crate::run::{Folder, QIRKAT};

/// The options that start a folder's script.
pub const SCRIPT: &str = "-engine name=Script cmd=/bin/sh arg=engine.sh";

/// An engine's reactions. Each is a line of shell.
#[derive(Clone, Copy)]
pub struct Behaviour {
    /// Before anything else.
    pub start: &'static str,
    pub uci: &'static str,
    pub isready: &'static str,
    /// To `protover`, if it speaks the XBoard protocol.
    pub protover: &'static str,
    /// To `go` and the like; `honest` answers with a move from Qirkat.
    pub go: &'static str,
    pub quit: &'static str,
}

/// A correct engine.
pub const GOOD: Behaviour = Behaviour {
    start: ":",
    uci: "echo 'id name Script'; echo uciok",
    isready: "echo readyok",
    protover: r#"echo 'feature ping=1 setboard=1 usermove=1 myname="Script" done=1'"#,
    go: "honest",
    quit: "exit 0",
};

/// Correct for three moves, then this.
macro_rules! in_mid_game {
    ($fault:literal) => {
        concat!("if [ $moves -le 3 ]; then honest; else ", $fault, "; fi")
    };
}
pub(crate) use in_mid_game;

impl Behaviour {
    pub fn folder(&self) -> Folder {
        let Behaviour { start, uci, isready, protover, go, quit } = self;
        let qirkat = QIRKAT;
        // One Qirkat chooses all moves, since starting it takes long.
        let text = format!(
            r#"moves=0
honest() {{
  if [ -z "$honest" ]; then
    honest=1; mkfifo ask.$$ answer.$$
    '{qirkat}' <ask.$$ >answer.$$ 2>/dev/null &
    exec 3>ask.$$ 4<answer.$$
  fi
  printf '%s\ngo depth 1\n' "$position" >&3
  while read -r answer <&4; do
    case $answer in bestmove*)
      if [ -z "$xboard" ]; then echo "$answer"; return; fi
      answer=${{answer#bestmove }}; answer=${{answer%% *}}
      position="$position $answer"; echo "move $answer"; return ;;
    esac
  done
}}
think() {{ moves=$((moves + 1)); {go}; }}
{start}
while read -r line; do
  case $line in
    uci) {uci} ;;
    isready) {isready} ;;
    ucinewgame) moves=0 ;;
    position*) position=$line ;;
    protover*) xboard=1; {protover} ;;
    ping*) echo "pong ${{line#ping }}" ;;
    new) moves=0; plays=; position='position startpos moves' ;;
    setboard*) position="position fen ${{line#setboard }} moves" ;;
    force) plays= ;;
    usermove*) position="$position ${{line#usermove }}"; if [ -n "$plays" ]; then think; fi ;;
    go*) plays=1; think ;;
    quit) {quit} ;;
  esac
done
"#
        );
        Folder::with([("engine.sh", text)])
    }
}
