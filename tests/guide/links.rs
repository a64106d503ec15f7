use std::fs;
use std::path::Path;

use super::pages::Page;

pub fn broken(root: &Path, name: &str, page: &Page) -> Vec<String> {
    let folder = root.join(name).parent().expect("a folder").to_owned();
    let fault = |(line, link): &(usize, String)| {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() { root.join(name) } else { folder.join(path) };
        let is_there = target.exists()
            && (anchor.is_empty()
                || fs::read_to_string(&target).is_ok_and(|text| {
                    Page::read(&text).anchors.iter().any(|known| known == anchor)
                }));
        (!is_there).then(|| format!("{}: leads nowhere: {link}", line + 1))
    };
    let local =
        |(_, link): &&(usize, String)| !link.contains("://") && !link.starts_with("mailto:");
    page.links.iter().filter(local).filter_map(fault).collect()
}
