//! Questions about a single move or position, and material counts, for any game.

use qirkat_game::text::listed;
use qirkat_game::{Board, Color, MoveFilter, Rules, Searchable};
use qirkat_rules::chess::{Geometry, Kind, MoveOf, Position, SquareSet};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant, VariantGame};
use qirkat_rules::{alquerque, chesquerque, masonic, match_game, match_variant};

/// The least gain of material that counts, in centipawns: a bit less than a pawn.
pub(crate) const LEAST_GAIN: i32 = 80;

/// Whether material can be counted: the side to move faces no threat and wins no exchange.
pub(crate) fn is_quiet(position: &AnyPosition) -> bool {
    match_game!(AnyPosition, position, own => {
        let mut noisy = own.moves(MoveFilter::Noisy).into_iter();
        !own.must_respond() && !noisy.any(|mv| own.see_ge(mv, LEAST_GAIN))
    })
}

/// Whether a move is obvious: a recapture, a winning capture, or one of at most two replies to a
/// threat.
pub(crate) fn is_obvious(game: &AnyGame, mv: AnyMove) -> bool {
    fn is_obvious_in<G: VariantGame>(position: &G, game: &AnyGame, mv: AnyMove) -> bool {
        position.must_respond() && position.count_legal_moves() <= 2
            || recaptures(position, game, mv)
            || G::own_move(mv)
                .is_some_and(|mv| position.is_noisy(mv) && position.see_ge(mv, LEAST_GAIN))
    }
    match_game!(AnyPosition, game.position(), own => is_obvious_in(own, game, mv))
}

/// Whether a line begins with a recapture, which was to be expected.
pub(crate) fn begins_with_recapture(game: &AnyGame, line: &[AnyMove]) -> bool {
    line.first().is_some_and(
        |&mv| match_game!(AnyPosition, game.position(), own => recaptures(own, game, mv)),
    )
}

/// Whether a move takes back what the last one of the game captured.
fn recaptures<G: VariantGame>(position: &G, game: &AnyGame, mv: AnyMove) -> bool {
    let last_capture = || {
        let last = G::own_move(*game.moves().last()?)?;
        let mut before = game.clone();
        before.undo();
        G::own_position(before.position())?.is_noisy(last).then_some(last)
    };
    let Some(mv) = G::own_move(mv).filter(|&mv| position.is_noisy(mv)) else { return false };
    last_capture().is_some_and(|last| position.is_recapture(mv, last))
}

/// A double attack by the first move of a line that wins material in the line.
pub(crate) struct Fork {
    /// The attacked pieces, the most valuable first, as in `king and rook`.
    pub names: String,
    /// What capturing one of them wins in the line, in centipawns.
    pub gain: i32,
}

/// The fork by the first move of a line: a piece that cannot be captured without loss attacks
/// pieces of several kinds in danger, captures one of them next and gains by it.
pub(crate) fn fork(position: &AnyPosition, line: &[AnyMove]) -> Option<Fork> {
    match_game!(AnyPosition, position, own => ChessLine::new(own, line)?.fork(), None)
}

/// The enemy piece, other than the king, newly attacked by the first move of a line, if it is the
/// only one in danger, and the attacker stays.
pub(crate) fn attacked(position: &AnyPosition, line: &[AnyMove]) -> Option<&'static str> {
    match_game!(AnyPosition, position, own => ChessLine::new(own, line)?.attacked(), None)
}

/// How a line's first move makes its side safer, as in `takes the knight out of danger`.
pub(crate) fn safety(position: &AnyPosition, line: &[AnyMove]) -> Option<String> {
    let passed = position.after_null_move().ok();
    match_game!(AnyPosition, position, own => ChessLine::new(own, line)?.safety(passed), None)
}

/// The capture that begins a line, unless the line pays for it at once, as in `takes the knight`.
/// Jumps only count if they take several men, since jumping is compulsory.
pub(crate) fn takes(position: &AnyPosition, line: &[AnyMove]) -> Option<String> {
    if let &[AnyMove::Alquerque(mv), _reply, ..] = line {
        let men = counted(mv.jumps() as i32, MAN);
        return (mv.jumps() > 1).then(|| format!("jumps {men}"));
    }
    match_game!(AnyPosition, position, own => ChessLine::new(own, line)?.takes(), None)
}

