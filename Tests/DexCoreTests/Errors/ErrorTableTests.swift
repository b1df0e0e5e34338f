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
    private static let areas: [any ExemplifiedArea.Type] = [
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

    @Test(
        "docs/output.md has every code of the sources with its exit codes; DEX_RECORD=1 writes it"
    )
    func page() throws {
        let codes = try WrittenCodes()
        #expect(codes.exits.count > 350)
        // Codes of other errors, which are in the table by their own rows.
        #expect(
            codes.recorded == [
                "AgentPlanError", "KeyErrors", "OrdersModel", "ReplacementError", "SecretArguments",
            ]
        )
        let page = try String(contentsOf: WrittenCodes.page, encoding: .utf8)
        let (start, end) = ("<!-- errors: generated -->\n", "<!-- end of errors -->")
        let parts = page.components(separatedBy: start)
        let rest = try #require(parts.count == 2 ? parts[1] : nil)
        let tail = try #require(rest.range(of: end))
        let text = codes.lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["DEX_RECORD"] == "1" {
            let new = parts[0] + start + text + rest[tail.lowerBound...]
            try Data(new.utf8).write(to: WrittenCodes.page)
        } else {
            #expect(rest[..<tail.lowerBound] == text, "docs/output.md differs: DEX_RECORD=1")
        }
    }

    @Test("every error has a sentence, a stable code and an exit code that docs/output.md lists")
    func rows() throws {
        let table = try ErrorTable()
        for area in Self.areas { #expect(table.faults(of: area) == []) }
    }
}
