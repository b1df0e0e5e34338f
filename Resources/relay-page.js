"use strict";
// The page: it asks the relay, follows its feed, and shows what it says. Whatever comes from the
// relay is shown as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const POLL_MS = 5_000;
const MARKETS_MS = 10_000;
const MOST_ORDERS = 500;
const MOST_LEVELS = 14;
const MOST_CHANGES = 60;

const state = {
  relay: null,
  token: tokenTable([]),
  markets: [],
  api: null,
  pair: null,
  entries: new Map(),
  isWhole: false,
  showsAll: false,
  changes: [],
};

const byID = (id) => document.getElementById(id);

/** A new element with a text and attributes. */
function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

function setText(id, text) {
  const found = byID(id);
  if (found.textContent !== text) found.textContent = text;
}

function setStatus(kind, text) {
  byID("status").dataset.state = kind;
  setText("status", text);
}

/** A JSON answer of the relay. */
async function ask(path) {
  const response = await fetch(path, { headers: { accept: "application/json" }, referrerPolicy: "no-referrer" });
  if (!response.ok) {
    throw new Error(response.status === 429 ? "The relay asks to slow down." : `The relay answers ${response.status}.`);
  }
  return response.json();
}

function showProblem(text) {
  byID("problem").hidden = text === null;
  setText("problem", text === null ? "" : text);
}

// MARK: The relay and its pairs

async function readRelay() {
  const relay = await ask("/relay.json");
  state.relay = relay;
  state.token = tokenTable(relay.tokens);
  const name = harmless(relay.name || "0x relay", 60);
  document.title = name;
  setText("name", name);
  const network = relay.network ? harmless(relay.network, 30) : null;
  const chain = Number.isSafeInteger(relay.chainId) ? `chain ${relay.chainId}` : null;
  const label = [network, chain].filter((part) => part !== null).join(" · ");
  byID("network").hidden = label === "";
  setText("network", label);
  setText("version", relay.version ? ` · dex ${harmless(relay.version, 30)}` : "");
  showAPIs();
}

function apis() {
  return Array.isArray(state.relay && state.relay.apis) ? state.relay.apis : [];
}

function currentAPI() {
  return apis().find((item) => item.api === state.api) || null;
}

function showAPIs() {
  const group = byID("apis");
  group.hidden = apis().length < 2;
  group.replaceChildren(...apis().map((item) => {
    const button = element("button", `0x ${harmless(item.protocol, 4)}`, {
      type: "button", "aria-pressed": String(item.api === state.api),
    });
    button.addEventListener("click", () => {
      const first = state.markets.find((market) => market.api === item.api);
      state.api = item.api;
      showAPIs();
      if (first) choose(first); else showMarkets();
    });
    return button;
  }));
}

/** A market of the relay's list with its tokens; null if it is malformed. */
function marketOf(item) {
  if (typeof item !== "object" || item === null) return null;
  const base = String(item.base).toLowerCase();
  const quote = String(item.quote).toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(base) || !/^0x[0-9a-f]{40}$/.test(quote)) return null;
  if (item.api !== "v0" && item.api !== "v4") return null;
  const price = (value) => {
    const baseAmount = whole(value && value.baseAmount);
    const quoteAmount = whole(value && value.quoteAmount);
    return baseAmount === null || quoteAmount === null ? null : { base: baseAmount, quote: quoteAmount };
  };
  return {
    api: item.api, base: state.token(base), quote: state.token(quote),
    bid: price(item.bestBid), ask: price(item.bestAsk),
    orders: (Number(item.bids) || 0) + (Number(item.asks) || 0),
  };
}

async function readMarkets() {
  const answer = await ask("/markets.json");
  state.markets = (Array.isArray(answer.markets) ? answer.markets : []).map(marketOf).filter((item) => item !== null);
  if (state.pair === null && state.markets.length > 0) {
    const wanted = location.hash.slice(1).split("/");
    choose(state.markets.find((market) => isAt(market, wanted))
      || state.markets.find((market) => market.orders > 0) || state.markets[0], false);
  }
  showMarkets();
}

function isAt(market, [api, base, quote]) {
  return market.api === api && market.base.address === base && market.quote.address === quote;
}

