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
    games: tempfile::TempDir,
}

impl Board {
    fn start() -> Board {
        Board::start_with(&[])
    }

    fn start_with(more: &[&str]) -> Board {
        Board::start_by(Command::new(env!("CARGO_BIN_EXE_qirkat")), more)
    }

    /// With so many file handles.
    #[cfg(unix)]
    fn start_with_handles(most: usize) -> Board {
        let mut shell = Command::new("sh");
        let line = format!("ulimit -n {most}; exec \"$0\" \"$@\"");
        shell.args(["-c", &line, env!("CARGO_BIN_EXE_qirkat")]);
        Board::start_by(shell, &[])
    }

    fn start_by(mut program: Command, more: &[&str]) -> Board {
        let games = tempfile::tempdir().expect("a folder for the test");
        let mut child = program
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
        Board { child, host, path, games }
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

/// A tab of the page, as far as it talks: a WebSocket.
struct Tab(BufReader<TcpStream>);

impl Tab {
    fn open(board: &Board) -> Tab {
        let mut stream = TcpStream::connect(&board.host).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time limit");
        let request = format!(
            "GET {}socket HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            board.path, board.host
        );
        stream.write_all(request.as_bytes()).expect("a request");
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            stream.read_line(&mut line).expect("a line");
            assert!(!line.is_empty(), "no answer");
        }
        Tab(stream)
    }

    /// Sends a request of fewer than 126 letters: a frame whose mask is zero.
    fn ask(&mut self, request: &str) {
        let mut frame = vec![0x81, 0x80 | u8::try_from(request.len()).expect("a short one")];
        frame.extend([0; 4]);
        frame.extend(request.bytes());
        self.0.get_mut().write_all(&frame).expect("a request");
    }

    /// The next reply that has this in it.
    fn hear(&mut self, words: &str) -> String {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).expect("a reply");
            let length = match head[1] {
                126 => {
                    let mut length = [0; 2];
                    self.0.read_exact(&mut length).expect("a reply");
                    u16::from_be_bytes(length).into()
                }
                127 => {
                    let mut length = [0; 8];
                    self.0.read_exact(&mut length).expect("a reply");
                    u64::from_be_bytes(length)
                }
                length => length.into(),
            };
            let mut text = String::new();
            self.0.by_ref().take(length).read_to_string(&mut text).expect("a reply");
            if text.contains(words) {
                return text;
            }
        }
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
    assert_eq!(status.code(), Some(130));
}

/// Sockets that say nothing neither keep the page away nor a game from being saved.
#[cfg(unix)]
#[test]
fn silent_connections_leave_room_for_a_page_and_for_saving() {
    let board = Board::start_with_handles(64);
    let _silent: Vec<_> =
        (0..80).map(|_| TcpStream::connect(&board.host).expect("a connection")).collect();
    let page = board.ask(&board.path, &format!("Host: {}\r\n", board.host));
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    let mut tab = Tab::open(&board);
    tab.ask(r#"{"do":"new","game":"chesquerque","people":[true,true]}"#);
    tab.hear(r#""people":[true,true]"#);
    tab.ask(r#"{"do":"move","node":0,"text":"e4"}"#);
    tab.hear(r#""node":1"#);
    let kept = std::fs::read_dir(board.games.path()).expect("a folder");
    let names: Vec<_> = kept.map(|entry| entry.expect("a file").file_name()).collect();
    let is_game = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".json");
    assert!(names.iter().any(is_game), "{names:?}");
}

#[test]
fn a_connection_that_says_nothing_is_closed() {
    let board = Board::start();
    let mut silent = TcpStream::connect(&board.host).expect("a connection");
    silent.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
    let mut halting = TcpStream::connect(&board.host).expect("a connection");
    halting.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
    halting.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("half a request");
    for stream in [&mut silent, &mut halting] {
        // It may be told why.
        stream.read_to_end(&mut Vec::new()).expect("an end");
    }
}

/// What searches have used goes back to the system, as far as it is large.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn analyses_that_are_over_leave_no_memory_behind() {
    let board = Board::start();
    let megabytes = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", board.child.id()));
        let status = status.expect("a running program");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        line.trim_end_matches("kB").trim().parse::<usize>().expect("a number") / 1024
    };
    let begin = megabytes();
    for _ in 0..3 {
        let mut tabs: Vec<_> = (0..8).map(|_| Tab::open(&board)).collect();
        for tab in &mut tabs {
            tab.ask(r#"{"do":"new","game":"chesquerque"}"#);
            tab.ask(r#"{"do":"analyse","on":true}"#);
        }
        for tab in &mut tabs {
            tab.hear(r#""say":"lines""#);
        }
    }
    let end = std::time::Instant::now() + Duration::from_secs(30);
    while megabytes() > begin + 40 {
        assert!(std::time::Instant::now() < end, "{begin} MB at first, now {}", megabytes());
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A second board on the same games would write over the moves of the first.
#[test]
fn two_boards_do_not_share_a_folder() {
    let mut board = Board::start();
    let start = |games: &std::path::Path| {
        let mut second = Command::new(env!("CARGO_BIN_EXE_qirkat"));
        second.args(["board", "--no-open", "--games"]).arg(games).stdin(Stdio::null());
        second.output().expect("an end")
    };
    let refused = start(board.games.path());
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && refused.stdout.is_empty(), "{refused:?}");
    let port = board.host.rsplit(':').next().expect("a port");
    let mut third = Command::new(env!("CARGO_BIN_EXE_qirkat"));
    let elsewhere = tempfile::tempdir().expect("a folder for the test");
    third.args(["board", "--no-open", "--port", port, "--games"]).arg(elsewhere.path());
    let taken = third.stdin(Stdio::null()).output().expect("an end");
    assert!(String::from_utf8_lossy(&taken.stderr).contains("--port names another"), "{taken:?}");
    let is_told = told.contains("another board keeps its games there") && told.contains("--games");
    assert!(is_told && told.lines().count() == 1, "{told}");
    // One that was killed leaves the folder free.
    board.child.kill().expect("a running program");
    board.child.wait().expect("an end");
    let mut again = Command::new(env!("CARGO_BIN_EXE_qirkat"))
        .args(["board", "--no-open", "--games"])
        .arg(board.games.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let mut address = String::new();
    BufReader::new(again.stdout.take().expect("a pipe")).read_line(&mut address).expect("a line");
    again.kill().expect("a running program");
    again.wait().expect("an end");
    assert!(address.starts_with("http://"), "{address}");
    // Where nothing can be written, that is told at once.
    let file = tempfile::NamedTempFile::new().expect("a file for the test");
    let refused = start(file.path());
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && told.lines().count() == 1, "{told}");
    assert!(told.contains(&file.path().display().to_string()), "{told}");
}
