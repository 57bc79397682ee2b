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

  const both = (rest: string) => [`https://${rest}`, `http://${rest}`];

  it.each<[string, readonly string[]]>([
    ["", []],
    ["https://a.example/x", ["https://a.example/x"]],
    ["HTTP://a.example", ["http://a.example/"]],
    ["https://a.example http://b.example", ["https://a.example/", "http://b.example/"]],
    ["https://a.example https://a.example/", ["https://a.example/"]],
    ["(https://a.example/x).", ["https://a.example/x).", "https://a.example/x"]],
    ["https://a.example/x!!", ["https://a.example/x!!", "https://a.example/x"]],
    ["https://a.example/x!y", ["https://a.example/x!y"]],
    [
      "https://a.example/x怎么样。",
      [
        "https://a.example/x%E6%80%8E%E4%B9%88%E6%A0%B7%E3%80%82",
        "https://a.example/x%E6%80%8E%E4%B9%88%E6%A0%B7",
        "https://a.example/x",
      ],
    ],
    ["https://a.example/カ", ["https://a.example/%E3%82%AB", "https://a.example/"]],
    ["https://a.example/か", ["https://a.example/%E3%81%8B", "https://a.example/"]],
    ["https://a.example/〜", ["https://a.example/%E3%80%9C", "https://a.example/"]],
    ["https://a.example/ｘ", ["https://a.example/%EF%BD%98", "https://a.example/"]],
    ["https://a.example/é", ["https://a.example/%C3%A9"]],
    ["https://海", ["https://xn--90w/"]],
    ...Array.from("<>\"'`「」『』《》【】 \n").flatMap((end): [string, readonly string[]][] => [
      [`https://a.example/x${end}y`, ["https://a.example/x"]],
      [`a.example/x${end}y`, both("a.example/x")],
    ]),
    ["a.example", both("a.example/")],
    ["~a.example", both("a.example/")],
    ["a-b.c.example", both("a-b.c.example/")],
    ["A1.Example", both("a1.example/")],
    ["a.example,b.example", [...both("a.example/"), ...both("b.example/")]],
    ["a.example:8080/p?q#f", both("a.example:8080/p?q#f")],
    ["a.example?q=1", both("a.example/?q=1")],
    ["a.example#f", both("a.example/#f")],
    ["a.example/?u=https:b", both("a.example/?u=https:b")],
    ["a.example:", both("a.example/")],
    ["a.example/x…", [...both("a.example/x%E2%80%A6"), ...both("a.example/x")]],
    ...["a.example:99999", "a-.example", "a..example", "a.e", "1.2.3.4", "http:a.example", "https:/a.example"].map(
      (text): [string, readonly string[]] => [text, []],
    ),
    ...Array.from("文é@._/:-").map((before): [string, readonly string[]] => [`${before}a.example`, []]),
  ])("%j: exactly %j", (text, addresses) => {
    expect(listAddresses(text)).toEqual(addresses);
  });

  it("listAddresses returns the first hundred addresses at most", () => {
    const written = Array.from({ length: 101 }, (_, index) => `https://a.example/${index}`);
    expect(listAddresses(written.join(" "))).toEqual(written.slice(0, 100));
  });

  it.each([
    ["HTTPS://A.example:443/x/../y", "https://a.example/y"],
    ["http://a.example", "http://a.example/"],
    ["ftp://a.example/", undefined],
    ["httpss://a.example/", undefined],
    ["a.example", undefined],
    ["", undefined],
  ])("%j is compared as %j", (address, normalized) => {
    expect(normalizeAddress(address)).toBe(normalized);
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
