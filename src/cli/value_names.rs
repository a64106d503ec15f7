//! Values with names, so that shells complete them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// A parser that knows the usual names of its values. It decides alone what is accepted.
#[derive(Clone)]
pub(super) struct Named<P> {
    parser: P,
    names: Vec<&'static str>,
}

pub(super) fn named<P: TypedValueParser>(
    parser: P,
    names: impl IntoIterator<Item = &'static str>,
) -> Named<P> {
    Named { parser, names: names.into_iter().collect() }
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}
