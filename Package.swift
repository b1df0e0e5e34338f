// swift-tools-version: 6.2

import PackageDescription

/// `make fuzz` sets it: our own code is then optimised, in a debug build that takes half as long,
/// and carries the counters that libFuzzer watches.
let isFuzzing = Context.environment["DEX_FUZZ"] == "1"

/// The test targets to build, comma-separated; all without it.
///
/// `make check TESTS=... FILTER=...` sets it.
let chosenTests = Context.environment["DEX_TESTS"].map {
    Set($0.split(separator: ",").map(String.init))
}

let languageSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]
let swiftSettings =
    languageSettings
    + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing", "-O"])] : [])

/// Optimised in debug builds too: hashes, codecs, arithmetic and the simulated chain, which all tests
/// wait for.
let optimizedSettings =
    swiftSettings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A program that may stand anywhere in memory has each of its own addresses corrected as it starts.
///
/// Packed, the list of them is a hundredth as long; and what nobody looks up by name is not listed.
let quickStart = [
    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
    "-Xlinker", "--no-export-dynamic",
]

/// What `--static-swift-stdlib` does to a release, for the `dex` that tests start thousands of times.
///
/// Foundation's libraries are named, since objects of a debug build name only shared ones.
let staticRuntime =
    ["-static-stdlib", "-Xlinker", "--start-group"]
    + [
        "Foundation", "FoundationInternationalization", "FoundationEssentials", "CoreFoundation",
        "_FoundationICU", "_FoundationCShims", "_FoundationCollections",
    ].map { "-l\($0)" }
    + ["-Xlinker", "--end-group", "-lstdc++"]

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let webSocketFrames: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")

/// A test target for a module; what it uses beside Swift Testing is named.
func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        swiftSettings: swiftSettings
    )
}

