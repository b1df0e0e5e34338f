import CDexResources

/// The files of `Resources/`, embedded in the binary; the bytes are never copied.
package enum DexResources {
    /// Resources/tokens.json.
    package static var tokens: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_tokens_json(),
            count: dex_resource_tokens_json_size()
        )
    }

    /// Resources/networks.json.
    package static var networks: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_networks_json(),
            count: dex_resource_networks_json_size()
        )
    }
}
