package import DexCore

/// An area of errors with an example of each of its cases.
package protocol ExemplifiedError: ErrorArea {
    /// One of each case, in the order of `number`.
    static var examples: [Self] { get }

    /// Which case it is, from 0: a switch without a default, so that a new case does not compile
    /// before it has a number, and so an example.
    var number: Int { get }
}