/// The fuzz targets and what drives them: ordinary tests that replay the corpus, or libFuzzer.
func fuzzTargets() -> [Target] {
    let path = "Tests/Fuzz"
    let dependencies: [Target.Dependency] = [
        "DexCore", "DexNetwork", "DexProvider", "DexRelay", "DexSandbox", "DexSettings",
        "DexSigning", "DexTerminal", "Ethereum", "EthereumWallet", "HTTPServing", "StrictJSON",
        "ZeroEx", "BigInt", hummingbird,
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

let package = Package(
    name: "dex",
    products: [
        .executable(name: "dex", targets: ["dex"]),
        // For tests alone: it is loaded into a `dex` that is to be killed.
        .library(name: "dex-faults", type: .dynamic, targets: ["CFaults"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // Hummingbird stands on it; its WebSocket frames are a product of their own.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Settings are read by DexSettings, so its own reader of them need not be compiled.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: []
        ),
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
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        // Loads a library of the system by its first use.
        .target(name: "CLibrary"),
        // Needs the headers of libcurl; the library itself is loaded by the first request.
        .target(name: "CCurl", dependencies: ["CLibrary"]),
        // Needs nothing of PostgreSQL; libpq is loaded by the first connection.
        .target(name: "CPostgres", dependencies: ["CLibrary"]),
        // Needs nothing of OpenSSL; libcrypto is loaded by the first hash.
        .target(name: "COpenSSL", dependencies: ["CLibrary"]),
        .target(name: "CDexResources"),
        // Only the program links it; tests have Foundation's shared libraries.
        .target(name: "CNoLocaleData"),
        .target(
            name: "CKeccak",
            cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]
        ),
        .target(name: "CProcess"),

        .target(name: "OpenSSL", dependencies: ["COpenSSL"], swiftSettings: swiftSettings),
        .target(name: "PrivateFiles", swiftSettings: swiftSettings),

        // Values and codecs, no I/O.
        .target(name: "StrictJSON", swiftSettings: optimizedSettings),
        .target(
            name: "Ethereum",
            dependencies: ["CKeccak", "StrictJSON"],
            swiftSettings: optimizedSettings
        ),
        .target(
            name: "DexResources",
            dependencies: ["CDexResources"],
            swiftSettings: swiftSettings
        ),
        .target(name: "Scrypt", dependencies: ["OpenSSL"], swiftSettings: optimizedSettings),
        .target(
            name: "Secp256k1Points",
            dependencies: ["Ethereum"],
            swiftSettings: optimizedSettings
        ),
        .target(
            name: "EthereumWallet",
            dependencies: [
                "Ethereum", "StrictJSON", "CSecp256k1", "OpenSSL", "Scrypt", "Secp256k1Points",
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "ZeroEx",
            dependencies: ["Ethereum", "StrictJSON"],
            swiftSettings: optimizedSettings
        ),

        // The application.
        .target(
            name: "DexStore",
            dependencies: ["Ethereum", "ZeroEx", grdb, sqlite],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DexNetwork",
            dependencies: [
                "CCurl", "CProcess", "DexSigning", "Ethereum", "OpenSSL", "StrictJSON", "ZeroEx",
                logging,
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "HTTPServing",
            dependencies: ["CZlib", "OpenSSL", hummingbird, logging, webSocketFrames],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DexSandbox",
            dependencies: [
                "HTTPServing", "Ethereum", "EthereumWallet", "ZeroEx", "StrictJSON", grdb,
                hummingbird, logging,
            ],
            swiftSettings: optimizedSettings
        ),
        .target(
            name: "DexProvider",
            dependencies: [
                "DexResources", "HTTPServing", "Ethereum", "StrictJSON", hummingbird, logging,
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "PostgresClient",
            dependencies: ["CPostgres"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DexRelay",
            dependencies: [
                "CProcess", "DexResources", "HTTPServing", "PostgresClient", "Ethereum",
                "EthereumWallet", "PrivateFiles", "ZeroEx", "StrictJSON", grdb,
                hummingbird, logging, sqlite,
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "Explorer",
            dependencies: [
                "DexCore", "DexResources", "DexStore", "DexTerminal", "Ethereum", "HTTPServing",
                "ZeroEx", hummingbird,
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "SandboxHost",
            dependencies: [
                "CProcess", "DexCore", "DexRelay", "DexSandbox", "Ethereum", "EthereumWallet",
                "Explorer", "HTTPServing", "PrivateFiles", "ZeroEx", "StrictJSON", hummingbird,
                logging,
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DexWallet",
            dependencies: ["Ethereum", "EthereumWallet", "PrivateFiles", "StrictJSON"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DexSigning",
            dependencies: ["CProcess", "Ethereum", "PrivateFiles", "StrictJSON", "ZeroEx"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DexCore",
            dependencies: [
                "Ethereum", "EthereumWallet", "ZeroEx", "DexSigning", "DexStore", "DexResources",
                "StrictJSON",
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DexSettings",
            dependencies: [
                "DexCore", "DexSigning", "Ethereum", "PrivateFiles", "ZeroEx", "TOMLKit",
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "RelayHost",
            dependencies: [
                "DexCore", "DexNetwork", "DexRelay", "DexSettings", "Ethereum", "EthereumWallet",
                "PrivateFiles", "StrictJSON", "ZeroEx", "TOMLKit", hummingbird, logging,
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DexTerminal",
            dependencies: ["DexCore", "DexStore", "Ethereum", "ZeroEx", "StrictJSON"],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "dex",
            dependencies: ["CNoLocaleData", "DexCommandLine"],
            path: "Sources/dex/Program",
            swiftSettings: swiftSettings,
            linkerSettings: [
                .unsafeFlags(quickStart, .when(platforms: [.linux])),
                .unsafeFlags(
                    staticRuntime,
                    .when(platforms: [.linux], configuration: .debug)
                ),
            ]
        ),
        .target(
            name: "DexCommandLine",
            dependencies: [
                "Ethereum", "EthereumWallet", "ZeroEx", "StrictJSON", "DexCore", "DexNetwork",
                "DexProvider", "DexRelay", "DexResources", "DexSandbox", "DexSettings",
                "DexSigning", "DexStore",
                "DexTerminal", "DexWallet", "CProcess", "PrivateFiles", "RelayHost", "SandboxHost",
                argumentParser, logging,
            ],
            path: "Sources/dex",
            exclude: ["Program"],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "dex-bench",
            dependencies: [
                "Ethereum", "EthereumWallet", "ZeroEx", "StrictJSON", "DexCore", "DexNetwork",
                "DexRelay", "DexStore", "DexTerminal", "PrivateFiles", "CProcess", "CSecp256k1",
                hummingbird, logging,
            ],
            swiftSettings: swiftSettings
        ),

        // Tests.
        .target(name: "CFaults", path: "Tests/CFaults"),
        .target(
            name: "DexTestSupport",
            dependencies: ["StrictJSON"],
            path: "Tests/DexTestSupport",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "ErrorTableSupport",
            dependencies: ["DexCore"],
            path: "Tests/ErrorTableSupport",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "PostgresTestSupport",
            dependencies: ["DexTestSupport", "PostgresClient"],
            path: "Tests/PostgresTestSupport",
            swiftSettings: swiftSettings
        ),
        tests("StrictJSONTests", ["StrictJSON"]),
        tests("OpenSSLTests", ["OpenSSL"]),
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
        tests(
            "ZeroExTests",
            [
                "DexResources", "DexTestSupport", "ZeroEx", "Ethereum", "EthereumWallet",
                "StrictJSON",
            ],
            exclude: ["Vectors"]
        ),
        tests(
            "DexNetworkTests",
            [
                "DexNetwork", "DexTestSupport", "ZeroEx", "Ethereum", "EthereumWallet",
                "StrictJSON",
            ]
        ),
        tests(
            "HTTPServingTests",
            [
                "CZlib", "HTTPServing", "DexTestSupport", hummingbird, logging, webSocketFrames,
            ]
        ),
        tests("DexProviderTests", ["DexProvider", "DexTestSupport", "Ethereum", "StrictJSON"]),
        tests(
            "DexSandboxTests",
            [
                "DexTestSupport", "DexSandbox", "ZeroEx", "Ethereum", "EthereumWallet",
                "StrictJSON", grdb,
            ]
        ),
        tests(
            "SandboxHostTests",
            [
                "SandboxHost", "DexNetwork", "DexRelay", "DexSandbox", "DexTestSupport", "ZeroEx",
                "Ethereum", "EthereumWallet", "StrictJSON",
            ]
        ),
        tests(
            "ExplorerTests",
            [
                "DexCore", "DexSandbox", "DexTestSupport", "Ethereum", "EthereumWallet", "Explorer",
                "SandboxHost", "ZeroEx", hummingbird,
            ]
        ),
        tests(
            "DexRelayTests",
            [
                "DexRelay", "DexNetwork", "DexSandbox", "DexTestSupport", "HTTPServing",
                "PostgresClient", "PostgresTestSupport", "ZeroEx", "Ethereum", "EthereumWallet",
                "OpenSSL", "StrictJSON", hummingbird, grdb, logging,
            ]
        ),
        tests(
            "DexCoreTests",
            [
                "DexCore", "DexSigning", "DexStore", "DexSandbox", "DexNetwork", "DexResources",
                "DexTestSupport", "ErrorTableSupport", "ZeroEx", "Ethereum", "EthereumWallet",
                "StrictJSON", grdb,
            ]
        ),
        tests(
            "DexSigningTests",
            [
                "CProcess", "DexSigning", "DexTestSupport", "Ethereum", "EthereumWallet",
                "PrivateFiles", "StrictJSON", "ZeroEx",
            ]
        ),
        tests("PrivateFilesTests", ["PrivateFiles"]),
        tests(
            "DexWalletTests",
            ["DexWallet", "PrivateFiles", "Ethereum", "EthereumWallet", "StrictJSON"]
        ),
        tests(
            "DexSettingsTests",
            ["DexSettings", "DexCore", "DexSigning", "ErrorTableSupport", "Ethereum", "ZeroEx"]
        ),
        tests(
            "RelayHostTests",
            [
                "RelayHost", "DexCore", "DexNetwork", "DexRelay", "DexSandbox", "DexSettings",
                "DexTestSupport", "ErrorTableSupport", "Ethereum", "EthereumWallet", "SandboxHost",
                "StrictJSON", "ZeroEx", logging,
            ]
        ),
        tests("DexStoreTests", ["DexStore", "ZeroEx", "Ethereum", grdb]),
        tests(
            "DexTerminalTests",
            [
                "DexTerminal", "DexCore", "DexStore", "DexTestSupport", "ZeroEx", "Ethereum",
                "StrictJSON",
            ],
            exclude: ["Snapshots"]
        ),
        tests(
            "CommandLineTests",
            [
                "DexCommandLine", "DexCore", "DexRelay", "DexSandbox", "DexSettings", "DexTerminal",
                "DexWallet", "ErrorTableSupport", "Ethereum", "EthereumWallet", "PrivateFiles",
                "SandboxHost", argumentParser,
            ]
        ),
        tests(
            "EVMTests",
            [
                "DexTestSupport", "DexCore", "DexSigning", "DexStore", "DexSandbox", "DexNetwork",
                "DexRelay", "ZeroEx", "Ethereum",
                "EthereumWallet", "StrictJSON", hummingbird, logging,
            ]
        ),
        tests(
            "PeerClientTests",
            [
                "DexCore", "DexTerminal", "DexTestSupport", "DexRelay", "Ethereum",
                "EthereumWallet", "OpenSSL", "Scrypt", "StrictJSON", "ZeroEx", hummingbird,
                logging,
            ]
        ),
        tests(
            "EndToEndTests",
            [
                "CProcess", "DexTestSupport", "DexSandbox", "DexSettings", "DexStore",
                "PostgresTestSupport", "SandboxHost", "Ethereum", "EthereumWallet", "StrictJSON",
                "ZeroEx", grdb,
            ]
        ),
    ] + fuzzTargets()
)

if let chosenTests {
    package.targets.removeAll { $0.type == .test && !chosenTests.contains($0.name) }
}
