//! Alquerque, as played at BrainKing: twelve men a side on 25 points, compulsory jumps. A slow, plain
//! generator, written from the rules alone.

use qirkat_game::Color::{self, Black, White};

/// A direction along a line: change of file, change of rank.
type Way = (i32, i32);

const WAYS: [Way; 8] = [(-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)];

/// A point of the board: file and rank, both 1 to 5.
type Point = (i32, i32);

fn points() -> impl Iterator<Item = Point> {
    (1..=5).flat_map(|rank| (1..=5).map(move |file| (file, rank)))
}

/// The next point in this direction, if a line joins the two: there are diagonal lines only where
/// file + rank is even.
fn next((file, rank): Point, (files, ranks): Way) -> Option<Point> {
    let is_joined = files == 0 || ranks == 0 || (file + rank) % 2 == 0;
    let to = (file + files, rank + ranks);
    (is_joined && (1..=5).contains(&to.0) && (1..=5).contains(&to.1)).then_some(to)
}

fn name((file, rank): Point) -> String {
    format!("{}{rank}", char::from(b'a' - 1 + file as u8))
}

fn is_backward((_, ranks): Way, color: Color) -> bool {
    ranks == if color == White { -1 } else { 1 }
}

/// The men on the points: five ranks from the first, five files each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board([[Option<Color>; 5]; 5]);

impl Board {
    fn get(&self, (file, rank): Point) -> Option<Color> {
        self.0[rank as usize - 1][file as usize - 1]
    }

    fn with(mut self, (file, rank): Point, man: Option<Color>) -> Board {
        self.0[rank as usize - 1][file as usize - 1] = man;
        self
    }

    /// The points that the man on a point can step to, considering only the board.
    fn step_targets(&self, from: Point) -> Vec<Point> {
        let Some(color) = self.get(from) else { return Vec::new() };
        let is_on_last_rank = from.1 == if color == White { 5 } else { 1 };
        let ways = WAYS.into_iter().filter(|&way| !is_on_last_rank && !is_backward(way, color));
        ways.filter_map(|way| next(from, way)).filter(|&to| self.get(to).is_none()).collect()
    }

    /// The jump in this direction of the man on a point: its target, and the board without the
    /// captured man.
    fn jump(&self, from: Point, way: Way) -> Option<(Point, Board)> {
        let color = self.get(from)?;
        let over = next(from, way)?;
        let to = next(over, way)?;
        (self.get(over) == Some(!color) && self.get(to).is_none())
            .then(|| (to, self.with(from, None).with(over, None).with(to, Some(color))))
    }

    /// All chains that continue this path, or the path itself if it cannot continue.
    fn chains(self, path: Vec<Point>) -> Vec<Move> {
        let jumps = WAYS.into_iter().filter_map(|way| self.jump(path[path.len() - 1], way));
        let longer: Vec<Move> =
            jumps.flat_map(|(to, board)| board.chains([&path[..], &[to]].concat())).collect();
        match longer.is_empty() {
            true => vec![Move { path, board: self, is_jump: true }],
            false => longer,
        }
    }
}

/// A move: all points the man visits, its own first, and the board afterwards.
struct Move {
    path: Vec<Point>,
    board: Board,
    is_jump: bool,
}

impl Move {
    fn text(&self) -> String {
        self.path.iter().copied().map(name).collect()
    }
}

/// How the game has ended, judging by the position alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move has no legal move, or no men: it loses.
    Loss,
    /// 100 plies without a jump or a forward step: a draw.
    HundredPlies,
}

type Step = (Point, Point);

/// What must be equal for two positions to count as repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    board: Board,
    turn: Color,
    /// The step forbidden to the side to move, and to the other one at its next move, if the board
    /// allows it.
    forbidden: [Option<Step>; 2],
}

/// A position: the men, the side to move, and the state left by earlier moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    identity: Identity,
    /// Plies since the last jump or forward step.
    quiet_plies: u32,
    move_number: u32,
}

impl Position {
    /// All legal moves as text, in any order. Each chain of jumps is a separate move.
    pub fn legal_moves(&self) -> Vec<String> {
        self.legal().iter().map(Move::text).collect()
    }

    #[allow(dead_code, reason = "only the tests of tables follow all moves")]
    pub fn successors(&self) -> Vec<Position> {
        self.legal().iter().map(|mv| self.after(mv)).collect()
    }

    /// The position after the legal move written `text`.
    pub fn play(&self, text: &str) -> Result<Position, String> {
        match self.legal().iter().find(|mv| mv.text() == text) {
            Some(mv) => Ok(self.after(mv)),
            None => Err(format!("no legal move {text} in {}", self.to_fen())),
        }
    }

