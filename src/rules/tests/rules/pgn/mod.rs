mod fuzz;
mod reader;
mod write;
