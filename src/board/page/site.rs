//! The page and its files (`site/`), embedded in the program, and what the server makes of them: few
//! compressed files, whose address changes with their content so that browsers may keep them.

use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A file of the page as it was written.
#[derive(Clone, Copy, Debug)]
struct SourceFile {
    /// Its path below the page's address; empty for the page itself.
    path: &'static str,
    content_type: &'static str,
    content: &'static [u8],
}

/// A file of the page as it is served.
#[derive(Debug)]
pub struct SiteFile {
    /// Its path below the page's address; empty for the page itself.
    path: String,
    pub content_type: &'static str,
    pub content: Vec<u8>,
    /// The content as gzip; none if that is no shorter.
    pub gzip: Option<Vec<u8>>,
    /// Whether its path changes with its content.
    pub is_immutable: bool,
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const DRAWING: &str = "image/svg+xml";
const PICTURE: &str = "image/png";
const MANIFEST: &str = "application/manifest+json";

macro_rules! files {
    ($($kind:ident: $($path:literal)*;)*) => {
        &[$($(SourceFile {
            path: $path,
            content_type: $kind,
            content: include_bytes!(concat!("site/", $path)),
        },)*)*]
    };
}

const PAGE: SourceFile =
    SourceFile { path: "", content_type: HTML, content: include_bytes!("site/index.html") };

const FILES: &[SourceFile] = files! {
    STYLE:
        "colours.css" "layout.css" "style.css" "board/board.css" "openings/openings.css" "review/review.css"
        "tables/tables.css" "training/training.css" "watch/watch.css";
    DRAWING: "icon.svg";
    PICTURE: "icon.png";
    MANIFEST: "manifest.webmanifest";
    SCRIPT:
        "board/arrow_layer.js" "board/backdrop.js" "board/board.js" "board/boards.js"
        "board/castling.js" "board/geometry.js" "board/keyboard.js" "board/mark_layer.js" "board/piece_layer.js"
        "board/pieces.js" "board/pointer.js" "board/preview.js" "board/promotion.js" "board/selection.js"
        "board/spoken.js" "board/svg.js"
        "app/actions.js" "app/back.js" "app/clocks.js" "app/confirmed.js" "app/connection.js" "app/dialogs.js"
        "app/editor.js" "app/elements.js" "app/friend.js" "app/games.js" "app/graph.js" "app/greeting.js" "app/help.js" "app/icons.js" "app/keys.js"
        "app/lines.js" "app/main.js" "app/moves.js" "app/names.js" "app/new_game.js" "app/panels.js" "app/pens.js" "app/picture.js" "app/rule.js" "app/sentence.js" "app/settings.js" "app/sounds.js" "app/spoken_game.js" "app/store.js"
        "app/transfer.js" "app/unsaved.js" "openings/openings.js" "review/notes.js" "review/panel.js"
        "review/walk.js" "review/words.js"
        "tables/known.js" "tables/words.js"
        "training/course.js" "training/endings.js" "training/exercise.js" "training/learn.js" "training/lessons.js"
        "training/menu.js" "training/mistakes.js" "training/puzzle_choice.js" "training/puzzles.js"
        "training/results.js" "training/schedule.js" "training/streak.js" "training/trainer.js" "watch/live_game.js" "watch/match.js";
};

static SITE: LazyLock<Vec<SiteFile>> = LazyLock::new(site);

pub fn site_file(path: &str) -> Option<&'static SiteFile> {
    SITE.iter().find(|file| file.path == path)
}

/// Joins the scripts into one, the styles into two: the board's, which its pictures embed, and the
/// others.
fn site() -> Vec<SiteFile> {
    let mut script = String::new();
    add_module(MAIN_SCRIPT, &mut Vec::new(), &mut script);
    let linked: Vec<&str> = PAGE.text().lines().filter_map(linked_style).collect();
    let styles: String =
        linked.iter().filter(|&&path| path != BOARD_STYLE).map(|path| text_of(path)).collect();
    let mut hasher = DefaultHasher::new();
    for content in [&script, &styles, text_of(BOARD_STYLE)] {
        hasher.write(content.as_bytes());
    }
    let version = format!("{:016x}", hasher.finish());
    let mut page = PAGE.text().replace(MAIN_SCRIPT, &format!("{version}/page.js"));
    for path in linked {
        let link = format!("    <link rel=\"stylesheet\" href=\"{path}\">\n");
        let in_its_place = match path {
            BOARD_STYLE => ["board.css", "page.css"]
                .map(|name| link.replace(path, &format!("{version}/{name}")))
                .concat(),
            _ => String::new(),
        };
        page = page.replace(&link, &in_its_place);
    }
    let mut files = vec![
        SiteFile::new(String::new(), HTML, page.into_bytes()),
        SiteFile::new(format!("{version}/page.js"), SCRIPT, script.into_bytes()),
        SiteFile::new(format!("{version}/page.css"), STYLE, styles.into_bytes()),
        SiteFile::new(format!("{version}/board.css"), STYLE, text_of(BOARD_STYLE).into()),
    ];
    for file in files.iter_mut().skip(1) {
        file.is_immutable = true;
    }
    let others = FILES.iter().filter(|file| ![SCRIPT, STYLE].contains(&file.content_type));
    files.extend(
        others.map(|file| SiteFile::new(file.path.into(), file.content_type, file.content.into())),
    );
    files
}

const MAIN_SCRIPT: &str = "app/main.js";
const BOARD_STYLE: &str = "board/board.css";

/// The path of the style sheet that this line of the page links to.
fn linked_style(line: &str) -> Option<&str> {
    line.trim().strip_prefix("<link rel=\"stylesheet\" href=\"")?.strip_suffix("\">")
}

