/// The networks that `dex` knows without being told.
package enum NetworkCatalog {
    /// The networks in Resources/networks.json, in its order; no node or relay URL is bundled.
    ///
    /// - Throws: `DexError`, exit 1, where the embedded file is damaged.
    package static func bundled() throws(DexError) -> [Network] {
        fatalError("unimplemented")
    }
}
