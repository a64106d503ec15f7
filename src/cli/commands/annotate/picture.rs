//! An SVG graph of a game.

use std::error::Error;
use std::io::Write;

use anyhow::anyhow;
use plotters::prelude::*;

use qirkat_analysis::review::{GameReview, Mark};
use qirkat_game::Rules;
use qirkat_game::text::one_line;
use qirkat_rules::pgn::PgnGame;
use qirkat_system::output_file::AtomicFile;

const SIZE: (u32, u32) = (960, 400);
const FONT: (&str, u32) = ("sans-serif", 16);
const NAME_LENGTH: usize = 40;
const WON_FOR_WHITE: RGBColor = RGBColor(232, 226, 208);
const WON_FOR_BLACK: RGBColor = RGBColor(88, 84, 78);
const LINE: RGBColor = RGBColor(178, 58, 38);

pub(crate) fn draw(
    mut file: AtomicFile,
    game: &PgnGame,
    review: &GameReview,
) -> anyhow::Result<()> {
    let mut svg = String::new();
    plot(&mut svg, game, review).map_err(|error| anyhow!("{error}"))?;
    file.content.write_all(svg.as_bytes())?;
    Ok(file.finish()?)
}

fn plot(svg: &mut String, game: &PgnGame, review: &GameReview) -> Result<(), Box<dyn Error>> {
    let points = points(review);
    let (first, last) = match (points.first(), points.last()) {
        (Some(first), Some(last)) => (first.0, last.0.max(first.0 + 0.5)),
        _ => (0.0, 1.0),
    };
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption(title(game), ("sans-serif", 20))
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(first..last, 0.0..100.0)?;
    chart.plotting_area().fill(&WON_FOR_BLACK)?;
    let below: Vec<(f64, f64)> =
        [(first, 0.0)].into_iter().chain(points.iter().copied()).chain([(last, 0.0)]).collect();
    chart.draw_series([Polygon::new(below, WON_FOR_WHITE.filled())])?;
    chart
        .configure_mesh()
        .x_desc("move")
        .y_desc("White's expected points, per cent")
        .x_label_formatter(&|number| format!("{number:.0}"))
        .y_label_formatter(&|percent| format!("{percent:.0}"))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .label_style(FONT)
        .axis_desc_style(FONT)
        .draw()?;
    chart.draw_series(LineSeries::new(points.iter().copied(), LINE.stroke_width(2)))?;
    for mark in Mark::ALL {
        let color = color_of(mark);
        let dots = review
            .moves
            .iter()
            .zip(points.iter().skip(1))
            .filter(|(review, _)| review.mark == Some(mark))
            .map(|(_, &point)| Circle::new(point, 5, color.filled()));
        chart
            .draw_series(dots)?
            .label(mark.to_string())
            .legend(move |(x, y)| Circle::new((x + 10, y), 5, color.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(FONT)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}

fn color_of(mark: Mark) -> RGBColor {
    match mark {
        Mark::Inaccuracy => RGBColor(230, 180, 40),
        Mark::Mistake => RGBColor(230, 120, 30),
        Mark::Blunder => RGBColor(200, 30, 30),
    }
}

/// Move numbers (halves for Black) with White's expected points in per cent.
fn points(review: &GameReview) -> Vec<(f64, f64)> {
    let places = review.moves.iter().map(|review| {
        let half =
            if review.position.side_to_move() == qirkat_game::Color::White { 0.0 } else { 0.5 };
        f64::from(review.position.fullmove_number()) + half
    });
    let start = places.clone().next().map(|first| first - 0.5);
    let expected = review.white_expectations();
    start.into_iter().chain(places).zip(expected.into_iter().map(|share| 100.0 * share)).collect()
}

fn title(game: &PgnGame) -> String {
    let name = |tag: &str| one_line(game.tag(tag).unwrap_or("?"), NAME_LENGTH);
    format!("{} - {}, {}", name("White"), name("Black"), game.result)
}
