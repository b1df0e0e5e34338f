// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// `make fuzz` sets it: our own code is then optimised, in a debug build that takes half as long,
/// and carries the counters that libFuzzer watches.
let isFuzzing = Context.environment["DEX_FUZZ"] == "1"

/// The test targets to build, comma-separated; all without it.
///
/// `make check TESTS=... FILTER=...` sets it. A folder such as DexCoreTests stands for its targets.
let chosenTests = Context.environment["DEX_TESTS"].map {
    Set($0.split(separator: ",").map(String.init))
}

/// SwiftPM reads this file for another package, which depends on this one: at the root of a commit, or
/// in a folder `checkouts` beside its `repositories`.
let folder = Context.packageDirectory
let isCheckout =
    folder.split(separator: "/").dropLast().last == "checkouts"
    && FileManager.default.fileExists(atPath: "\(folder)/../../repositories")
/// The variable decides where it is set, by `scripts/test-libraries` and `make docs`.
let isDependency =
    Context.environment["DEX_DEPENDENCY"].map { $0 == "1" } ?? (folder == "/" || isCheckout)

/// Continuous integration sets it: a builder's newer compiler may warn of what is no fault.
let warningsAreErrors = Context.environment["DEX_WARNINGS"] == "errors"

let languageSettings: [SwiftSetting] =
    [.swiftLanguageMode(.v6)]
    + [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) }
    + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
let swiftSettings =
    languageSettings
    + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing", "-O"])] : [])

/// Optimised in debug builds too: hashes, codecs, arithmetic and the simulated chain, which all tests
/// wait for; as a whole, since file by file the optimiser takes twice as long.
let asWhole = ["-O", "-disable-batch-mode", "-wmo", "-num-threads", "2"]
let optimizedSettings =
    swiftSettings
    + (isDependency ? [] : [.unsafeFlags(asWhole, .when(configuration: .debug))])
let releaseOnly = BuildSettingCondition.when(configuration: .release)
/// The interpreter looks for overlapping accesses in debug builds: they cost a twelfth of its time.
let unchecked: SwiftSetting = .unsafeFlags(["-enforce-exclusivity=unchecked"], releaseOnly)
/// Waits for the disk, the network or a person: made small in a release, which starts sooner.
let small = ["DexProvider", "DexSettings", "DexTerminal", "Explorer", "RelayHost", "SandboxHost"]
let smallSettings = swiftSettings + [.unsafeFlags(["-Osize"], releaseOnly)]
let optimizedC: [CSetting] =
    isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))]

/// A program that may stand anywhere in memory has each of its own addresses corrected as it starts.
///
/// Packed, the list of them is a hundredth as long; and what nobody looks up by name is not listed.
let quickStart = [
    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
    "-Xlinker", "--no-export-dynamic",
]

// What a release has and lacks, for the `dex` that tests start thousands of times. Foundation's
// libraries are named, since objects of a debug build name only shared ones.
let staticRuntime =
    ["-static-stdlib", "-Xlinker", "--start-group"]
    + [
        "Foundation", "FoundationInternationalization", "FoundationEssentials", "CoreFoundation",
        "_FoundationICU", "_FoundationCShims", "_FoundationCollections",
    ].map { "-l\($0)" }
    + ["-Xlinker", "--end-group", "-lstdc++", "-Xlinker"]
    + ["--wrap=$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ"]

let programLinking: [LinkerSetting] = [
    .unsafeFlags(quickStart, .when(platforms: [.linux])),
    .unsafeFlags(staticRuntime, .when(platforms: [.linux], configuration: .debug)),
]

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioSockets: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let webSocketFrames: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let http = [httpTypes, nio, nioHTTP, nioSockets, webSocketFrames]

/// One of our modules: `Sources/NAME`.
func module(_ name: String, _ uses: [Target.Dependency], optimized: Bool = false) -> Target {
    .target(
        name: name,
        dependencies: uses,
        swiftSettings: optimized
            ? optimizedSettings + (name == "EVM" && !isDependency ? [unchecked] : [])
            : small.contains(name) ? smallSettings : swiftSettings
    )
}

