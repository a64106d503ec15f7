use std::process::{Child, Command, Stdio};

use serde_json::Value;

pub struct ComplianceRun {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl ComplianceRun {
    /// Runs `qirkat compliance` with these arguments; `MOCK` is an engine with the fault that
    /// follows, `QIRKAT` the real one.
    pub fn run(words: &str) -> ComplianceRun {
        ComplianceRun::of(ComplianceRun::start(words))
    }

    pub fn of(child: Child) -> ComplianceRun {
        let output = child.wait_with_output().expect("qirkat ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let status = output.status.code();
        ComplianceRun { status, out: text(&output.stdout), err: text(&output.stderr) }
    }

    pub fn start(words: &str) -> Child {
        let qirkat = env!("CARGO_BIN_EXE_qirkat");
        let me = std::env::current_exe().expect("this program");
        let mut command = Command::new(qirkat);
        command.arg("compliance");
        for word in words.split_ascii_whitespace() {
            match word {
                "MOCK" => command.arg(&me).arg("--fault"),
                "QIRKAT" => command.arg(qirkat),
                word => command.arg(word),
            };
        }
        command
            .env_remove("RUST_LOG")
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("qirkat starts")
    }

    pub fn reports(&self) -> Vec<Value> {
        let values = self.out.lines().map(|line| serde_json::from_str(line).expect(line));
        values.filter(|value: &Value| value.get("verdict").is_some()).collect()
    }

    pub fn names(&self, verdict: &str) -> Vec<String> {
        let reports = self.reports().into_iter().filter(|report| report["verdict"] == verdict);
        reports.map(|report| report["name"].as_str().unwrap_or_default().to_owned()).collect()
    }
}
