//! Solves a table cell by cell, backwards, whatever it is about.
//!
//! `slice_solver` works backwards through a slice by taking moves back, `generator` gives it
//! what captures and pawn moves lead to, by move rules of its own (`moves`).

pub mod counting;
pub mod generator;
pub mod moves;
pub mod retreats;
pub mod slice_solver;
