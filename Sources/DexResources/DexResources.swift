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

    /// Resources/sandbox-contracts.json.
    package static var sandboxContracts: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_sandbox_contracts_json(),
            count: dex_resource_sandbox_contracts_json_size()
        )
    }

    /// Resources/openapi.json.
    package static var openAPI: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_openapi_json(),
            count: dex_resource_openapi_json_size()
        )
    }

    /// Resources/openapi-v0.json.
    package static var openAPIV0: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_openapi_v0_json(),
            count: dex_resource_openapi_v0_json_size()
        )
    }

    /// Resources/openapi-v4.json.
    package static var openAPIV4: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_openapi_v4_json(),
            count: dex_resource_openapi_v4_json_size()
        )
    }

    /// Resources/relay-page.html.
    package static var relayPage: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_relay_page_html(),
            count: dex_resource_relay_page_html_size()
        )
    }

    /// Resources/relay-page.css.
    package static var relayPageStyle: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_relay_page_css(),
            count: dex_resource_relay_page_css_size()
        )
    }

    /// Resources/relay-page-book.js.
    package static var relayPageBook: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_relay_page_book_js(),
            count: dex_resource_relay_page_book_js_size()
        )
    }

    /// Resources/relay-page.js.
    package static var relayPageScript: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_relay_page_js(),
            count: dex_resource_relay_page_js_size()
        )
    }

    /// Resources/provider.js.
    package static var providerScript: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_provider_js(),
            count: dex_resource_provider_js_size()
        )
    }

    /// Resources/explorer.css.
    package static var explorerStyle: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_explorer_css(),
            count: dex_resource_explorer_css_size()
        )
    }

    /// Resources/explorer.js.
    package static var explorerScript: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_explorer_js(),
            count: dex_resource_explorer_js_size()
        )
    }

    /// Resources/networks.json.
    package static var networks: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_networks_json(),
            count: dex_resource_networks_json_size()
        )
    }

    /// Resources/completion/dex.bash.
    package static var bashCompletion: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_completion_bash(),
            count: dex_resource_completion_bash_size()
        )
    }

    /// Resources/completion/dex.zsh.
    package static var zshCompletion: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_completion_zsh(),
            count: dex_resource_completion_zsh_size()
        )
    }

    /// Resources/completion/dex.fish.
    package static var fishCompletion: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: dex_resource_completion_fish(),
            count: dex_resource_completion_fish_size()
        )
    }
}
