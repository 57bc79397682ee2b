import { describe, expect, it } from "vitest";
import { createScrubber } from "../../../src/core/scrub-secrets.ts";
import { describeKeyArgument, shortenArgument } from "../../../src/kernel/tools/key-argument.ts";
import { createEffectTools } from "../../support/effect-tools.ts";

describe("the key argument of a call", () => {
  it.each([
    ["echo hi", "echo hi"],
    ["  two\n lines\t", "two lines"],
    ["cat /workspace/notes/a.txt", "cat notes/a.txt"],
    ["cd /workspace && ls /workspace/", "cd . && ls ."],
    ["ls /home/workspace/a /workspaces /var/workspace", "ls /home/workspace/a /workspaces /var/workspace"],
    ["a\u202Eb", "a⟨U+202E⟩b"],
    [`${"a".repeat(30)}${"b".repeat(30)}`, `${"a".repeat(24)}…${"b".repeat(25)}`],
    ["curl -H 'Authorization: Bearer abcdefgh12345678'", "curl -H 'Authorization: Bearer [secret]'"],
  ])("the key argument of %j is %j", (text, shown) => {
    expect(shortenArgument(text)).toBe(shown);
  });

  it("loses a secret before it is cut, so that no half of it stays", () => {
    const secret = "hunter2-".repeat(8);
    expect(shortenArgument(`login ${secret} now`, createScrubber([secret]))).toBe("login [secret] now");
  });

  it("the key argument is empty for a missing tool and for unreadable arguments", () => {
    const [poke] = createEffectTools(() => 0).tools;
    const asIs = (text: string) => text;
    expect(describeKeyArgument(poke, { what: "x" }, asIs)).toBe("x");
    expect(describeKeyArgument(poke, { wat: "hunter2" }, asIs)).toBe("");
    expect(describeKeyArgument(undefined, { what: "x" }, asIs)).toBe("");
  });
});
