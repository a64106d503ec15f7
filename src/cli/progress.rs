//! How long work shows on a terminal that it goes on. Nothing is drawn when
//! standard error is no terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar with this template, on standard error.
pub(super) fn bar(template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.set_style(style),
        Err(error) => log::error!("progress template `{template}`: {error}"),
    }
    bar
}
