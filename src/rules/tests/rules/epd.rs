use qirkat_rules::epd::{Operation, read_epd};
use qirkat_rules::variant::Variant;

#[test]
fn positions_and_operations_are_separated() {
    let text = "# a book\n\n4k4/9/9/9/9/9/9/9/R3K4 w Q - id \"x\";\r\n\
                4k4/9/9/9/9/9/9/9/R3K4 b - - 3 40\n  4k4/9/9/9/9/9/9/9/R3K4  w - - 7\n\
                4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1 bm a1a9; dm 2;";
    let records = read_epd(text.as_bytes(), "book", Variant::Chesquerque).expect("a good file");
    let found: Vec<(usize, String, usize)> = records
        .iter()
        .map(|record| {
            let operations = record.operations().expect("good operations");
            (record.line, record.position.fen(), operations.len())
        })
        .collect();
    let expected = [
        (3, "4k4/9/9/9/9/9/9/9/R3K4 w Q - 0 1", 1),
        (4, "4k4/9/9/9/9/9/9/9/R3K4 b - - 3 40", 0),
        (5, "4k4/9/9/9/9/9/9/9/R3K4 w - - 7 1", 0),
        (6, "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1", 2),
    ];
    assert_eq!(found, expected.map(|(line, fen, count)| (line, fen.to_owned(), count)));
}

#[test]
fn byte_order_marks_are_recognised() {
    let fen = "4k4/9/9/9/9/9/9/9/R3K4 w Q -";
    let marked = format!("\u{feff}{fen} id \"x\";\n{fen}\n");
    let read = |bytes: &[u8]| read_epd(bytes, "book", Variant::Chesquerque);
    assert_eq!(read(marked.as_bytes()).expect("a good file").len(), 2);
    let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = read(&wide).expect_err("another encoding");
    assert_eq!(error.to_string(), "book: the text is UTF-16; save it as UTF-8");
}

#[test]
fn an_invalid_line_is_reported_with_its_number() {
    let error = read_epd("\nnonsense w - -\n".as_bytes(), "book", Variant::Chesquerque)
        .expect_err("a bad file");
    assert_eq!(error.to_string(), "book, line 2: board: 1 rank instead of 9");
}

fn read(text: &str) -> Vec<(String, Vec<String>)> {
    let operations = Operation::read_all(text).expect("good operations");
    operations.into_iter().map(|operation| (operation.opcode, operation.operands)).collect()
}

#[test]
fn operations_are_parsed() {
    let owned = |opcode: &str, operands: &[&str]| {
        (opcode.to_owned(), operands.iter().map(|&operand| operand.to_owned()).collect())
    };
    assert_eq!(read(""), []);
    assert_eq!(read(" ; ;"), []);
    assert_eq!(
        read("bm e2e4  d2d4;dm 3; noop; c0 \"wins; a rook\" \"or so\"; id \"\""),
        [
            owned("bm", &["e2e4", "d2d4"]),
            owned("dm", &["3"]),
            owned("noop", &[]),
            owned("c0", &["wins; a rook", "or so"]),
            owned("id", &[""]),
        ]
    );
}

#[test]
fn operations_survive_a_round_trip() {
    for text in [
        "bm e2e4 d2d4;",
        "c0 \"wins\" \"or so\";",
        "id \"x\";",
        "noop;",
        "ce -35;",
        "x \"a; b\" \"\";",
    ] {
        let operations = Operation::read_all(text).expect("good operations");
        assert_eq!(operations[0].to_string(), text);
    }
}

#[test]
fn invalid_operations_are_reported() {
    for (text, complaint) in [
        ("bm e2e4; id \"first", "no closing quotation mark after `first`"),
        ("\"first\" bm", "expected the name of an operation, not `first`"),
    ] {
        let error = Operation::read_all(text).expect_err("bad operations");
        assert_eq!(error.to_string(), complaint);
    }
}
