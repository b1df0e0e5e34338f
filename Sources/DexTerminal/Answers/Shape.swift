package import StrictJSON

/// What a value of an answer is: from it come its JSON Schema and its words in docs/output.md.
package indirect enum Shape: Sendable {
    /// A value that many answers share, in `$defs` under its name.
    case named(NamedShape)
    case text
    /// Words that others chose, such as a relay's reason: a model gets them fenced (`Fence`).
    case foreign
    /// A text that a regular expression (ECMA-262) describes whole.
    case pattern(String)
    /// One of these words.
    case words([String])
    /// An integer from 0 to 2^53.
    case count
    case bool
    /// This value and no other.
    case constant(JSONValue)
    case object([Member])
    case list(Shape)
    /// An object with any keys.
    case map(Shape)
    case nullable(Shape)
    case either([Shape])
    /// A document of others, such as an order in a relay's wire form.
    case any

    /// A key of an object.
    package struct Member: Sendable {
        package let name: String
        package let shape: Shape
        /// What it is, and its unit; a sentence without its full stop.
        package let about: String
        /// Some objects leave it out.
        package let isOptional: Bool

        package init(_ name: String, _ shape: Shape, _ about: String, isOptional: Bool = false) {
            self.name = name
            self.shape = shape
            self.about = about
            self.isOptional = isOptional
        }
    }

    /// The values of an enumeration of words.
    package static func words<Word>(of type: Word.Type) -> Shape
    where Word: RawRepresentable<String> & CaseIterable {
        .words(type.allCases.map(\.rawValue))
    }

    /// The same, or null.
    package var orNull: Shape {
        if case .nullable = self { self } else { .nullable(self) }
    }

    /// The keys of an object, also of one that has a name or may be null; none of another value.
    package var members: [Member] {
        switch self {
        case .object(let members): members
        case .named(let named): named.shape.members
        case .nullable(let shape): shape.members
        default: []
        }
    }
}

/// A shape with a name.
package struct NamedShape: Sendable {
    /// Its key in `$defs`.
    package let name: String
    package let about: String
    package let shape: Shape

    package init(_ name: String, _ about: String, _ shape: Shape) {
        self.name = name
        self.about = about
        self.shape = shape
    }
}
