//! A plot of the losses by epoch, as SVG.

use std::error::Error;

use plotters::prelude::*;
use thiserror::Error;

use crate::optimiser::Losses;

/// The plot could not be drawn.
#[derive(Debug, Error)]
#[error("the plot of the losses: {0}")]
pub struct PlotError(String);

const SIZE: (u32, u32) = (800, 480);
const FONT: (&str, u32) = ("sans-serif", 16);

/// Plots the losses as SVG.
///
/// # Errors
/// When that cannot be drawn.
pub fn plot_losses(losses: &[Losses]) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw(&mut svg, losses).map_err(|error| PlotError(error.to_string()))?;
    Ok(svg)
}

fn draw(svg: &mut String, losses: &[Losses]) -> Result<(), Box<dyn Error>> {
    let all = || losses.iter().flat_map(|epoch| [Some(epoch.training), epoch.validation]).flatten();
    let (low, high) =
        all().fold((f64::INFINITY, 0.0f64), |(low, high), loss| (low.min(loss), high.max(loss)));
    if low > high {
        return Ok(());
    }
    let margin = (high - low).max(high * 0.01) * 0.05;
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(1.0..losses.len().max(2) as f64, low - margin..high + margin)?;
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_desc("mean squared error of the probability to win")
        .label_style(FONT)
        .axis_desc_style(FONT)
        .draw()?;
    let training: Vec<_> = losses.iter().map(|epoch| Some(epoch.training)).collect();
    let validation: Vec<_> = losses.iter().map(|epoch| epoch.validation).collect();
    for (name, color, losses) in [("training", BLUE, training), ("validation", RED, validation)] {
        let points = (1..).zip(losses).filter_map(|(epoch, loss)| Some((f64::from(epoch), loss?)));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .label_font(FONT)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}
