//! What the speed of a machine is measured by: the perft of cozy-chess.

/// Leaves after `depth` plies, the last ply counted or, without `bulk`, made.
pub fn cozy_perft(board: &cozy_chess::Board, depth: u32, bulk: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if bulk && depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1, bulk);
            }
        }
        false
    });
    nodes
}
