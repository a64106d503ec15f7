//! The search parameters, one line each: name, value, bounds and a tuner's initial step. Margins
//! are in centipawns, reductions and their parts in 1024ths of a ply.

/// Declares a struct of all parameters, their values, and their list for a tuner.
macro_rules! search_params {
    ($($(#[doc = $doc:literal])* $name:ident = $value:literal, $min:literal, $max:literal, $step:literal;)*) => {
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct SearchParams {
            $($(#[doc = $doc])* pub $name: i32,)*
        }

        impl SearchParams {
            pub const DEFAULT: SearchParams = SearchParams { $($name: $value,)* };
        }

        #[cfg(feature = "tuning")]
        pub const SEARCH_PARAMS: &[SearchParam] = &[$(SearchParam {
            name: stringify!($name),
            default: $value,
            min: $min,
            max: $max,
            step: $step as f64,
            field: |params| &mut params.$name,
        },)*];

        const _: () = { $(assert!($min <= $value && $value <= $max && $step > 0.0);)* };
    };
}

#[cfg(feature = "tuning")]
pub struct SearchParam {
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// A tuner's initial step.
    pub step: f64,
    pub field: fn(&mut SearchParams) -> &mut i32,
}

search_params! {
    /// Half the first aspiration window around the last iteration's score.
    aspiration_window = 19, 4, 60, 4.0;
    aspiration_depth = 4, 2, 10, 1.0;
    /// Growth of the window at each fail, in 128ths.
    aspiration_growth = 64, 16, 256, 12.0;

    reverse_futility_depth = 8, 0, 16, 1.0;
    reverse_futility_margin = 87, 20, 200, 8.0;
    /// Reverse futility: reduction of the margin if the side to move is improving.
    reverse_futility_improving = 52, 0, 150, 8.0;

    razoring_depth = 3, 0, 8, 1.0;
    razoring_margin = 236, 80, 500, 20.0;

    /// Null move: minimum depth (a value above any depth disables it).
    null_move_depth = 3, 2, 200, 1.0;
    /// Null move: reduction at depth 0.
    null_move_base = 4078, 2048, 8192, 256.0;
    /// Null move: further reduction per ply of depth.
    null_move_slope = 267, 64, 512, 24.0;
    /// Null move: centipawns above beta for one more ply of reduction.
    null_move_margin = 209, 60, 500, 20.0;
    /// Null move: decrease of `null_move_offset` per ply of depth.
    null_move_deficit = 20, 0, 60, 3.0;
    /// Null move: how far the static evaluation must be above beta at depth 0.
    null_move_offset = 149, 0, 400, 16.0;
    /// Null move: minimum depth at which a fail high is verified.
    null_move_verification_depth = 12, 6, 30, 1.0;

    probcut_depth = 5, 3, 200, 1.0;
    probcut_margin = 276, 80, 500, 20.0;

    iir_depth = 4, 2, 200, 1.0;

    /// Late move pruning: moves searched at depth 0. The sum of base and slope is halved if not
    /// improving.
    late_move_base = 6, 1, 12, 1.0;
    /// Late move pruning: further moves per depth squared, in 16ths.
    late_move_slope = 28, 4, 64, 2.0;
    late_move_depth = 8, 0, 16, 1.0;

    /// Futility: maximum depth after reduction.
    futility_depth = 8, 0, 16, 1.0;
    futility_base = 72, 20, 300, 12.0;
    futility_slope = 80, 20, 200, 8.0;

    /// History pruning: maximum depth after reduction.
    history_pruning_depth = 4, 0, 10, 1.0;
    /// History pruning: minimum history per ply of reduced depth, negated.
    history_pruning_slope = 4324, 800, 10000, 250.0;

    see_pruning_depth = 9, 0, 16, 1.0;
    /// SEE pruning: what a quiet move may lose, per squared depth after reduction.
    see_quiet_slope = 26, 5, 80, 3.0;
    /// SEE pruning: what a capture may lose, per ply of depth.
    see_noisy_slope = 121, 20, 250, 10.0;

    check_extension = 1, 0, 1, 1.0;

    /// Late move reduction: minimum depth (a value above any depth disables it).
    lmr_depth = 2, 2, 200, 1.0;
    lmr_base = 737, 0, 2048, 64.0;
    /// Late move reduction: factor of ln depth × ln move number.
    lmr_slope = 523, 200, 900, 24.0;
    lmr_noisy_base = 6, -512, 1024, 48.0;
    /// Late move reduction: factor for captures.
    lmr_noisy_slope = 329, 100, 800, 20.0;
    lmr_pv = 533, 0, 2048, 96.0;
    lmr_cut_node = 1208, 0, 3072, 128.0;
    /// Late move reduction: more if the evaluation is not improving.
    lmr_not_improving = 609, 0, 2048, 96.0;
    lmr_check = 900, 0, 2048, 96.0;
    /// Late move reduction: more if the table move is a capture.
    lmr_noisy_tt_move = 700, 0, 2048, 96.0;
    /// Late move reduction: more if many replies have caused cutoffs.
    lmr_cutoffs = 800, 0, 2048, 96.0;
    /// Late move reduction: history for which the reduction is one ply less.
    lmr_history = 8467, 3000, 20000, 600.0;
    /// How far the reduced score must be above alpha for a deeper re-search.
    lmr_deeper = 50, 10, 150, 8.0;
    /// Below this lead over alpha the re-search is shallower.
    lmr_shallower = 8, 0, 30, 3.0;

    /// Singular extension: minimum depth (a value above any depth disables it).
    singular_depth = 7, 5, 200, 1.0;
    /// Singular extension: margin per ply of depth, in 64ths.
    singular_margin = 49, 20, 200, 8.0;
    /// Double extension: how far below the singular margin all others must score.
    double_extension = 18, 0, 80, 4.0;

    history_bonus_slope = 183, 50, 400, 16.0;
    history_bonus_offset = 60, 0, 300, 16.0;
    history_bonus_max = 1800, 600, 4000, 128.0;
    /// History: malus of tried moves, in 128ths of the bonus.
    history_malus = 132, 32, 256, 12.0;

    correction_pawns = 73, 0, 200, 8.0;
    correction_pieces = 79, 0, 200, 8.0;
    /// Correction history: weight of the entry for the last two moves.
    correction_moves = 49, 0, 200, 8.0;

    quiescence_margin = 177, 0, 400, 16.0;
}
