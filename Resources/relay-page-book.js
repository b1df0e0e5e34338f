"use strict";
// The book of a pair: numbers, orders and prices. Nothing here touches the page.

/** The whole number of a decimal string; null for anything else. */
function whole(text) {
  return typeof text === "string" && /^[0-9]{1,80}$/.test(text) ? BigInt(text) : null;
}

/**
 * A quotient with so many significant digits, without exponent: `digits(1n, 3n, 4)` is 0.3333.
 * Zeros at its end stay if `keepsZeros`, so that a column of prices lines up.
 */
function digits(top, bottom, most, keepsZeros = false) {
  if (bottom === 0n) return "–";
  if (top === 0n) return "0";
  let scale = 0;
  let value = top / bottom;
  while (value < 10n ** BigInt(most - 1) && scale < 60) {
    scale += 1;
    value = (top * 10n ** BigInt(scale)) / bottom;
  }
  let text = value.toString();
  if (scale === 0) return text.replace(/\B(?=(\d{3})+$)/g, "\u2009");
  text = text.padStart(scale + 1, "0");
  const before = text.slice(0, -scale);
  const after = keepsZeros ? text.slice(-scale) : text.slice(-scale).replace(/0+$/, "");
  const grouped = before.replace(/\B(?=(\d{3})+$)/g, "\u2009");
  return after === "" ? grouped : grouped + "." + after;
}

/** A fraction as a floating-point number, for pictures and never for amounts. */
function ratio(top, bottom) {
  if (bottom === 0n) return 0;
  const shift = BigInt(Math.max(0, bottom.toString(2).length - top.toString(2).length + 60));
  return Number((top << shift) / bottom) / 2 ** Number(shift);
}

/** A text of somebody else's as harmless text: no control or direction characters, not long. */
function harmless(text, most) {
  const plain = String(text).replace(/[\p{C}\u2028\u2029\u200e\u200f\u061c]/gu, "\ufffd");
  return Array.from(plain).length > most ? Array.from(plain).slice(0, most - 1).join("") + "…" : plain;
}

function shortAddress(address) {
  return address.slice(0, 6) + "…" + address.slice(-4);
}

/** The tokens of the relay's description, by address. Two of one symbol show their addresses. */
function tokenTable(list) {
  const tokens = new Map();
  const counts = new Map();
  for (const item of Array.isArray(list) ? list : []) {
    if (typeof item !== "object" || item === null) continue;
    const address = String(item.address).toLowerCase();
    if (!/^0x[0-9a-f]{40}$/.test(address)) continue;
    const isCount = Number.isInteger(item.decimals) && item.decimals >= 0 && item.decimals <= 77;
    const symbol = harmless(item.symbol, 12).trim();
    if (symbol === "" || !isCount) continue;
    tokens.set(address, { address, symbol, decimals: item.decimals, known: true });
    counts.set(symbol.toLowerCase(), (counts.get(symbol.toLowerCase()) || 0) + 1);
  }
  for (const token of tokens.values()) {
    token.isUnique = counts.get(token.symbol.toLowerCase()) === 1;
    token.label = token.isUnique ? token.symbol : token.symbol + " " + shortAddress(token.address);
    // In a command only what no shell reads as anything else.
    token.word = token.isUnique && /^[A-Za-z0-9]{1,12}$/.test(token.symbol) ? token.symbol : token.address;
  }
  return (address) => tokens.get(address) || {
    address, symbol: shortAddress(address), label: shortAddress(address), word: address, decimals: 0, known: false,
  };
}

/** A price in quote tokens for one base token. */
function priceText(base, quote, pair, most = 6) {
  const top = quote * 10n ** BigInt(pair.base.decimals);
  const bottom = base * 10n ** BigInt(pair.quote.decimals);
  return digits(top, bottom, most, true);
}

function priceNumber(base, quote, pair) {
  return ratio(quote * 10n ** BigInt(pair.base.decimals), base * 10n ** BigInt(pair.quote.decimals));
}

function amountText(amount, token, most = 6) {
  return digits(amount, 10n ** BigInt(token.decimals), most);
}

