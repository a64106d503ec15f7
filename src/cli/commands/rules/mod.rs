//! `qirkat rules`: the rules in words and drawings.

mod reach;

use std::io::{Write, stdout};

use anyhow::anyhow;
use clap::Args;
use console::style;

use self::reach::Reach;
use crate::shared::options::{self, GameChoice};
use crate::shared::terminal;
use qirkat_board::drawing::{Diagram, Mark};
use qirkat_game::text::{self, Excerpt};
use qirkat_rules::variant::{Place, Variant};

const LONGEST_LINE: usize = 80;

#[derive(Args)]
pub(crate) struct RulesOptions {
    /// The piece, by its name or letter; without one, a summary of the rules
    #[arg(value_name = "PIECE")]
    piece: Option<String>,
    /// The point it stands on, such as e5; without one, a point of each kind
    #[arg(value_name = "POINT")]
    point: Option<String>,
    #[command(flatten)]
    game: GameChoice,
    /// Draw it as SVG, for a page or a book; without a piece, the board at the start
    #[arg(long)]
    svg: bool,
    /// Draw this position as SVG
    #[arg(long, value_name = "FEN", requires = "svg", conflicts_with = "piece")]
    fen: Option<String>,
}

pub(crate) const HELP: &str = "\
Examples:
  The board, the pieces and the ends of the game:
    qirkat rules
  Where an archbishop goes from e5:
    qirkat rules archbishop e5
  The knight of Masonic chess:
    qirkat rules --game masonic knight";

pub(crate) fn run(options: &RulesOptions) -> anyhow::Result<()> {
    let variant = options.game.variant;
    let text = match &options.piece {
        None if options.svg => {
            let game = options::start(variant, options.fen.as_deref())?;
            let board = Diagram { pieces: game.position().pieces(), ..Diagram::default() };
            qirkat_board::drawing::svg(variant, &game.position().fen(), &[board], &[])?
        }
        None => summary(variant, prose_width()),
        Some(piece) => piece_text(variant, piece, options.point.as_deref(), options.svg)?,
    };
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn prose_width() -> usize {
    terminal::width().min(LONGEST_LINE)
}

/// How a piece moves, as sentences, drawings and lists of points, or as SVG.
fn piece_text(
    variant: Variant,
    piece: &str,
    point: Option<&str>,
    svg: bool,
) -> anyhow::Result<String> {
    let piece = find(variant, piece).ok_or_else(|| {
        let (known, given) = (listed(variant), Excerpt::of(piece));
        anyhow!("`{given}` is not a piece of {}: {known}", variant.title())
    })?;
    let places = match point {
        Some(point) => vec![Place::parse(variant, point).ok_or_else(|| {
            let last = variant.board_size() - 1;
            let last = Place { file: last, rank: last };
            anyhow!("`{}` is not a point of this board: a1 to {last}", Excerpt::of(point))
        })?],
        None => {
            let middle = variant.board_size() / 2;
            let below = Place { file: middle, rank: middle - 1 };
            match variant {
                Variant::Masonic => vec![below],
                _ => vec![below, Place { file: middle, rank: middle }],
            }
        }
    };
    let mut drawings = Vec::new();
    let (mut sentences, mut lists) = (String::new(), String::new());
    for &place in &places {
        sentences.push_str(&sentence(variant, piece, place));
        for drawing in drawings_of(variant, piece, place)? {
            let sentence = format!("From {place} it {}.", drawing.in_words());
            lists.push_str(&format!("{}\n", terminal::wrapped_text(&sentence, prose_width(), 0)));
            drawings.push(drawing);
        }
    }
    if svg {
        let title = format!("Where the {} goes", piece.name);
        let diagram = |Drawing { reach, .. }: &Drawing| {
            let marks = reach.marks.iter().map(|(&place, &mark)| (place, mark)).collect();
            Diagram { pieces: reach.pieces.clone(), marks, flipped: false }
        };
        let diagrams: Vec<Diagram> = drawings.iter().map(diagram).collect();
        let legend: Vec<_> =
            legend(&drawings).into_iter().map(|(mark, _, meaning)| (mark, meaning)).collect();
        return qirkat_board::drawing::svg(variant, &title, &diagrams, &legend);
    }
    if !piece.more.is_empty() {
        sentences.push_str(&format!("{}\n", terminal::wrapped_text(piece.more, prose_width(), 0)));
    }
    let boards = arranged(&drawings, terminal::width());
    let legend: String = legend(&drawings)
        .into_iter()
        .map(|(_, letter, meaning)| format!("  {}  {meaning}\n", coloured(letter)))
        .collect();
    Ok(format!("{sentences}\n{boards}{legend}\n{lists}"))
}

fn sentence(variant: Variant, piece: &PieceRule, place: Place) -> String {
    let name = piece.name;
    let text = match kind_of_point(variant, place) {
        None => format!("The {name} {}.", piece.plain),
        Some(kind) => {
            let words = if is_diagonal(variant, place) { piece.diagonal } else { piece.plain };
            format!("From a {kind} the {name} {words}.")
        }
    };
    format!("{}\n", terminal::wrapped_text(&text, prose_width(), 0))
}

fn is_diagonal(variant: Variant, place: Place) -> bool {
    variant.is_diagonal_point(place.file, place.rank)
}

fn kind_of_point(variant: Variant, place: Place) -> Option<&'static str> {
    match variant {
        Variant::Masonic => None,
        _ if is_diagonal(variant, place) => Some("diagonal point (*)"),
        _ => Some("plain point (+)"),
    }
}

