import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import Glibc
import PrivateFiles
import StrictJSON

/// `dex config edit`: the editor gets a copy, which is kept only if it can be read.
struct ConfigEditCommand: DexCommand {
    static var answer: Answer? { .configEdit }
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Open config.toml in an editor; it is checked before it is kept.",
        discussion: """
            The editor is VISUAL, else EDITOR. A copy is edited: if dex could not read it, the \
            file stays as it was, and on a terminal the copy can be edited again.
            """
    )
    static let examples: Examples = [
        "In your usual editor": "dex config edit",
        "See it afterwards": "dex config show",
    ]
    @OptionGroup var options: GlobalOptions

    private static let limit = 1 << 20

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let home = try context.home()
        let path = home.configFile
        let editor = TextEditor(context.environment)
        let original = try PrivateFiles.read(path, limit: Self.limit)
        try PrivateFiles.makeFolder(home.config)
        let copy = "\(home.config)/config.\(getpid()).toml"
        try PrivateFiles.replace(copy, with: original ?? [])
        let edited: [UInt8]
        do {
            edited = try await self.edited(copy, of: path, by: editor, context)
            try PrivateFiles.remove(copy)
        } catch {
            try PrivateFiles.remove(copy)
            throw error
        }
        let isChanged = edited != original ?? []
        if isChanged, !options.isDryRun {
            guard try PrivateFiles.read(path, limit: Self.limit) == original else {
                throw SetupError.changedMeanwhile(path: path)
            }
            try PrivateFiles.replace(path, with: edited)
        }
        return context.changed(["path": .string(path), "changed": .bool(isChanged)]) { _ in
            [TerminalText.clean(isChanged ? "\(path) is changed." : "\(path) is unchanged.")]
        }
    }

    /// The copy as the user left it, once it can be read.
    private func edited(
        _ copy: String,
        of path: String,
        by editor: TextEditor,
        _ context: CommandContext
    ) async throws -> [UInt8] {
        while true {
            try editor.edit(copy, keepsOutput: options.isJSON)
            try Task.checkCancellation()
            guard let content = try PrivateFiles.read(copy, limit: Self.limit) else {
                throw SetupError.editorFailed(editor.command, status: nil)
            }
            do throws(DexError) {
                try Settings(file: try SettingsFile(content: content, path: path)).check()
                return content
            } catch {
                let problem = error
                let answer = await context.console.confirm(PlanQuestion("Edit again?")) { screen in
                    screen.sentences(problem.message)
                        + (problem.hint.map { screen.sentences($0) } ?? [])
                }
                switch answer {
                case .yes: continue
                case .no, .noTerminal: throw problem.adding("The settings are unchanged.")
                case .interrupted: throw CancellationError()
                }
            }
        }
    }
}
