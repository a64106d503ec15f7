//! The PGN file of a match: each game is appended when it ends, and all are read again on resuming.
//! Also the EPD file of final positions.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::conditions::{CONDITIONS_COMMENT, changes, conditions_file};
use super::plan::Plan;
use super::report::Endings;
use super::settings::PgnOutSettings;
use crate::shared::files::{AtPath, open_results};
use crate::shared::run_conditions::Conditions;
use crate::shared::terminal::print_message;
use qirkat_arena::{
    BOOK_COMMENT, FinishedGame, GameOutcome, LiveGame, LiveGames, MoveReport, Outcomes, PlayedMove,
    ReportedScore, ScheduledGame, SearchInfo, Termination, game_number, live_file, tag_game,
};
use qirkat_game::text::push;
use qirkat_rules::pgn::{GameResult, PgnError, PgnGame, PgnMove, PgnReader, ReadGame};
use qirkat_rules::variant::{AnyGame, AnyPosition};
use qirkat_system::output_file::write_atomic_unsynced;

/// The largest text after the last game that may be a note.
const LONGEST_NOTE: u64 = 1 << 20;

/// What is known of the games that were played before the match is resumed.
#[derive(Default)]
pub(super) struct EarlierGames {
    pub outcomes: Outcomes,
    pub endings: Endings,
    /// Their final positions, one per line, if the plan needs them.
    pub final_positions: String,
}

pub(super) struct GameFile {
    out: PgnOutSettings,
    file: File,
    /// Where the last complete game ends.
    end: u64,
}

impl GameFile {
    /// Opens the file without changing it and counts this match's games in it.
    pub fn open(out: &PgnOutSettings, plan: &Plan, earlier: &mut EarlierGames) -> Result<GameFile> {
        Conditions::check_replaceable(&conditions_file(&out.file))?;
        let file = open_results(&out.file).at_path(&out.file)?;
        let mut games = GameFile { out: out.clone(), file, end: 0 };
        if games.file.metadata()?.len() == 0 {
            return Ok(games);
        }
        if !plan.settings.resume {
            let path = out.file.display();
            if games.has_games()? {
                bail!("{path} already has games: continue with --resume, or name another file");
            }
            bail!("{path} is not a file of games: name another file");
        }
        games.check_resumable(&plan.conditions)?;
        games.count(plan, earlier)?;
        Ok(games)
    }

    fn has_games(&self) -> Result<bool> {
        let mut games = PgnReader::new(self.rewound()?);
        Ok(games.any(|read| read.is_ok_and(|read| read.written_result.is_some())))
    }

    fn check_resumable(&self, conditions: &Conditions) -> Result<()> {
        let path = self.out.file.display();
        let beside = conditions_file(&self.out.file);
        let Some(old) = Conditions::read(&beside)? else {
            if !self.has_games()? {
                bail!("{path} has no games of a match: name another file");
            }
            bail!(
                "{path} has games, but {} is missing, which says of what match they are: \
                 name another file (qirkat pgn merge joins games)",
                beside.display()
            );
        };
        let changes = changes(&old, conditions);
        if !changes.is_empty() {
            bail!("{path} is of another match: {}", changes.join("; "));
        }
        Ok(())
    }

    fn count(&mut self, plan: &Plan, earlier: &mut EarlierGames) -> Result<()> {
        let mut scheduled = Vec::new();
        let read = read_complete_games(self.rewound()?, |read| {
            let EarlierGames { outcomes, endings, final_positions } = &mut *earlier;
            let added = outcome_in(&read, plan, &mut scheduled, outcomes).and_then(|outcome| {
                endings.add(&outcome, read.game.tag(REASON_TAG).unwrap_or_default());
                if outcomes.add(outcome) { Ok(()) } else { bail!("appears twice") }
            });
            if plan.settings.epdout.is_some() {
                final_positions.push_str(&epd_line(&read.game.final_game()));
            }
            added.with_context(|| format!("game {}, line {}", read.number, read.line))
        });
        let (end, faults) = read.at_path(&self.out.file)?;
        if let Some(first) = faults.first() {
            let (path, count) = (self.out.file.display(), faults.len());
            print_message(format_args!(
                "{path}: text other than complete games stays: {first} ({count} in all)"
            ));
        }
        self.end = end;
        Ok(())
    }

