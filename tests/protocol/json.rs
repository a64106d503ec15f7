//! The keys and texts of a line of JSON.

use serde_json::Value;

#[derive(Default, Debug)]
pub struct Json {
    pub keys: Vec<String>,
    pub texts: Vec<String>,
}

/// Reads one line that holds one object.
pub fn object(line: &str) -> Result<Json, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let mut found = Json::default();
    if !value.is_object() {
        return Err("no object".to_owned());
    }
    found.add(value);
    Ok(found)
}

impl Json {
    fn add(&mut self, value: Value) {
        match value {
            Value::String(text) => self.texts.push(text),
            Value::Array(values) => values.into_iter().for_each(|value| self.add(value)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    self.keys.push(key);
                    self.add(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
