import Foundation
import StrictJSON

/// A program of the tests that prints one line of JSON once it listens, and ends with its standard input.
final class ChildNode: Sendable {
    private let process: Process
    private let input: FileHandle

    /// Beside the test bundle: Tests/SandboxNode.
    static let sandbox = DexBinary.executable.deletingLastPathComponent()
        .appending(path: "SandboxNode")

    /// Starts a program and waits for its line.
    ///
    /// - Parameter line: of its input; nil for none.
    /// - Throws: what Foundation throws where the program cannot be run, or `EVMNode.Failure` where it
    ///   prints something else.
    static func start(
        _ program: URL,
        _ arguments: [String],
        input line: String? = nil
    ) throws -> (ChildNode, JSONValue) {
        let (input, output) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The child has its own ends.
        try? input.fileHandleForReading.close()
        try? output.fileHandleForWriting.close()
        let node = ChildNode(process, input.fileHandleForWriting)
        if let line { try node.input.write(contentsOf: Data((line + "\n").utf8)) }
        var answer: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { break }
            answer.append(byte)
        }
        // nil: not JSON.
        guard let json = try? JSONParser.parse(answer) else {
            node.stop()
            throw EVMNode.Failure(
                description: "\(program.lastPathComponent) did not start; its errors are above."
            )
        }
        return (node, json)
    }

    private init(_ process: Process, _ input: FileHandle) {
        self.process = process
        self.input = input
    }

    deinit { stop() }

    /// Ends it.
    func stop() {
        try? input.close()
        process.terminate()
    }
}
