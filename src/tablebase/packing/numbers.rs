//! The numbers of a block in memory: 8 bits each, unless a table needs 16.

/// A row of numbers.
#[derive(PartialEq, Eq, Debug)]
pub enum Numbers {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Numbers {
    /// No numbers.
    pub const EMPTY: Numbers = Numbers::Narrow(Vec::new());

    /// A row of numbers that fit.
    pub fn of(numbers: Vec<u16>, is_wide: bool) -> Numbers {
        if is_wide {
            Numbers::Wide(numbers)
        } else {
            Numbers::Narrow(numbers.into_iter().map(|number| number as u8).collect())
        }
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        match self {
            Numbers::Narrow(numbers) => numbers.len(),
            Numbers::Wide(numbers) => 2 * numbers.len(),
        }
    }

    /// A number; zero where there is none.
    #[inline]
    pub fn get(&self, index: usize) -> u16 {
        match self {
            Numbers::Narrow(numbers) => numbers.get(index).copied().map_or(0, u16::from),
            Numbers::Wide(numbers) => numbers.get(index).copied().unwrap_or_default(),
        }
    }
}
