import DexNetwork
import DexSandbox
import Ethereum
import NetworkTestSupport
import StrictJSON
import Testing

@testable import SandboxHost

/// The Swap API of a whole sandbox, over its sockets.
@Suite("The swap API of a running sandbox")
struct SandboxSwapTests {
    private static let transport = CurlTransport(options: .patient(environment: { _ in nil }))

    private func chain(_ report: Sandbox.Report) -> JSONRPCChainClient {
        JSONRPCChainClient(urls: [report.state.rpc], transport: Self.transport)
    }

    /// Asks the Swap API for a price of ten ZRX, with the headers that it wants.
    private func price(
        _ report: Sandbox.Report,
        headers: [HTTPHeader] = [
            HTTPHeader("0x-api-key", "sandbox"), HTTPHeader("0x-version", "v2"),
        ]
    ) async throws -> HTTPResponse {
        let query =
            "chainId=1337&sellToken=\(SandboxTokens.zrx.address.lowercaseHex)"
            + "&buyToken=\(SandboxTokens.weth.address.lowercaseHex)"
            + "&sellAmount=10000000000000000000&excludedSources=Some%20Pool"
        let url = "\(try #require(report.state.swap))/swap/allowance-holder/price?\(query)"
        return try await Self.transport.send(HTTPRequest(.get, url: url, headers: headers))
    }

    private func control(
        _ report: Sandbox.Report,
        _ method: String,
        _ parameter: String
    ) async throws -> JSONValue {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":[\#(parameter)]}"#
        let response = try await Self.transport.send(
            HTTPRequest(
                .post,
                url: report.state.rpc,
                headers: [HTTPHeader("Content-Type", "application/json")],
                body: Array(text.utf8)
            )
        )
        return try JSONParser.parse(response.body)
    }

    @Test("the swap API answers at its own port, fails as it is told, and takes no web page")
    func swap() async throws {
        let folder = try TemporaryFolder()
        var options = Sandbox.Options(folder: folder.value)
        options.isInMemory = true
        options.choices.orders = 2
        try await SandboxTests().running(options) { report in
            let honest = try await price(report)
            #expect(honest.status == 200)
            let json = try JSONParser.parse(honest.body)
            #expect(json["liquidityAvailable"] == true)
            #expect(json["issues"]?["invalidSourcesPassed"] == ["Some Pool"])
            #expect(try await price(report, headers: []).status == 401)
            let page = [
                HTTPHeader("0x-api-key", "sandbox"), HTTPHeader("0x-version", "v2"),
                HTTPHeader("Origin", "http://evil.example"),
            ]
            #expect(try await price(report, headers: page).status == 403)

            let quote = #"{"fault":"quote","kind":"no-liquidity","times":1}"#
            let set = try await control(report, "sandbox_setFault", quote)
            #expect(set["result"]?["faults"]?.arrayValue?.first?["of"] == "swap")
            let none = try await JSONParser.parse(price(report).body)
            #expect(none["liquidityAvailable"] == false)
            let again = try await JSONParser.parse(price(report).body)
            #expect(again["liquidityAvailable"] == true)
            let kind = #"["429"]"#
            _ = try await control(
                report,
                "sandbox_setFault",
                #"{"fault":"flaky","of":["swap"],"share":100,"kinds":\#(kind),"seed":"1"}"#
            )
            #expect(try await price(report).status == 429)
            _ = try await control(report, "sandbox_clearFaults", "{}")
            #expect(try await price(report).status == 200)
        }
    }

    @Test("a registry that was paused is not paused any more after a restart")
    func paused() async throws {
        let folder = try TemporaryFolder()
        var options = Sandbox.Options(folder: folder.value)
        options.choices.orders = 2
        let owner = CallRequest(
            to: GenesisSwap.registry,
            data: ERC20.call("ownerOf(uint256)", UInt256(2).word)
        )
        try await SandboxTests().running(options) { report in
            let chain = chain(report)
            let settler = try await chain.call(owner)
            #expect(Bytes32(bytes: settler) == GenesisSwap.currentSettler.word)
            let pause = #"{"fault":"quote","kind":"paused"}"#
            let set = try await control(report, "sandbox_setFault", pause)
            #expect(set["result"] != nil, "\(set.text)")
            await #expect(throws: ChainError.self) { try await chain.call(owner) }
            // Another fault of quotes takes its place.
            let html = #"{"fault":"quote","kind":"html"}"#
            _ = try await control(report, "sandbox_setFault", html)
            #expect(try await chain.call(owner) == settler)
            _ = try await control(report, "sandbox_setFault", pause)
            _ = try await control(report, "sandbox_clearFaults", #"{"faults":["quote"]}"#)
            #expect(try await chain.call(owner) == settler)
            // A reorganization undoes the end of the pause, and the pause itself.
            let reorg = #"{"blocks":1,"transactions":"gone"}"#
            let undone = try await control(report, "sandbox_reorg", reorg)
            #expect(undone["result"]?["replaced"] == 1, "\(undone.text)")
            #expect(try await chain.call(owner) == settler)
            _ = try await control(report, "sandbox_setFault", pause)
            _ = try await control(report, "sandbox_reorg", reorg)
            await #expect(throws: ChainError.self) { try await chain.call(owner) }
        }
        try await SandboxTests().running(options) { report in
            let settler = try await chain(report).call(owner)
            #expect(Bytes32(bytes: settler) == GenesisSwap.currentSettler.word)
        }
    }
}