fn drawings_of(variant: Variant, piece: &PieceRule, place: Place) -> anyhow::Result<Vec<Drawing>> {
    let PieceRule { name, letter, .. } = *piece;
    let reach = reach::on_empty_board(variant, letter, place)
        .ok_or_else(|| anyhow!("a {name} never stands on {place}"))?;
    let title = match kind_of_point(variant, place) {
        Some(kind) => format!("{letter} on {place}, a {kind}"),
        None => format!("{letter} on {place}"),
    };
    let draw = |title, reach| Drawing::new(variant, title, reach);
    Ok(match variant {
        Variant::Alquerque => {
            let jumps = reach::by_jumps(variant, letter, place);
            vec![draw(title, reach), draw(format!("Jumps from {place}"), jumps)]
        }
        _ => vec![draw(title, reach)],
    })
}

const fn paragraphs(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::Chesquerque => &[
            "Pieces stand on the points and move along the lines. On every other point \
             diagonal lines meet: those are the diagonal points, *; the others are the plain \
             points, +. The point a piece stands on decides how it moves, not the point it \
             goes to. Nothing ever jumps. All pieces but pawns capture as they move.",
            "Checkmate wins. Draws are stalemate, the third time of the same position, 100 \
             plies without a pawn move or capture, and what nobody can win any more.",
        ],
        Variant::Masonic => &[
            "Even ranks are shifted by half a cell, so a cell touches six others: two along \
             its rank, and four along the two cants that run up and down. The diagonals run \
             through the corners of the bricks. All pieces but pawns capture as they move; \
             only knights leap.",
            "Checkmate wins. Draws are stalemate, the third time of the same position, 100 \
             plies without a pawn move or capture, and bare kings.",
        ],
        Variant::Alquerque => &[
            "Men step along the lines to empty points, forward or sideways. On every other \
             point, *, diagonal lines meet too. Men take by jumping; a side that can jump must. \
             Light men are M and begin, dark men are m.",
            "A side that has no man left, or cannot move, loses. The third time of the same \
             position is a draw, and so are 100 plies without a jump or a step forward.",
        ],
    }
}

const fn headline(variant: Variant) -> &'static str {
    match variant {
        Variant::Chesquerque => {
            "Chesquerque: chess on the 81 points of four joined Alquerque boards"
        }
        Variant::Masonic => "Masonic chess: chess on 64 cells laid like bricks",
        Variant::Alquerque => "Alquerque: the old game of jumps on 25 points",
    }
}

