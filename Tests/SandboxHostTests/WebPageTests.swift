import DexNetwork
import Foundation
import NetworkTestSupport
import StrictJSON
import Testing
import ZeroEx

@testable import SandboxHost

/// A browser on this machine reaches loopback too: what a page in it can send changes nothing.
@Suite("Web pages against a sandbox")
struct WebPageTests {
    private static let transport = CurlTransport(options: .patient(environment: { _ in nil }))
    private static let json = HTTPHeader("Content-Type", "application/json")

    /// What a page can send without asking, or with a name of its own that leads here.
    private static let pages: [(headers: [HTTPHeader], status: Int)] = [
        ([HTTPHeader("Content-Type", "text/plain")], 415),
        ([HTTPHeader("Content-Type", "application/x-www-form-urlencoded")], 415),
        ([json, HTTPHeader("Origin", "http://evil.example")], 403),
        ([json, HTTPHeader("Origin", "null")], 403),
        ([json, HTTPHeader("Host", "evil.example")], 403),
    ]

    private func post(
        _ url: String,
        _ headers: [HTTPHeader],
        _ text: String
    ) async throws -> HTTPResponse {
        try await Self.transport.send(
            HTTPRequest(.post, url: url, headers: headers, body: Array(text.utf8))
        )
    }

    @Test("a page sets no fault and posts no order, and is not allowed to ask")
    func pages() async throws {
        let folder = try TemporaryFolder()
        var options = Sandbox.Options(folder: folder.value)
        options.isInMemory = true
        try await SandboxTests().running(options) { report in
            let fault =
                #"{"jsonrpc":"2.0","id":1,"method":"sandbox_setFault","#
                + #""params":[{"fault":"down","of":["relay"]}]}"#
            let relay = try #require(report.state.relay(.v1))
            for page in Self.pages {
                for (url, body) in [(report.state.rpc, fault), ("\(relay)/order", "{}")] {
                    let answer = try await post(url, page.headers, body)
                    #expect(answer.status == page.status, "\(url) \(page.headers)")
                    #expect(answer.values(of: "Access-Control-Allow-Origin").isEmpty)
                }
            }
            // No fault was set, and the same post of a program sets it.
            let list = #"{"jsonrpc":"2.0","id":1,"method":"sandbox_faults"}"#
            let none = try await post(report.state.rpc, [Self.json], list)
            let faults = try JSONParser.parse(none.body)["result"]?["faults"]?.arrayValue
            #expect(faults?.isEmpty == true)
            let foreign = HTTPHeader("Host", "evil.example")
            let read = try await Self.transport.send(
                HTTPRequest(.get, url: "\(relay)/orders", headers: [foreign])
            )
            #expect(read.status == 403)
            #expect(try JSONParser.parse(read.body)["reason"]?.stringValue?.isEmpty == false)
            let set = try await post(report.state.rpc, [Self.json], fault)
            #expect(try JSONParser.parse(set.body)["result"] != nil)
        }
    }
}
