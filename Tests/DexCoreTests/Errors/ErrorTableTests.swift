import DexSigning
import ErrorTableSupport
import Ethereum
import EthereumWallet
import Foundation
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport
@testable import DexStore

@Suite("The tables of errors")
struct ErrorTableTests {
    private static let areas: [any ExemplifiedError.Type] = [
        AddressError.self,
        AgentPlanError.self,
        AlertError.self,
        BlockError.self,
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
        LoneClaim.self,
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
        SignedFileError.self,
        SignerError.self,
        SigningError.self,
        SimulationError.self,
        StateLie.self,
        SwapError.self,
        TokenError.self,
        TokenListError.self,
        TradeError.self,
        TransferError.self,
    ]

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
        let table = try ErrorTable()
        let files = FileManager.default.enumerator(
            at: ErrorTable.sources,
            includingPropertiesForKeys: nil
        )
        var found = 0
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for row in text.matches(of: /ErrorReport\(\s*\.?\w+,\s*"([a-z0-9-]+)"/) {
                found += 1
                #expect(table.lists(String(row.1)), "\(file.lastPathComponent): \(row.1)")
            }
        }
        #expect(found > 150)
    }

    @Test("every case has a sentence, a stable code and an exit code that docs/output.md lists")
    func rows() throws {
        let table = try ErrorTable()
        for area in Self.areas {
            #expect(table.faults(of: area) { Self.listed($0, area) } == [])
        }
    }
}
