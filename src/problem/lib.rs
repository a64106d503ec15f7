//! Problems: compositions in which a side is mated or stalemated in a stated number of moves, solved
//! with proof.
//!
//! [`solve()`] examines every move of both sides, so its result is proved: all keys, cooks
//! included, the refutations of tries, the play after every defence, and shorter solutions. Nothing
//! is pruned unless proved useless, and no evaluation is used. An [`Aim`] is a [`Genre`]
//! with a [`Goal`]:
//!
//! - direct mate, `#n`: the side to move mates in `n` moves, whatever the replies;
//! - selfmate, `s#n`: the side to move forces the other side to mate it in `n` moves;
//! - reflex mate, `r#n`: the same, where a side that can mate at once must; in `semi-r#n` only the
//!   other side must;
//! - helpmate, `h#n`: both sides cooperate. The side to move begins and is mated by the other
//!   side's `n`-th move; in `h#n.5` it begins, and mates with its own last move;
//! - series helpmate, `ser-h#n`: the side to move makes `n` moves in a row and is then mated in one;
//! - series mate, `ser-#n`: the side to move makes `n` moves in a row and mates with the last;
//! - each of them with `=` for `#`: stalemate.
//!
//! What is forced is proved by `mate_prover`, with a [`ProofTable`]; `help` finds the lines of help and
//! series play; `solution` holds the play to show, and `notation` gives the verdict and formats both.
//! Start reading at `solve`. The crate knows the rules but no evaluation; a playing engine also
//! gets its mates here ([`shortest_mate`](shortest_mate())).
//!
//! As is usual in composition, this ignores draws by repetition and the 100-ply rule. Castling and
//! en passant follow the position. [`twin()`] changes a problem into another.
//!
//! [`solver`] proves who wins a position of Alquerque, even from the start of the game.
//!
//! ```
//! use qirkat_problem::{ProofTable, SolveRequest, ProofControl, solve};
//! use qirkat_rules::variant::Variant;
//!
//! let position = Variant::Chesquerque.read_fen("k8/9/K8/9/9/9/9/8R/9 w - - 0 1")?.position;
//! let request = SolveRequest::new("#1".parse()?);
//! let solution = solve(&position, &request, &ProofTable::new(1)?, &ProofControl::never())?;
//! let keys: Vec<&str> = solution.keys.iter().map(|key| key.mv.san.as_str()).collect();
//! assert_eq!(keys, ["Ri9#"]);
//! assert!(solution.verdict(&request).is_sound());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compose;
mod help;
mod mate_game;
mod mate_prover;
mod move_order;
mod notation;
mod proof_control;
mod proof_table;
mod solution;
mod solve;
#[cfg(feature = "solver")]
pub mod solver;
mod stipulation;
mod twin;

pub use compose::{ComposeRequest, Composed, Neighbour, compose, neighbours};
pub use mate_game::ProblemError;
pub use notation::{Verdict, VerdictKind, solution_lines, verdict_sentence};
pub use proof_control::{ProofControl, ProofStep};
pub use proof_table::{ProofNumbers, ProofTable};
pub use solution::{Continuation, Play, Proof, Solution, Try, Variation, WrittenMove};
pub use solve::{MateProof, SolveRequest, shortest_mate, solve};
pub use stipulation::{Aim, Genre, Goal, MAX_MOVES, Stipulation, StipulationError};
pub use twin::{TwinError, twin};
