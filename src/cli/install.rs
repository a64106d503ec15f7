//! What an installed program brings along: completions for shells, and man pages.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::arguments::Arguments;

#[derive(Args)]
pub(super) struct CompletionsOptions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Args)]
pub(super) struct ManOptions {
    /// The folder for the pages, which is made if it is not there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Prints the completions for a shell.
pub(super) fn completions(options: &CompletionsOptions) -> anyhow::Result<()> {
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut text);
    let mut out = stdout().lock();
    out.write_all(&text)?;
    Ok(out.flush()?)
}

/// Writes a man page for the program and for each command.
pub(super) fn man(options: &ManOptions) -> anyhow::Result<()> {
    let folder = options.folder.display();
    fs::create_dir_all(&options.folder).with_context(|| folder.to_string())?;
    clap_mangen::generate_to(Arguments::command(), &options.folder)
        .with_context(|| folder.to_string())
}