function isSame(one, other) {
  return one !== null && other !== null && one.api === other.api
    && one.base.address === other.base.address && one.quote.address === other.quote.address;
}

function pairName(market) {
  return `${market.base.label}/${market.quote.label}`;
}

function showMarkets() {
  const filter = byID("filter");
  const mine = state.markets.filter((market) => market.api === state.api || state.api === null);
  filter.hidden = mine.length <= 8;
  const wanted = filter.hidden ? "" : filter.value.trim().toLowerCase();
  const shown = mine.filter((market) => wanted === "" || pairName(market).toLowerCase().includes(wanted)
    || market.base.address.includes(wanted) || market.quote.address.includes(wanted));
  byID("no-pairs").hidden = mine.length > 0 || state.relay === null;
  byID("pairs").hidden = mine.length === 0;
  const focused = document.activeElement && document.activeElement.dataset.pair;
  const rows = shown.map((market) => {
    const row = element("tr");
    const isChosen = isSame(market, state.pair);
    if (isChosen) row.dataset.chosen = "";
    const button = element("button", pairName(market), {
      type: "button", title: `${market.base.address} / ${market.quote.address}`,
    });
    button.dataset.pair = `${market.api}/${market.base.address}/${market.quote.address}`;
    if (isChosen) button.setAttribute("aria-current", "true");
    const cell = element("td");
    cell.append(button);
    const text = (side) => (side ? priceText(side.base, side.quote, market, 5) : "–");
    row.append(
      cell,
      element("td", text(market.bid), { class: "number bid" }),
      element("td", text(market.ask), { class: "number ask" }),
      element("td", spreadText(market.bid, market.ask), { class: "number" }),
    );
    row.addEventListener("click", () => choose(market));
    return row;
  });
  byID("pairs").tBodies[0].replaceChildren(...rows);
  if (focused) {
    const again = rows.map((row) => row.querySelector("button")).find((button) => button.dataset.pair === focused);
    if (again) again.focus({ preventScroll: true });
  }
}

/** Shows another pair. */
function choose(market, isByHand = true) {
  if (isSame(market, state.pair)) return;
  state.api = market.api;
  state.pair = market;
  state.entries = new Map();
  state.isWhole = false;
  state.showsAll = false;
  state.changes = [];
  if (isByHand) history.replaceState(null, "", `#${market.api}/${market.base.address}/${market.quote.address}`);
  showAPIs();
  showMarkets();
  showCommands();
  showBook();
  showChanges();
  feed.start();
}

// MARK: The book

function bookPath(pair) {
  const base = encodeURIComponent(pair.base.address);
  const quote = encodeURIComponent(pair.quote.address);
  return pair.api === "v4"
    ? `/orderbook/v1?baseToken=${base}&quoteToken=${quote}&perPage=${MOST_ORDERS}`
    : `/v0/orderbook?baseTokenAddress=${base}&quoteTokenAddress=${quote}&per_page=100`;
}

/** Reads the book over HTTP; what changed since the last reading is told. */
async function readBook(isPoll = false) {
  const pair = state.pair;
  if (pair === null) return;
  const answer = await ask(bookPath(pair));
  // The feed may have begun meanwhile: what it says is newer.
  if (state.pair !== pair || (isPoll && feed.isLive)) return;
  const entries = new Map();
  for (const side of ["bids", "asks"]) {
    const list = pair.api === "v4" ? answer[side] && answer[side].records : answer[side];
    if (!Array.isArray(list)) throw new Error("The relay's book is malformed.");
    for (const record of list) {
      const entry = entryOf(pair.api, pair, record);
      if (entry && !entry.isGone) entries.set(entry.key, entry);
    }
  }
  replaceBook(entries);
}

function replaceBook(entries) {
  if (state.isWhole) {
    for (const [key, entry] of entries) if (!state.entries.has(key)) tell(entry, "added");
    for (const [key, entry] of state.entries) if (!entries.has(key)) tell(entry, "gone");
  }
  state.entries = entries;
  state.isWhole = true;
  showProblem(null);
  draw();
}

