import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashJson, toCanonicalJson, type JsonValue } from "../../src/core/canonical-json.ts";

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

/** The same value with the keys of every object in another order. */
function shuffle(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(shuffle);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, shuffle(item)]),
  );
}

describe("toCanonicalJson", () => {
  it.each<[JsonValue, string]>([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: { d: [], c: null }, "": true }, '{"":true,"a":{"c":null,"d":[]}}'],
    // RFC 8785, section 3.2.3: UTF-16 code units decide, not code points.
    [
      { "\u{1f600}": 1, "\ufb33": 2, "\u20ac": 3, "\r": 4, "1": 5, "\u0080": 6, "\u00f6": 7 },
      '{"\\r":4,"1":5,"\u0080":6,"\u00f6":7,"\u20ac":3,"\u{1f600}":1,"\ufb33":2}',
    ],
    [[1e21, 1e-7, 0.1, -0, 100, 333333333.3333333], "[1e+21,1e-7,0.1,0,100,333333333.3333333]"],
    ['\u20ac$\u000f\nA\'B"\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\"/"'],
  ])("%j → %s", (value, text) => {
    expect(toCanonicalJson(value)).toBe(text);
  });

  it("leaves out what is undefined, as JSON does", () => {
    const value = { b: undefined, a: { c: undefined }, d: 1 } as unknown as JsonValue;
    expect(toCanonicalJson(value)).toBe('{"a":{},"d":1}');
  });

  it("toCanonicalJson does not depend on the order of keys, and keeps the value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(toCanonicalJson(shuffle(value))).toBe(toCanonicalJson(value));
        expect(JSON.parse(toCanonicalJson(value))).toEqual(value);
      }),
    );
  });
});

describe("hashJson", () => {
  it("hashJson returns the SHA-256 of the canonical text", () => {
    expect(hashJson({})).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  });

  it("differs where the value differs", () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        fc.pre(toCanonicalJson(one) !== toCanonicalJson(other));
        expect(hashJson(one)).not.toBe(hashJson(other));
      }),
    );
  });
});
