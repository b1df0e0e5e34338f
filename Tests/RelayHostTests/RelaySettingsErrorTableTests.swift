import DexCore
import Foundation
import Testing

@testable import RelayHost

@Suite("The tables of the errors of a hosted relay")
struct RelaySettingsErrorTableTests {
    private static let settings: [RelaySettingsError] = [
        .missing(path: "/p"), .exists(path: "/p"), .alterable(path: "/p"),
        .malformed(path: "/p", line: 3, what: "text", hint: nil), .layout(path: "/p", key: "pairs"),
        .carriesAny(path: "/p"), .alreadyCarried(pair: "A/B", path: "/p"),
        .notCarried(token: "A", path: "/p"), .exposedPassword(path: "/p"),
        .noPassword(path: "/p"),
    ]
    private static let host: [RelayHostError] = [
        .listen(address: "127.0.0.1:1", reason: "it is taken"),
        .store(place: "/p", reason: "it is damaged"),
        .storeSilent(place: "postgres://h", reason: "no answer"),
    ]

    @Test("every case has a sentence, and a code that docs/output.md lists with its exit code")
    func table() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/output.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let reports = Self.settings.map(\.report) + Self.host.map(\.report)
        #expect(Set(reports.map(\.code)).count == reports.count)
        for report in reports {
            #expect(report.message.hasSuffix("."), "\(report.message)")
            let row = page.split(separator: "\n").first {
                $0.hasPrefix("| \(report.kind.exit.rawValue) | ") && $0.contains("`\(report.code)`")
            }
            #expect(row != nil, "\(report.code)")
        }
    }
}
