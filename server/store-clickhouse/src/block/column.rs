//! Columns of a table, and how their values lie in ClickHouse's Native format.

use super::out::Out;

/// How the values of a column lie in ClickHouse's Native format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Values.
    Plain,
    /// Values that may be NULL.
    Nullable,
    /// Texts of which there are few different ones.
    Names,
    /// Lists of such texts.
    NameLists,
    /// Values by such a text.
    NameMaps,
}

/// A part of a column, which lies apart in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Running ends of lists, `UInt64` a row.
    Ends,
    /// Each different text once, in the order of its first use.
    Names,
    /// Which of the names it is, `UInt32` an item.
    Indexes,
    /// A byte a row that says NULL.
    Marks,
    /// Values one after the other.
    Values,
}

impl Shape {
    /// The parts of a column of this shape, in the order in which they lie.
    pub(crate) fn parts(self) -> &'static [Part] {
        match self {
            Shape::Plain => &[Part::Values],
            Shape::Nullable => &[Part::Marks, Part::Values],
            Shape::Names => &[Part::Names, Part::Indexes],
            Shape::NameLists => &[Part::Ends, Part::Names, Part::Indexes],
            Shape::NameMaps => &[Part::Ends, Part::Names, Part::Indexes, Part::Values],
        }
    }
}

/// What a batch must know of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) name: &'static str,
    /// Its type as it is sent.
    pub(crate) wire_type: &'static str,
    pub(crate) shape: Shape,
}

/// One column, with the function that writes a row's value of it.
pub(crate) struct Column<W> {
    pub(crate) layout: Layout,
    pub(crate) write: W,
}

/// Writes a row's value of a column.
pub(crate) type Write<Row> = fn(&Row, &mut Out);

/// Type of a column of instants.
pub(crate) const INSTANT: &str = "DateTime64(9, 'UTC')";
/// Type of a column of attributes.
pub(crate) const TEXT_MAP: &str = "Map(LowCardinality(String), String)";

const fn shaped<W: Copy>(
    name: &'static str,
    wire_type: &'static str,
    shape: Shape,
    write: W,
) -> Column<W> {
    let layout = Layout {
        name,
        wire_type,
        shape,
    };
    Column { layout, write }
}

/// A column of plain values.
pub(crate) const fn column<W: Copy>(
    name: &'static str,
    wire_type: &'static str,
    write: W,
) -> Column<W> {
    shaped(name, wire_type, Shape::Plain, write)
}

/// A column of texts.
pub(crate) const fn text<W: Copy>(name: &'static str, write: W) -> Column<W> {
    shaped(name, "String", Shape::Plain, write)
}

/// A column of texts of which there are few different ones.
pub(crate) const fn name<W: Copy>(name: &'static str, write: W) -> Column<W> {
    shaped(name, "LowCardinality(String)", Shape::Names, write)
}

/// A column of values that may be NULL.
pub(crate) const fn nullable<W: Copy>(
    name: &'static str,
    wire_type: &'static str,
    write: W,
) -> Column<W> {
    shaped(name, wire_type, Shape::Nullable, write)
}

/// A column of lists of few different texts.
pub(crate) const fn texts<W: Copy>(name: &'static str, write: W) -> Column<W> {
    shaped(
        name,
        "Array(LowCardinality(String))",
        Shape::NameLists,
        write,
    )
}

/// A column of values by few different texts.
pub(crate) const fn map<W: Copy>(
    name: &'static str,
    wire_type: &'static str,
    write: W,
) -> Column<W> {
    shaped(name, wire_type, Shape::NameMaps, write)
}