/// The moves of a line in a chess game. A line without a reply proves nothing.
struct ChessLine<'a, G: Geometry> {
    before: &'a Position<G>,
    after: Position<G>,
    moves: Vec<MoveOf<G>>,
    first: MoveOf<G>,
    reply: MoveOf<G>,
}

struct Target<G: Geometry> {
    square: G::Square,
    kind: G::Kind,
    /// Whether the piece that moved did not attack it before.
    is_new: bool,
}

impl<'a, G: Geometry> ChessLine<'a, G>
where
    Position<G>: VariantGame<Move = MoveOf<G>>,
{
    fn new(before: &'a Position<G>, line: &[AnyMove]) -> Option<ChessLine<'a, G>> {
        let moves: Vec<MoveOf<G>> =
            line.iter().map_while(|&mv| Position::<G>::own_move(mv)).collect();
        let &[first, reply, ..] = &moves[..] else { return None };
        Some(ChessLine { before, after: before.after(first), moves, first, reply })
    }

    fn fork(&self) -> Option<Fork> {
        let takes = self.moves.get(2)?;
        let forked = self.in_danger();
        let is_new = forked.iter().any(|target| target.is_new);
        let takes_one = takes.from == self.first.to
            && self.reply.from != takes.to
            && forked.iter().any(|target| target.square == takes.to);
        if forked.len() < 2 || !is_new || !takes_one || !self.stays() {
            return None;
        }
        let gain = Self::net_gain(&self.after.after(self.reply), &self.moves[2..])?;
        let mut names: Vec<&str> = forked.iter().map(|target| target.kind.name()).collect();
        names.dedup();
        (names.len() > 1).then(|| Fork { names: listed(&names, "and"), gain })
    }

    fn attacked(&self) -> Option<&'static str> {
        match self.in_danger()[..] {
            [Target { kind, is_new: true, .. }] if !self.after.in_check() && self.stays() => {
                Some(kind.name())
            }
            _ => None,
        }
    }

    fn takes(&self) -> Option<String> {
        Self::net_gain(self.before, &self.moves)?;
        Some(format!("takes the {}", self.before.captured(self.first)?.name()))
    }

    /// `passed` is the position before the line with the other side to move.
    fn safety(&self, passed: Option<AnyPosition>) -> Option<String> {
        let &ChessLine { before, after, first, reply, .. } = self;
        if before.is_castling(first) {
            return (!after.gives_check(reply)).then(|| "brings the king into safety".to_owned());
        }
        let passed = passed?;
        let is_saved = can_be_won(Position::own_position(&passed)?, first.from)
            && !can_be_won(&after, first.to)
            && reply.to != first.to;
        let kind = before.kind_on(first.from).filter(|_| is_saved)?;
        Some(format!("takes the {} out of danger", kind.name()))
    }

    /// What the capture that begins a line wins, if that is enough by SEE as well as in the line:
    /// the captured piece, minus the capturing one if it is recaptured.
    fn net_gain(position: &Position<G>, line: &[MoveOf<G>]) -> Option<i32> {
        let (&first, rest) = line.split_first()?;
        let worth = |kind: G::Kind| value(Position::<G>::VARIANT, kind.index());
        let is_taken_back = rest.first().is_some_and(|back| back.to == first.to);
        let lost = position.kind_on(first.from).filter(|_| is_taken_back).map_or(0, worth);
        let gain = worth(position.captured(first)?) - lost;
        (gain >= LEAST_GAIN && position.see_ge(first, LEAST_GAIN)).then_some(gain)
    }

    /// Whether the piece that moved stays: capturing it loses material, and the reply does not.
    fn stays(&self) -> bool {
        let after = &self.after;
        // A pawn's double step can also be captured en passant.
        let takes_it = |back: MoveOf<G>| {
            let is_en_passant = after.kind_on(back.to).is_none() && after.captured(back).is_some();
            back.to == self.first.to || is_en_passant
        };
        let mut noisy = after.moves(MoveFilter::Noisy).into_iter();
        !takes_it(self.reply)
            && !noisy.any(|back| takes_it(back) && after.see_ge(back, 0) && after.is_legal(back))
    }

    /// The enemy pieces in danger that the piece which moved attacks: a king, a more valuable
    /// piece, or an undefended one other than a pawn. The most valuable come first.
    fn in_danger(&self) -> Vec<Target<G>> {
        let &ChessLine { before, after, first, .. } = self;
        let enemies = after.of_color(after.side_to_move());
        let Some(attacker) = after.kind_on(first.to) else { return Vec::new() };
        let mut targets: Vec<Target<G>> = enemies
            .into_iter()
            .filter(|&square| after.attackers(square).contains(first.to))
            .filter_map(|square| {
                let is_new = !before.attackers(square).contains(first.from);
                Some(Target { square, kind: after.kind_on(square)?, is_new })
            })
            .filter(|&Target::<G> { square, kind, .. }| {
                let undefended = (after.attackers(square) & enemies).is_empty();
                is_in_danger(Position::<G>::VARIANT, kind.index(), attacker.index(), undefended)
                    || kind == G::Kind::KING
            })
            .collect();
        targets.sort_by_key(|target| std::cmp::Reverse(target.kind.index()));
        targets
    }
}