/// A debug build gives the files of a test target to the compiler in one list: each list expands all
/// test macros of its module anew.
let oneList: [SwiftSetting] = [
    .unsafeFlags(["-driver-batch-count", "1"], .when(configuration: .debug))
]

/// A test target for a module; what it uses beside Swift Testing is named.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        swiftSettings: swiftSettings + oneList
    )
}

/// What the tests of one module use together, in a folder beside them.
func testSupport(_ name: String, path: String? = nil, _ uses: [Target.Dependency]) -> Target {
    let path = path ?? "Tests/\(name)"
    return .target(name: name, dependencies: uses, path: path, swiftSettings: swiftSettings)
}

/// Tests of one module in several targets, by the folders of each: every core compiles one.
func tests(
    in folder: String,
    _ parts: KeyValuePairs<String, [String]>,
    _ dependencies: [Target.Dependency]
) -> [Target] {
    let folders = parts.flatMap(\.value) + ["Support"]
    return parts.map { name, own in
        .testTarget(
            name: name,
            dependencies: dependencies,
            path: "Tests/\(folder)",
            exclude: folders.filter { !own.contains($0) },
            sources: own,
            swiftSettings: swiftSettings + oneList
        )
    }
}

/// The fuzz targets and what drives them: ordinary tests that replay the corpus, or libFuzzer.
func fuzzTargets() -> [Target] {
    let path = "Tests/Fuzz"
    let dependencies: [Target.Dependency] = [
        "DexCore", "DexNetwork", "DexProvider", "DexRelay", "DexSandbox", "DexSettings",
        "DexSigning", "DexTerminal", "EVM", "Ethereum", "EthereumWallet", "HTTPServing",
        "StrictJSON", "ZeroEx", "BigInt", httpTypes, logging, nio, nioSockets,
    ]
    guard isFuzzing else {
        return [
            .testTarget(
                name: "FuzzTests",
                dependencies: dependencies,
                path: path,
                exclude: ["CFuzzer", "Corpus", "Runner"],
                sources: ["Targets", "Replay"],
                swiftSettings: swiftSettings
            )
        ]
    }
    return [
        .target(name: "CFuzzer", path: "\(path)/CFuzzer"),
        .executableTarget(
            name: "dex-fuzz",
            dependencies: dependencies + ["CFuzzer"],
            path: path,
            exclude: ["CFuzzer", "Corpus", "Replay"],
            sources: ["Targets", "Runner"],
            swiftSettings: languageSettings
        ),
    ]
}

/// What other packages may use (docs/libraries.md).
let libraries = ["StrictJSON", "Ethereum", "EthereumWallet", "ZeroEx"]

/// What nearly everything stands on.
let values: [Target.Dependency] = ["Ethereum", "EthereumWallet", "StrictJSON", "Uniswap", "ZeroEx"]

let dexCoreTests = tests(
    in: "DexCoreTests",
    [
        "DexCoreBookTests": ["Book", "Doctor"],
        "DexCoreTradeTests": ["Trade"],
        "DexCoreVenueTests": ["Gas", "Guards", "Relays", "Swap", "V4"],
        "DexCoreMoneyTests": ["Errors", "Money", "Nodes", "Setup", "Tokens"],
        "DexCoreHistoryTests": [
            "Activity", "Alerts", "Events", "History", "Life", "Live", "Market", "Watch",
        ],
    ],
    values + [
        "DexCore", "DexCoreTestSupport", "EVM", "DexSigning", "DexStore", "DexSandbox",
        "DexNetwork", "DexResources", "DexTestSupport", "ErrorTableSupport", grdb,
    ]
)

/// The built binary: run-tests finds these targets by how their names begin.
let endToEndTests = tests(
    in: "EndToEndTests",
    [
        "EndToEndFaultTests": ["Faults", "Servers"],
        "EndToEndScreenTests": ["Screens"],
        "EndToEndTradeTests": ["Trade"],
        "EndToEndWalletTests": ["Agents", "Wallets"],
    ],
    values + [
        "CProcess", "DexTestSupport", "DexSandbox", "DexSettings", "DexStore",
        "EndToEndTestSupport", "PostgresTestSupport", "SandboxHost", grdb,
    ]
)

