import DexCore
import DexTerminal
import EthereumWallet

/// The questions of `dex init`, on the terminal itself: stdin and stdout may be files.
struct TerminalDialog: SetupDialog, PhraseBackup.Screen {
    let terminal: Terminal
    let console: Console

    func show(_ message: SetupMessage) {
        write(SetupDialogText.lines(message, console.errorScreen))
    }

    func ask(_ question: SetupQuestion) async throws -> String {
        console.endProgress()
        let line = try CommandContext.answer(
            await terminal.ask(SetupDialogText.prompt(question), isHidden: false)
        )
        return line.withBytes { bytes in
            let isSpace = { (byte: UInt8) in byte <= 0x20 }
            let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
            let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
    }

    // MARK: A new recovery phrase

    func show(_ phrase: borrowing SecretBytes) async throws {
        console.endProgress()
        CoreDumps.forbid()
        let screen = console.errorScreen
        let title = screen.sentences(
            "These words are the wallet: they restore it, and whoever has them has everything in "
                + "it. Write them on paper, in this order."
        )
        let prompt = screen.sentences(
            "Press Enter when they are on paper. They leave this screen, and three of them are "
                + "asked back."
        )
        _ = try CommandContext.answer(
            await terminal.show(
                PhraseSheet.lines(phrase, width: screen.width),
                below: title.joined(separator: "\n"),
                above: prompt.joined(separator: "\n") + " ",
                isDumb: console.isDumb
            )
        )
    }

    func word(_ number: Int) async throws -> SecretBytes {
        try CommandContext.answer(await terminal.ask("Word \(number): ", isHidden: true))
    }

    func isWrong(_ number: Int) {
        write(
            console.errorScreen.warning(
                "Word \(number) is another one. The words are shown again."
            )
        )
    }

    private func write(_ lines: [String]) {
        console.endProgress()
        terminal.write(lines.map { $0 + "\n" }.joined())
    }
}
