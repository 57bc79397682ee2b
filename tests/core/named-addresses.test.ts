import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listAddresses, normalizeAddress } from "../../src/core/named-addresses.ts";

describe("the addresses that a person wrote", () => {
  it.each([
    ["read https://a.example/x?q=1 please", "https://a.example/x?q=1"],
    ["看看https://a.example/x怎么样", "https://a.example/x"],
    ["「https://a.example/x」を読んで", "https://a.example/x"],
    ["(https://a.example/x).", "https://a.example/x"],
    ["HTTPS://A.example/X", "https://a.example/X"],
    ["看 a.example/x 吧", "https://a.example/x"],
    ["看 a.example", "http://a.example/"],
    ["https://zh.example/wiki/海马体", "https://zh.example/wiki/%E6%B5%B7%E9%A9%AC%E4%BD%93"],
    ["http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a"],
  ])("%s", (text, address) => {
    expect(listAddresses(text)).toContain(address);
  });

  it.each([
    ["a longer path", "https://a.example/x", "https://a.example/xy"],
    ["a query of one's own", "https://a.example/x", "https://a.example/x?q=secret"],
    ["another value", "https://a.example/x?q=1", "https://a.example/x?q=2"],
    ["a part behind the sign", "https://a.example/x", "https://a.example/x#secret"],
    ["a name below", "https://a.example/", "https://secret.a.example/"],
    ["a name that goes on", "https://a.example", "https://a.example.evil.test/"],
    ["a user name", "https://a.example/", "https://a.example@evil.test/"],
    ["another port", "https://a.example/", "https://a.example:8443/"],
    ["another scheme", "https://a.example/", "http://a.example/"],
    ["a mail address", "mail me@evil.test", "https://evil.test/"],
    ["a file", "file:///etc/passwd", "file:///etc/passwd"],
  ])("%s is not what was named", (_, text, address) => {
    expect(listAddresses(text)).not.toContain(normalizeAddress(address) ?? address);
  });

  it("never hold what the person did not write, whatever stands around it", () => {
    const piece = fc.constantFrom(
      "https://",
      "a.example",
      "/",
      "?q=",
      "#",
      "海",
      "。",
      ")",
      " ",
      "x",
      "%20",
      "@",
      ":80",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const addresses = listAddresses(pieces.join(""));
        for (const address of addresses) {
          expect(normalizeAddress(address)).toBe(address);
          expect(address).not.toContain("secret");
          expect(addresses).not.toContain(`${address}secret`);
        }
      }),
    );
  });
});