    fn rewound(&self) -> io::Result<BufReader<&File>> {
        let mut file = &self.file;
        file.rewind()?;
        Ok(BufReader::new(file))
    }

    /// Prepares the file for new games: saves the match's settings, and moves aside incomplete text
    /// at its end.
    pub fn begin(&mut self, conditions: &Conditions) -> Result<()> {
        conditions.write(&conditions_file(&self.out.file), CONDITIONS_COMMENT)?;
        self.repair_tail().at_path(&self.out.file)
    }

    /// Nothing is lost if this is interrupted: removed text is first written to another file.
    fn repair_tail(&mut self) -> Result<()> {
        let tail = self.tail()?;
        let repaired = match &tail {
            Some(tail) => repaired(tail),
            None => Some(BLANK_LINE.to_owned()),
        };
        let is_empty = self.file.metadata()?.len() == 0;
        let Some(repaired) = repaired.filter(|_| !is_empty) else { return Ok(()) };
        // Where no complete game comes before it, the next one needs no blank line.
        let repaired = if self.end == 0 { repaired.trim_start() } else { &repaired };
        let missing = tail.as_deref().and_then(|tail| repaired.as_bytes().strip_prefix(tail));
        if let Some(missing) = missing {
            self.file.write_all(missing)?;
        } else {
            self.save_incomplete_text(repaired.trim())?;
            self.file.set_len(self.end)?;
            self.file.write_all(repaired.as_bytes())?;
        }
        self.file.sync_all()?;
        Ok(())
    }

    /// The text after the last complete game, unless it is too long for a note.
    fn tail(&mut self) -> io::Result<Option<Vec<u8>>> {
        let length = self.file.metadata()?.len() - self.end;
        if length > LONGEST_NOTE {
            return Ok(None);
        }
        let mut tail = Vec::new();
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.read_to_end(&mut tail)?;
        Ok(Some(tail))
    }

    /// Copies the tail to another file. `comment` is what of it stays here.
    fn save_incomplete_text(&mut self, comment: &str) -> Result<()> {
        let path = self.out.file.with_added_extension("torn");
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        let mut aside = opened.at_path(&path)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        let length = io::copy(&mut self.file, &mut aside)?;
        aside.sync_all()?;
        print_message(format_args!(
            "{}: the last {length} bytes are not a complete game; they are saved in {}{}",
            self.out.file.display(),
            path.display(),
            if comment.is_empty() { "" } else { ", and stay as a comment" }
        ));
        Ok(())
    }

    /// Writes a game at once and syncs it to disk, so that a kill loses no finished game.
    pub fn write(
        &mut self,
        plan: &Plan,
        game: &ScheduledGame,
        finished: &FinishedGame,
        date: &str,
    ) -> io::Result<()> {
        let pgn = pgn(plan, &self.out, game, finished, date);
        self.file.write_all(pgn.written_in(self.out.notation).to_string().as_bytes())?;
        self.file.sync_data()
    }
}

/// The outcome of a game of this match. `scheduled` are the games known before it; later rounds may
/// depend on earlier results.
fn outcome_in(
    read: &ReadGame,
    plan: &Plan,
    scheduled: &mut Vec<ScheduledGame>,
    outcomes: &Outcomes,
) -> Result<GameOutcome> {
    let pgn = &read.game;
    let number = game_number(pgn).and_then(|number| number.checked_sub(1));
    let find = |scheduled: &[ScheduledGame]| {
        let index = scheduled.binary_search_by_key(&number?, |game| game.number).ok()?;
        scheduled.get(index).copied()
    };
    let game = find(scheduled).or_else(|| {
        if scheduled.is_empty() || plan.schedule.kind.is_paired_by_results() {
            *scheduled = plan.schedule.games(outcomes);
        }
        find(scheduled)
    });
    let Some(game) = game else { bail!("is not of this match") };
    let names = [game.white, game.black]
        .map(|player| Some(plan.tournament.contestants[player].name.as_str()));
    if names != [pgn.tag("White"), pgn.tag("Black")] {
        bail!("was played by others");
    }
    if !plan.shard.has(&game) {
        bail!("is of another part of this match");
    }
    let termination = pgn.tag(TERMINATION_TAG).unwrap_or_default();
    // An unknown word is not an engine's fault.
    let termination = Termination::from_tag(termination).unwrap_or(Termination::Normal);
    Ok(GameOutcome::new(&game, pgn.result, termination))
}