let isDrawing = false;
/** Draws soon: many changes at once are one picture. */
function draw() {
  if (isDrawing) return;
  isDrawing = true;
  setTimeout(() => requestAnimationFrame(() => {
    isDrawing = false;
    showBook();
    showChanges();
  }), document.hidden ? 1_000 : 60);
}

function showBook() {
  const pair = state.pair;
  if (pair === null) return;
  setText("pair", pairName(pair));
  const all = Array.from(state.entries.values());
  const found = {};
  for (const side of ["bids", "asks"]) {
    const entries = sorted(all.filter((entry) => entry.side === side), side);
    found[side] = { entries, levels: levels(entries, pair) };
  }
  const [bid, ask] = [found.bids.entries[0], found.asks.entries[0]];
  setText("best-bid", bid ? priceText(bid.base, bid.quote, pair) : "–");
  setText("best-ask", ask ? priceText(ask.base, ask.quote, pair) : "–");
  setText("spread", spreadText(bid, ask));
  const largest = [found.bids, found.asks].reduce((most, side) => {
    const shown = side.levels.slice(0, state.showsAll ? undefined : MOST_LEVELS);
    const last = shown[shown.length - 1];
    return last && last.total > most ? last.total : most;
  }, 0n);
  showSide("bids", found.bids.levels, pair, largest);
  showSide("asks", found.asks.levels, pair, largest);
  const longest = Math.max(found.bids.levels.length, found.asks.levels.length);
  const more = byID("more");
  more.hidden = longest <= MOST_LEVELS;
  more.textContent = state.showsAll ? "Show the best prices only" : `Show all ${found.bids.levels.length + found.asks.levels.length} prices`;
  showDepth(found.bids.levels, found.asks.levels, pair);
}

function showSide(side, list, pair, largest) {
  const table = byID(side);
  const unit = pair.base.known ? pair.base.symbol : "base units";
  const price = pair.quote.known ? pair.quote.symbol : "base units";
  const head = element("tr");
  for (const [text, of] of [["Price", price], ["Amount", unit], ["Sum", null]]) {
    const cell = element("th", text, { scope: "col", class: text === "Price" ? "" : "number" });
    if (of !== null) cell.append(element("span", ` in ${of}`, { class: "unit" }));
    head.append(cell);
  }
  table.tHead.replaceChildren(head);
  const shown = state.showsAll ? list : list.slice(0, MOST_LEVELS);
  table.tBodies[0].replaceChildren(...shown.map((level) => {
    const row = element("tr", null, { title: level.orders === 1 ? "1 order" : `${level.orders} orders` });
    row.append(
      element("td", level.price),
      element("td", amountText(level.base, pair.base), { class: "number" }),
      element("td", amountText(level.total, pair.base), { class: "number" }),
    );
    const share = largest === 0n ? 0 : Math.max(0.5, 100 * ratio(level.total, largest));
    row.style.backgroundSize = `${share.toFixed(1)}% 100%`;
    return row;
  }));
  table.hidden = list.length === 0;
  byID(`no-${side}`).hidden = list.length > 0 || !state.isWhole;
}

