//! The page and its files (`site/`), embedded in the program.

#[derive(Clone, Copy, Debug)]
pub struct SiteFile {
    /// Its path below the page's address; empty for the page itself.
    pub path: &'static str,
    pub content_type: &'static str,
    pub content: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const DRAWING: &str = "image/svg+xml";
const PICTURE: &str = "image/png";
const MANIFEST: &str = "application/manifest+json";

macro_rules! files {
    ($($kind:ident: $($path:literal)*;)*) => {
        &[$($(SiteFile {
            path: $path,
            content_type: $kind,
            content: include_bytes!(concat!("site/", $path)),
        },)*)*]
    };
}

const PAGE: SiteFile =
    SiteFile { path: "", content_type: HTML, content: include_bytes!("site/index.html") };

const FILES: &[SiteFile] = files! {
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
        "app/actions.js" "app/clocks.js" "app/confirmed.js" "app/connection.js" "app/dialogs.js"
        "app/editor.js" "app/elements.js" "app/games.js" "app/graph.js" "app/messages.js" "app/help.js" "app/icons.js" "app/keys.js"
        "app/lines.js" "app/main.js" "app/moves.js" "app/names.js" "app/new_game.js" "app/panels.js" "app/picture.js" "app/sentence.js" "app/settings.js" "app/sounds.js" "app/store.js"
        "app/transfer.js" "app/unsaved.js" "openings/openings.js" "review/notes.js" "review/panel.js"
        "review/words.js"
        "tables/known.js" "tables/words.js"
        "training/course.js" "training/endings.js" "training/exercise.js" "training/learn.js" "training/lessons.js"
        "training/menu.js" "training/mistakes.js" "training/puzzle_choice.js" "training/puzzles.js"
        "training/schedule.js" "training/trainer.js" "watch/live_game.js" "watch/match.js";
};

pub fn site_file(path: &str) -> Option<&'static SiteFile> {
    if path.is_empty() { Some(&PAGE) } else { FILES.iter().find(|file| file.path == path) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Each script of the page is carried, and none asks another host for anything.
    #[test]
    fn the_page_is_whole_and_needs_no_other_host() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/site");
        for folder in ["app", "board", "openings", "review", "tables", "training", "watch"] {
            let entries = page.join(folder).read_dir().expect("a folder of the page");
            for entry in entries {
                let name = entry.expect("a file").file_name().into_string().expect("a name");
                let path = format!("{folder}/{name}");
                let is_carried = site_file(&path).is_some();
                assert!(is_carried || name.ends_with(".md"), "{path} is not carried");
            }
        }
        for file in FILES.iter().chain([&PAGE]).filter(|file| file.content_type != PICTURE) {
            let text = str::from_utf8(file.content).expect("a text");
            let foreign = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!foreign.contains("://"), "{} names another host", file.path);
        }
    }
}
