// swift-tools-version: 6.2

import PackageDescription

// Somebody else's package: it has what `public` gives, and no more. scripts/test-libraries runs it.
let package = Package(
    name: "Stranger",
    dependencies: [.package(name: "dex", path: "../..")],
    targets: [
        .testTarget(
            name: "StrangerTests",
            dependencies: ["Ethereum", "EthereumWallet", "StrictJSON", "ZeroEx"].map {
                .product(name: $0, package: "dex")
            }
        )
    ]
)