    /// Whether and how the game has ended, repetition aside.
    pub fn end(&self) -> Option<End> {
        match self.legal().is_empty() {
            true => Some(End::Loss),
            false => (self.quiet_plies >= 100).then_some(End::HundredPlies),
        }
    }

    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// The jumps if there are any, otherwise the steps.
    fn legal(&self) -> Vec<Move> {
        let Identity { board, turn, forbidden } = self.identity;
        let own = || points().filter(|&point| board.get(point) == Some(turn));
        // Only the first jump may not go backward.
        let ways = WAYS.into_iter().filter(|&way| !is_backward(way, turn));
        let jumps: Vec<Move> = own()
            .flat_map(|from| ways.clone().map(move |way| (from, way)))
            .filter_map(|(from, way)| Some((from, board.jump(from, way)?)))
            .flat_map(|(from, (to, board))| board.chains(vec![from, to]))
            .collect();
        if !jumps.is_empty() {
            return jumps;
        }
        let steps =
            own().flat_map(|from| board.step_targets(from).into_iter().map(move |to| (from, to)));
        steps
            .filter(|&step| forbidden[0] != Some(step))
            .map(|(from, to)| Move {
                path: vec![from, to],
                board: board.with(from, None).with(to, Some(turn)),
                is_jump: false,
            })
            .collect()
    }

    fn after(&self, mv: &Move) -> Position {
        let Identity { turn, forbidden, .. } = self.identity;
        let (from, to) = (mv.path[0], mv.path[mv.path.len() - 1]);
        let is_sideways = !mv.is_jump && from.1 == to.1;
        let forbidden = [forbidden[1], is_sideways.then_some((to, from))];
        Position {
            identity: Identity { board: mv.board, turn: !turn, forbidden }.possible(),
            quiet_plies: if is_sideways { self.quiet_plies + 1 } else { 0 },
            move_number: self.move_number + u32::from(turn == Black),
        }
    }

    /// Reads a FEN. A forbidden step that is impossible on the board is dropped.
    pub fn from_fen(fen: &str) -> Result<Position, String> {
        let wrong = |what: &str| format!("{what} in {fen}");
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let &[men, turn, now, later, ref clocks @ ..] = &fields[..] else {
            return Err(wrong("four fields or six"));
        };
        let mut board = Board([[None; 5]; 5]);
        for (row, rank) in men.split('/').zip((1..=5).rev()) {
            let mut file = 1;
            for letter in row.chars() {
                match letter {
                    'M' | 'm' if file <= 5 => {
                        let color = if letter == 'M' { White } else { Black };
                        board = board.with((file, rank), Some(color));
                        file += 1;
                    }
                    _ => file += letter.to_digit(10).ok_or_else(|| wrong("a man"))? as i32,
                }
            }
        }
        let number = |index: usize, missing| {
            clocks
                .get(index)
                .map_or(Ok(missing), |text| text.parse().map_err(|_| wrong("a number")))
        };
        let step = |text: &str| {
            points().find_map(|from| {
                let mut ends = points().filter(|to| name(from) + &name(*to) == text);
                ends.next().map(|to| (from, to))
            })
        };
        let turn = if turn == "w" { White } else { Black };
        Ok(Position {
            identity: Identity { board, turn, forbidden: [now, later].map(step) }.possible(),
            quiet_plies: number(0, 0)?,
            move_number: number(1, 1)?,
        })
    }

    pub fn to_fen(&self) -> String {
        let Identity { board, turn, forbidden } = self.identity;
        let man = |point| match board.get(point) {
            Some(White) => 'M',
            Some(Black) => 'm',
            None => '1',
        };
        let ranks: Vec<String> =
            (1..=5).rev().map(|rank| (1..=5).map(|file| man((file, rank))).collect()).collect();
        let men = (2..=5)
            .rev()
            .fold(ranks.join("/"), |men, run| men.replace(&"1".repeat(run), &run.to_string()));
        let [now, later] =
            forbidden.map(|step| step.map_or("-".to_owned(), |(from, to)| name(from) + &name(to)));
        format!("{men} {turn} {now} {later} {} {}", self.quiet_plies, self.move_number)
    }
}

impl Identity {
    /// Drops the forbidden steps that are impossible on the board.
    fn possible(self) -> Identity {
        let Identity { board, turn, forbidden: [now, later] } = self;
        let is_possible = |&(from, to): &Step, color| {
            board.get(from) == Some(color) && board.step_targets(from).contains(&to)
        };
        let now = now.filter(|step| is_possible(step, turn));
        let later = later.filter(|step| is_possible(step, !turn));
        Identity { forbidden: [now, later], ..self }
    }
}