fn summary(variant: Variant, width: usize) -> String {
    let mut text = format!("{}\n\n{}\n", headline(variant), variant.start().picture());
    for paragraph in paragraphs(variant) {
        text.push_str(&terminal::wrapped_text(paragraph, width, 0));
        text.push_str("\n\n");
    }
    text.push_str("Pieces\n");
    for piece in pieces(variant) {
        text.push_str(&format!("  {}  {:<11} {}\n", piece.letter, piece.name, piece.brief));
    }
    let game =
        if variant == Variant::default() { String::new() } else { format!("--game {variant} ") };
    let example = pieces(variant).last().map_or("", |piece| piece.name);
    text.push_str(&format!(
        "\nWhere a piece goes, in general and from one point:\n  \
         qirkat rules {game}{example}\n  qirkat rules {game}{example} c3\n"
    ));
    text
}

const GAP: usize = 4;

struct Drawing {
    title: String,
    lines: Vec<String>,
    reach: Reach,
}

/// The marks on points: character, the start of a sentence about the piece, and meaning.
const MARKS: [(Mark, char, &str, &str); 3] = [
    (Mark::Any, 'o', "goes to or takes on", "it goes there, and takes what stands there"),
    (Mark::Quiet, '.', "goes to", "it goes there, but takes nothing"),
    (Mark::Capture, 'x', "takes on", "it goes there only to take"),
];

impl Drawing {
    fn new(variant: Variant, title: String, reach: Reach) -> Drawing {
        let text = variant.draw_board(|file, rank| {
            let place = Place { file, rank };
            let piece = reach.pieces.iter().find(|(at, _)| *at == place);
            let mark = reach.marks.get(&place);
            let mark = MARKS.into_iter().find(|(known, ..)| Some(known) == mark);
            piece.map(|&(_, letter)| letter).or(mark.map(|(_, letter, ..)| letter))
        });
        Drawing { title, lines: text.lines().map(str::to_owned).collect(), reach }
    }

    /// The points in words, as in `goes to e6; takes on d6 f6`.
    fn in_words(&self) -> String {
        let part = |(mark, _, what, _): (Mark, char, &str, &str)| {
            let marked = self.reach.marks.iter().filter(|(_, known)| **known == mark);
            let points: Vec<String> = marked.map(|(place, _)| place.to_string()).collect();
            (!points.is_empty()).then(|| format!("{what} {}", points.join(" ")))
        };
        let parts: Vec<String> = MARKS.into_iter().filter_map(part).collect();
        if parts.is_empty() { "goes nowhere".to_owned() } else { parts.join("; ") }
    }

    fn width(&self) -> usize {
        let lines = self.lines.iter().chain([&self.title]);
        lines.map(|line| line.chars().count()).max().unwrap_or_default()
    }
}

fn legend(drawings: &[Drawing]) -> Vec<(Mark, char, &'static str)> {
    let is_there = |mark: Mark| {
        drawings.iter().any(|drawing| drawing.reach.marks.values().any(|known| *known == mark))
    };
    let shown = MARKS.into_iter().filter(|&(mark, ..)| is_there(mark));
    shown.map(|(mark, letter, _, meaning)| (mark, letter, meaning)).collect()
}

/// The drawings in two columns if `width` allows, otherwise one below the other.
fn arranged(drawings: &[Drawing], width: usize) -> String {
    let column = drawings.iter().map(Drawing::width).max().unwrap_or_default();
    let per_row = if 2 * column + GAP <= width { 2 } else { 1 };
    let mut text = String::new();
    for row in drawings.chunks(per_row) {
        let joined = |parts: Vec<&str>| {
            let parts = parts.iter().map(|part| format!("{part:<width$}", width = column + GAP));
            parts.collect::<String>().trim_end().to_owned() + "\n"
        };
        text.push_str(&joined(row.iter().map(|drawing| drawing.title.as_str()).collect()));
        let height = row.iter().map(|drawing| drawing.lines.len()).max().unwrap_or_default();
        for line in 0..height {
            let parts = row.iter().map(|drawing| drawing.lines.get(line).map_or("", |it| it));
            text.extend(joined(parts.collect()).chars().map(coloured));
        }
        text.push('\n');
    }
    text
}

