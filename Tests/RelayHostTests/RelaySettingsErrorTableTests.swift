package import DexCore
import ErrorTableSupport
import Testing

@testable package import RelayHost

extension RelaySettingsError: ExemplifiedArea {
    package static let errors: [DexError] = [
        missing(path: "/p"), exists(path: "/p"), alterable(path: "/p"),
        malformed(path: "/p", line: 3, what: "text", hint: nil), layout(path: "/p", key: "pairs"),
        carriesAny(path: "/p"), alreadyCarried(pair: "A/B", path: "/p"),
        notCarried(token: "A", path: "/p"), exposedPassword(path: "/p"),
        noPassword(path: "/p"), moderationBusy(path: "/p"), backupExists(path: "/p"),
        storeIsNoFile(place: "postgres://h"), clientExists(name: "a"), noClient(name: "a"),
        tooManyClients(maximum: 1),
    ]
}

extension RelayHostError: ExemplifiedArea {
    package static let errors: [DexError] = [
        listen(address: "127.0.0.1:1", reason: "it is taken"),
        store(place: "/p", reason: "it is damaged"),
        storeSilent(place: "postgres://h", reason: "no answer"),
    ]
}

@Suite("The tables of the errors of a hosted relay")
struct RelaySettingsErrorTableTests {
    @Test(
        "every error has a sentence, and a code that docs/output.md lists with its exit code",
        arguments: [RelaySettingsError.self, RelayHostError.self] as [any ExemplifiedArea.Type]
    )
    func rows(area: any ExemplifiedArea.Type) throws {
        #expect(try ErrorTable().faults(of: area) == [])
    }
}