/// A text among the page's files, empty if there is none.
fn text_of(path: &str) -> &'static str {
    FILES.iter().find(|file| file.path == path).map_or("", SourceFile::text)
}

/// Adds a module and, before it, those that it imports, each as a function that is called once and
/// returns what the module exports. The modules do not import each other in a circle, and import
/// and export in two forms only, each at the beginning of a line: `import { a, b as c } from 'd.js';` and
/// `export` before a declaration.
fn add_module(path: &'static str, added: &mut Vec<&'static str>, script: &mut String) {
    if added.contains(&path) {
        return;
    }
    added.push(path);
    let (mut imports, mut body, mut exports) = (String::new(), String::new(), Vec::new());
    let mut rest = text_of(path);
    while let Some(line) = rest.lines().next() {
        if let Some((names, module, after)) = import(rest) {
            if let Some(module) = imported(path, module) {
                add_module(module, added, script);
                let names = names.replace(" as ", ": ");
                imports += &format!("const {{{names}}} = {};\n", variable(module));
            }
            rest = after;
            continue;
        }
        let declaration = line.strip_prefix("export ");
        exports.extend(declaration.and_then(declared));
        body += declaration.unwrap_or(line);
        body.push('\n');
        rest = rest[line.len()..].strip_prefix('\n').unwrap_or_default();
    }
    let exports = exports.join(", ");
    *script += &format!(
        "// {path}\nconst {} = (() => {{\n{imports}{body}return {{ {exports} }};\n}})();\n",
        variable(path)
    );
}

/// The names and the module of an import that the text begins with, and the text after it.
fn import(text: &str) -> Option<(&str, &str, &str)> {
    let (names, rest) = text.strip_prefix("import {")?.split_once("} from '")?;
    let (module, rest) = rest.split_once("';\n")?;
    Some((names, module, rest))
}

/// The path of a module that the module `by` imports as `./name.js` or `../folder/name.js`.
fn imported(by: &str, module: &str) -> Option<&'static str> {
    let path = match module.strip_prefix("../") {
        Some(path) => path.to_owned(),
        None => format!("{}/{}", by.split_once('/')?.0, module.strip_prefix("./")?),
    };
    FILES.iter().map(|file| file.path).find(|&known| known == path)
}

/// The name that a declaration declares: of a function, class or constant.
fn declared(declaration: &str) -> Option<&str> {
    let kinds = ["async function ", "function ", "class ", "const "];
    let name = kinds.iter().find_map(|kind| declaration.strip_prefix(kind))?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

/// The variable that holds what a module exports.
fn variable(path: &str) -> String {
    format!("${}", path.replace(['/', '.'], "_"))
}

impl SourceFile {
    fn text(&self) -> &'static str {
        str::from_utf8(self.content).unwrap_or_default()
    }
}

impl SiteFile {
    fn new(path: String, content_type: &'static str, content: Vec<u8>) -> SiteFile {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let gzip = encoder.write_all(&content).and_then(|()| encoder.finish()).ok();
        let gzip = gzip.filter(|gzip| gzip.len() < content.len());
        SiteFile { path, content_type, content, gzip, is_immutable: false }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_page_is_whole_and_needs_no_other_host() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/site");
        for folder in ["app", "board", "openings", "review", "tables", "training", "watch"] {
            let entries = page.join(folder).read_dir().expect("a folder of the page");
            for entry in entries {
                let name = entry.expect("a file").file_name().into_string().expect("a name");
                let path = format!("{folder}/{name}");
                let is_carried = FILES.iter().any(|file| file.path == path);
                assert!(is_carried || name.ends_with(".md"), "{path} is not carried");
            }
        }
        for file in FILES.iter().chain([&PAGE]).filter(|file| file.content_type != PICTURE) {
            let text = file.text();
            let foreign = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!foreign.contains("://"), "{} names another host", file.path);
        }
    }

    /// The forms that `add_module` does not know would stay as they are, or be missing.
    #[test]
    fn scripts_are_joined_whole() {
        let mut script = String::new();
        add_module(MAIN_SCRIPT, &mut Vec::new(), &mut script);
        let (mut seen, mut exports) = (Vec::new(), 0);
        for line in script.lines() {
            assert!(!["import ", "export "].iter().any(|word| line.starts_with(word)), "{line}");
            if let Some(path) = line
                .strip_prefix("// ")
                .and_then(|path| FILES.iter().find(|file| file.path == path))
            {
                exports += path.text().lines().filter(|line| line.starts_with("export ")).count();
            }
            if let Some(name) =
                line.strip_prefix("const $").and_then(|rest| rest.strip_suffix(" = (() => {"))
            {
                seen.push(name);
            } else if let Some((_, name)) = line.split_once("} = $") {
                assert!(seen.iter().any(|seen| Some(*seen) == name.strip_suffix(';')), "{line}");
            }
        }
        let returned =
            script.lines().filter_map(|line| line.strip_prefix("return { ")?.strip_suffix(" };"));
        assert_eq!(
            returned.flat_map(|names| names.split(", ")).filter(|name| !name.is_empty()).count(),
            exports
        );
        let scripts = FILES.iter().filter(|file| file.content_type == SCRIPT).count();
        assert_eq!(seen.len(), scripts, "{seen:?}");
    }

    #[test]
    fn what_may_be_kept_is_addressed_by_its_content() {
        let page = site_file("").expect("the page");
        let text = str::from_utf8(&page.content).expect("a text");
        assert!(!page.is_immutable && page.gzip.is_some());
        let kept: Vec<_> = SITE.iter().filter(|file| file.is_immutable).collect();
        assert_eq!(kept.len(), 3);
        assert!(kept.iter().all(|file| text.contains(&format!("\"{}\"", file.path))));
        assert!(!text.contains("\"app/") && text.matches("stylesheet").count() == 2);
    }
}