/// Whether an attack by a piece of some kind threatens to win something. A king, whose value is
/// zero, wins only what is undefended.
fn is_in_danger(variant: Variant, kind: usize, attacker: usize, undefended: bool) -> bool {
    let attacker = value(variant, attacker);
    undefended && kind > 0 || attacker > 0 && value(variant, kind) > attacker + LEAST_GAIN
}

/// The value of what a move captures, in centipawns.
pub(crate) fn captured_worth(position: &AnyPosition, mv: AnyMove) -> i32 {
    let enemy = !position.side_to_move();
    Material::of(position).worth(enemy) - Material::of(&position.after(mv)).worth(enemy)
}

/// Whether the side to move wins material by a capture on this square.
fn can_be_won<G: Geometry>(position: &Position<G>, on: G::Square) -> bool {
    let mut noisy = position.moves(MoveFilter::Noisy).into_iter();
    noisy.any(|mv| mv.to == on && position.see_ge(mv, LEAST_GAIN))
}

/// Whether a move loses the last castling right, without castling.
pub(crate) fn forfeits_castling(position: &AnyPosition, mv: AnyMove) -> bool {
    fn forfeits<G: Geometry>(position: &Position<G>, mv: AnyMove) -> bool
    where
        Position<G>: VariantGame<Move = MoveOf<G>>,
    {
        let mover = position.side_to_move();
        Position::<G>::own_move(mv).is_some_and(|mv| {
            position.castling().has_any(mover)
                && !position.after(mv).castling().has_any(mover)
                && !position.is_castling(mv)
        })
    }
    match_game!(AnyPosition, position, own => forfeits(own, mv), false)
}

pub(crate) fn has_choice(position: &AnyPosition) -> bool {
    position.count_legal_moves() > 1
}

const KINDS: usize = chesquerque::PieceKind::COUNT;

/// The pieces of both sides by kind, the least valuable first. Kings cancel out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    variant: Variant,
    counts: [[i32; KINDS]; 2],
}

impl Material {
    pub fn of(position: &AnyPosition) -> Material {
        fn counts<G: Board>(position: &G) -> [[i32; KINDS]; 2] {
            let mut counts = [[0; KINDS]; 2];
            for piece in
                position.occupied_points().into_iter().filter_map(|at| position.piece_at(at))
            {
                counts[piece.color().index()][piece.kind()] += 1;
            }
            counts
        }
        let counts = match_game!(AnyPosition, position, own => counts(own));
        Material { variant: position.variant(), counts }
    }

    /// A side's material minus the other's, in centipawns.
    pub fn balance(&self, color: Color) -> i32 {
        self.worth(color) - self.worth(!color)
    }

    /// The value of a side's pieces except its king, in centipawns.
    pub fn worth(&self, color: Color) -> i32 {
        (0..KINDS).map(|kind| self.counts[color.index()][kind] * value(self.variant, kind)).sum()
    }

    /// The value of both sides' pieces, without pawns in games with other pieces.
    pub fn worth_of_pieces(&self) -> i32 {
        let all: i32 = Color::ALL.into_iter().map(|color| self.worth(color)).sum();
        let pawns: i32 = self.counts.iter().map(|own| own[0]).sum();
        match self.variant {
            Variant::Alquerque => all,
            _ => all - pawns * value(self.variant, 0),
        }
    }

