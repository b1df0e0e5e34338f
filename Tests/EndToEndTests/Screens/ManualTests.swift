import DexTestSupport
import Foundation
import Testing

@testable import EndToEndTestSupport

/// The manual pages as mandoc reads them, a program that nobody here wrote.
@Suite("Manual pages")
struct ManualTests {
    private static let day = "2026-11-23"

    @Test("mandoc finds nothing to complain of, and pages name only pages that are there")
    func lint() async throws {
        let dex = try DexBinary()
        let names = try await dex.run("manual").stdout.split(separator: "\n").map(String.init)
        #expect(names.contains("dex") && names.contains("dex-market-buy"))
        let folder = dex.home.appending(path: "man1")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var files: [String] = []
        for name in names {
            let page = try await dex.run("manual \(name) --date \(Self.day)")
            #expect(page.status == 0, "\(page.stderr)")
            let file = folder.appending(path: "\(name).1")
            try Data(page.stdout.utf8).write(to: file)
            files.append(file.path)
        }
        let complaints = try await Self.mandoc(["-T", "lint"] + files).split(separator: "\n")
        for line in complaints {
            // mandoc looks for other pages among the system's only.
            let other = line.firstMatch(of: /STYLE: referenced manual not found: Xr ([a-z-]+) 1/)
            #expect(other.map { names.contains(String($0.output.1)) } == true, "\(line)")
        }
        // It does complain: a page with an unknown macro.
        let odd = folder.appending(path: "odd.1")
        try Data(".Dd November 23, 2026\n.Dt ODD 1\n.Os\n.Odd\n".utf8).write(to: odd)
        #expect(try await Self.mandoc(["-T", "lint", odd.path]).contains("odd.1"))
    }

    @Test("what is no page, or has no day, is wrong usage")
    func usage() async throws {
        let dex = try DexBinary()
        for words in [["dex-nonsense", "--date", Self.day], ["dex"], ["dex", "--date", "today"]] {
            let run = try await dex.run(["manual"] + words)
            #expect(run.status == 2 && run.stdout.isEmpty, "\(words)")
        }
    }

    @concurrent
    private static func mandoc(_ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/mandoc")
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}