fn coloured(letter: char) -> String {
    match letter {
        'o' => style(letter).green().bold().to_string(),
        '.' => style(letter).cyan().bold().to_string(),
        'x' => style(letter).red().bold().to_string(),
        _ => letter.to_string(),
    }
}

/// The text about a piece. The drawings beside it come from the move generator.
pub(super) struct PieceRule {
    pub name: &'static str,
    pub letter: char,
    /// For the summary.
    brief: &'static str,
    /// How it moves from a plain point, as the end of a sentence; from any cell if all are alike.
    plain: &'static str,
    /// The same from a diagonal point.
    diagonal: &'static str,
    /// What else there is to say, after the drawings' sentences.
    more: &'static str,
}

pub(super) const fn pieces(variant: Variant) -> &'static [PieceRule] {
    match variant {
        Variant::Chesquerque => &CHESQUERQUE,
        Variant::Masonic => &MASONIC,
        Variant::Alquerque => &ALQUERQUE,
    }
}

fn find(variant: Variant, text: &str) -> Option<&'static PieceRule> {
    let letter = |piece: &PieceRule| text.eq_ignore_ascii_case(&piece.letter.to_string());
    pieces(variant).iter().find(|piece| text.eq_ignore_ascii_case(piece.name) || letter(piece))
}

/// The pieces with their letters, as in `king (K), queen (Q) or pawn (P)`.
fn listed(variant: Variant) -> String {
    let text = |piece: &PieceRule| format!("{} ({})", piece.name, piece.letter);
    text::listed(&pieces(variant).iter().map(text).collect::<Vec<_>>(), "or")
}

const CHESQUERQUE: [PieceRule; 7] = [
    PieceRule {
        name: "king",
        letter: 'K',
        brief: "one step along any line; castles",
        plain: "goes one step along a file or rank",
        diagonal: "goes one step in any of the eight directions",
        more: "It may not go where an enemy piece could capture it. Castling: when neither \
               it nor a rook has moved and all points between them are empty, it goes three \
               points towards that rook, and the rook stands beside it on the inside. It may \
               not be in check then, nor pass or reach an attacked point.",
    },
    PieceRule {
        name: "queen",
        letter: 'Q',
        brief: "slides along any line",
        plain: "slides along a file or rank, as far as the way is free",
        diagonal: "slides in all eight directions, as far as the way is free",
        more: "",
    },
    PieceRule {
        name: "rook",
        letter: 'R',
        brief: "slides along files and ranks, steps along diagonals",
        plain: "slides along a file or rank, as far as the way is free",
        diagonal: "slides along a file or rank, as far as the way is free, or goes one step \
                   along a diagonal",
        more: "",
    },
    PieceRule {
        name: "archbishop",
        letter: 'A',
        brief: "moves as a bishop or as a knight",
        plain: "moves as a bishop or as a knight: one step along a file or rank, on which it \
                may stop or go on with one diagonal step outward",
        diagonal: "moves as a bishop or as a knight: it slides along diagonals as far as the \
                   way is free, goes one step along a file or rank, or one diagonal step and \
                   then one along a file or rank outward",
        more: "",
    },
    PieceRule {
        name: "bishop",
        letter: 'B',
        brief: "slides along diagonals, steps along files and ranks",
        plain: "goes one step along a file or rank, and so changes to a diagonal point",
        diagonal: "slides along diagonals, as far as the way is free, or goes one step along \
                   a file or rank",
        more: "",
    },
    PieceRule {
        name: "knight",
        letter: 'N',
        brief: "two steps, one straight and one diagonal; never jumps",
        plain: "goes one step along a file or rank, then one diagonal step outward",
        diagonal: "goes one diagonal step, then one step along a file or rank outward",
        more: "The first of the two points must be empty: it never jumps. It always comes to \
               a point of the other kind, and it attacks whatever knight attacks it.",
    },
    PieceRule {
        name: "pawn",
        letter: 'P',
        brief: "one step forward; how it captures depends on its point",
        plain: "goes one step straight forward, capturing or not",
        diagonal: "goes one step straight forward without capturing, and captures one step \
                   diagonally forward",
        more: "From its first rank it may go two points when both are empty, without \
               capturing. Straight after that an enemy pawn that could capture on the point \
               passed over may do so (en passant). On the last rank it becomes a queen, \
               rook, bishop, knight or archbishop. Black's pawns go down the board.",
    },
];