/** The depth of both sides as steps over the price. */
function showDepth(bids, asks, pair) {
  const svg = byID("depth");
  const range = priceRange(bids, asks);
  const caption = byID("depth-caption");
  const title = shape("title", { id: "depth-title" });
  if (range === null) {
    title.textContent = "The book is empty.";
    svg.replaceChildren(title, shape("text", { x: 360, y: 124, "text-anchor": "middle" }, state.isWhole ? "No orders now" : "Reading the book"));
    caption.textContent = "";
    return;
  }
  const box = { left: 8, right: 712, top: 28, bottom: 206 };
  const within = (list) => list.filter((level) => level.number >= range.low && level.number <= range.high);
  const [left, right] = [within(bids), within(asks)];
  const highest = [left, right].reduce((most, side) => {
    const last = side[side.length - 1];
    return last && last.total > most ? last.total : most;
  }, 1n);
  const x = (price) => box.left + ((price - range.low) / (range.high - range.low)) * (box.right - box.left);
  const y = (total) => box.bottom - ratio(total, highest) * (box.bottom - box.top) * 0.94;
  const parts = [title];
  for (const share of [0.25, 0.5, 0.75, 1]) {
    const height = box.bottom - share * (box.bottom - box.top) * 0.94;
    parts.push(shape("line", { class: "grid", x1: box.left, x2: box.right, y1: height, y2: height }));
  }
  const steps = (list, edge) => {
    let path = `M${x(list[0].number).toFixed(1)},${box.bottom}`;
    let before = box.bottom;
    for (const level of list) {
      path += `L${x(level.number).toFixed(1)},${before.toFixed(1)}`;
      before = y(level.total);
      path += `L${x(level.number).toFixed(1)},${before.toFixed(1)}`;
    }
    return path + `L${edge},${before.toFixed(1)}`;
  };
  for (const [list, edge, name] of [[left, box.left, "bid"], [right, box.right, "ask"]]) {
    if (list.length === 0) continue;
    const path = steps(list, edge);
    parts.push(shape("path", { class: `area-${name}`, d: `${path}L${edge},${box.bottom}Z` }));
    parts.push(shape("path", { class: `line-${name}`, d: path }));
  }
  if (range.middle !== null) {
    parts.push(shape("line", { class: "mid", x1: x(range.middle), x2: x(range.middle), y1: box.top, y2: box.bottom }));
  }
  parts.push(shape("line", { class: "grid", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }));
  const near = (number) => (number === 0 ? "0" : Number(number.toPrecision(5)).toString().includes("e") ? number.toPrecision(3) : String(Number(number.toPrecision(5))));
  parts.push(shape("text", { x: box.left, y: 231 }, near(range.low)));
  if (range.middle !== null) parts.push(shape("text", { x: x(range.middle), y: 231, "text-anchor": "middle" }, near(range.middle)));
  parts.push(shape("text", { x: box.right, y: 231, "text-anchor": "end" }, near(range.high)));
  parts.push(shape("text", { x: box.left, y: 20 }, `${amountText(highest, pair.base, 4)} ${pair.base.known ? pair.base.symbol : "base units"}`));
  const sum = (list, verb) => (list.length === 0 ? null : `${verb} ${amountText(list[list.length - 1].total, pair.base, 5)}`);
  const totals = [sum(bids, "bids want"), sum(asks, "asks offer")].filter((part) => part !== null).join(", ");
  title.textContent = `Depth of ${pairName(pair)}: ${totals} ${pair.base.symbol}`;
  const hidden = bids.length - left.length + asks.length - right.length;
  caption.textContent = `Amount that can be traded up to each price, in ${pair.base.known ? pair.base.symbol : "base units"}.`
    + (hidden > 0 ? ` ${hidden} farther ${hidden === 1 ? "price lies" : "prices lie"} outside the picture.` : "");
  svg.replaceChildren(...parts);
}

// MARK: Changes

function tell(entry, what) {
  state.changes.unshift({ time: new Date(), side: entry.side, base: entry.base, quote: entry.quote, what });
  state.changes.length = Math.min(state.changes.length, MOST_CHANGES);
}

function showChanges() {
  const pair = state.pair;
  byID("no-changes").hidden = state.changes.length > 0;
  byID("changes").replaceChildren(...state.changes.map((change) => {
    const item = element("li");
    item.append(element("time", change.time.toLocaleTimeString([], { hour12: false }), { datetime: change.time.toISOString() }));
    const text = element("span");
    text.append(
      element("b", change.side === "asks" ? "Ask" : "Bid", { class: change.side === "asks" ? "ask" : "bid" }),
      ` ${amountText(change.base, pair.base, 5)} ${pair.base.known ? pair.base.symbol : ""} at ${priceText(change.base, change.quote, pair, 6)} ${change.what}`,
    );
    item.append(text);
    return item;
  }));
}

const ENDINGS = {
  FULLY_FILLED: "filled", CANCELLED: "cancelled", EXPIRED: "expired", UNFUNDED: "without funds",
  INVALID: "invalid", STOPPED_WATCHING: "removed",
};

// MARK: The feed

