// The wallet of `dex provider` for a page: a provider of EIP-1193, announced by EIP-6963.
//
// <script src="http://127.0.0.1:8548/provider.js"></script>
(() => {
  "use strict";

  const base = new URL(document.currentScript.src).origin;
  const key = `dex-provider ${base}`;
  const mostTries = 3;
  const listeners = new Map();
  let last = 0;
  let pairing = null;
  let token = kept();

  class ProviderRpcError extends Error {
    constructor(code, message, data) {
      super(message);
      this.name = "ProviderRpcError";
      this.code = code;
      if (data !== undefined) this.data = data;
    }
  }

  // A page may not have storage: it is then paired again after each load.
  function kept() {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  }

  function keep(value) {
    token = value;
    try {
      if (value === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, value);
    } catch {
      // Kept in memory only.
    }
  }

  async function post(path, method, params) {
    const headers = { "Content-Type": "application/json" };
    if (path === "/") headers.Authorization = `Bearer ${token}`;
    let answer;
    try {
      const response = await fetch(base + path, {
        method: "POST",
        headers,
        body: JSON.stringify({ jsonrpc: "2.0", id: ++last, method, params }),
        credentials: "omit",
        cache: "no-store",
      });
      answer = await response.json();
    } catch {
      throw new ProviderRpcError(4900, "dex provider does not answer, or this page is not paired.");
    }
    if (answer.error) {
      const { code, message, data } = answer.error;
      throw new ProviderRpcError(code, message, data);
    }
    return answer.result;
  }

  async function pair() {
    await post("/pair", "wallet_pair", []);
    for (let tries = 1; ; tries += 1) {
      const code = window.prompt("Type the code that dex provider shows in its terminal:");
      if (code === null) throw new ProviderRpcError(4001, "No code was typed.");
      try {
        const result = await post("/pair", "wallet_pair", [code]);
        keep(result.token);
        return;
      } catch (error) {
        if (error.code !== 4100 || tries >= mostTries) throw error;
      }
    }
  }

  // Requests that come together are paired once.
  function paired() {
    pairing ??= pair().finally(() => {
      pairing = null;
    });
    return pairing;
  }

  function emit(event, value) {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value);
  }

  async function accounts() {
    if (token !== null) {
      try {
        return await post("/", "eth_requestAccounts", []);
      } catch (error) {
        // Of a provider that has ended: its pairings ended with it.
        if (error.code !== 4100 && error.code !== 4900) throw error;
        keep(null);
      }
    }
    await paired();
    const found = await post("/", "eth_requestAccounts", []);
    emit("connect", { chainId: await post("/", "eth_chainId", []) });
    emit("accountsChanged", found);
    return found;
  }

  async function request(args) {
    const { method, params } = args ?? {};
    if (typeof method !== "string" || (params !== undefined && !Array.isArray(params))) {
      throw new ProviderRpcError(-32602, "A request has a method, and a list of parameters.");
    }
    if (method === "eth_requestAccounts") return accounts();
    if (token === null) {
      if (method === "eth_accounts") return [];
      throw new ProviderRpcError(4100, "Call eth_requestAccounts first.");
    }
    const result = await post("/", method, params ?? []);
    if (method === "wallet_switchEthereumChain") {
      emit("chainChanged", await post("/", "eth_chainId", []));
    }
    return result;
  }

  const provider = Object.freeze({
    isDex: true,
    request,
    on(event, listener) {
      if (!listeners.has(event)) listeners.set(event, new Set());
      listeners.get(event).add(listener);
      return provider;
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener);
      return provider;
    },
  });

  // crypto.randomUUID is there only in secure pages.
  function uuid() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  const icon =
    "data:image/svg+xml," +
    encodeURIComponent(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" ' +
        'rx="16" fill="#111"/><text x="48" y="62" font-family="monospace" font-size="40" ' +
        'fill="#fff" text-anchor="middle">dex</text></svg>',
    );
  const info = Object.freeze({
    uuid: uuid(),
    name: "dex",
    icon,
    rdns: "localhost.dex",
  });

  function announce() {
    const detail = Object.freeze({ info, provider });
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  }

  window.addEventListener("eip6963:requestProvider", announce);
  announce();
  if (window.ethereum === undefined) {
    Object.defineProperty(window, "ethereum", { value: provider, configurable: true });
    window.dispatchEvent(new Event("ethereum#initialized"));
  }
})();
