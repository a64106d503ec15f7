//! Finds the files for XBoard to embed.

fn main() {
    qirkat_engine_config::tell_folder();
}
