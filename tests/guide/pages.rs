use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What the tests check in a page. Lines are counted from 0.
#[derive(Default)]
pub struct Page {
    pub lines: Vec<String>,
    pub blocks: Vec<Block>,
    /// Link and image targets, by line.
    pub links: Vec<(usize, String)>,
    pub anchors: Vec<String>,
    /// Inline code, by line.
    pub code: Vec<(usize, String)>,
}

pub struct Block {
    /// Its lines, without the fences.
    pub lines: Range<usize>,
    /// The indentation of the fence, as in a list.
    pub indent: usize,
    /// The reason why it is not run, if any.
    pub not_run: Option<String>,
}

impl Page {
    pub fn read(text: &str) -> Page {
        let mut page = Page { lines: text.lines().map(str::to_owned).collect(), ..Page::default() };
        let (mut heading, mut headings): (Option<String>, _) = (None, Vec::new());
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            let line_at = |offset: usize| text[..offset].matches('\n').count();
            let line = line_at(range.start);
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind)))
                    if &*kind == "console" =>
                {
                    let above = line.checked_sub(1).map_or("", |above| page.lines[above].trim());
                    let reason =
                        above.strip_prefix("<!-- not run:").and_then(|it| it.strip_suffix("-->"));
                    page.blocks.push(Block {
                        lines: line + 1..line_at(range.end - 1),
                        indent: page.lines[line].find("```").unwrap_or_default(),
                        not_run: reason.map(|reason| reason.trim().to_owned()),
                    });
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push((line, dest_url.into_string()));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap_or_default());
                    let same = headings.iter().filter(|&other| *other == anchor).count();
                    headings.push(anchor.clone());
                    page.anchors.push(if same == 0 { anchor } else { format!("{anchor}-{same}") });
                }
                Event::Text(words) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&words);
                    }
                }
                Event::Code(words) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&words);
                    }
                    page.code.push((line, words.into_string()));
                }
                _ => {}
            }
        }
        page
    }
}

/// The anchor of a heading, as in GitHub and mdBook.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        _ if letter.is_alphanumeric() || "-_".contains(letter) => Some(letter),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}
