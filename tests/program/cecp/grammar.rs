use qirkat_testing::games::{Game, find};
use qirkat_testing::reference::{RefMove, RefPosition};

/// Prefixes of lines with arguments.
const STARTS: [&str; 16] = [
    "feature ",
    "setup ",
    "piece ",
    "pong ",
    "move ",
    "highlight ",
    "choice ",
    "Illegal move (",
    "Error (",
    "tellusererror ",
    "telluser ",
    "Hint: ",
    "stat01: ",
    "1-0 {",
    "0-1 {",
    "1/2-1/2 {",
];

/// Whether the protocol knows this line, and it is printable ASCII but for the tab in thinking
/// output.
pub fn is_known(line: &str) -> bool {
    let clean = line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
    let known = matches!(line, "" | "resign" | "offer draw" | "++" | "--")
        || line == "pong "
        || line.starts_with([' ', '#'])
        || STARTS.iter().any(|start| line.strip_prefix(start).is_some_and(|rest| !rest.is_empty()))
        || Thinking::parse(line).is_some();
    clean && known
}

pub fn is_claim(line: &str) -> bool {
    let comment = line.split_once(" {").and_then(|(result, rest)| {
        ["1-0", "0-1", "1/2-1/2"].contains(&result).then_some(rest.strip_suffix('}')?)
    });
    comment.is_some_and(|comment| !comment.trim().is_empty())
}

pub fn is_resignation(line: &str) -> bool {
    line == "resign" || is_claim(line) && line.contains("resign")
}

/// Scores from here on are mates.
const MATE: i64 = 100_000;

/// One line of thinking output: `ply score time nodes moves`.
#[derive(Debug)]
pub struct Thinking {
    pub ply: u32,
    pub score: i64,
    /// In hundredths of a second.
    pub time: u64,
    pub nodes: u64,
    pub moves: Vec<String>,
}

impl Thinking {
    pub fn parse(line: &str) -> Option<Thinking> {
        let mut words = line.split(' ');
        let mut number = || words.next()?.parse::<i64>().ok();
        let (ply, score, time, nodes) = (number()?, number()?, number()?, number()?);
        let moves = words.collect::<Vec<_>>().join(" ");
        let moves = moves.trim_end_matches(['?', '!']);
        Some(Thinking {
            ply: ply.try_into().ok()?,
            score,
            time: time.try_into().ok()?,
            nodes: nodes.try_into().ok()?,
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        })
    }

    pub fn fits(&self, game: &Game) -> bool {
        let mut position = game.current().clone();
        self.moves.iter().all(|text| {
            let found = find(&position, text);
            if let Some(found) = found {
                position = position.play(found);
            }
            found.is_some()
        })
    }

    pub fn mate(&self) -> Option<i64> {
        match self.score {
            score if score >= MATE => Some(score - MATE),
            score if score <= -MATE => Some(score + MATE),
            _ => None,
        }
    }
}

pub fn lifts() -> String {
    let lines: Vec<String> = points().map(|point| format!("lift {point}")).collect();
    lines.join("\n")
}

pub fn expected_markers(position: &RefPosition) -> Vec<String> {
    let moves = position.legal_moves();
    points().flat_map(|point| of_point(position, &moves, &point)).collect()
}

pub fn is_marker(line: &str) -> bool {
    line.starts_with("highlight ") || line.starts_with("choice ")
}

fn points() -> impl Iterator<Item = String> {
    (b'1'..=b'9')
        .flat_map(|rank| (b'a'..=b'i').map(move |file| format!("{}{}", file as char, rank as char)))
}

fn of_point(position: &RefPosition, moves: &[RefMove], point: &str) -> Vec<String> {
    let mut colors = [None; 81];
    let mut promotes = false;
    for mv in moves.iter().filter(|mv| mv.to_string().starts_with(point)) {
        promotes |= mv.promotion.is_some();
        colors[mv.to] = Some(match mv.promotion {
            Some(_) => 'M',
            None if position.is_capture(*mv) => 'R',
            None => 'Y',
        });
    }
    let mut said = vec![format!("highlight {}", color_fen(&colors))];
    if promotes {
        said.push("choice QRBNA".to_owned());
    }
    said
}

/// Points the piece cannot reach may still be tried.
fn color_fen(colors: &[Option<char>; 81]) -> String {
    let rank = |colors: &[Option<char>]| colors.iter().map(|color| color.unwrap_or('T')).collect();
    let ranks: Vec<String> = colors.chunks(9).rev().map(rank).collect();
    ranks.join("/")
}