    /// The change since an earlier count, from a side's view.
    pub(crate) fn change_since(&self, before: &Material, side: Color) -> MaterialChange {
        let mut change = MaterialChange { variant: self.variant, ..MaterialChange::default() };
        // Lost pieces, or gained ones if negative.
        let lost = |color: Color, kind: usize| {
            before.counts[color.index()][kind] - self.counts[color.index()][kind]
        };
        let promotions =
            |color| (1..KINDS).map(|kind| -lost(color, kind)).filter(|&gained| gained > 0).sum();
        let (own_promotions, other_promotions): (i32, i32) = (promotions(side), promotions(!side));
        change.promoted_to = (1..KINDS).rev().find(|&kind| lost(side, kind) < 0);
        for kind in 0..KINDS {
            let (mut own, mut other) = (lost(side, kind), lost(!side, kind));
            if kind == 0 {
                // A promoted pawn was not captured.
                own -= own_promotions;
                other -= other_promotions;
            }
            // Pieces that both have lost were exchanged.
            let (own, other) = (own.max(0), other.max(0));
            let exchanged = own.min(other);
            change.taken[kind] = other - exchanged;
            change.given[kind] = own - exchanged;
        }
        change
    }
}

/// The least gain, in centipawns, at which an exchange is described as in `a queen for a rook`.
const SURE_GAIN: i32 = 350;

/// The pieces that a side has captured and lost, without exchanges of equal pieces.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct MaterialChange {
    variant: Variant,
    taken: [i32; KINDS],
    given: [i32; KINDS],
    promoted_to: Option<usize>,
}

impl MaterialChange {
    /// What was won, as in `a queen for a rook`. None if nothing was captured, or if what was lost
    /// is so near in value, or of so many kinds, that another move order may change it.
    pub fn winnings(&self) -> Option<String> {
        let taken = self.list(&self.taken)?;
        let Some(given) = self.list(&self.given) else { return Some(taken) };
        let worth = |counts: &[i32; KINDS]| -> i32 {
            (0..KINDS).map(|kind| counts[kind] * value(self.variant, kind)).sum()
        };
        let kinds = self.taken.iter().chain(&self.given).filter(|&&count| count > 0).count();
        let is_sure = kinds == 2 && worth(&self.taken) - worth(&self.given) >= SURE_GAIN;
        is_sure.then(|| format!("{taken} for {given}"))
    }

    pub fn can_be_described(&self) -> bool {
        self.promotion().is_some() || self.winnings().is_some()
    }

    /// The piece promoted to, as in `an archbishop`.
    pub fn promotion(&self) -> Option<String> {
        self.promoted_to.map(|kind| counted(1, kind_name(self.variant, kind)))
    }

    /// The most valuable first, as in `a queen and two pawns`.
    fn list(&self, counts: &[i32; KINDS]) -> Option<String> {
        let texts: Vec<String> = (0..KINDS)
            .rev()
            .filter(|&kind| counts[kind] > 0)
            .map(|kind| counted(counts[kind], kind_name(self.variant, kind)))
            .collect();
        (!texts.is_empty()).then(|| listed(&texts, "and"))
    }
}

/// A number of pieces in words, as in `a knight` and `two men`.
fn counted(number: i32, name: &str) -> String {
    const WORDS: [&str; 5] = ["two", "three", "four", "five", "six"];
    if number == 1 {
        let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        return format!("{article} {name}");
    }
    let several = if name == MAN { MEN.to_owned() } else { format!("{name}s") };
    match usize::try_from(number - 2).ok().and_then(|at| WORDS.get(at)) {
        Some(word) => format!("{word} {several}"),
        None => format!("{number} {several}"),
    }
}

const MAN: &str = "man";
const MEN: &str = "men";

pub fn kind_name(variant: Variant, kind: usize) -> &'static str {
    match_variant!(variant, Own => Own::KIND_NAMES).get(kind).copied().unwrap_or_default()
}

