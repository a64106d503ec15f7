//! What an installed program brings along: completions for shells, and man pages.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

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

/// Prints the completions of a program's command line for a shell.
pub(super) fn completions(
    options: &CompletionsOptions,
    mut command: Command,
) -> anyhow::Result<()> {
    let name = command.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut text);
    let mut out = stdout().lock();
    out.write_all(&text)?;
    Ok(out.flush()?)
}

/// Writes a man page for the program and for each of its commands.
pub(super) fn man(options: &ManOptions, command: Command) -> anyhow::Result<()> {
    let folder = options.folder.display();
    fs::create_dir_all(&options.folder).with_context(|| folder.to_string())?;
    clap_mangen::generate_to(command, &options.folder).with_context(|| folder.to_string())
}
