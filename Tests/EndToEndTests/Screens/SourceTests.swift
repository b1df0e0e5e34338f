import DexTestSupport
import Foundation
import Testing

@testable import EndToEndTestSupport

@Suite("The sources of the command line")
struct SourceTests {
    @Test("nobody but Console writes to stdout or stderr")
    func onlyConsoleWrites() throws {
        let sources = PythonEnvironment.root.appending(path: "Sources")
        let forbidden =
            /(^|[^.\w])(print|debugPrint|dump|fputs|puts|printf|vprintf)\(|FileHandle\.standard|write\((STDOUT|STDERR)_FILENO/
        var found: [String] = []
        var files = 0
        // Benchmarks are a program of their own, and print what they measured.
        let targets = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { $0 != "dex-bench" }
        #expect(targets.contains("dex"))
        for target in targets {
            let folder = sources.appending(path: target)
            let names = try #require(
                FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String]
            )
            for name in names where name.hasSuffix(".swift") {
                // The latter ends a program that lacks a library, as the dynamic linker would.
                if name.hasSuffix("/Console.swift") || name == "CryptoLibrary.swift" { continue }
                files += 1
                let text = try String(
                    decoding: Data(contentsOf: folder.appending(path: name)),
                    as: UTF8.self
                )
                for line in text.split(separator: "\n") where line.contains(forbidden) {
                    let code = line.prefix { $0 != "/" }
                    if code.contains(forbidden) { found.append("\(target)/\(name): \(line)") }
                }
            }
        }
        #expect(files > 100)
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }
}