const feed = {
  socket: null, isLive: false, tries: 0, timer: null, poller: null, last: new Map(), waits: false,

  /** Follows the chosen pair from its beginning. */
  start() {
    this.stop();
    this.tries = 0;
    this.connect();
    this.poll(true);
  },

  stop() {
    clearTimeout(this.timer);
    clearTimeout(this.poller);
    const socket = this.socket;
    this.socket = null;
    this.isLive = false;
    if (socket) socket.close();
  },

  connect() {
    const pair = state.pair;
    const api = currentAPI();
    if (pair === null || !api || typeof api.webSocket !== "string" || !api.webSocket.startsWith("/")) return;
    let socket;
    try {
      socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + api.webSocket);
    } catch {
      return;
    }
    this.socket = socket;
    this.last = new Map();
    const snapshots = new Map();
    socket.addEventListener("open", () => {
      for (const message of subscriptions(pair)) {
        this.last.set(String(message.requestId), null);
        socket.send(JSON.stringify(message));
      }
    });
    socket.addEventListener("message", (event) => {
      if (this.socket !== socket || typeof event.data !== "string") return;
      let message;
      try {
        message = JSON.parse(event.data);
      } catch {
        return socket.close();
      }
      this.take(message, pair, snapshots, socket);
    });
    socket.addEventListener("close", () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.isLive = false;
      this.tries += 1;
      this.poll(true);
      this.timer = setTimeout(() => this.connect(), Math.min(30_000, 1_000 * 2 ** Math.min(this.tries, 5)));
    });
  },

  /** Applies a message; after a gap everything is read again. */
  take(message, pair, snapshots, socket) {
    if (typeof message !== "object" || message === null) return;
    const id = String(message.requestId);
    if (!this.last.has(id) || typeof message.type !== "string") {
      if (message.reason !== undefined) socket.close();
      return;
    }
    const known = this.last.get(id);
    if (message.type !== "snapshot" && known !== null && message.previous !== undefined && message.previous !== known) {
      return socket.close();
    }
    if (message.sequence !== undefined) this.last.set(id, message.sequence);
    const isFirst = message.type === "snapshot";
    const list = pair.api === "v4"
      ? (Array.isArray(message.payload) ? message.payload : [])
      : isFirst && message.payload ? [...(message.payload.bids || []), ...(message.payload.asks || [])]
        : message.type === "update" ? [message.payload] : [];
    if (isFirst) {
      snapshots.set(id, list);
      if (snapshots.size < this.last.size) return;
      const entries = new Map();
      for (const record of Array.from(snapshots.values()).flat()) {
        const entry = entryOf(pair.api, pair, record);
        if (entry && !entry.isGone) entries.set(entry.key, entry);
      }
      replaceBook(entries);
      this.isLive = true;
      this.tries = 0;
      clearTimeout(this.poller);
      setStatus("live", "Live");
      return;
    }
    if (message.type === "change") {
      // It names orders by their hashes, which orders of v0 do not carry: the book is read again.
      return this.reread();
    }
    for (const record of list) {
      const entry = entryOf(pair.api, pair, record);
      if (!entry) continue;
      const before = state.entries.get(entry.key);
      if (entry.isGone) {
        if (!before) continue;
        state.entries.delete(entry.key);
        tell(before, ENDINGS[entry.state] || "gone");
      } else {
        state.entries.set(entry.key, entry);
        if (!before) tell(entry, "added");
        else if (before.base !== entry.base) tell(entry, entry.base < before.base ? "left after a fill" : "fillable again");
      }
    }
    draw();
  },

  /** Reads the book once, a moment later, so that many viewers do not ask at the same instant. */
  reread() {
    if (this.waits) return;
    this.waits = true;
    setTimeout(() => {
      this.waits = false;
      readBook().catch(() => {});
    }, 150 + Math.random() * 500);
  },

  /** Reads the book again and again until the feed is there. */
  async poll(isFirst = false) {
    clearTimeout(this.poller);
    const pair = state.pair;
    if (isFirst || !document.hidden) {
      try {
        await readBook(true);
        if (!this.isLive) setStatus("poll", `Every ${POLL_MS / 1_000} s`);
      } catch (error) {
        setStatus("down", "No answer");
        showProblem(`${error instanceof TypeError ? "The relay does not answer." : error.message} The page keeps trying.`);
      }
    }
    clearTimeout(this.poller);
    if (state.pair === pair && !this.isLive) this.poller = setTimeout(() => this.poll(), POLL_MS);
  },
};