const MASONIC: [PieceRule; 6] = [
    PieceRule {
        name: "king",
        letter: 'K',
        brief: "one step in any of ten directions; castles",
        plain: "goes one step along the rank, a cant or a diagonal",
        diagonal: "",
        more: "The cants are the two lines to the neighbours above and below, the diagonals \
               run through the corners of the bricks. It may not go where an enemy piece \
               could capture it. Castling is as in orthodox chess.",
    },
    PieceRule {
        name: "queen",
        letter: 'Q',
        brief: "slides in all ten directions",
        plain: "slides along the rank, a cant or a diagonal, as far as the way is free",
        diagonal: "",
        more: "",
    },
    PieceRule {
        name: "rook",
        letter: 'R',
        brief: "slides along ranks and cants",
        plain: "slides along the rank or a cant, as far as the way is free",
        diagonal: "",
        more: "The cants are the two lines to the neighbours above and below.",
    },
    PieceRule {
        name: "bishop",
        letter: 'B',
        brief: "slides along diagonals, steps as a rook",
        plain: "slides along a diagonal, as far as the way is free, or goes one step along \
                the rank or a cant",
        diagonal: "",
        more: "The diagonals run through the corners of the bricks: one rank up or down and \
               one and a half cells to the side.",
    },
    PieceRule {
        name: "knight",
        letter: 'N',
        brief: "leaps: a rook's step, then a diagonal step outward",
        plain: "leaps a rook's step and then a diagonal step outward",
        diagonal: "",
        more: "What stands between does not matter.",
    },
    PieceRule {
        name: "pawn",
        letter: 'P',
        brief: "one step forward along a cant; captures diagonally forward",
        plain: "goes one step forward along either cant without capturing, and captures one \
                diagonal step forward",
        diagonal: "",
        more: "From its first rank it may go two steps along one cant when both cells are \
               empty. Straight after that an enemy pawn that could capture on the cell \
               passed over may do so (en passant). On the last rank it becomes a queen, \
               rook, bishop or knight. Black's pawns go down the board.",
    },
];

const ALQUERQUE: [PieceRule; 1] = [PieceRule {
    name: "man",
    letter: 'M',
    brief: "steps forward or sideways; takes by jumping",
    plain: "steps one point straight forward or sideways to an empty point",
    diagonal: "steps one point straight forward, diagonally forward or sideways to an empty \
               point",
    more: "On its last rank it does not step any more. It takes an enemy man beside it by \
           jumping over it, along the line, to the empty point beyond. The first jump does \
           not go back; further jumps of the same move go in any direction and must be made \
           as long as there is one. A side that can jump must jump. A man may not step straight \
           back to the point it has just come from. Black's men go down the board.",
}];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_found_by_name_and_letter() {
        for (variant, text, name) in [
            (Variant::Chesquerque, "archbishop", Some("archbishop")),
            (Variant::Chesquerque, "Knight", Some("knight")),
            (Variant::Chesquerque, "n", Some("knight")),
            (Variant::Masonic, "A", None),
            (Variant::Alquerque, "MAN", Some("man")),
            (Variant::Alquerque, "", None),
        ] {
            assert_eq!(find(variant, text).map(|piece| piece.name), name, "{text}");
        }
        assert_eq!(listed(Variant::Alquerque), "man (M)");
        assert!(listed(Variant::Masonic).ends_with(", knight (N) or pawn (P)"));
    }

    #[test]
    fn all_pieces_have_words() {
        for variant in Variant::ALL {
            let start = variant.start().fen();
            let board = start.split(' ').next().expect("a board");
            let mut letters: Vec<char> = board.chars().filter(char::is_ascii_uppercase).collect();
            letters.sort_unstable();
            letters.dedup();
            let mut known: Vec<char> = pieces(variant).iter().map(|piece| piece.letter).collect();
            known.sort_unstable();
            assert_eq!(letters, known, "{variant}");
        }
    }
}