/// The exchange value of a kind of piece; zero for a king, which is never exchanged.
pub(crate) fn value(variant: Variant, kind: usize) -> i32 {
    let values: &[i32] = match variant {
        Variant::Chesquerque => &chesquerque::PIECE_VALUES,
        Variant::Masonic => &masonic::PIECE_VALUES,
        Variant::Alquerque => &[alquerque::MAN_VALUE],
    };
    let is_king = variant != Variant::Alquerque && kind + 1 == values.len();
    if is_king { 0 } else { values.get(kind).copied().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_lines::play;
    use qirkat_rules::chesquerque::START_FEN;

    fn position(variant: Variant, fen: &str) -> AnyPosition {
        variant.read_fen(fen).expect(fen).position
    }

    #[test]
    fn exchanges_must_be_over_before_material_is_counted() {
        for (variant, fen, quiet) in [
            (Variant::Chesquerque, START_FEN, true),
            // The pawn on a5 is free for the rook.
            (Variant::Chesquerque, "4k4/9/9/9/p8/9/9/9/R3K4 w - - 0 1", false),
            // Check.
            (Variant::Chesquerque, "4k4/9/9/9/4r4/9/9/9/4K4 w - - 0 1", false),
            (Variant::Alquerque, "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1", true),
        ] {
            assert_eq!(is_quiet(&position(variant, fen)), quiet, "{fen}");
        }
    }

    fn line(position: &AnyPosition, moves: &str) -> Vec<AnyMove> {
        play(&mut AnyGame::from_position(*position), moves)
    }

    #[test]
    fn forks_are_seen() {
        use Variant::{Chesquerque, Masonic};
        for (variant, fen, moves, forked) in [
            // From e5 the rook attacks nothing but the king and the bishop.
            (Chesquerque, "4k4/9/9/9/R7b/9/9/9/K8 w - - 0 1", "a5e5 e9d9 e5i5", "king and bishop"),
            // The line does not go on to that, or is too short to tell.
            (Chesquerque, "4k4/9/9/9/R7b/9/9/9/K8 w - - 0 1", "a5e5 e9d9 e5e1", ""),
            (Chesquerque, "4k4/9/9/9/R7b/9/9/9/K8 w - - 0 1", "a5e5 e9d9", ""),
            // A defended bishop is no target for a rook.
            (Chesquerque, "4k4/9/9/8r/R7b/9/9/9/K8 w - - 0 1", "a5e5 e9d9 e5i5", ""),
            // The rook can be taken: whether it is or not, it wins nothing.
            (Chesquerque, "4k4/9/9/9/R7b/9/9/4q4/K8 w - - 0 1", "a5e5 e2e5 a1a2", ""),
            (Chesquerque, "4k4/9/9/9/R7b/9/9/4q4/K8 w - - 0 1", "a5e5 e9d9 e5i5", ""),
            (Masonic, "4k3/8/8/8/8/8/n7/R3K3 w - - 0 1", "a1b1 e8d7 b1a2", "king and knight"),
            // The bishop beside it takes the rook.
            (Masonic, "4k3/8/8/8/R6b/8/8/4K3 w - - 0 1", "a4g4 e8d8 g4h4", ""),
        ] {
            let before = position(variant, fen);
            let fork = fork(&before, &line(&before, moves));
            assert_eq!(fork.map_or(String::new(), |fork| fork.names), forked, "{fen} {moves}");
        }
    }

    #[test]
    fn obvious_moves_are_told_from_others() {
        let fen = "4k4/9/9/r8/p8/9/9/9/R3K4 w - - 0 1";
        let mut game = AnyGame::from_position(position(Variant::Chesquerque, fen));
        let is_obvious = |game: &AnyGame, text: &str| {
            is_obvious(game, game.position().read_move(text).expect("a legal move"))
        };
        // A rook for a pawn is no obvious capture, but a recapture is, and so is a free rook.
        assert!(!is_obvious(&game, "a1a5") && !is_obvious(&game, "e1e2"));
        let takes = game.position().read_move("a1a5").expect("a legal move");
        game.play(takes);
        assert!(is_obvious(&game, "a6a5") && !is_obvious(&game, "e9e8"));
        let free = position(Variant::Chesquerque, "4k4/9/9/9/r8/9/9/9/R3K4 w - - 0 1");
        assert!(is_obvious(&AnyGame::from_position(free), "a1a5"));
    }

    #[test]
    fn safety_attacks_and_captures_are_seen() {
        use Variant::{Alquerque, Chesquerque};
        let attacked_knight = "r3k4/9/9/9/9/9/9/N8/4K4 w - - 0 1";
        let home = "4k4/9/9/9/9/9/9/9/R3K4 w Q - 0 1";
        let free = "4k4/9/9/9/2n6/9/9/9/R3K4 w - - 0 1";
        let jumps = "m1m2/2mmm/MM2m/4M/m2MM b a5b5 - 0 12";
        for (variant, fen, moves, said) in [
            (Chesquerque, attacked_knight, "a2c3 e9e8", "takes the knight out of danger"),
            (Chesquerque, attacked_knight, "a2c3", ""),
            (Chesquerque, attacked_knight, "e1e2 e9e8", ""),
            (Chesquerque, home, "e1b1 e9e8", "brings the king into safety"),
            (Chesquerque, home, "e1b1", ""),
            (Chesquerque, free, "a1c1 e9e8", "attacks the knight"),
            (Chesquerque, free, "a1c1", ""),
            (Chesquerque, "4k4/9/9/9/r8/9/9/9/R3K4 w - - 0 1", "a1a5 e9e8", "takes the rook"),
            (Chesquerque, "4k4/9/9/9/r8/9/9/9/R3K4 w - - 0 1", "a1a5", ""),
            (Alquerque, jumps, "e3d2", ""),
        ] {
            let before = position(variant, fen);
            let line = line(&before, moves);
            let attack = || attacked(&before, &line).map(|name| format!("attacks the {name}"));
            let text = takes(&before, &line).or_else(|| safety(&before, &line)).or_else(attack);
            assert_eq!(text.unwrap_or_default(), said, "{fen} {moves}");
        }
        let home = position(Chesquerque, home);
        let mv = |text: &str| home.read_move(text).expect("a legal move");
        assert!(forfeits_castling(&home, mv("e1e2")) && !forfeits_castling(&home, mv("e1b1")));
    }

    fn of(variant: Variant, fen: &str) -> Material {
        Material::of(&position(variant, fen))
    }

    #[test]
    fn changes_are_told_in_pieces() {
        let before = "4k4/9/9/2n1p4/9/9/3R1B3/3P5/4K4 w - - 0 1";
        for (after, white, black) in [
            (before, None, None),
            ("4k4/9/9/4p4/9/9/3R1B3/3P5/4K4 w - - 0 1", Some("a knight"), None),
            // A rook for a knight is sure, a knight and a pawn for a bishop is not.
            ("4k4/9/9/4p4/9/9/5B3/3P5/4K4 w - - 0 1", None, Some("a rook for a knight")),
            ("4k4/9/9/2n1p4/9/9/5B3/3P5/4K4 w - - 0 1", None, Some("a rook")),
            ("4k4/9/9/9/9/9/3R5/3P5/4K4 w - - 0 1", None, None),
            ("4k4/9/9/2n1p4/9/9/5B3/9/4K4 w - - 0 1", None, Some("a rook and a pawn")),
            // Pawn for pawn is an exchange.
            ("4k4/9/9/2n6/9/9/5B3/9/4K4 w - - 0 1", None, Some("a rook")),
        ] {
            let (then, now) = (of(Variant::Chesquerque, before), of(Variant::Chesquerque, after));
            for (side, won) in [(Color::White, white), (Color::Black, black)] {
                let winnings = now.change_since(&then, side).winnings();
                assert_eq!(winnings.as_deref(), won, "{after}");
            }
        }
    }

    #[test]
    fn a_promoted_pawn_was_not_taken() {
        let then = of(Variant::Chesquerque, "4k4/P8/9/9/9/9/9/9/4K4 w - - 0 1");
        let now = of(Variant::Chesquerque, "A3k4/9/9/9/9/9/9/9/4K4 b - - 0 1");
        let change = now.change_since(&then, Color::White);
        assert_eq!(change.promotion().as_deref(), Some("an archbishop"));
        assert_eq!(change.winnings(), None);
        assert_eq!(now.change_since(&then, Color::Black).winnings(), None);
    }

    #[test]
    fn men_are_counted() {
        let then = of(Variant::Alquerque, "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1");
        let now = of(Variant::Alquerque, "mmmmm/mmm2/mm1MM/MMMMM/MMMM1 w - - 0 1");
        assert_eq!(now.change_since(&then, Color::White).winnings().as_deref(), Some("a man"));
        assert_eq!(now.balance(Color::White), alquerque::MAN_VALUE);
    }
}