/** What the page asks of the feed: both directions of the pair, each with a snapshot. */
function subscriptions(pair) {
  if (pair.api === "v0") {
    return [{
      type: "subscribe", channel: "orderbook", requestId: 1,
      payload: { baseTokenAddress: pair.base.address, quoteTokenAddress: pair.quote.address, snapshot: true, limit: 100 },
    }];
  }
  return [[pair.base, pair.quote], [pair.quote, pair.base]].map(([maker, taker]) => ({
    type: "subscribe", channel: "orders", requestId: crypto.randomUUID ? crypto.randomUUID() : String(Math.random()),
    payload: { makerToken: maker.address, takerToken: taker.address, snapshot: true },
  }));
}

// MARK: How to use it

function showCommands() {
  const pair = state.pair;
  const api = currentAPI();
  if (pair === null || !api) return;
  const given = typeof state.relay.url === "string" && /^https?:\/\/[A-Za-z0-9.:[\]\/_-]+$/.test(state.relay.url)
    ? state.relay.url.replace(/\/+$/, "") : location.origin;
  const path = Array.isArray(api.paths) && /^\/[a-z0-9\/]+$/.test(api.paths[0]) ? api.paths[0] : "";
  const relay = given + path;
  const network = typeof state.relay.network === "string" && /^[a-z0-9-]{1,30}$/.test(state.relay.network) ? state.relay.network : null;
  const words = `${pair.base.word}/${pair.quote.word}`;
  const chain = Number.isSafeInteger(state.relay.chainId) ? state.relay.chainId : null;
  const exchange = /^0x[0-9a-f]{40}$/.test(api.exchange) ? api.exchange : null;
  const commands = [];
  if (chain !== null && exchange !== null) {
    const name = network === null ? "there" : `${network}-here`;
    commands.push(`dex network add ${name} --chain-id ${chain} --protocol ${api.protocol === "v4" ? "v4" : "v1"} --exchange ${exchange} --relay ${relay} --rpc NODE`);
    commands.push(`dex orderbook ${words} --network ${name}`);
  } else {
    commands.push(`dex orderbook ${words}${network === null ? "" : ` --network ${network}`} --relay ${relay} --rpc NODE`);
  }
  byID("commands").replaceChildren(...commands.map((command) => {
    const item = element("li");
    const block = element("pre", null, { tabindex: "0" });
    // A line breaks between words only, and not behind the hyphens of an option.
    const code = element("code");
    code.append(...command.split(" ").flatMap((word, index) => [index === 0 ? "" : " ", element("span", word)]));
    block.append(code);
    const button = element("button", "Copy", { type: "button", class: "plain", "aria-label": `Copy: ${command}` });
    button.addEventListener("click", () => copy(command, block, button));
    item.append(block, button);
    return item;
  }));
  const facts = [`Exchange contract ${exchange || "unknown"}`, `API ${relay}`];
  if (api.acceptsOrders === false) facts.push("This relay takes no new orders now");
  setText("facts", facts.join(" · "));
}

async function copy(text, block, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2_000);
  } catch {
    // Without HTTPS a browser may offer no clipboard: the text is selected for a copy by hand.
    const range = document.createRange();
    range.selectNodeContents(block);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }
}

// MARK: Start

async function keepReading() {
  try {
    if (state.relay === null) await readRelay();
    if (!document.hidden || state.markets.length === 0) await readMarkets();
    if (state.pair === null) {
      showProblem(null);
      setStatus("poll", `Every ${MARKETS_MS / 1_000} s`);
    }
  } catch (error) {
    if (feed.socket === null) {
      setStatus("down", "No answer");
      showProblem(`${error instanceof TypeError ? "The relay does not answer." : error.message} The page keeps trying.`);
    }
  }
  setTimeout(keepReading, state.relay === null ? 3_000 : MARKETS_MS);
}

byID("filter").addEventListener("input", showMarkets);
byID("more").addEventListener("click", () => {
  state.showsAll = !state.showsAll;
  showBook();
});
window.addEventListener("hashchange", () => {
  const found = state.markets.find((market) => isAt(market, location.hash.slice(1).split("/")));
  if (found) choose(found, false);
});
keepReading();
