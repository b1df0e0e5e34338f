import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Names of addresses")
struct KnownAddressesTests {
    private static func address(_ text: String) throws -> Address {
        try #require(Address(ifHex: text))
    }

    private let ledger: Address
    private let book: KnownAddresses

    init() throws {
        ledger = try Self.address("0x71c7656ec7ab88b098defb751b7401b5f6d8976f")
        book = KnownAddresses([
            KnownAddresses.Entry(name: "ledger", address: ledger, source: .addressBook),
            KnownAddresses.Entry(name: "main", address: ledger, source: .wallet),
            KnownAddresses.Entry(
                name: "twice",
                address: ledger,
                source: .addressBook
            ),
            KnownAddresses.Entry(
                name: "twice",
                address: try Self.address("0x0000000000000000000000000000000000000001"),
                source: .wallet
            ),
        ])
    }

    @Test(
        "a name has letters, digits, - and _, and is never taken for an address",
        arguments: [
            ("ledger", true), ("my-cold_2", true), ("", false), ("0xabc", false), ("0Xabc", false),
            ("a.eth", false), ("a b", false), (String(repeating: "a", count: 33), false),
            ("é", false),
        ]
    )
    func names(name: String, isName: Bool) {
        #expect(KnownAddresses.isName(name) == isName)
    }

    @Test("a name is found, and a name of one address in two places is no problem")
    func found() throws {
        #expect(try book.entry(named: "ledger").address == ledger)
        #expect(book.name(of: ledger) == "ledger")
        #expect(book.name(of: .zero) == nil)
    }

    @Test("an unknown name says what was meant, and an ambiguous one what it names")
    func notFound() {
        #expect {
            try book.entry(named: "legder")
        } throws: { error in
            let error = error as? DexError
            return error?.code == "unknown-address"
                && error?.hint?.hasPrefix("Did you mean \"ledger\"? ") == true
        }
        #expect {
            try book.entry(named: "twice")
        } throws: { error in
            (error as? DexError)?.code == "ambiguous-address"
        }
    }

    @Test(
        "an address that shares the first and last three digits of a known one is a look-alike",
        arguments: [
            ("0x71c000000000000000000000000000000000076f", true),
            ("0x71c7656ec7ab88b098defb751b7401b5f6d0976f", true),
            ("0x71c000000000000000000000000000000000006f", false),
            ("0x710000000000000000000000000000000000076f", false),
            ("0x71c7656ec7ab88b098defb751b7401b5f6d8976e", false),
            ("0x81c7656ec7ab88b098defb751b7401b5f6d8976f", false),
        ]
    )
    func lookAlikes(text: String, isOne: Bool) throws {
        let address = try Self.address(text)
        #expect((book.lookAlike(of: address) != nil) == isOne)
        #expect((book.warning(about: address) != nil) == isOne)
    }

    @Test("a known address is no look-alike of itself")
    func itself() {
        #expect(book.lookAlike(of: ledger) == nil)
        #expect(book.warning(about: ledger) == nil)
    }
}