let package = Package(
    name: "dex",
    products: [
        .executable(name: "dex", targets: ["dex"]),
        // For tests alone: it is loaded into a `dex` that is to be killed.
        .library(name: "dex-faults", type: .dynamic, targets: ["CFaults"]),
    ] + libraries.map { .library(name: $0, targets: [$0]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // Only names of headers, statuses and methods; spelled as the offline mirrors know it.
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
    ],
    targets: [
        // System libraries and embedded files.
        .systemLibrary(
            name: "CSecp256k1",
            pkgConfig: "libsecp256k1",
            providers: [.apt(["libsecp256k1-dev"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // They load libcurl, libpq and libcrypto at the first use; a build needs libcurl's headers alone.
        .target(name: "CLibrary"),
        .target(name: "CCurl", dependencies: ["CLibrary"]),
        .target(name: "CPostgres", dependencies: ["CLibrary"]),
        .target(name: "COpenSSL", dependencies: ["CLibrary"]),
        .target(name: "CDexResources"),
        // Only the program links it; tests have Foundation's shared libraries.
        .target(name: "CLeftOut"),
        .target(name: "CKeccak", cSettings: optimizedC),
        .target(name: "CScrypt", cSettings: optimizedC),
        .target(name: "CProcess"),
        module("OpenSSL", ["COpenSSL"]),
        module("PrivateFiles", []),

        // Values and codecs, no I/O.
        .target(name: "StrictJSON", swiftSettings: optimizedSettings),
        module("Ethereum", ["CKeccak", "StrictJSON"], optimized: true),
        module("EVM", ["Ethereum", "OpenSSL"], optimized: true),
        module("DexResources", ["CDexResources"]),
        module("Scrypt", ["CScrypt", "OpenSSL"]),
        module("Secp256k1Points", ["Ethereum"], optimized: true),
        module(
            "EthereumWallet",
            ["CSecp256k1", "Ethereum", "OpenSSL", "Scrypt", "Secp256k1Points", "StrictJSON"]
        ),
        module("ZeroEx", ["Ethereum", "StrictJSON"], optimized: true),
        module("Uniswap", ["Ethereum", "StrictJSON"], optimized: true),

        // The application.
        module("DexStore", ["Ethereum", "Uniswap", "ZeroEx", grdb, sqlite]),
        module(
            "DexNetwork",
            [
                "CCurl", "CProcess", "DexSigning", "Ethereum", "OpenSSL", "StrictJSON", "ZeroEx",
            ]
        ),
        module("HTTPServing", ["CZlib", "OpenSSL", logging] + http),
        module(
            "DexSandbox",
            values + ["DexResources", "EVM", "HTTPServing", grdb, httpTypes, logging, nio],
            optimized: true
        ),
        module(
            "DexProvider",
            ["DexResources", "HTTPServing", "Ethereum", "StrictJSON", httpTypes, logging, nio]
        ),
        module("PostgresClient", ["CPostgres"]),
        module(
            "DexRelay",
            values + [
                "CProcess", "DexResources", "HTTPServing", "PostgresClient", "PrivateFiles", grdb,
                httpTypes, logging, nio, nioSockets, sqlite,
            ]
        ),
        module(
            "Explorer",
            [
                "DexCore", "DexResources", "DexStore", "DexTerminal", "Ethereum", "HTTPServing",
                "ZeroEx", httpTypes, nio,
            ]
        ),
        module(
            "SandboxHost",
            values + [
                "CProcess", "DexCore", "DexRelay", "DexSandbox", "Explorer", "HTTPServing",
                "PrivateFiles", httpTypes, logging, nio,
            ]
        ),
        module("DexWallet", ["Ethereum", "EthereumWallet", "PrivateFiles", "StrictJSON"]),
        module(
            "DexSigning",
            ["CProcess", "Ethereum", "PrivateFiles", "StrictJSON", "Uniswap", "ZeroEx"]
        ),
        module("DexCore", values + ["DexSigning", "DexStore", "DexResources", "EVM"]),
        module(
            "DexSettings",
            ["DexCore", "DexSigning", "Ethereum", "PrivateFiles", "TOMLKit", "ZeroEx"]
        ),
        module(
            "RelayHost",
            [
                "DexCore", "DexRelay", "DexSettings", "Ethereum", "HTTPServing", "PrivateFiles",
                "StrictJSON", "TOMLKit", "ZeroEx", logging, nio,
            ]
        ),
        module("DexTerminal", ["DexCore", "DexStore", "Ethereum", "ZeroEx", "StrictJSON"]),
        .executableTarget(
            name: "dex",
            dependencies: ["CLeftOut", "DexCommandLine"],
            path: "Sources/dex/Program",
            swiftSettings: swiftSettings,
            linkerSettings: programLinking
        ),
        .target(
            name: "DexCommandLine",
            dependencies: values + [
                "DexCore", "DexNetwork", "DexProvider", "DexRelay", "DexResources", "DexSandbox",
                "DexSettings", "DexSigning", "DexStore", "DexTerminal", "DexWallet", "CProcess",
                "PrivateFiles", "RelayHost", "SandboxHost", arguments, logging,
            ],
            path: "Sources/dex",
            exclude: ["Program"],
            swiftSettings: smallSettings
        ),
        .executableTarget(
            name: "dex-bench",
            dependencies: values + [
                "DexCore", "DexNetwork", "DexRelay", "DexSandbox", "DexStore", "DexTerminal",
                "EVM", "HTTPServing", "PrivateFiles", "CProcess", "CSecp256k1", logging, nio,
            ],
            swiftSettings: swiftSettings
        ),

        // Tests.
        .target(name: "CFaults", path: "Tests/CFaults"),
        .executableTarget(
            name: "SandboxNode",
            dependencies: values + ["DexSandbox"],
            path: "Tests/SandboxNode",
            swiftSettings: swiftSettings
        ),
        testSupport("DexTestSupport", ["StrictJSON"]),
        testSupport("ErrorTableSupport", ["DexCore"]),
        testSupport("AnswerPageSupport", ["DexTerminal", "StrictJSON"]),
        testSupport("NetworkTestSupport", ["DexNetwork"]),
        testSupport("PostgresTestSupport", ["DexTestSupport", "PostgresClient"]),
        tests("StrictJSONTests", ["StrictJSON"]),
        tests("OpenSSLTests", ["OpenSSL"]),
        tests("InterpreterTests", values + ["DexTestSupport", "EVM"], exclude: ["Vectors"]),
        tests(
            "EthereumTests",
            ["DexTestSupport", "Ethereum", "EthereumWallet", "StrictJSON", "BigInt"],
            exclude: ["Vectors"]
        ),
        tests(
            "Secp256k1PointsTests",
            ["CSecp256k1", "DexTestSupport", "Ethereum", "Secp256k1Points", "BigInt"]
        ),
        tests(
            "EthereumWalletTests",
            ["DexTestSupport", "EthereumWallet", "Ethereum", "OpenSSL", "Scrypt", "StrictJSON"],
            exclude: ["Vectors"]
        ),
        tests("ZeroExTests", values + ["DexResources", "DexTestSupport"], exclude: ["Vectors"]),
        tests("UniswapTests", values + ["BigInt", "DexTestSupport"], exclude: ["Vectors"]),
        tests("DexNetworkTests", values + ["DexNetwork", "DexTestSupport", "NetworkTestSupport"]),
        tests(
            "HTTPServingTests",
            ["CZlib", "HTTPServing", "DexTestSupport", logging, nioEmbedded] + http
        ),
        tests("DexProviderTests", ["DexProvider", "DexTestSupport", "Ethereum", "StrictJSON"]),
        tests("DexSandboxTests", values + ["DexTestSupport", "DexSandbox", "EVM", grdb]),
        tests(
            "SandboxHostTests",
            values + [
                "SandboxHost", "DexCore", "DexNetwork", "DexRelay", "DexSandbox", "DexTestSupport",
                "NetworkTestSupport",
            ]
        ),
        tests(
            "ExplorerTests",
            [
                "DexCore", "DexSandbox", "DexTestSupport", "Ethereum", "EthereumWallet", "Explorer",
                "HTTPServing", "SandboxHost", "ZeroEx", httpTypes, nio, nioSockets,
            ]
        ),
        tests(
            "DexRelayTests",
            values + [
                "DexRelay", "DexNetwork", "DexSandbox", "DexTestSupport", "HTTPServing",
                "PostgresClient", "PostgresTestSupport", "OpenSSL", httpTypes, grdb, logging, nio,
                nioEmbedded, nioSockets,
            ]
        ),
        testSupport(
            "DexCoreTestSupport",
            path: "Tests/DexCoreTests/Support",
            values + [
                "DexCore", "EVM", "DexNetwork", "DexSigning", "DexStore", "DexSandbox",
                "DexTestSupport", grdb,
            ]
        ),
        tests(
            "DexSigningTests",
            values + ["CProcess", "DexSigning", "DexTestSupport", "PrivateFiles"]
        ),
        tests("PrivateFilesTests", ["PrivateFiles"]),
        tests("DexWalletTests", values + ["DexWallet", "PrivateFiles"]),
        tests(
            "DexSettingsTests",
            ["DexSettings", "DexCore", "DexSigning", "ErrorTableSupport", "Ethereum", "ZeroEx"]
        ),
        tests(
            "RelayHostTests",
            values + [
                "RelayHost", "DexCore", "DexNetwork", "DexRelay", "DexSandbox", "DexSettings",
                "DexTestSupport", "ErrorTableSupport", "SandboxHost", logging,
            ]
        ),
        tests("DexStoreTests", ["DexStore", "ZeroEx", "Ethereum", "Uniswap", grdb]),
        tests(
            "DexTerminalTests",
            [
                "AnswerPageSupport", "DexTerminal", "DexCore", "DexSigning", "DexStore",
                "DexTestSupport", "ZeroEx", "Ethereum", "StrictJSON", "Uniswap",
            ],
            exclude: ["Snapshots"]
        ),
        tests(
            "CommandLineTests",
            [
                "AnswerPageSupport", "DexCommandLine", "DexCore", "DexRelay", "DexSandbox",
                "DexSettings", "DexTerminal", "DexTestSupport", "DexWallet", "ErrorTableSupport",
                "Ethereum", "EthereumWallet", "PrivateFiles", "SandboxHost", arguments,
            ]
        ),
        tests(
            "EVMTests",
            values + [
                "DexTestSupport", "DexCore", "DexSigning", "DexStore", "DexSandbox", "DexNetwork",
                "DexRelay", "HTTPServing", "NetworkTestSupport", logging,
            ]
        ),
        tests(
            "PeerClientTests",
            values + [
                "DexCore", "DexTerminal", "DexTestSupport", "DexRelay", "OpenSSL", "Scrypt",
                logging,
            ]
        ),
        testSupport(
            "EndToEndTestSupport",
            path: "Tests/EndToEndTests/Support",
            values + [
                "DexTestSupport", "DexSandbox", "DexStore", "PostgresTestSupport", "SandboxHost",
                grdb,
            ]
        ),
    ] + dexCoreTests + endToEndTests + fuzzTargets()
)

// Without what only dex is made of: SwiftPM would fetch it. A target stands behind those it uses.
if isDependency {
    var needed = Set(libraries)
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
    let plugin = "https://github.com/swiftlang/swift-docc-plugin"
    let isDocumenting = Context.environment["DEX_DOCS"] == "1"  // make docs
    package.dependencies = isDocumenting ? [.package(url: plugin, from: "1.5.0")] : []
}

if let chosenTests {
    package.targets.removeAll { target in
        guard target.type == .test, !chosenTests.contains(target.name) else { return false }
        // A folder's name stands for all targets in it.
        return !chosenTests.contains { target.path == "Tests/\($0)" }
    }
}
