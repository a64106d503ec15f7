//! What pickles hold: what makes a value again, and of what.

use pyo3::PyClass;
use pyo3::prelude::*;

/// What `__reduce__` returns: a function, and what it is called with.
pub(crate) type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// Made by the method `_of` of the class, which is for pickles alone.
pub(crate) fn made_of<'py, C: PyClass, T>(value: &Bound<'py, C>, parts: T) -> Reduced<'py, T> {
    Ok((value.as_any().get_type().getattr("_of")?, parts))
}

/// Had as an attribute of another value.
pub(crate) fn attribute<'py, T>(
    py: Python<'py>,
    owner: T,
    name: &'static str,
) -> Reduced<'py, (T, &'static str)> {
    Ok((py.import("builtins")?.getattr("getattr")?, (owner, name)))
}
