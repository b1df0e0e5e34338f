import DexTestSupport
import Dispatch
import Ethereum
import Foundation
import Testing
import ZeroEx

/// Programs that others wrote, on the WebSocket of our relay.
@Suite("Other people's WebSocket clients on our feed")
struct FeedTests {
    @Test("websockets and aiohttp follow and resume, and wsproto agrees about each violation")
    func python() async throws {
        try await PeerRelayV4.serve { port in
            let report = try await PeerReport(
                "feed.py",
                "http://127.0.0.1:\(port)/orderbook/v1",
                "\(PeerRelayV4.domain.chainID)",
                PeerRelayV4.domain.exchange.lowercaseHex,
                PeerRelayV4.base.lowercaseHex,
                PeerRelayV4.quote.lowercaseHex,
                "\(PeerRelayV4.now)",
                PeerRelayV4.feeRecipient.lowercaseHex,
                "\(PeerRelayV4.fee)"
            )
            report.expectAgreement(checks: 6, comparisons: 350)
        }
    }

    @Test(
        "Node's own WebSocket gets a snapshot, an error and a clean close",
        .enabled("there is no node with a WebSocket") {
            try await Node.run("-e", "process.exit(typeof WebSocket === 'function' ? 0 : 1)")
                .status == 0
        }
    )
    func node() async throws {
        try await PeerRelayV4.serve { port in
            let script = PythonEnvironment.root.appending(
                path: "Tests/Python/clients/feed_node.mjs"
            )
            let run = try await Node.run(
                script.path,
                "ws://127.0.0.1:\(port)/sra/v4",
                PeerRelayV4.base.lowercaseHex,
                PeerRelayV4.quote.lowercaseHex
            )
            #expect(run.status == 0)
            #expect(run.output == "open\nsnapshot node 0\nerror 101\nclose 1007 true\n")
        }
    }
}

/// Node, which has a WebSocket behind a flag from version 20 on and without one from 22 on.
private enum Node {
    static func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["node", "--experimental-websocket"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = await withCheckedContinuation { continuation in
            DispatchQueue(label: "Node").async {
                continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
            }
        }
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
