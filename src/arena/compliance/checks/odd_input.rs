//! Robustness: unusual and malformed lines.

use crate::compliance::engine_under_test::Setup;
use crate::compliance::examiner::{Examiner, Outcome, PROMPT, SEARCH};

/// Lines that need no answer.
const GARBAGE: [&str; 16] = [
    "",
    "   ",
    "\t",
    "joho",
    "xyzzy plugh 12 -7 e2e4",
    "isreadynow",
    "UCIOK",
    "uciok",
    "readyok",
    "bestmove e2e4",
    "info depth 3 score cp 1 pv e2e4",
    "id name Somebody",
    "ponderhit",
    "#!/bin/sh",
    "{\"position\": [\"startpos\"]}",
    "%s%n%x%d \\n \\0 ${HOME} $(ls) `ls`",
];

/// Bytes that are not UTF-8, in all kinds of places.
const BYTES: [&[u8]; 5] = [
    b"\xff\xfe\x80\n",
    b"\0\0\0\n",
    b"setoption name \xff value \xc3\x28\n",
    b"position startpos moves \xe2\x28\xa1\n",
    b"joho \xf0\x9f\x92 \x1b[31m\n",
];

/// Letters of a line that is much too long.
const LONG_LINE: usize = 1_000_000;

pub(super) fn garbage(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    for line in GARBAGE {
        engine.survive(format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

pub(super) fn long_line(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let mut line = "x".repeat(LONG_LINE);
    line.push('\n');
    engine.survive(line.as_bytes())
}

pub(super) fn bytes(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    for bytes in BYTES {
        engine.survive(bytes)?;
    }
    Ok(())
}

pub(super) fn debug(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    for line in ["debug on", "register later", "debug off", "debug"] {
        engine.survive(format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

pub(super) fn blanks(examiner: &Examiner<'_>) -> Outcome {
    let mut engine = examiner.engine()?;
    let prompt = examiner.within(PROMPT);
    for line in ["isready\r\n", "  isready\n", "isready  \n", "\tisready\t\r\n"] {
        engine.send_bytes(line.as_bytes())?;
        engine.expect_readyok(prompt)?;
    }
    let setup = Setup::start().moves("e2e4");
    engine.send_bytes(b" position  startpos \t moves   e2e4 \r\n")?;
    engine.send_bytes(b"go\tdepth  2   movetime 50\r\n")?;
    engine.legal_answer(&setup, examiner.within(SEARCH)).map(drop)
}
