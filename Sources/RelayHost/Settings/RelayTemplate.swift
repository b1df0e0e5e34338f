package import DexCore
import ZeroEx

/// The relay.toml that `dex relay init` writes: every setting, with what it does.
package enum RelayTemplate {
    /// The text for a network.
    ///
    /// - Parameters:
    ///   - network: a network of dex.
    ///   - pair: a first pair, such as `ZRX/WETH`.
    ///   - publicURL: under which others reach it, behind a proxy on the same machine: then the
    ///     limits that an open relay needs are on; nil writes them as comments.
    package static func text(
        network: Network,
        pair: String?,
        publicURL: String? = nil
    ) -> String {
        """
        # A relay of 0x orders. Check it: dex relay check. Run it: dex relay serve.
        # Settings marked (live) are taken by SIGHUP; the others wait for a restart.

        # Where it listens. Behind a proxy keep 127.0.0.1; TLS is the proxy's work.
        listen = "127.0.0.1:8080"
        # The URL under which others reach it. Without one it serves only this machine.
        \(off(publicURL))public = "\(publicURL ?? "https://relay.example")"
        # Its name on its page.
        # name = "0x relay"

        # The chain: a network of `dex network list`, or chain_id with [exchanges].
        network = "\(network.name)"
        # chain_id = \(network.chainID)
        # Nodes of the chain, tried in turn. Use one of your own: the book is what it says.
        \(rpc(network))
        # Seconds between blocks; 0: it mines when it has something to mine.
        # block_time = \(network.isSandbox ? 0 : network.blockSeconds)
        # Versions of the protocol: "v1", "v4" or both.
        protocols = ["\(network.protocolVersion.rawValue)"]

        # (live) The pairs that it carries, by symbol or address; "any" carries every pair.
        \(pair.map { "pairs = [\"\($0)\"]" } ?? "pairs = \"any\"")
        # (live) false: the book is served, and posts are refused.
        # accept_orders = true

        # Where orders are kept: a file, or PostgreSQL for several instances of one relay.
        store = "sqlite:relay.sqlite"
        # store = "postgres://dex@127.0.0.1:5432/relay"
        # On another machine: "postgres://dex@db.example:5432/relay?sslmode=verify-full"
        # The password for PostgreSQL, the first line of a file that only its owner reads.
        # password_file = "postgres.password"

        # (live) Proxies whose X-Forwarded-For is believed; without it all clients behind one share
        # the limits of its address.
        \(off(publicURL))trusted_proxies = ["127.0.0.1", "::1"]

        # Who may read /metrics, beside this machine.
        # metrics_readers = ["10.0.0.0/8"]

        # "text" for people, "json" for programs; both on stderr.
        # log = "text"
        # (live) "error", "warning", "notice", "info" or "debug".
        # log_level = "notice"

        # (live) At a stop: seconds in which it is not ready but still serves, for load balancers;
        # 0 where it serves only this machine.
        # drain_seconds = 5
        # (live) The most seconds that a stop takes after that.
        # stop_seconds = 30

        # Exchanges of a chain that dex does not know.
        # [exchanges]
        # v1 = "0x12459c951127e0c374ff9105dda097662a027093"
        # v4 = "0xdef1c0ded9bec7f1a1670819833240f027b25eff"

        # (live) Tokens that dex does not know; `dex relay token add ADDRESS` reads them from the chain.
        # [tokens.MINE]
        # address = "0x1111111111111111111111111111111111111111"
        # decimals = 18

        # (live) Bounds of an order of a pair, and fees of its own.
        # [pair."\(pair ?? "ZRX/WETH")"]
        # base_min = "1"
        # base_max = "1000000"
        # quote_min = "0.001"
        # quote_max = "1000"
        # maker_fee = "0"
        # taker_fee = "0"
        # taker_share = "0"

        # (live) The least amount of a token that an order gives or takes, in whatever pair.
        # [least]
        # WETH = "0.001"

        # (live) Fees of every order. On v1 amounts of its fee token; on v4 a share of what the taker pays.
        # [fees]
        # recipient = "0x2222222222222222222222222222222222222222"
        # maker_fee = "0"
        # taker_fee = "0"
        # taker_share = "0.1%"

        [limits]
        # (live) Orders in the book; when it is full, the worst goes.
        # orders = 100000
        # (live) Orders of one maker.
        # orders_of_maker = 5000
        # (live) The longest life of an order, in seconds; without it there is no limit.
        \(off(publicURL))longest_life = 7776000
        # (live) How much worse than the pair's best order a price may be.
        \(off(publicURL))distance_from_best = "50%"
        # (live) A maker's orders may give this many times what it owns of a token; 0 is no limit.
        # times_owned = 3
        # (live) Milliseconds that a post without funds waits for the node's next block.
        # funds_patience = 0
        # (live) Posted orders a second of one address; without it there is no limit.
        \(off(publicURL))posts_per_second = 20
        # (live) How many it may post at once.
        # post_burst = 100
        # (live) Requests an hour of one address; 0 is no limit.
        \(off(publicURL))requests_per_hour = \(publicURL == nil ? 0 : 36_000)
        # Orders that are read on the chain at once.
        # audit_chunk = 500
        # WebSocket connections.
        # connections = 4096
        # (live) WebSocket connections of one address.
        # connections_of_address = 64
        # (live) Subscriptions of one connection.
        # subscriptions = 64
        # (live) Bytes of one message of a client.
        # message_bytes = 16384
        # (live) Bytes that may wait for a slow reader before its connection is closed.
        # unsent_bytes = 4194304

        # A program that decides about each order; it gets one JSON line and answers with one.
        # [policy]
        # command = ["/usr/local/bin/relay-policy"]
        # The longest time for an answer, in milliseconds; an order without an answer is refused.
        # timeout = 1000

        """
    }

    /// What stands before a setting that is on for a public relay alone.
    private static func off(_ publicURL: String?) -> String {
        publicURL == nil ? "# " : ""
    }

    private static func rpc(_ network: Network) -> String {
        if network.isSandbox {
            return "# rpc = [\"http://127.0.0.1:8545\"]  # default: the sandbox's"
        }
        if network.rpc.isEmpty { return "rpc = [\"http://127.0.0.1:8545\"]" }
        return "# rpc = [\"http://127.0.0.1:8545\"]  # default: those of config.toml"
    }
}