/** The part of the middle price between bid and ask, as a percentage. */
function spreadText(bid, ask) {
  if (!bid || !ask) return "–";
  // (ask - bid) / ((ask + bid) / 2), each a fraction quote/base.
  const high = ask.quote * bid.base;
  const low = bid.quote * ask.base;
  if (high + low === 0n) return "–";
  const sign = high < low ? "−" : "";
  const gap = high < low ? low - high : high - low;
  return sign + digits(gap * 200n, high + low, 3) + " %";
}

/** What a taker gets and pays for what is left of an order; null if it is none of the pair. */
function entryOf(api, pair, record) {
  const order = api === "v4" ? record && record.order : record;
  if (typeof order !== "object" || order === null) return null;
  const names = api === "v4"
    ? ["makerToken", "takerToken", "makerAmount", "takerAmount"]
    : ["makerTokenAddress", "takerTokenAddress", "makerTokenAmount", "takerTokenAmount"];
  const [makerToken, takerToken] = names.slice(0, 2).map((name) => String(order[name]).toLowerCase());
  let [given, paid] = names.slice(2).map((name) => whole(order[name]));
  if (given === null || paid === null || given === 0n) return null;
  let key, state = "ADDED";
  let isGone = false;
  if (api === "v4") {
    const meta = record.metaData || {};
    key = String(meta.orderHash);
    state = String(meta.state || "ADDED");
    const left = whole(meta.remainingFillableTakerAmount);
    const fee = whole(order.takerTokenFeeAmount) || 0n;
    isGone = left === 0n || ["FULLY_FILLED", "CANCELLED", "EXPIRED", "UNFUNDED", "INVALID", "STOPPED_WATCHING"].includes(state);
    const full = paid;
    paid += fee;
    if (left !== null && full > 0n && left > 0n && left < full) {
      given = (given * left) / full;
      paid = (paid * left) / full;
    }
  } else {
    const signature = order.ecSignature || {};
    key = String(signature.r) + String(signature.s);
  }
  if (makerToken === pair.base.address && takerToken === pair.quote.address) {
    return { key, state, isGone, side: "asks", base: given, quote: paid };
  }
  if (makerToken === pair.quote.address && takerToken === pair.base.address) {
    return { key, state, isGone, side: "bids", base: paid, quote: given };
  }
  return null;
}

/** Sorts entries, the best for a taker first: asks rise, bids fall. */
function sorted(entries, side) {
  const direction = side === "asks" ? 1 : -1;
  return entries.filter((entry) => entry.base > 0n).sort((one, other) => {
    const left = one.quote * other.base;
    const right = other.quote * one.base;
    return left === right ? 0 : (left < right ? -1 : 1) * direction;
  });
}

/** Sorted entries joined by their shown price, with running totals. */
function levels(entries, pair) {
  const found = [];
  let total = 0n;
  for (const entry of entries) {
    const price = priceText(entry.base, entry.quote, pair);
    total += entry.base;
    const last = found[found.length - 1];
    if (last && last.price === price) {
      last.base += entry.base;
      last.total = total;
      last.orders += 1;
    } else {
      found.push({ price, number: priceNumber(entry.base, entry.quote, pair), base: entry.base, total, orders: 1 });
    }
  }
  return found;
}

/** The prices that a picture of the depth shows: most of what is offered, and not one far order. */
function priceRange(bids, asks) {
  const best = [bids, asks].filter((side) => side.length > 0).map((side) => side[0].number);
  if (best.length === 0) return null;
  const middle = best.reduce((sum, price) => sum + price, 0) / best.length;
  let reach = best.length === 2 ? Math.abs(best[1] - best[0]) : 0;
  for (const side of [bids, asks]) {
    if (side.length === 0) continue;
    const whole = side[side.length - 1].total;
    const enough = side.find((level) => level.total * 100n >= whole * 90n) || side[side.length - 1];
    const far = Math.abs(enough.number - middle);
    // A side whose bulk is far away does not squeeze the other.
    reach = Math.max(reach, Math.min(far, middle * 0.5));
  }
  reach = Math.max(reach * 1.08, middle * 0.002, Number.MIN_VALUE);
  return { low: Math.max(0, middle - reach), high: middle + reach, middle: best.length === 2 ? middle : null };
}
