//! The parameters of the search, one line each: name, value, bounds and
//! the step a tuner starts with. Margins are in centipawns, reductions and
//! their parts in 1024ths of a ply.

/// Declares the parameters once: a struct with a field for each, their values as
/// a constant, and their list for a tuner.
macro_rules! search_params {
    ($($(#[doc = $doc:literal])* $name:ident = $value:literal, $min:literal, $max:literal, $step:literal;)*) => {
        /// All parameters of pruning, reductions and histories.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct SearchParams {
            $($(#[doc = $doc])* pub $name: i32,)*
        }

        impl SearchParams {
            /// The values in force.
            pub const DEFAULT: SearchParams = SearchParams { $($name: $value,)* };
        }

        /// The list of them, for tuning.
        #[cfg(feature = "tuning")]
        pub const SEARCH_PARAMS: &[SearchParam] = &[$(SearchParam {
            name: stringify!($name),
            default: $value,
            min: $min,
            max: $max,
            step: $step as f64,
            place: |params| &mut params.$name,
        },)*];

        const _: () = { $(assert!($min <= $value && $value <= $max && $step > 0.0);)* };
    };
}

/// One of the parameters.
#[cfg(feature = "tuning")]
pub struct SearchParam {
    /// Its name.
    pub name: &'static str,
    /// The value in force.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// How far a tuner moves it at first.
    pub step: f64,
    /// Where it is kept.
    pub place: fn(&mut SearchParams) -> &mut i32,
}

search_params! {
    /// Half the first window around the last iteration's score.
    aspiration_window = 19, 4, 60, 4.0;
    /// The least depth at which the window is narrowed.
    aspiration_depth = 4, 2, 10, 1.0;
    /// By how many 128ths the window grows each time the score falls out.
    aspiration_growth = 64, 16, 256, 12.0;

    /// Reverse futility: the deepest depth.
    reverse_futility_depth = 8, 0, 16, 1.0;
    /// Reverse futility: margin for each ply of depth.
    reverse_futility_margin = 87, 20, 200, 8.0;
    /// Reverse futility: what an improving side may lack of the margin.
    reverse_futility_improving = 52, 0, 150, 8.0;

    /// Razoring: the deepest depth.
    razoring_depth = 3, 0, 8, 1.0;
    /// Razoring: margin for each ply of depth.
    razoring_margin = 236, 80, 500, 20.0;

    /// Null move: the least depth (more than any depth is never).
    null_move_depth = 3, 2, 200, 1.0;
    /// Null move: reduction at depth 0.
    null_move_base = 4078, 2048, 8192, 256.0;
    /// Null move: further reduction for each ply of depth.
    null_move_slope = 267, 64, 512, 24.0;
    /// Null move: how much above beta reduces by one ply more.
    null_move_margin = 209, 60, 500, 20.0;
    /// Null move: how much less than `null_move_offset` is required with each
    /// ply of depth.
    null_move_deficit = 20, 0, 60, 3.0;
    /// Null move: how far the static evaluation must lie above beta at depth
    /// zero.
    null_move_offset = 149, 0, 400, 16.0;
    /// Null move: from this depth on a fail high is verified.
    null_move_verification_depth = 12, 6, 30, 1.0;

    /// ProbCut: the least depth.
    probcut_depth = 5, 3, 200, 1.0;
    /// ProbCut: how far above beta a capture must lead.
    probcut_margin = 276, 80, 500, 20.0;

    /// Internal iterative reduction: the least depth.
    iir_depth = 4, 2, 200, 1.0;

    /// Late move pruning: moves always looked at.
    late_move_base = 6, 1, 12, 1.0;
    /// Late move pruning: further moves for each square of the depth, in 16ths.
    late_move_slope = 28, 4, 64, 2.0;
    /// Late move pruning: the deepest depth.
    late_move_depth = 8, 0, 16, 1.0;

    /// Futility: the deepest depth after reduction.
    futility_depth = 8, 0, 16, 1.0;
    /// Futility: margin at depth 0.
    futility_base = 72, 20, 300, 12.0;
    /// Futility: further margin for each ply.
    futility_slope = 80, 20, 200, 8.0;

    /// Pruning by history: the deepest depth after reduction.
    history_pruning_depth = 4, 0, 10, 1.0;
    /// Pruning by history: the least history for each ply, negated.
    history_pruning_slope = 4324, 800, 10000, 250.0;

    /// Pruning by exchange: the deepest depth.
    see_pruning_depth = 9, 0, 16, 1.0;
    /// Pruning by exchange: what a quiet move may lose, for each square of the
    /// depth after reduction.
    see_quiet_slope = 26, 5, 80, 3.0;
    /// Pruning by exchange: what a capture may lose, for each ply of depth.
    see_noisy_slope = 121, 20, 250, 10.0;

    /// Whether a side in check is given one ply more.
    check_extension = 1, 0, 1, 1.0;

    /// Late move reduction: the least depth (more than any depth is never).
    lmr_depth = 2, 2, 200, 1.0;
    /// Late move reduction: quiet moves at the first move and depth.
    lmr_base = 737, 0, 2048, 64.0;
    /// Late move reduction: factor of ln depth times ln number of the move.
    lmr_slope = 523, 200, 900, 24.0;
    /// Late move reduction: captures at the first move and depth.
    lmr_noisy_base = 6, -512, 1024, 48.0;
    /// Late move reduction: captures, factor.
    lmr_noisy_slope = 329, 100, 800, 20.0;
    /// Less in positions of the principal variation.
    lmr_pv = 533, 0, 2048, 96.0;
    /// More where a cut is expected.
    lmr_cut_node = 1208, 0, 3072, 128.0;
    /// More where the evaluation does not improve.
    lmr_not_improving = 609, 0, 2048, 96.0;
    /// Less for checks.
    lmr_check = 900, 0, 2048, 96.0;
    /// More where the table move is a capture.
    lmr_noisy_table_move = 700, 0, 2048, 96.0;
    /// More where many replies have cut already.
    lmr_cutoffs = 800, 0, 2048, 96.0;
    /// History that takes off one ply.
    lmr_history = 8467, 3000, 20000, 600.0;
    /// How much better than alpha, at once, makes the full search deeper.
    lmr_deeper = 50, 10, 150, 8.0;
    /// How little better makes it shallower.
    lmr_shallower = 8, 0, 30, 3.0;

    /// Singular extension: the least depth (more than any depth is never).
    singular_depth = 7, 5, 200, 1.0;
    /// Singular extension: margin for each ply of depth, in 64ths.
    singular_margin = 49, 20, 200, 8.0;
    /// How far below the margin all others must stay for two plies.
    double_extension = 18, 0, 80, 4.0;

    /// History: what a move gains for each ply of depth.
    history_bonus_slope = 183, 50, 400, 16.0;
    /// History: taken off again.
    history_bonus_offset = 60, 0, 300, 16.0;
    /// History: the most that a move gains at once.
    history_bonus_max = 1800, 600, 4000, 128.0;
    /// History: what a move in vain loses, in 128ths of the gain.
    history_malus = 132, 32, 256, 12.0;

    /// Correction of the evaluation: weight of the pawns' part.
    correction_pawns = 73, 0, 200, 8.0;
    /// Correction of the evaluation: weight of the pieces' part.
    correction_pieces = 79, 0, 200, 8.0;
    /// Correction of the evaluation: weight of the last two moves' part.
    correction_moves = 49, 0, 200, 8.0;

    /// Quiescence: what a capture must promise above alpha.
    quiescence_margin = 177, 0, 400, 16.0;
}
