package import Foundation
import Synchronization

/// A terminal that others wrote (tmux), with an interactive shell in it.
package final class TmuxTerminal: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Foundation waits for the end of a socket that its child inherits, and so would the server.
    private static let withoutInherited = """
        for file in /proc/self/fd/*; do
            number=${file##*/}
            if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
        done
        exec tmux "$@"
        """

    private let socket: String
    private let environment: [String: String]

    /// Starts the shell; `$DEX` is the built `dex`.
    ///
    /// - Parameter home: the shell's HOME and DEX_HOME.
    package init(
        home: URL,
        columns: Int,
        rows: Int,
        environment extra: [String: String] = [:]
    ) throws {
        socket = home.appending(path: "tmux-\(UUID().uuidString.prefix(8))").path
        environment = [
            "DEX_HOME": home.path, "HOME": home.path, "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8", "PS1": "$ ", "DEX": DexBinary.executable.path,
        ].merging(extra) { $1 }
        try tmux(
            "-f",
            "/dev/null",
            "-u",
            "new-session",
            "-d",
            "-x",
            "\(columns)",
            "-y",
            "\(rows)",
            "bash --norc --noprofile -i"
        )
    }

    deinit {
        // It may have ended with its shell.
        _ = try? tmux("kill-server")
    }

    /// The rows as they are shown, without trailing spaces.
    package func rows() throws -> [String] {
        try tmux("capture-pane", "-p").components(separatedBy: "\n").dropLast()
    }

    /// The rows that can be scrolled back to, and those that are shown.
    package func history() throws -> [String] {
        try tmux("capture-pane", "-p", "-S", "-").components(separatedBy: "\n").dropLast()
    }

    /// The program has taken the alternate screen.
    package func isAlternate() throws -> Bool {
        try tmux("display-message", "-p", "#{alternate_on}").hasPrefix("1")
    }

    /// The cursor is shown.
    package func isCursorShown() throws -> Bool {
        try tmux("display-message", "-p", "#{cursor_flag}").hasPrefix("1")
    }

    /// A line that is too long goes on in the next row (DECAWM).
    package func wrapsLines() throws -> Bool {
        try tmux("display-message", "-p", "#{wrap_flag}").hasPrefix("1")
    }

    /// The program is told of clicks and the wheel.
    package func hasMouse() throws -> Bool {
        try tmux("display-message", "-p", "#{mouse_any_flag}").hasPrefix("1")
    }

    /// Sends bytes as they are, as a terminal does for its mouse.
    package func send(_ bytes: String) throws {
        try tmux(["send-keys", "-H"] + bytes.utf8.map { String($0, radix: 16) })
    }

    /// Presses keys by their names in tmux: `C-c`, `Enter`, `q`.
    package func press(_ keys: String...) throws {
        try tmux(["send-keys"] + keys)
    }

    /// Types a line and presses Enter.
    package func type(_ line: String) throws {
        try tmux("send-keys", "-l", line)
        try press("Enter")
    }

    package func resize(columns: Int, rows: Int) throws {
        try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Waits until the screen is as wanted.
    ///
    /// - Throws: `StillWaiting` with the screen, if it does not become so.
    @discardableResult
    package func rows(
        _ what: @autoclosure () -> String = "the screen to be as wanted",
        file: StaticString = #fileID,
        line: UInt = #line,
        until isWanted: ([String]) throws -> Bool
    ) async throws -> [String] {
        var rows: [String] = []
        // Each look starts a program.
        try await DexTestSupport.until(
            "\(what()), which is\n\(rows.joined(separator: "\n"))\n",
            looks: 2_400,
            file: file,
            line: line
        ) {
            rows = try self.rows()
            return try isWanted(rows)
        }
        return rows
    }

    /// Waits until the screen shows a text.
    @discardableResult
    package func rows(showing text: String) async throws -> [String] {
        try await rows("\"\(text)\" on the screen") { rows in
            rows.contains { $0.contains(text) }
        }
    }

    /// Clears the screen and reads the terminal's settings, as stty(1) writes them.
    ///
    /// - Parameter mark: another word each time.
    package func settings(_ mark: String) async throws -> String {
        try type("clear; stty -g | tr -d ':\\n'; echo; echo \(mark)-end")
        let rows = try await rows { $0.contains("\(mark)-end") }
        return rows.prefix { $0 != "\(mark)-end" }.joined()
    }

    /// A task's thread blocks signals such as TERM and HUP; a server that inherits that never ends.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        sigemptyset(&none)
        var blocked = sigset_t()
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try body()
    }

    @discardableResult
    private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", Self.withoutInherited, "tmux", "-S", socket] + arguments
        process.environment = environment
        // A file, since the server that the first command starts keeps its output open.
        let file = URL(filePath: "\(socket)-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }  // its folder goes with the test
        let output = try FileHandle(forWritingTo: file)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try Self.withoutBlockedSignals { try process.run() }
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "tmux \(arguments): \(text)")
        }
        return text
    }
}
