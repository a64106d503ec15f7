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
        Board::start_with(&[])
    }

    fn start_with(more: &[&str]) -> Board {
        let games = tempfile::tempdir().expect("a folder for the test");
        let mut child = Command::new(env!("CARGO_BIN_EXE_qirkat"))
            .args(["board", "--no-open", "--games"])
            .arg(games.path())
            .args(more)
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

/// A server that listens to the network still keeps strangers out.
#[test]
fn only_its_own_page_is_served_to_other_machines() {
    let board = Board::start_with(&["--listen", "0.0.0.0"]);
    let (host, path) = (&board.host, &board.path);
    let (_, port) = host.split_once(':').expect("a port");
    // What this machine is called in the network does not matter, as long as it is an
    // address: no page can have that for its own name.
    let other = format!("192.168.7.7:{port}");
    for called in [host, &other] {
        for origin in [String::new(), format!("Origin: http://{called}\r\n")] {
            let page = board.ask(path, &format!("Host: {called}\r\n{origin}"));
            assert!(page.starts_with("HTTP/1.1 200"), "{called} {origin}: {page}");
            assert!(page.contains(&format!("ws://{called}")), "{page}");
        }
    }
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for (path, lines) in [
        (path.as_str(), format!("Host: evil.example:{port}\r\n")),
        (path, format!("Host: {other}\r\nOrigin: http://evil.example\r\n")),
        (path, format!("Host: {other}\r\nOrigin: http://6.6.6.6:{port}\r\n")),
        (path, "Host: 192.168.7.7\r\n".to_owned()),
        ("/", format!("Host: {other}\r\n")),
        ("/socket", format!("Host: {other}\r\n{upgrade}")),
        (&format!("{path}socket"), format!("Host: evil.example:{port}\r\n{upgrade}")),
        (&format!("{path}socket"), format!("Host: {other}\r\nOrigin: null\r\n{upgrade}")),
    ] {
        let answer = board.ask(path, &lines);
        assert!(
            answer.starts_with("HTTP/1.1 403") && !answer.contains("<title>"),
            "{path} {lines}"
        );
    }
}

#[test]
fn what_it_means_to_listen_to_others_is_told() {
    for (listen, told) in [
        ("0.0.0.0", "warning: other machines can reach this board"),
        ("192.0.2.1", "cannot listen on 192.0.2.1:0"),
        ("1.2.3.4:x", "not an address or a name of this machine"),
        ("192.0.2.1:77", "cannot listen on 192.0.2.1:77"),
        ("127.0.0.1", "open this address in a browser"),
    ] {
        let games = tempfile::tempdir().expect("a folder for the test");
        let mut child = Command::new(env!("CARGO_BIN_EXE_qirkat"))
            .args(["board", "--no-open", "--listen", listen, "--games"])
            .arg(games.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut line = String::new();
        let stderr = child.stderr.take().expect("a pipe");
        BufReader::new(stderr).read_line(&mut line).expect("a line");
        // It may have ended.
        let _ = child.kill();
        let _ = child.wait();
        assert!(line.contains(told), "{listen}: {line}");
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
