import DexSigning
import Ethereum
import EthereumWallet
import Foundation
import Testing
import ZeroEx

@testable import DexCore
@testable import DexStore

/// An area of errors with an example of each of its cases.
protocol ExemplifiedError: ErrorArea {
    /// One of each case, in the order of `number`.
    static var examples: [Self] { get }

    /// Which case it is, from 0: a switch without a default, so that a new case does not compile
    /// before it has a number, and so an example.
    var number: Int { get }
}

/// What the examples are made of.
enum Sample {
    static let word = Bytes32(limbs: (0, 0, 0, 1))
    static let transaction = TransactionHash(word)
    static let order = OrderHash(word)
    static let token = Token(address: .zero, symbol: "ZRX", name: "0x", decimals: 18)
    static let pair = Pair(base: token, quote: token)
    static let network = Network(
        name: "sandbox",
        chainID: 1337,
        rpc: ["http://127.0.0.1:1"],
        relay: nil,
        protocolVersion: .v1,
        exchange: .zero,
        weth: .zero,
        blockTime: 1,
        isSandbox: true
    )
    static let sent = SentTransaction(
        purpose: .approve,
        hash: transaction,
        stage: .reverted,
        block: 7,
        gasUsed: 46_000,
        cost: Wei(92_000_000_000_000)
    )
    static let journalled = JournalTransaction(
        intent: 1,
        chainID: 1337,
        sender: .zero,
        nonce: 1,
        purpose: "fill",
        hash: transaction,
        raw: [],
        stage: .broadcast,
        created: 1,
        block: nil,
        reorgedFromBlock: nil,
        successor: nil,
        predecessor: nil
    )
}

@Suite("The tables of errors")
struct ErrorTableTests {
    private static let areas: [any ExemplifiedError.Type] = [
        AddressError.self,
        AlertError.self,
        BookError.self,
        CallError.self,
        CancelError.self,
        ChainError.self,
        ClockError.self,
        DecimalTextError.self,
        DoctorError.self,
        EndedError.self,
        ExchangeError.self,
        FundsError.self,
        GasError.self,
        GuardError.self,
        HashError.self,
        InFlightError.self,
        InputError.self,
        JournalError.self,
        LadderError.self,
        LimitError.self,
        LiquidityError.self,
        NetworkError.self,
        OrderError.self,
        OrderRejection.self,
        OutcomeError.self,
        PrivateKeyError.self,
        QuoteFault.self,
        ReadError.self,
        RelayError.self,
        ReplaceOrderError.self,
        ReplacementError.self,
        SendError.self,
        SignerError.self,
        SigningError.self,
        SwapError.self,
        TokenError.self,
        TradeError.self,
        TransferError.self,
    ]

    private static func reports(_ area: any ExemplifiedError.Type) -> [ErrorReport] {
        func open<Area: ExemplifiedError>(_ area: Area.Type) -> [ErrorReport] {
            #expect(area.examples.map(\.number) == Array(area.examples.indices))
            return area.examples.map(\.report)
        }
        return open(area)
    }

    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/output.md")

    /// The exit codes of each code, as docs/output.md lists them.
    private static func documented() throws -> [String: Set<Int32>] {
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.firstRange(of: "### `error.code`")?.upperBound)
        var codes: [String: Set<Int32>] = [:]
        for line in text[start...].split(separator: "\n") {
            if line.hasPrefix("## ") { break }
            guard let row = line.wholeMatch(of: /\| ([\d, ]+) \| (.*) \|/) else { continue }
            let exits = row.1.split(separator: ",").compactMap {
                Int32($0.trimmingCharacters(in: .whitespaces))
            }
            for code in row.2.matches(of: /`([a-zA-Z0-9-]+)`/) {
                codes[String(code.1), default: []].formUnion(exits)
            }
        }
        return codes
    }

    /// What a code is listed as: itself, or the family that it is of.
    private static func listed(_ code: String, _ area: any ExemplifiedError.Type) -> String {
        switch area {
        case is LimitError.Type where code.hasPrefix("approval-"): "approval-STATUS"
        case is TradeError.Type where code.hasPrefix("order-"): "order-FLAG"
        case is InFlightError.Type where code.hasPrefix("unacknowledged-"):
            code == "unacknowledged-order" ? code : "unacknowledged-PURPOSE"
        default: code
        }
    }

    @Test("every code that stands in any table is listed, those of the commands too")
    func literals() throws {
        let documented = try Self.documented()
        let sources = Self.page.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var found = 0
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for row in text.matches(of: /ErrorReport\(\s*\.?\w+,\s*"([a-z0-9-]+)"/) {
                found += 1
                #expect(documented[String(row.1)] != nil, "\(file.lastPathComponent): \(row.1)")
            }
        }
        #expect(found > 150)
    }

    @Test("every case has a sentence, a stable code and an exit code that docs/output.md lists")
    func rows() throws {
        let documented = try Self.documented()
        for area in Self.areas {
            for report in Self.reports(area) {
                let code = report.code
                #expect(code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(area): \(code)")
                #expect(
                    documented[Self.listed(code, area)]?.contains(report.kind.exit.rawValue)
                        == true,
                    "\(area): \(code), exit \(report.kind.exit.rawValue)"
                )
                let first = report.message.unicodeScalars.first
                #expect(first?.properties.isLowercase == false, "\(area): \(report.message)")
                for text in [report.message, report.hint].compactMap({ $0 }) {
                    #expect(!text.isEmpty, "\(area): \(code)")
                    let isPlain = text.unicodeScalars.allSatisfy {
                        $0.properties.generalCategory != .control || $0 == "\n"
                    }
                    #expect(isPlain, "\(area): \(text)")
                    #expect(!text.contains("  "), "\(area): \(text)")
                    #expect(!text.contains("nil"), "\(area): \(text)")
                }
            }
        }
    }
}
