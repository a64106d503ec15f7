//! Promises about time. These tests have the machine for themselves ([`Room::alone`]), and
//! stand together so that it does not fall idle before each of them: their module is the
//! last one, and tests run in the order of their names.
//!
//! [`Room::alone`]: crate::engine::Room::alone

mod leaving;
mod limits;
mod pondering;
mod readiness;
mod stopping;