/// Reads a file of games and calls `on_game` with the complete ones. Returns where the last of them
/// ends, and the faults before that.
fn read_complete_games(
    file: impl BufRead,
    mut on_game: impl FnMut(ReadGame) -> Result<()>,
) -> Result<(u64, Vec<String>)> {
    let (mut end, mut faults, mut later) = (0, Vec::new(), Vec::new());
    let mut games = PgnReader::new(file);
    while let Some(read) = games.next() {
        match read {
            Ok(read) if is_complete(&read) => {
                faults.append(&mut later);
                end = games.offset();
                on_game(read)?;
            }
            Ok(read) => later.push(format!("game {}, line {}: cut off", read.number, read.line)),
            Err(error @ PgnError::Game { .. }) => later.push(error.to_string()),
            Err(PgnError::Io(error)) => return Err(error.into()),
        }
    }
    Ok((end, faults))
}

/// Every game begins with this.
const FIRST_TAG: &[u8] = b"[Event ";
const BLANK_LINE: &str = "\n\n";

/// The tail changed so that the next game can follow, keeping as much as possible; `None` if it
/// needs no change.
fn repaired(tail: &[u8]) -> Option<String> {
    let (before, _) = tail.split_at(start_of_game(tail));
    let mut kept = match std::str::from_utf8(before) {
        Ok(text) if !is_plain(text) => String::new(),
        // PGN readers skip such text.
        Ok(text) if PgnReader::new(before).next().is_none() => text.to_owned(),
        Ok(text) => {
            let lines = text.split(['\n', '\r']).map(str::trim_end);
            let lines = lines.filter(|line| !line.is_empty());
            lines.fold(BLANK_LINE.to_owned(), |text, line| text + "; " + line + "\n")
        }
        Err(_) => String::new(),
    };
    while !kept.ends_with(BLANK_LINE) {
        kept.push('\n');
    }
    (kept.as_bytes() != tail).then_some(kept)
}

/// The offset of the first line that begins a game, or may have begun one.
fn start_of_game(tail: &[u8]) -> usize {
    let mut start = 0;
    for line in tail.split_inclusive(|&byte| byte == b'\n') {
        // Even the first words may be cut off.
        if line.starts_with(FIRST_TAG) || FIRST_TAG.starts_with(line) {
            return start;
        }
        start += line.len();
    }
    tail.len()
}

/// Whether it is printable text that somebody may have typed.
fn is_plain(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
}

/// The locked EPD file of final positions.
pub(super) struct EpdFile {
    file: File,
    /// Lines of recorded games that are missing here.
    missing: String,
}

impl EpdFile {
    /// Opens the file without changing it. `final_positions` are the lines of the games so far; after a kill,
    /// the last may be missing or cut off.
    pub fn open(path: &Path, final_positions: &str) -> Result<EpdFile> {
        let file = open_results(path).at_path(path)?;
        let mut text = String::new();
        let read = (&file).take(final_positions.len() as u64 + 1).read_to_string(&mut text);
        match final_positions.strip_prefix(text.as_str()).filter(|_| read.is_ok()) {
            Some(missing) => Ok(EpdFile { file, missing: missing.to_owned() }),
            None if final_positions.is_empty() => bail!(
                "{} is not empty: continue with --resume, or name another file",
                path.display()
            ),
            None => bail!("{} has other positions than the last of these games", path.display()),
        }
    }

