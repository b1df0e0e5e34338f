import ErrorTableSupport
import Testing

@testable package import RelayHost

extension RelaySettingsError: ExemplifiedError {
    package static let examples: [RelaySettingsError] = [
        .missing(path: "/p"), .exists(path: "/p"), .alterable(path: "/p"),
        .malformed(path: "/p", line: 3, what: "text", hint: nil), .layout(path: "/p", key: "pairs"),
        .carriesAny(path: "/p"), .alreadyCarried(pair: "A/B", path: "/p"),
        .notCarried(token: "A", path: "/p"), .exposedPassword(path: "/p"),
        .noPassword(path: "/p"), .moderationBusy(path: "/p"), .backupExists(path: "/p"),
        .storeIsNoFile(place: "postgres://h"), .clientExists(name: "a"), .noClient(name: "a"),
        .tooManyClients(most: 1),
    ]

    package var number: Int {
        switch self {
        case .missing: 0
        case .exists: 1
        case .alterable: 2
        case .malformed: 3
        case .layout: 4
        case .carriesAny: 5
        case .alreadyCarried: 6
        case .notCarried: 7
        case .exposedPassword: 8
        case .noPassword: 9
        case .moderationBusy: 10
        case .backupExists: 11
        case .storeIsNoFile: 12
        case .clientExists: 13
        case .noClient: 14
        case .tooManyClients: 15
        }
    }
}

extension RelayHostError: ExemplifiedError {
    package static let examples: [RelayHostError] = [
        .listen(address: "127.0.0.1:1", reason: "it is taken"),
        .store(place: "/p", reason: "it is damaged"),
        .storeSilent(place: "postgres://h", reason: "no answer"),
    ]

    package var number: Int {
        switch self {
        case .listen: 0
        case .store: 1
        case .storeSilent: 2
        }
    }
}

@Suite("The tables of the errors of a hosted relay")
struct RelaySettingsErrorTableTests {
    @Test(
        "every case has a sentence, and a code that docs/output.md lists with its exit code",
        arguments: [RelaySettingsError.self, RelayHostError.self] as [any ExemplifiedError.Type]
    )
    func rows(area: any ExemplifiedError.Type) throws {
        #expect(try ErrorTable().faults(of: area) == [])
    }
}
