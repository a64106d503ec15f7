//! `qirkat board` as it meets the network: whom it answers, and how it ends. What its
//! page does is tested in a real browser (`tests/browser`).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

struct Board {
    child: Child,
    /// `127.0.0.1:PORT`
    host: String,
    /// `/TOKEN/`
    path: String,
    _games: tempfile::TempDir,
}

impl Board {
    fn start() -> Board {
        let games = tempfile::tempdir().expect("a folder for the test");
        let mut child = Command::new(env!("CARGO_BIN_EXE_qirkat"))
            .args(["board", "--no-open", "--games"])
            .arg(games.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program");
        let mut address = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut address).expect("an address");
        let rest = address.trim().strip_prefix("http://").expect("an address of HTTP");
        let (host, path) = rest.split_once('/').expect("a path");
        let (host, path) = (host.to_owned(), format!("/{path}"));
        Board { child, host, path, _games: games }
    }

    /// The whole answer to a request with these lines behind the first.
    fn ask(&self, path: &str, lines: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time limit");
        let request = format!("GET {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn only_its_own_page_is_served() {
    let board = Board::start();
    let (host, path) = (&board.host, &board.path);
    assert!(host.starts_with("127.0.0.1:"), "{host}");
    let page = board.ask(path, &format!("Host: {host}\r\n"));
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Qirkat</title>"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
    for (path, lines) in [
        (path.as_str(), "Host: evil.example\r\n".to_owned()),
        (path, String::new()),
        (path, format!("Host: {host}\r\nOrigin: http://evil.example\r\n")),
        ("/", format!("Host: {host}\r\n")),
        ("/index.html", format!("Host: {host}\r\n")),
    ] {
        let answer = board.ask(path, &lines);
        assert!(answer.starts_with("HTTP/1.1 4") && !answer.contains("<title>"), "{path} {lines}");
    }
}

#[test]
fn ctrl_c_ends_it_in_good_order() {
    let mut board = Board::start();
    let id = board.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(sent.success());
    let status = board.child.wait().expect("an end");
    assert_eq!(status.code(), Some(0));
}
