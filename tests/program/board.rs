//! `qirkat board` on the network: whose requests it serves, and how it exits. Its page is tested in
//! a real browser (`tests/browser`).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::Duration;

use crate::run::{Folder, Running, wait_until};
use qirkat_testing::effort;

const BOARD: &str = "board --no-open --games games";

struct Board {
    running: Running,
    folder: Folder,
    /// `127.0.0.1:PORT`
    host: String,
    /// `/TOKEN/`
    path: String,
}

impl Board {
    fn start(more: &str) -> Board {
        let folder = Folder::new();
        let command = folder.command(&format!("{BOARD} {more}"));
        Board::start_by(folder, command)
    }

    fn start_by(folder: Folder, command: Command) -> Board {
        let mut running = Running::start(command);
        running.wait_for("/\n");
        let address = running.said();
        let rest = address.trim().strip_prefix("http://").expect("an address of HTTP");
        let (host, path) = rest.split_once('/').expect("a path");
        let (host, path) = (host.to_owned(), format!("/{path}"));
        Board { running, folder, host, path }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        stream
    }

    /// The full response to a request with these header lines.
    fn ask(&self, path: &str, lines: &str) -> String {
        let mut stream = self.connect();
        let request = format!("GET {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }
}

/// The WebSocket of an open page.
struct Tab(BufReader<TcpStream>);

impl Tab {
    fn open(board: &Board) -> Tab {
        let mut stream = board.connect();
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

    /// Sends a request of fewer than 126 bytes: a frame with a zero mask.
    fn ask(&mut self, request: &str) {
        let mut frame = vec![0x81, 0x80 | u8::try_from(request.len()).expect("a short one")];
        frame.extend([0; 4]);
        frame.extend(request.bytes());
        self.0.get_mut().write_all(&frame).expect("a request");
    }

    fn wait_for_message(&mut self, words: &str) -> String {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).expect("a reply");
            let mut length = [0; 8];
            match head[1] {
                126 => self.0.read_exact(&mut length[6..]).expect("a reply"),
                127 => self.0.read_exact(&mut length).expect("a reply"),
                short => length[7] = short,
            }
            let mut part = self.0.by_ref().take(u64::from_be_bytes(length));
            let mut text = String::new();
            part.read_to_string(&mut text).expect("a reply");
            if text.contains(words) {
                return text;
            }
        }
    }
}

#[test]
fn only_its_own_page_is_served() {
    for more in ["", "--listen 0.0.0.0"] {
        let board = Board::start(more);
        let (host, path) = (&board.host, &board.path);
        assert!(host.starts_with("127.0.0.1:") || !more.is_empty(), "{host}");
        let (_, port) = host.split_once(':').expect("a port");
        // Any IP address is accepted as the host name: no foreign page can have one as its own.
        let other = format!("192.168.7.7:{port}");
        for called in [host, &other].into_iter().take(if more.is_empty() { 1 } else { 2 }) {
            for origin in [String::new(), format!("Origin: http://{called}\r\n")] {
                let page = board.ask(path, &format!("Host: {called}\r\n{origin}"));
                assert!(page.starts_with("HTTP/1.1 200"), "{called} {origin}: {page}");
                assert!(page.contains("<title>Qirkat</title>"), "{page}");
                assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
                assert!(page.contains(&format!("ws://{called}")), "{page}");
            }
        }
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let socket = format!("{path}socket");
        for (path, lines) in [
            (path.as_str(), String::new()),
            (path, format!("Host: evil.example:{port}\r\n")),
            (path, format!("Host: {host}\r\nOrigin: http://evil.example\r\n")),
            (path, format!("Host: {other}\r\nOrigin: http://6.6.6.6:{port}\r\n")),
            (path, "Host: 192.168.7.7\r\n".to_owned()),
            ("/", format!("Host: {host}\r\n")),
            ("/index.html", format!("Host: {host}\r\n")),
            ("/socket", format!("Host: {host}\r\n{upgrade}")),
            (&socket, format!("Host: evil.example:{port}\r\n{upgrade}")),
            (&socket, format!("Host: {host}\r\nOrigin: null\r\n{upgrade}")),
        ] {
            let answer = board.ask(path, &lines);
            let status = if lines.is_empty() { "HTTP/1.1 4" } else { "HTTP/1.1 403" };
            assert!(answer.starts_with(status), "{more} {path} {lines}: {answer}");
            assert!(!answer.contains("<title>"), "{more} {path} {lines}");
        }
    }
}

#[test]
fn questions_about_positions_are_answered_if_that_is_wanted() {
    let (with, without) = (Board::start("--api"), Board::start(""));
    let lines = "Host: tables.example\r\nOrigin: http://evil.example\r\n";
    for (path, status, part) in [
        ("/api/tables?fen=9/9/9/3k5/9/9/9/5B3/4K4_w_-_-_0_1", "200", r#"{"result":"win","dtm":31"#),
        ("/api/book", "200", r#"{"fen":"rnbqkabnr/"#),
        ("/api/book?fen=x", "400", r#"{"error":"fen: "#),
        ("/api", "403", "This server talks to its own page only."),
    ] {
        let answer = with.ask(path, lines);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
        assert!(answer.contains(&format!("\r\n\r\n{part}")), "{path}: {answer}");
        let is_open = answer.contains("access-control-allow-origin: *");
        assert_eq!(is_open, status != "403", "{path}: {answer}");
        assert!(without.ask(path, lines).starts_with("HTTP/1.1 403"), "{path}");
    }
    let told = format!("http://{}/api/tables", with.host);
    let mut running = with.running;
    running.wait_for(&told);
}

/// By the API and by the page.
#[test]
fn tables_of_a_folder_are_asked_too() {
    let folder = Folder::new();
    folder.refuse(&format!("{BOARD} --table-path nowhere"), "--table-path: nowhere: ");
    folder.good("tables build --game alquerque --output tables 4v1");
    let fen = "4m/5/5/5/MMMM1 w - - 0 1";
    for (more, is_known) in [("--api --table-path tables", true), ("--api", false)] {
        let board = Board::start_by(Folder::new(), folder.command(&format!("{BOARD} {more}")));
        let path = format!("/api/tables?variant=alquerque&fen={}", fen.replace(' ', "_"));
        let answer = board.ask(&path, &format!("Host: {}\r\n", board.host));
        assert_eq!(answer.contains(r#"{"result":"win","dtm":"#), is_known, "{answer}");
        let mut tab = Tab::open(&board);
        tab.ask(&format!(r#"{{"do":"new","game":"alquerque","fen":"{fen}"}}"#));
        tab.ask(r#"{"do":"known","node":0}"#);
        let told = tab.wait_for_message(r#""say":"known""#);
        assert_eq!(told.contains(r#""result":"win""#), is_known, "{told}");
    }
}

#[test]
fn listening_on_the_network_is_warned_about() {
    let folder = Folder::new();
    for (listen, told) in [
        ("0.0.0.0", "warning: other machines can reach this board"),
        ("192.0.2.1", "cannot listen on 192.0.2.1:0"),
        ("1.2.3.4:x", "not an address or a name of this machine"),
        ("192.0.2.1:77", "cannot listen on 192.0.2.1:77"),
        ("127.0.0.1", "open this address in a browser"),
    ] {
        let mut running = folder.start(&format!("{BOARD} --listen {listen}"));
        running.wait_for(told);
        running.kill();
    }
}

#[test]
fn ctrl_c_ends_it_cleanly() {
    assert_eq!(Board::start("").running.interrupt().code, Some(130));
}

#[test]
fn the_address_stays_until_it_is_renewed_or_taken() {
    let mut board = Board::start("");
    let (host, path) = (board.host.clone(), board.path.clone());
    let start = |board: Board, more: &str| {
        let Board { running, folder, .. } = board;
        running.interrupt();
        let command = folder.command(&format!("{BOARD} {more}"));
        Board::start_by(folder, command)
    };
    board = start(board, "");
    assert_eq!((&board.host, &board.path), (&host, &path));
    // Another board at the same time has an address of its own.
    let mut other = board.folder.start("board --no-open --games other");
    other.wait_for("/\n");
    assert!(!other.said().contains(&path) && !other.said().contains(&host), "{}", other.said());
    other.interrupt();
    // The port rules, and is not kept.
    board = start(board, "--port 0");
    assert!(board.host != host && board.path == path, "{}", board.host);
    let taken = TcpListener::bind(&host).expect("it is free");
    board = start(board, "");
    board.running.wait_for("of the board's address is taken");
    // Whoever has the port may know the token.
    assert!(board.host != host && board.path != path, "{}", board.host);
    let (host, path) = (board.host.clone(), board.path.clone());
    drop(taken);
    board = start(board, "");
    assert_eq!((&board.host, &board.path), (&host, &path));
    board = start(board, "--new-address");
    assert_ne!(board.path, path);
    let path = board.path.clone();
    board.folder.write("games/address", "x");
    board = start(board, "");
    board.running.wait_for("games/address: it is damaged; the board has a new address");
    assert_ne!(board.path, path);
}

/// Every local user can read the arguments of a program.
#[test]
fn the_token_is_not_among_the_arguments_of_the_browser() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let opener = "#!/bin/sh\ncat \"$@\" > page.part\necho \"$@\" > arguments\nmv page.part page\n";
    let opener = folder.write("xdg-open", opener);
    std::fs::set_permissions(opener, std::fs::Permissions::from_mode(0o700)).expect("a file");
    let mut command = folder.command("board --games games");
    let path = std::env::var("PATH").expect("a path");
    command.env("PATH", format!("{}:{path}", folder.path("").display()));
    let board = Board::start_by(folder, command);
    let folder = &board.folder;
    wait_until("browser", || folder.has("page"));
    let arguments = folder.read("arguments");
    let page = arguments.trim();
    assert!(page.ends_with("games/open/board.html"), "{page}");
    assert!(!arguments.contains(board.path.trim_matches('/')), "{arguments}");
    let address = format!("url=http://{}{}\"", board.host, board.path);
    assert!(folder.read("page").contains(&address), "{}", folder.read("page"));
    // It goes when the page has been fetched, not when one that was left open connects.
    let tab = Tab::open(&board);
    assert!(folder.has("games/open/board.html"));
    drop(tab);
    board.ask(&board.path, &format!("Host: {}\r\n", board.host));
    assert!(!folder.has("games/open"));
    let Board { running, folder, .. } = board;
    running.interrupt();
    let mut command = folder.command("board --games games");
    command.env("PATH", format!("{}:{path}", folder.path("").display()));
    std::fs::remove_file(folder.path("page")).expect("a file");
    let board = Board::start_by(folder, command);
    wait_until("browser", || board.folder.has("page"));
    // And when the server ends.
    assert_eq!(board.running.interrupt().code, Some(130));
    assert!(!board.folder.has("games/open"));
}

#[test]
fn silent_connections_do_not_block_the_page_or_saving() {
    let folder = Folder::new();
    let command = folder.limited("-n 64", BOARD);
    let board = Board::start_by(folder, command);
    let _silent: Vec<_> = (0..80).map(|_| board.connect()).collect();
    let page = board.ask(&board.path, &format!("Host: {}\r\n", board.host));
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    let mut tab = Tab::open(&board);
    tab.ask(r#"{"do":"new","game":"chesquerque","people":[true,true]}"#);
    tab.wait_for_message(r#""people":[true,true]"#);
    tab.ask(r#"{"do":"move","node":0,"text":"e4"}"#);
    tab.wait_for_message(r#""node":1"#);
    let kept = std::fs::read_dir(board.folder.path("games")).expect("a folder");
    let mut names = kept.map(|entry| entry.expect("a file").file_name());
    assert!(names.any(|name| name.to_string_lossy().ends_with(".json")));
}

#[test]
fn a_silent_connection_is_closed() {
    let board = Board::start("");
    let (mut silent, mut halting) = (board.connect(), board.connect());
    halting.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("half a request");
    for stream in [&mut silent, &mut halting] {
        // It may send the reason.
        stream.read_to_end(&mut Vec::new()).expect("an end");
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn finished_analyses_free_their_memory() {
    let board = Board::start("");
    let begin = board.running.megabytes();
    for _ in 0..effort([1, 3, 3]) {
        let mut tabs: Vec<_> = (0..8).map(|_| Tab::open(&board)).collect();
        for tab in &mut tabs {
            tab.ask(r#"{"do":"new","game":"chesquerque"}"#);
            tab.ask(r#"{"do":"analyse","on":true}"#);
        }
        for tab in &mut tabs {
            tab.wait_for_message(r#""say":"lines""#);
        }
    }
    wait_until("release of memory", || board.running.megabytes() <= begin + 40);
}

/// A second board on the same folder would overwrite the moves of the first.
#[test]
fn two_boards_do_not_share_a_folder() {
    let board = Board::start("");
    let port = board.host.rsplit(':').next().expect("a port");
    let taken = board.folder.run(&format!("board --no-open --games other --port {port}"));
    assert!(taken.err.contains("--port names another"), "{}", taken.err);
    board.folder.refuse(BOARD, "another board keeps its games there");
    board.folder.refuse(BOARD, "--games");
    // A killed board leaves the folder free.
    let Board { running, folder, .. } = board;
    running.kill();
    let command = folder.command(BOARD);
    let board = Board::start_by(folder, command);
    // An unwritable folder is reported at once.
    board.folder.write("file", "");
    board.folder.refuse("board --no-open --games file", "file");
}
