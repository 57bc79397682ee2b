import { isIP } from "node:net";
import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/web/check-address.ts";
import { checkUrl, hostOf, portOf } from "../../src/web/check-url.ts";
import { createGuardedLookup } from "../../src/web/guarded-lookup.ts";
import { findSharedData } from "../support/shared-data.ts";

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

describe("the places requests may go", () => {
  it.each(ownRows)("$url $dns $redirectTo: $expect", async (row) => {
    expect(await judge(row)).toBe(row.expect);
  });

  const collected = findSharedData("ssrf.jsonl");
  it.skipIf(!collected.isThere)("agrees with the collected addresses", async () => {
    const rows = collected.readRows() as readonly Row[];
    const wrong: Row[] = [];
    for (const row of rows) if ((await judge(row)) !== row.expect) wrong.push(row);
    expect(rows.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });
});

const privateName = (name: string) => `${name} is a name inside a private network; only public sites can be opened.`;
const notPublic = (host: string, port: number) =>
  `${host} is not a public site, or port ${port} is not one of web pages; it cannot be opened.`;

describe("a refusal is told in words", () => {
  const scheme = "Only addresses that start with http:// or https:// can be opened.";
  const login = "Addresses with a user name or password in them are not opened; leave that part out.";
  const none = "This is not an address; write it like https://example.com/page.";

  it.each([
    [`https://a.org/${"a".repeat(4083)}`, "The address is too long; give a shorter one."],
    ["a.org", none],
    ["", none],
    ["ftp://a.org/", scheme],
    ["file:///etc/passwd", scheme],
    ["https://u@a.org/", login],
    ["https://:p@a.org/", login],
    ["https://a.org:22/", "Port 22 is not a port of web pages; only 80, 443, 8080, 8443 can be opened."],
    ["http://a.org:444/", "Port 444 is not a port of web pages; only 80, 443, 8080, 8443 can be opened."],
    ["http://nas/", privateName("nas")],
    ["http://nas.local./", privateName("nas.local")],
    ["http://home.arpa/", privateName("home.arpa")],
    ["http://./", privateName("An empty name")],
    ..."localhost localdomain local internal intranet private lan home corp home.arpa onion test invalid alt"
      .split(" ")
      .map((name) => [`https://a.${name}/`, privateName(`a.${name}`)] as const),
  ] as const)("%.40s", (address, reason) => {
    expect(checkUrl(address)).toEqual({ ok: false, reason });
  });

  it.each([
    `https://a.org/${"a".repeat(4082)}`,
    "http://a.org:80/",
    "http://a.org:443/",
    "http://a.org:8080/",
    "https://a.org:8443/",
    "https://arpa.org/",
    "https://home.example.org/",
    "https://notlocal.org/",
    "https://a.mylocal/",
    "https://[2606:4700::1]/",
  ])("%.40s is none of them", (address) => {
    expect(checkUrl(address)).toEqual({ ok: true, url: new URL(address) });
  });

  it("leaves the port alone where a rule of its own is set, and nothing else", () => {
    expect(checkUrl("http://a.org:22/", { anyPort: true }).ok).toBe(true);
    expect(checkUrl("http://nas:22/", { anyPort: true }).ok).toBe(false);
    expect(checkUrl("http://u@a.org:22/", { anyPort: true }).ok).toBe(false);
  });

  it("reads an address from where it stands", () => {
    expect(checkUrl("../b?c", { base: new URL("https://a.org/x/y") })).toEqual({
      ok: true,
      url: new URL("https://a.org/b?c"),
    });
  });

  it.each([
    ["https://A.org./", "a.org", 443],
    ["http://a.org/", "a.org", 80],
    ["ws://a.org/", "a.org", 80],
    ["wss://a.org/", "a.org", 443],
    ["https://a.org:80/", "a.org", 80],
    ["https://[2606:4700::1]:8443/", "2606:4700::1", 8443],
    ["custom://A.Org./", "a.org", 80],
  ])("%s leads to %s at %d", (address, host, port) => {
    const url = new URL(address);
    expect([hostOf(url), portOf(url)]).toEqual([host, port]);
  });
});

describe("the guarded lookup", () => {
  const answers = (...addresses: readonly string[]) => ({
    resolve: () => Promise.resolve(addresses.map((address) => ({ address, family: isIP(address) }))),
  });
  const refused = (reason: string) => ({ kind: "refused", reason });
  const failed = (reason: string) => ({ kind: "failed", reason });

  it("answers every address of a name, if every one may be reached", async () => {
    const both = ["93.184.216.34", "2606:4700::1"] as const;
    expect(await createGuardedLookup(answers(...both))("a.org", 443)).toEqual({
      kind: "found",
      addresses: [
        { address: both[0], family: 4 },
        { address: both[1], family: 6 },
      ],
    });
    for (const bad of ["10.0.0.1", "::1", "::ffff:10.0.0.1"]) {
      for (const addresses of [[bad], [both[0], bad], [bad, both[0]]]) {
        expect(await createGuardedLookup(answers(...addresses))("a.org", 443)).toEqual(
          refused(notPublic("a.org", 443)),
        );
      }
    }
    expect(await createGuardedLookup(answers(...both))("a.org", 22)).toEqual(refused(notPublic("a.org", 22)));
  });

  it("the lookup resolves neither an address nor a name of the own network", async () => {
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: "93.184.216.34", family: 4 }]);
    };
    const lookUp = createGuardedLookup({ resolve });
    const found = (address: string, family: number) => ({ kind: "found", addresses: [{ address, family }] });
    expect(await lookUp("1.1.1.1", 80)).toEqual(found("1.1.1.1", 4));
    expect(await lookUp("2606:4700::1", 80)).toEqual(found("2606:4700::1", 6));
    expect(await lookUp("10.0.0.1", 80)).toEqual(refused(notPublic("10.0.0.1", 80)));
    expect(await lookUp("nas.lan", 80)).toEqual(refused(privateName("nas.lan")));
    expect(asked).toBe(0);
  });

  it("tells a name without an address from one that could not be asked about", async () => {
    expect(await createGuardedLookup(answers())("a.org", 443)).toEqual(failed("a.org has no address; check the name."));
    const resolve = () => Promise.reject(new Error("queryA ENOTFOUND"));
    expect(await createGuardedLookup({ resolve })("a.org", 443)).toEqual(
      failed("a.org was not found (queryA ENOTFOUND); check the name."),
    );
  });

  it("the lookup asks the system for every address of a name when it has no other resolver", async () => {
    // The system reads short numbers as addresses without asking any server.
    expect(await createGuardedLookup()("1.1", 443)).toEqual({
      kind: "found",
      addresses: [{ address: "1.0.0.1", family: 4 }],
    });
    expect(await createGuardedLookup()("127.1", 443)).toEqual(refused(notPublic("127.1", 443)));
  });

  it("reaches beside the public ones only what a test allows, by address and port", async () => {
    const allowAddress = (address: string, port: number) => address === "127.0.0.1" && port === 5000;
    const lookUp = createGuardedLookup({ ...answers("127.0.0.1"), allowAddress });
    expect((await lookUp("a.org", 5000)).kind).toBe("found");
    expect((await lookUp("a.org", 443)).kind).toBe("refused");
    expect((await createGuardedLookup({ ...answers("1.1.1.1"), allowAddress })("a.org", 443)).kind).toBe("found");
    expect((await createGuardedLookup({ ...answers("1.1.1.1"), allowAddress })("a.org", 5000)).kind).toBe("refused");
  });
});

