//! Problems: compositions in which one side mates in a stated number of moves, solved with proof.
//!
//! [`solve()`] looks at every move of both sides, so what it says holds: all keys, cooks
//! among them, what refutes the tries, the play after every defence, and shorter
//! solutions. Nothing is left out that is not proved to be of no use, and no evaluation
//! is asked. Three [`Aim`]s are known:
//!
//! - direct mate, `#n`: the side to move mates in `n` moves, whatever is replied;
//! - selfmate, `s#n`: the side to move forces the other side to mate it in `n` moves;
//! - helpmate, `h#n`: both sides work together. The side to move begins and is mated by
//!   the `n`-th move of the other side; in `h#n.5` it begins, and mates itself with its
//!   last move.
//!
//! Direct mates and selfmates are proved by `prover`, with a [`ProofTable`]; helpmates are
//! listed by `help`; `tree` grows the play that is shown, and `notation` judges and writes it. Begin reading with `solve`. The crate knows the rules of the games and
//! no evaluation; mates of a playing engine come from here too ([`shortest_mate`](shortest_mate())).
//!
//! As composers do, this leaves out the rules for draws by repetition and by 100 plies.
//! Castling and en passant are as the position says.
//!
//! [`solver`] proves who wins a position of Alquerque, from the start of the game if need be.
//!
//! ```
//! use qirkat_problem::{ProofTable, SolveOptions, Watch, solve};
//! use qirkat_rules::variant::Variant;
//!
//! let position = Variant::Chesquerque.read_fen("k8/9/K8/9/9/9/9/8R/9 w - - 0 1")?.position;
//! let options = SolveOptions::new("#1".parse()?);
//! let solution = solve(&position, &options, &ProofTable::new(1)?, &Watch::never())?;
//! let keys: Vec<&str> = solution.keys.iter().map(|key| key.mv.san.as_str()).collect();
//! assert_eq!(keys, ["Ri9#"]);
//! assert!(solution.verdict(&options).is_sound());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compose;
mod help;
mod mate_game;
mod move_order;
mod notation;
mod proof_table;
mod prover;
mod solution;
mod solve;
#[cfg(feature = "solver")]
pub mod solver;
mod stipulation;
mod tree;
mod watch;

pub use compose::{Change, ComposeOptions, Composed, Neighbour, compose, neighbours};
pub use mate_game::ProblemError;
pub use notation::{Verdict, VerdictKind, solution_lines, verdict_sentence};
pub use proof_table::{Numbers, ProofTable};
pub use solution::{Continuation, Play, Proof, Solution, Try, Variation, WrittenMove};
pub use solve::{MateProof, SolveOptions, shortest_mate, solve};
pub use stipulation::{Aim, MOST_MOVES, Stipulation, StipulationError};
pub use watch::{ProofStep, Watch};
