import ArgumentParser
import DexTerminal
import PrivateFiles

/// A picture of what the terminal shows.
struct SnapshotOption: ParsableArguments, Sendable {
    @Option(
        help: .of(
            "file",
            "Also write what the terminal shows as a picture (SVG); an earlier one is replaced."
        )
    )
    var snapshot: String?

    func validate() throws {
        try Self.checkName(snapshot, "--snapshot")
    }

    /// A slip of the finger must not replace another file.
    static func checkName(_ path: String?, _ option: String) throws {
        if let path, !path.lowercased().hasSuffix(".svg") {
            throw ValidationError("\(option) takes the name of a picture, which ends in .svg.")
        }
    }

    /// Writes the picture if one is wanted, and returns the view with a sentence that names it.
    ///
    /// - Parameter title: the command, for those who cannot see the picture.
    /// - Throws: `PrivateFiles.Failure`.
    func written(
        _ context: CommandContext,
        title: String,
        _ lines: @escaping @Sendable (Screen) -> [String]
    ) throws -> @Sendable (Screen) -> [String] {
        guard let snapshot else { return lines }
        let screen = context.console.pictureScreen
        let grid = Grid(lines: context.staleness(screen) + lines(screen), columns: screen.width)
        try PrivateFiles.replace(snapshot, with: Array(GridSVG(grid, title: title).text.utf8))
        return { screen in lines(screen) + screen.sentences("The picture is in \(snapshot).") }
    }
}
