//! Engines that misbehave, as shell scripts.

use super::arbiter::Folder;
use crate::run::QIRKAT;

/// How an engine answers. Each is a line of shell.
#[derive(Clone, Copy)]
pub struct Behaviour {
    /// Before anything else.
    pub start: &'static str,
    pub uci: &'static str,
    pub isready: &'static str,
    /// To `go`; `honest` answers with a move that Qirkat chose.
    pub go: &'static str,
    pub quit: &'static str,
}

/// An engine with nothing wrong.
pub const GOOD: Behaviour = Behaviour {
    start: ":",
    uci: "echo 'id name Script'; echo uciok",
    isready: "echo readyok",
    go: "honest",
    quit: "exit 0",
};

/// Well for three moves, then this.
macro_rules! in_mid_game {
    ($fault:literal) => {
        concat!("if [ $moves -le 3 ]; then honest; else ", $fault, "; fi")
    };
}
pub(crate) use in_mid_game;

impl Behaviour {
    /// Writes the script; the options that start it.
    pub fn engine(&self, folder: &Folder) -> String {
        let Behaviour { start, uci, isready, go, quit } = self;
        let qirkat = QIRKAT;
        let text = format!(
            r#"moves=0
honest() {{ printf '%s\ngo depth 1\n' "$position" | '{qirkat}' | grep bestmove; }}
{start}
while read -r line; do
  case $line in
    uci) {uci} ;;
    isready) {isready} ;;
    ucinewgame) moves=0 ;;
    position*) position=$line ;;
    go*) moves=$((moves + 1)); {go} ;;
    quit) {quit} ;;
  esac
done
"#
        );
        let path = folder.write("engine.sh", text);
        format!("-engine name=Script cmd=/bin/sh arg={}", path.display())
    }
}