describe("an address", () => {
  const v4 = fc.ipV4();
  it("an IPv4 address is judged the same however IPv6 wraps it, or refused", () => {
    fc.assert(
      fc.property(v4, (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
        expect(isPublicAddress(`::${address}`)).toBe(false);
      }),
    );
  });

  it("an IPv6 address is public in 2000::/3 only", () => {
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

  it.each([
    ["1.1.1.1", true],
    ["::ffff:1.1.1.1", true],
    ["::FFFF:1.1.1.1", true],
    ["::ffff:101:101", true],
    ["::1.1.1.1", false],
    ["1::ffff:1.1.1.1", false],
    ["2606:4700::1.1.1.1", false],
    ["2606:4700::ffff:1.1.1.1", false],
    ["::ffff:0:1.1.1.1", false],
    ["64:ff9b::101:101", false],
    ["64:ff9b:1::101:101", false],
    ["2001:1ff::1", false],
    ["2001:200::1", true],
    ["2002:101:101::1", false],
    ["2003::1", true],
    ["3fff:fff::1", false],
    ["3ffe::1", true],
    ["2000::1", true],
    ["4000::1", false],
    ["1fff::1", false],
    ["fd00::1", false],
    ["fe80::1", false],
    ["ff0e::1", false],
    ["100::1", false],
    ["255.255.255.255", false],
    ["240.0.0.1", false],
  ])("%s is public: %s", (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });

  it("a text that is no address is not public", () => {
    for (const text of ["", "example.com", "1.2.3", "1.2.3.4.5", "[::1]", "8.8.8.8 ", "::ffff:1.2.3.4.5"]) {
      expect([text, isPublicAddress(text)]).toEqual([text, false]);
    }
  });
});
