import ArgumentParser

/// The `dex` command line.
@main
struct Dex: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dex",
        abstract: "Trade ERC-20 tokens on 0x relays from the terminal, with your own keys."
    )
}
