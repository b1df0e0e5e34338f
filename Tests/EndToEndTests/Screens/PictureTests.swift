import DexTestSupport
import Foundation
import FoundationXML
import Testing

@testable import EndToEndTestSupport

/// `--snapshot`, and the pictures of README and docs, which it makes.
@Suite("Pictures of screens")
struct PictureTests {
    private static let root = PythonEnvironment.root
    private static let pictures = root.appending(path: "docs/pictures")

    /// The texts of a picture's runs.
    private final class Texts: NSObject, XMLParserDelegate {
        private(set) var all: [String] = []
        private var isOpen = false

        init(_ url: URL) throws {
            super.init()
            let parser = XMLParser(data: try Data(contentsOf: url))
            parser.delegate = self
            try #require(parser.parse(), "\(url.lastPathComponent)")
        }

        /// Its words of letters, without those that are part of a number or a hash.
        var words: Set<String> {
            Set(
                all.flatMap { $0.split(separator: " ") }
                    .map { $0.trimmingCharacters(in: .punctuationCharacters) }
                    .filter { $0.count > 2 && $0.allSatisfy { $0.isLetter || $0 == "/" } }
            )
        }

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            isOpen = name == "text"
            if isOpen { all.append("") }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if isOpen { all[all.count - 1] += string }
        }

        func parser(
            _ parser: XMLParser,
            didEndElement name: String,
            namespaceURI: String?,
            qualifiedName: String?
        ) {
            isOpen = false
        }
    }

    /// What follows from the market of the day; a bar behind a note cuts it anywhere.
    private static let volatile: Set<String> = [
        "partly-filled", "partly-funded", "other-taker", "taker-fee", "expiring", "Every",
        "interval", "has",
    ]

    @Test("the script makes every picture that is committed, and none has become stale")
    func remade() async throws {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory
            .appending(path: "dex-pictures-\(UUID().uuidString.prefix(8))")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try manager.removeItem(at: folder) } catch { Issue.record(error) }
        }
        let dex = try DexBinary()
        let script = Self.root.appending(path: "scripts/screenshots").path
        let run = try await dex.run(
            [DexBinary.executable.path, folder.path, "6"],
            environment: [:],
            under: ["/usr/bin/env", "bash"],
            program: script
        )
        try #require(run.status == 0, "\(run.stdout) \(run.stderr)")
        let committed = try manager.contentsOfDirectory(atPath: Self.pictures.path).sorted()
        #expect(committed.count >= 2)
        #expect(try manager.contentsOfDirectory(atPath: folder.path).sorted() == committed)
        for name in committed {
            let old = try Texts(Self.pictures.appending(path: name)).words
            let new = try Texts(folder.appending(path: name)).words
            #expect(old.count > 10)
            let stale = old.subtracting(new).filter { word in
                !Self.volatile.contains { $0.contains(word) }
            }
            #expect(stale.isEmpty, "\(name): make screenshots; the screen has no \(stale.sorted())")
        }
    }

    @Test("README and docs show each committed picture, and no other")
    func shown() throws {
        let manager = FileManager.default
        let docs = try manager.contentsOfDirectory(atPath: Self.root.appending(path: "docs").path)
        var shown: Set<String> = []
        for page in ["README.md"] + docs.filter({ $0.hasSuffix(".md") }).map({ "docs/\($0)" }) {
            let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
            for match in text.matches(of: /!\[[^\]]+\]\((docs\/)?pictures\/([a-z-]+\.svg)\)/) {
                #expect((match.output.1 == nil) == page.hasPrefix("docs/"), "\(page)")
                shown.insert(String(match.output.2))
            }
        }
        #expect(shown == Set(try manager.contentsOfDirectory(atPath: Self.pictures.path)))
    }

    @Test("--snapshot writes what the terminal shows, in colours, and replaces an earlier picture")
    func snapshot() async throws {
        let dex = try DexBinary()
        try dex.use(.v1)
        let url = dex.home.appending(path: "book.svg")
        try await dex.withSandbox { _ in
            for (words, width) in [
                (["orderbook", "ZRX/WETH"], 80), (["orderbook", "ZRX/WETH", "--raw"], 120),
                (["orderbook", "ZRX/WETH", "--relays"], 40), (["chart", "ZRX/WETH"], 100),
            ] {
                let plain = try await dex.run(words, environment: ["COLUMNS": "\(width)"])
                let run = try await dex.run(
                    words + ["--snapshot", url.path],
                    environment: ["COLUMNS": "\(width)", "NO_COLOR": "1"]
                )
                #expect(run.status == 0, "\(run.stderr)")
                #expect(!run.stdout.contains("\u{1B}"))
                let line = run.stdout.replacing("\n", with: " ")
                #expect(line.contains("The picture is in "))
                let text = try String(contentsOf: url, encoding: .utf8)
                #expect(text.contains("<title>dex \(words.joined(separator: " "))</title>"))
                #expect(text.contains("width=\"\(width * 10 + 32)\""))
                #expect(Set(text.matches(of: /fill="(#[0-9a-f]+)"/).map(\.output.1)).count > 1)
                let shown = Set(try Texts(url).all.flatMap { $0.split(separator: " ") })
                let expected = plain.stdout.split(separator: "\n").dropFirst()
                    .flatMap { $0.split(separator: " ") }
                // Times go on, and bars are no text.
                let missing = Set(expected).subtracting(shown).filter { word in
                    !word.contains { $0.isNumber || ("\u{2581}"..."\u{258F}").contains($0) }
                }
                #expect(missing.isEmpty)
            }
        }
    }

    @Test("--snapshot refuses other names and other forms of output, before anything is read")
    func refusals() async throws {
        let dex = try DexBinary()
        for words in [
            ["orderbook", "ZRX/WETH", "--snapshot", "notes.txt"],
            ["chart", "ZRX/WETH", "--snapshot", "notes"],
            ["orderbook", "ZRX/WETH", "--snapshot", "a.svg", "--json"],
            ["orderbook", "ZRX/WETH", "--snapshot", "a.svg", "--csv"],
            ["orderbook", "ZRX/WETH", "--snapshot", "a.svg", "--watch"],
            ["chart", "ZRX/WETH", "--snapshot", "a.svg", "--json"],
        ] {
            let run = try await dex.run(words)
            #expect(run.status == 2, "\(words): \(run.stderr)")
            #expect(run.stderr.contains("--snapshot "), "\(run.stderr)")
        }
    }

    @Test("a picture that cannot be written is an error with its path")
    func unwritable() async throws {
        let dex = try DexBinary()
        try dex.use(.v1)
        try await dex.withSandbox { _ in
            let path = dex.home.appending(path: "none/book.svg").path
            let run = try await dex.run("orderbook ZRX/WETH --snapshot \(path)")
            #expect(run.status != 0 && run.stdout.isEmpty)
            #expect(run.stderr.replacing("\n", with: " ").contains("cannot be written"))
        }
    }
}
