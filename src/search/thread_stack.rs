//! The stack that a search needs.

/// The stack of a thread that searches. Deep enough for the deepest line: a
/// node takes about 1.2 kB of the stack in a release build, and up to four of
/// them share a ply (singular extension, null move and its verification), so
/// that 128 plies stay below a megabyte.
pub const SEARCH_STACK_BYTES: usize = 4 << 20;
