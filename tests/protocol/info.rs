use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    Centipawns(i64),
    Mate(i64),
}

impl Score {
    /// As one number, for comparison.
    pub fn worth(self) -> i64 {
        match self {
            Score::Centipawns(points) => points,
            Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
            Score::Mate(moves) => -1_000_000 - moves,
        }
    }
}

#[derive(Clone, Default, Debug)]
pub struct Info {
    pub depth: Option<u64>,
    pub seldepth: Option<u64>,
    pub multipv: Option<u64>,
    pub score: Option<Score>,
    /// Whether the score is a `lowerbound` or an `upperbound`.
    pub bound: bool,
    pub wdl: Option<[u64; 3]>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u64>,
    pub time: Option<u64>,
    pub pv: Vec<String>,
    pub notice: Option<String>,
}

impl Info {
    /// Parses a line; anything unknown is an error.
    pub fn parse(line: &str) -> Result<Info, String> {
        let mut info = Info::default();
        let mut seen = Vec::new();
        let mut words = line.split_ascii_whitespace().peekable();
        if words.next() != Some("info") {
            return Err("does not begin with info".to_owned());
        }
        while let Some(word) = words.next() {
            if seen.contains(&word) {
                return Err(format!("{word} stands there twice"));
            }
            seen.push(word);
            match word {
                "depth" => info.depth = Some(number(word, words.next())?),
                "seldepth" => info.seldepth = Some(number(word, words.next())?),
                "multipv" => info.multipv = Some(number(word, words.next())?),
                "nodes" => info.nodes = Some(number(word, words.next())?),
                "nps" => info.nps = Some(number(word, words.next())?),
                "hashfull" => info.hashfull = Some(number(word, words.next())?),
                "time" => info.time = Some(number(word, words.next())?),
                "currmovenumber" | "tbhits" | "cpuload" => {
                    number::<u64>(word, words.next())?;
                }
                "currmove" => {
                    words.next().ok_or("currmove has no move")?;
                }
                "score" => {
                    info.score = Some(match words.next() {
                        Some("cp") => Score::Centipawns(number("cp", words.next())?),
                        Some("mate") => Score::Mate(number("mate", words.next())?),
                        other => return Err(format!("unknown score {other:?}")),
                    });
                    if matches!(words.peek(), Some(&("lowerbound" | "upperbound"))) {
                        info.bound = true;
                        words.next();
                    }
                }
                "wdl" => {
                    let mut shares = [0; 3];
                    for share in &mut shares {
                        *share = number("wdl", words.next())?;
                    }
                    info.wdl = Some(shares);
                }
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                "string" => {
                    let text: Vec<&str> = words.by_ref().collect();
                    info.notice = Some(text.join(" "));
                }
                other => return Err(format!("unknown word {other}")),
            }
        }
        info.sensible(&seen)?;
        Ok(info)
    }

    fn sensible(&self, seen: &[&str]) -> Result<(), String> {
        if seen.is_empty() {
            return Err("says nothing".to_owned());
        }
        if seen.contains(&"pv") && self.pv.is_empty() {
            return Err("an empty pv".to_owned());
        }
        if self.hashfull.is_some_and(|permille| permille > 1000) {
            return Err("hashfull is out of a thousand".to_owned());
        }
        if self.multipv == Some(0) {
            return Err("multipv counts from 1".to_owned());
        }
        if self.wdl.is_some_and(|shares| shares.iter().sum::<u64>() != 1000) {
            return Err("wdl does not add up to 1000".to_owned());
        }
        if self.wdl.is_some() && self.score.is_none() {
            return Err("wdl without a score".to_owned());
        }
        Ok(())
    }

    pub fn is_line(&self) -> bool {
        self.score.is_some() && !self.pv.is_empty()
    }

    pub fn is_main_line(&self) -> bool {
        self.is_line() && self.multipv.unwrap_or(1) == 1
    }
}

fn number<T: FromStr>(name: &str, word: Option<&str>) -> Result<T, String> {
    let word = word.ok_or_else(|| format!("{name} has no number"))?;
    word.parse().map_err(|_| format!("{name} has {word} for a number"))
}

#[test]
fn invalid_lines_are_rejected() {
    for line in [
        "info depth 3 seldepth 5 multipv 1 score cp -12 lowerbound nodes 9 nps 1 hashfull 0 time 0 pv e2e4 e8e6",
        "info depth 0 score mate 0",
        "info score mate -3 wdl 0 0 1000 pv a1b1",
        "info string no such depth 3 pv",
    ] {
        assert!(Info::parse(line).is_ok(), "{line}");
    }
    for line in [
        "info",
        "info depth 1 depth 2",
        "info score cp",
        "info score cp 3 wdl 1 2 3",
        "info multipv 0 score cp 1 pv e2e4",
        "info nodes 1 pv",
        "info lowerbound score cp 1",
    ] {
        assert!(Info::parse(line).is_err(), "{line}");
    }
}
