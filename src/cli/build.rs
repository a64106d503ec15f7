//! Finds XBoard's files, which `xboard` embeds.

fn main() {
    qirkat_engine_config::tell_folder();
}