    pub fn begin(&mut self) -> io::Result<()> {
        let missing = std::mem::take(&mut self.missing);
        self.file.write_all(missing.as_bytes())
    }

    /// Writes the final position and syncs it to disk.
    pub fn write(&mut self, finished: &FinishedGame) -> io::Result<()> {
        let mut game = AnyGame::from_position(finished.start);
        for played in &finished.moves {
            game.play(played.mv);
        }
        self.file.write_all(epd_line(&game).as_bytes())?;
        self.file.sync_data()
    }
}

pub(super) fn epd_line(game: &AnyGame) -> String {
    format!("{}\n", game.position().fen())
}

const TERMINATION_TAG: &str = "Termination";
const REASON_TAG: &str = "Reason";
const PLIES_TAG: &str = "PlyCount";
/// The remaining time in an unfinished game.
const CLOCK_TAGS: [&str; 2] = ["WhiteClock", "BlackClock"];

fn pgn(
    plan: &Plan,
    pgnout: &PgnOutSettings,
    game: &ScheduledGame,
    finished: &FinishedGame,
    date: &str,
) -> PgnGame {
    let mut pgn = without_moves(plan, game, finished.start, date);
    let contestant = |player: usize| &plan.tournament.contestants[player];
    pgn.set_tag(PLIES_TAG, finished.moves.len().to_string());
    pgn.set_tag(TERMINATION_TAG, finished.termination.to_string());
    pgn.set_tag(REASON_TAG, finished.reason.as_str());
    pgn.set_tag("WhiteTimeControl", contestant(game.white).control.describe());
    pgn.set_tag("BlackTimeControl", contestant(game.black).control.describe());
    pgn.moves = finished.moves.iter().map(|played| pgn_move(played, pgnout)).collect();
    pgn.result = finished.result;
    pgn
}

/// A game in progress. Clocks are in seconds.
fn live_pgn(plan: &Plan, pgnout: &PgnOutSettings, live: &LiveGame, date: &str) -> PgnGame {
    let mut pgn = without_moves(plan, &live.game, live.start, date);
    for (name, clock) in CLOCK_TAGS.into_iter().zip(live.clocks) {
        if let Some(left) = clock {
            pgn.set_tag(name, format!("{:.3}", left.as_secs_f64()));
        }
    }
    pgn.moves = live.moves.iter().map(|played| pgn_move(played, pgnout)).collect();
    pgn
}

fn without_moves(plan: &Plan, game: &ScheduledGame, start: AnyPosition, date: &str) -> PgnGame {
    let mut pgn = PgnGame::from_position(start);
    let name = |player: usize| plan.tournament.contestants[player].name.as_str();
    pgn.set_tag("Event", plan.settings.event.as_deref().unwrap_or("Engine match"));
    pgn.set_tag("Site", plan.settings.site.as_deref().unwrap_or("?"));
    pgn.set_tag("Date", date);
    pgn.set_tag("Round", format!("{}.{}", game.round + 1, game.number + 1));
    pgn.set_tag("White", name(game.white));
    pgn.set_tag("Black", name(game.black));
    tag_game(&mut pgn, game, plan.schedule.is_paired());
    pgn
}

fn pgn_move(played: &PlayedMove, pgnout: &PgnOutSettings) -> PgnMove {
    let comment = match &played.report {
        None => BOOK_COMMENT.to_owned(),
        Some(report) => comment_on(report) + &details_of(&report.info, pgnout),
    };
    PgnMove { comment: Some(comment), ..PgnMove::from(played.mv) }
}

