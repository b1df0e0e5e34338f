import Testing

/// Runs the tests of all targets, which are Swift Testing's alone.
///
/// With this file SwiftPM searches for no tests of XCTest. It would look them up in the compiler's
/// index, whose writing takes a third of the time of a build; `make` builds without one.
@main
enum TestBundle {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
