// quick: reads and writes no container
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseNetworkHost, refuseTarget } from "../../../src/sandbox/egress/network-host.ts";
import { readAddress, readAuthority } from "../../../src/web/read-target.ts";

describe("a host in a skill's list", () => {
  it.each([
    ["pypi.org", "pypi.org"],
    ["PyPI.org", "pypi.org"],
    ["files.pythonhosted.org:443", "files.pythonhosted.org:443"],
    ["*.example.org", "*.example.org"],
    ["*.example.org:8443", "*.example.org:8443"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["a-b.c0.io", "a-b.c0.io"],
  ])("%s is fine", (source, host) => {
    expect(parseNetworkHost(source)).toEqual({ ok: true, host });
  });

  it.each([
    ["", /must be a host name/],
    ["https://pypi.org", /must be a host name/],
    ["pypi.org/simple", /must be a host name/],
    ["user@pypi.org", /must be a host name/],
    ["pypi.org:", /must be a host name/],
    ["pypi.org:443:443", /must be a host name/],
    ["[2606:4700::1]", /must be a host name/],
    ["2606:4700::1", /must be a host name/],
    ["pypi.org:22", /must have one of the ports 80, 443/],
    ["pypi.org:99999", /must have one of the ports/],
    ["127.0.0.1", /not an address/],
    ["93.184.215.14:443", /not an address/],
    ["0x7f.1", /not an address/],
    ["1.2.3.0x", /not an address/],
    ["*", /must be a host name|must have|may have one|is no host name/],
    ["*.org", /two labels after the \*/],
    ["*.*.example.org", /may have one \*/],
    ["a.*.example.org", /may have one \*/],
    ["x*.example.org", /may have one \*/],
    ["localhost", /must have a dot/],
    ["intranet", /must have a dot/],
    ["nas.local", /must be public; \.local names/],
    ["*.corp.internal", /must be public/],
    ["router.home.arpa", /must be public/],
    ["pypi.org.", /is no host name/],
    [".pypi.org", /is no host name/],
    ["a..org", /is no host name/],
    ["-a.org", /is no host name/],
    [`${"a".repeat(64)}.org`, /is no host name/],
    [`${"a.".repeat(130)}org`, /is no host name/],
    ["münchen.de", /ASCII form/],
    ["py\u0440i.org", /ASCII form/],
    ["pypi.org\u200b", /ASCII form/],
    ["pypi .org", /must be a host name/],
  ])("%s is none", (source, problem) => {
    const parsed = parseNetworkHost(source);
    expect(parsed.ok ? parsed.host : parsed.problem).toMatch(problem);
    expect(parsed.ok).toBe(false);
  });
});

describe("the wishes of a command", () => {
  const list = ["pypi.org", "*.example.org", "files.example.net:8443"];
  const isAllowed = (authority: string): boolean => {
    const wanted = readAuthority(authority);
    return wanted.kind === "target" && refuseTarget(list, wanted.target) === undefined;
  };

  it.each([
    "pypi.org:443",
    "pypi.org:80",
    "PYPI.ORG:443",
    "pypi.org.:443",
    "pypi%2eorg:443",
    "ｐｙｐｉ．ｏｒｇ:443",
    "a.example.org:443",
    "files.example.net:8443",
  ])("%s is on the list", (authority) => {
    expect(isAllowed(authority)).toBe(true);
  });

  it.each([
    "pypi.org:22",
    "pypi.org:8443",
    "pypi.org:0",
    "pypi.org:65536",
    "pypi.org",
    "pypi.org..:443",
    "evil-pypi.org:443",
    "pypi.org.evil.net:443",
    "xpypi.org:443",
    "example.org:443",
    ".example.org:443",
    "a.b.example.org:443",
    "a.example.org.evil.net:443",
    "aexample.org:443",
    "files.example.net:443",
    "user@pypi.org:443",
    "pypi.org@evil.net:443",
    "evil.net#pypi.org:443",
    "evil.net/pypi.org:443",
    "evil.net\\.example.org:443",
    "evil.net?.example.org:443",
    "evil.net%2f.example.org:443",
    "evil.net%00.example.org:443",
    "pypi.org\t:443",
    "127.0.0.1:443",
    "2130706433:443",
    "0x7f000001:443",
    "0177.0.0.1:443",
    "[::1]:443",
    "[::ffff:127.0.0.1]:443",
    "localhost:443",
    "py\u0440i.org:443",
    "*.example.org:443",
    ":443",
    "",
  ])("%s is not", (authority) => {
    expect(isAllowed(authority)).toBe(false);
  });

  it("readAddress accepts an absolute http address without a user", () => {
    expect(readAddress("http://PyPI.org/a?b#c")).toMatchObject({ kind: "target", path: "/a?b", shown: "pypi.org:80" });
    expect(readAddress("http://files.example.net:8443")).toMatchObject({ shown: "files.example.net:8443", path: "/" });
    expect(readAddress("http://user:secret@pypi.org/")).toMatchObject({ kind: "refused", shown: "pypi.org:80" });
    expect(readAddress("https://pypi.org/")).toMatchObject({ kind: "refused", reason: "https goes through CONNECT" });
    const address = readAddress("http://169.254.169.254/latest");
    expect(address).toMatchObject({ kind: "target", shown: "169.254.169.254:80" });
    expect(address.kind === "target" && refuseTarget(list, address.target)).toMatch(/only hosts by their name/);
    for (const bad of [
      "/",
      "*",
      "ftp://pypi.org/",
      "//pypi.org/",
      "http:pypi.org",
      `http://pypi.org/${"a".repeat(9000)}`,
    ])
      expect(readAddress(bad)).toMatchObject({ kind: "refused", shown: "(malformed)" });
  });

  it("only an equal name puts a host on the list", () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(80, 443, 8443, 22),
        (labels, port) => {
          const host = labels.join(".");
          const one = labels.length === 3 && host.endsWith(".example.org");
          const usual = port === 80 || port === 443;
          const expected = (usual && (host === "pypi.org" || one)) || (port === 8443 && host === "files.example.net");
          expect(refuseTarget(list, { host, port }) === undefined).toBe(expected);
        },
      ),
      {
        examples: [
          [["pypi", "org"], 443],
          [["a", "example", "org"], 80],
          [["files", "example", "net"], 8443],
        ],
      },
    );
  });
});