/// `score/depth time`, as in cutechess.
fn comment_on(report: &MoveReport) -> String {
    let time = format!("{:.3}s", report.time.as_secs_f64());
    let score = match report.info.score {
        None => return time,
        Some(ReportedScore::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(ReportedScore::Mate(moves)) if moves > 0 => format!("+M{moves}"),
        Some(ReportedScore::Mate(moves)) => format!("-M{}", moves.unsigned_abs()),
    };
    format!("{score}/{} {time}", report.info.depth.unwrap_or(0))
}

/// `, n=1234, sd=20`, as in fastchess, for the values that the engine reported.
fn details_of(info: &SearchInfo, pgnout: &PgnOutSettings) -> String {
    let mut text = String::new();
    for (wanted, name, figure) in [
        (pgnout.nodes, "n", info.nodes),
        (pgnout.seldepth, "sd", info.seldepth.map(u64::from)),
        (pgnout.nps, "nps", info.nps),
        (pgnout.hashfull, "hashfull", info.hashfull.map(u64::from)),
    ] {
        if let Some(figure) = figure.filter(|_| wanted) {
            push(&mut text, format_args!(", {name}={figure}"));
        }
    }
    if pgnout.pv && !info.pv.is_empty() {
        push(&mut text, format_args!(", pv=\"{}\"", info.pv));
    }
    text
}

/// Whether a game was saved completely, as its tags announce.
fn is_complete(read: &ReadGame) -> bool {
    let Some(result) = read.written_result.filter(|&result| result != GameResult::Unfinished)
    else {
        return false;
    };
    let says = |tag: &str, text: &str| read.game.tag(tag) == Some(text);
    says("Result", result.text()) && says(PLIES_TAG, &read.game.moves.len().to_string())
}

/// Minimum interval between writes.
const INTERVAL: Duration = Duration::from_millis(250);
/// Maximum interval between writes, so that readers recognise a stale file of a killed match.
const HEARTBEAT: Duration = Duration::from_secs(2);

/// Writes the games in progress as PGN until the sender of `ended` is dropped; then removes the
/// file.
pub(super) fn show_live_games(plan: &Plan, live: &LiveGames, date: &str, ended: &Receiver<()>) {
    let Some(out) = &plan.settings.pgnout else { return };
    let path = live_file(&out.file);
    let mut shown: Option<(u64, Instant)> = None;
    while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let changes = live.changes();
        let is_due =
            shown.is_none_or(|(known, written)| known != changes || written.elapsed() >= HEARTBEAT);
        if !is_due {
            continue;
        }
        let mut text = String::new();
        for game in live.snapshot() {
            let pgn = live_pgn(plan, out, &game, date);
            push(&mut text, format_args!("{}", pgn.written_in(out.notation)));
        }
        if let Err(error) = write_atomic_unsynced(&path, text.as_bytes()) {
            print_message(format_args!(
                "-live: {}: {error}; games are no longer shown",
                path.display()
            ));
            break;
        }
        shown = Some((changes, Instant::now()));
    }
    if shown.is_some()
        && let Err(error) = std::fs::remove_file(&path)
    {
        log::warn!("{}: {error}", path.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::pgn::{GameResult, PgnGame};
    use qirkat_rules::variant::Variant;

    fn game(number: usize) -> String {
        let mut pgn = PgnGame::default();
        let mut game = Variant::default().new_game();
        for san in ["b3", "b7", "Nc3", "Nc7", "e4"] {
            let mv = game.position().parse_san(san).expect(san);
            game.play(mv);
            pgn.moves.push(mv.into());
        }
        pgn.moves[2].comment = Some("+0.31/12 0.5s".to_owned());
        for (name, value) in [("GameNumber", number), ("PlyCount", 5)] {
            pgn.set_tag(name, value.to_string());
        }
        pgn.result = [GameResult::Draw, GameResult::WhiteWins][number % 2];
        pgn.to_string()
    }

    /// Repairs a file with these bytes as a resumed match does; returns it and what was moved aside.
    fn mend(path: &Path, bytes: &[u8]) -> (GameFile, Vec<u8>) {
        let aside = path.with_added_extension("torn");
        std::fs::write(&aside, "").expect("room on the disk");
        std::fs::write(path, bytes).expect("room on the disk");
        let out = PgnOutSettings { file: path.to_owned(), ..PgnOutSettings::default() };
        let file = open_results(&out.file).expect("a file");
        let mut games = GameFile { out, file, end: 0 };
        let read = read_complete_games(games.rewound().expect("a file"), |_| Ok(()));
        (games.end, _) = read.expect("a readable file");
        games.repair_tail().expect("room on the disk");
        (games, std::fs::read(&aside).unwrap_or_default())
    }

    /// However the last game was cut off, and whatever follows it: whole
    /// games stay, the next can follow, and nothing is lost.
    #[test]
    fn nothing_is_lost_at_a_torn_end() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.pgn");
        let tails: [&[u8]; 7] = [
            b"",
            b"\n\nnote to self\n",
            b"\0\0\0\0\0\0",
            b"\xFF\xFEe4 1-0",
            b" 1-0\n",
            b"}{\"[%\n[Event \"again",
            b"; a comment",
        ];
        let is_long = std::env::var_os("QIRKAT_TESTS").is_some_and(|effort| effort != "quick");
        let step = if is_long { 1 } else { 11 };
        let (first, last) = (game(0), game(1));
        for before in [first.as_str(), ""] {
            for cut in (0..=last.len()).rev().step_by(step) {
                let garbage = [b"", tails[cut % tails.len()]];
                for garbage in garbage {
                    let bytes = [before.as_bytes(), &last.as_bytes()[..cut], garbage].concat();
                    let (mut games, aside) = mend(&path, &bytes);
                    games.file.write_all(game(2).as_bytes()).expect("room on the disk");
                    let text = std::fs::read_to_string(&path).expect("text");
                    let read: Vec<ReadGame> = PgnReader::new(text.as_bytes())
                        .collect::<Result<_, _>>()
                        .unwrap_or_else(|error| panic!("{error}: {text}"));
                    // Except garbage that joins the result to another word.
                    let spoiled = cut + 2 == last.len() && garbage.starts_with(b"\xFF");
                    let second = cut + 2 >= last.len() && !spoiled;
                    let expected = [(0, !before.is_empty()), (1, second), (2, true)];
                    let expected = expected.iter().filter(|(_, there)| *there);
                    let expected: Vec<Option<usize>> =
                        expected.map(|&(number, _)| Some(number)).collect();
                    let numbers: Vec<Option<usize>> =
                        read.iter().map(|read| game_number(&read.game)).collect();
                    assert_eq!(numbers, expected, "{cut} {garbage:?}");
                    assert!(text.starts_with(before));
                    let kept = text.as_bytes().starts_with(&bytes);
                    assert!(kept || bytes.ends_with(&aside) && !aside.is_empty(), "{cut}\n{text}");
                }
            }
        }
    }

    #[test]
    fn comments_stay_notes_become_some_and_the_rest_goes() {
        for (tail, expected) in [
            ("\n\n", None),
            ("\n\n; played at night\n\n", None),
            ("\n\n{two\nlines}\n\n", None),
            ("", Some("\n\n")),
            ("\n", Some("\n\n")),
            ("\n\n; played at night", Some("\n\n; played at night\n\n")),
            ("\n\nnote to self\n", Some("\n\n; note to self\n\n")),
            ("\n\n[todo] 1-0?\r\n\r\nmore", Some("\n\n; [todo] 1-0?\n; more\n\n")),
            ("\n\n[", Some("\n\n")),
            ("\n\n[Even", Some("\n\n")),
            ("\n\n[Event \"?\"]\n\n1. e4 {", Some("\n\n")),
            ("\n\nnote\n[Event \"?\"]\n\n1. e4 {", Some("\n\n; note\n\n")),
            ("\n\n; note\n[Event \"?\"]\n", Some("\n\n; note\n\n")),
            ("\n\n\0\0\0\0", Some("\n\n")),
            ("\n\n{never closed", Some("\n\n; {never closed\n\n")),
        ] {
            assert_eq!(repaired(tail.as_bytes()).as_deref(), expected, "{tail:?}");
        }
        assert_eq!(repaired(b"\xFF\xFE"), Some("\n\n".to_owned()));
    }
}
