//! The list of engines of which `conf=` names one.

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::Deserialize;

use super::match_settings::EngineSettings;
use super::toml_file::read_toml;

/// Where the list is: in the folder in which the match is started, or else among the
/// user's settings.
const FILE: &str = "engines.toml";

/// Engines by their names.
pub(in crate::match_games) struct EngineList {
    path: PathBuf,
    engines: Vec<EngineSettings>,
}

/// The list as it is written down: the engines of a file of settings, and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    engine: Vec<EngineSettings>,
}

impl EngineList {
    /// Reads the list.
    pub fn read() -> Result<EngineList> {
        let own = dirs::config_dir().map(|folder| folder.join("qirkat").join(FILE));
        let here = PathBuf::from(FILE);
        let path = own.filter(|own| !here.exists() && own.exists()).unwrap_or(here);
        let Listed { engine: engines } = read_toml(&path)?;
        let list = EngineList { path, engines };
        for (number, engine) in (1..).zip(&list.engines) {
            let path = list.path.display();
            let Some(name) = &engine.name else { bail!("{path}: engine {number} needs a name") };
            if engine.conf.is_some() {
                bail!("{path}: engine {name}: conf is for engines of a match");
            }
            if list.engines[..number - 1].iter().any(|other| other.name == engine.name) {
                bail!("{path}: two engines are called `{name}`");
            }
        }
        Ok(list)
    }

    /// The engine of this name.
    pub fn find(&self, name: &str) -> Result<&EngineSettings> {
        let found = self.engines.iter().find(|engine| engine.name.as_deref() == Some(name));
        found.map_or_else(
            || {
                let names = self.engines.iter().filter_map(|engine| engine.name.as_deref());
                let names = names.collect::<Vec<_>>().join(", ");
                bail!("no engine `{name}` in {} (it lists: {names})", self.path.display())
            },
            Ok,
        )
    }
}
