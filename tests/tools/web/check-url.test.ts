import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../../src/tools/web/check-address.ts";
import { checkUrl, hostOf, portOf } from "../../../src/tools/web/check-url.ts";
import { createGuardedLookup } from "../../../src/tools/web/guarded-lookup.ts";

interface Row {
  readonly url: string;
  readonly expect: "allow" | "block";
  readonly why?: string;
  /** What the name stands for; literals stand for themselves. */
  readonly dns?: readonly string[];
  /** What it stands for at each question. */
  readonly dnsSequence?: readonly (readonly string[])[];
  readonly redirectTo?: string;
}

const publicAddress = "93.184.216.34";
const blocked = (url: string, dns?: readonly string[]): Row => ({ url, expect: "block", ...(dns && { dns }) });
const allowed = (url: string, dns: readonly string[] = [publicAddress]): Row => ({ url, expect: "allow", dns });

const ownRows: readonly Row[] = [
  ...["http://127.0.0.1/", "http://127.1/", "http://0x7f.1/", "http://2130706433/", "http://0177.0.0.1/"].map((url) =>
    blocked(url),
  ),
  ...[
    "http://10.1.2.3/",
    "http://192.168.0.1/",
    "http://172.20.0.1/",
    "http://100.100.100.200/",
    "http://0.0.0.0/",
  ].map((url) => blocked(url)),
  ...["http://169.254.169.254/latest/", "http://198.51.100.7/", "http://224.0.0.251/", "http://192.88.99.1/"].map(
    (url) => blocked(url),
  ),
  ...["[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[::ffff:10.0.0.1]", "[::10.0.0.1]", "[64:ff9b::a00:1]"].map((host) =>
    blocked(`http://${host}/`),
  ),
  ...["[2002:a00:1::]", "[2001:0:a00:1::]", "[64:ff9b:1::1]", "[2001:db8::1]", "[3fff::1]", "[ff0e::1]"].map((host) =>
    blocked(`http://${host}/`),
  ),
  ...["localhost", "a.localhost", "printer", "nas.local", "db.internal", "box.lan", "x.home.arpa", "x.corp"].map(
    (host) => blocked(`http://${host}/`, [publicAddress]),
  ),
  ...["printer.local.", "LOCALHOST", "１２７.0.0.1", "127。0。0。1"].map((host) => blocked(`http://${host}/`)),
  ...["file:///etc/passwd", "ftp://example.com/", "data:,x", "javascript:1", "view-source:http://example.com/"].map(
    (url) => blocked(url, [publicAddress]),
  ),
  ...["https://a:b@example.com/", "https://a@example.com/", "http://example.com:22/", "http://example.com:6379/"].map(
    (url) => blocked(url, [publicAddress]),
  ),
  ...["", "example.com", "http://", "//example.com/", "/page", `https://example.com/${"a".repeat(5000)}`].map((url) =>
    blocked(url, [publicAddress]),
  ),
  blocked("http://a.example/", [publicAddress, "10.0.0.1"]),
  blocked("http://a.example/", ["::ffff:127.0.0.1"]),
  blocked("http://a.example/", []),
  blocked("http://a.example/", ["fe80::1%eth0"]),
  blocked("http://a.example/", ["not an address"]),
  { ...allowed("https://a.example/"), expect: "block", redirectTo: "http://[::1]/" },
  { ...allowed("https://a.example/"), expect: "block", redirectTo: "//127.0.0.1/" },
  { ...allowed("https://a.example/"), expect: "block", redirectTo: "file:///etc/passwd" },
  allowed("https://example.com/"),
  allowed("http://example.com:8080/a?b=http://127.0.0.1/#localhost"),
  allowed("https://10.example.com/"),
  allowed("https://localhost.example.com/"),
  allowed("https://例え.jp/"),
  allowed("https://example.com./", ["2606:4700:4700::1111", publicAddress]),
  { ...allowed("https://a.example/"), redirectTo: "https://b.example:8443/" },
  { url: "https://1.1.1.1/", expect: "allow" },
  { url: "https://[2606:4700:4700::1111]/", expect: "allow" },
];

/** What the guard says without a connection: the address, then what it stands for, then where it redirects. */
async function judge({ url, dns, dnsSequence, redirectTo }: Row): Promise<"allow" | "block"> {
  const answers = dnsSequence ?? [dns ?? []];
  const questions = redirectTo === undefined ? answers : [...answers, ...answers];
  let asked = 0;
  const lookUp = createGuardedLookup({
    resolve: () => {
      const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      return Promise.resolve(addresses.map((address) => ({ address, family: isIP(address) })));
    },
  });
  let base: URL | undefined;
  for (const address of [url, ...(redirectTo === undefined ? [] : [redirectTo])]) {
    const checked = checkUrl(address, base ? { base } : {});
    if (!checked.ok) return "block";
    base = checked.url;
    for (const _ of questions) {
      const found = await lookUp(hostOf(checked.url), portOf(checked.url));
      if (found.kind !== "found" || !found.addresses.every((one) => isPublicAddress(one.address))) return "block";
    }
  }
  return "allow";
}

describe("where requests may go", () => {
  it.each(ownRows)("$url $dns $redirectTo: $expect", async (row) => {
    expect(await judge(row)).toBe(row.expect);
  });

  const collected = new URL("../../../../shared/data/ssrf.jsonl", import.meta.url);
  it("agrees with the collected addresses", async () => {
    if (!existsSync(collected)) {
      console.warn("!!! Collected addresses are left out: ../shared/data/ssrf.jsonl is not there");
      return;
    }
    const rows = readFileSync(collected, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    const wrong: Row[] = [];
    for (const row of rows) if ((await judge(row)) !== row.expect) wrong.push(row);
    expect(rows.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });
});

describe("an address", () => {
  const v4 = fc.ipV4();
  it("of IPv4 is judged the same however IPv6 wraps it, or refused", () => {
    fc.assert(
      fc.property(v4, (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
        expect(isPublicAddress(`::${address}`)).toBe(false);
      }),
    );
  });

  it("of IPv6 is public in 2000::/3 only", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (!isPublicAddress(address)) return;
        const first = Number.parseInt(address.split(":")[0] ?? "", 16);
        const mapped = ipaddr.parse(address).range() === "ipv4Mapped";
        expect(mapped || (first >= 0x2000 && first <= 0x3fff)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("that is none is not public", () => {
    for (const text of ["", "example.com", "1.2.3", "1.2.3.4.5", "[::1]", "8.8.8.8 ", "::ffff:1.2.3.4.5"]) {
      expect([text, isPublicAddress(text)]).toEqual([text, false]);
    }
  });
});
