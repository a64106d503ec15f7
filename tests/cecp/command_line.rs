//! `qirkat xboard` as far as it goes without XBoard.

use std::process::{Command, Output};

fn print(arguments: &[&str]) -> Output {
    let cache = tempfile::tempdir().expect("a folder for the test");
    Command::new(env!("CARGO_BIN_EXE_qirkat"))
        .args(["xboard", "--print"])
        .args(arguments)
        .env("XDG_CACHE_HOME", cache.path())
        .output()
        .expect("the binary starts")
}

/// What the engine is to be set to reaches XBoard, and a network that cannot
/// be read is refused before anything opens.
#[test]
fn options_of_the_engine_are_handed_on() {
    let said = |arguments: &[&str]| {
        let output = print(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(!said(&[]).contains("-firstOptions"));
    let both = said(&["--skill", "3", "--eval-file", "<none>", "--threads", "2"]);
    assert!(both.contains("-firstOptions 'Skill Level=3,EvalFile=<none>'"), "{both}");
    assert!(both.contains("-smpCores 2"), "{both}");

    let refused = print(&["--eval-file", "/no/such/file"]);
    assert_eq!(refused.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(errors.contains("--eval-file") && errors.contains("/no/such/file"), "{errors}");
}
