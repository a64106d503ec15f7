//! Finds the tables to embed.

fn main() {
    qirkat_engine_config::tell_folder();
}
