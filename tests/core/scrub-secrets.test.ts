import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScrubber } from "../../src/core/scrub-secrets.ts";

const canary = 'c@nary+/="\\ 42ü';
const scrub = createScrubber([canary, "short", "first-secret-long", "secret-long"]);

describe("createScrubber", () => {
  it.each([
    ["as it is", canary],
    ["in JSON", JSON.stringify({ a: canary })],
    ["in JSON in JSON", JSON.stringify({ body: JSON.stringify({ a: canary }) })],
    ["in an address", `https://x/?t=${encodeURIComponent(canary)}&u=1`],
    ["in an address with small hexadecimal digits", encodeURIComponent(canary).toLowerCase()],
    ["in a form", new URLSearchParams({ t: canary }).toString()],
    ["in base64", Buffer.from(canary).toString("base64")],
    ["in URL-safe base64", Buffer.from(canary).toString("base64url")],
    ["in base64 after one byte", Buffer.from(`:${canary}x`).toString("base64")],
    ["in base64 after two bytes", Buffer.from(`u:${canary}`).toString("base64")],
  ])("hides a known secret %s", (_, text) => {
    const scrubbed = scrub(`before ${text} after`);
    expect(scrubbed).toContain("[secret]");
    expect(scrubbed).toMatch(/^before .* after$/s);
    expect(scrubbed).not.toContain("nary");
    expect(scrubbed).not.toContain("42");
  });

  it.each([
    ["123456789:AAabcdefghijklmnopqrstuvwxyz-_01234 ok", "[secret] ok"],
    [
      "https://api.telegram.org/bot123456789:AAabcdefghijklmnopqrstuvwxyz-_01234/getMe",
      "https://api.telegram.org/bot[secret]/getMe",
    ],
    ["key sk-abcdefghijklmnopqrstuvwx.", "key [secret]."],
    ["Authorization: Bearer abc.def-123456", "Authorization: Bearer [secret]"],
    ["authorization: basic dXNlcjpwYXNz", "authorization: basic [secret]"],
    ["postgres://kurisu:hunter2@db:5432/x", "postgres://kurisu:[secret]@db:5432/x"],
  ])("hides what looks like a credential: %s", (text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  it.each(["a short word", "task-list-of-many-long-words", "the bearer of news", "12:30 and 1:2", "http://a:80/b@c"])(
    "leaves ordinary text alone: %s",
    (text) => {
      expect(scrub(text)).toBe(text);
    },
  );

  it("hides a known secret that is written in hexadecimal or backwards", () => {
    const scrub = createScrubber(["canary-0123"]);
    const hex = Buffer.from("canary-0123").toString("hex");
    expect(scrub(`${hex} ${hex.toUpperCase()} 3210-yranac`)).toBe("[secret] [secret] [secret]");
  });

  it("hides a secret that holds another one as a whole, and overlapping ones once", () => {
    expect(scrub("x first-secret-long y")).toBe("x [secret] y");
    expect(createScrubber(["123456"])("t 1234567890:ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789")).toBe("t [secret]");
  });

  it("hides any secret of six characters and more, wherever it stands", () => {
    const secret = fc.string({ minLength: 6, maxLength: 40, unit: "grapheme" });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!"[secret]".includes(value));
        const text = createScrubber([value])(before + value + after);
        expect(text).toContain("[secret]");
        expect(text.replaceAll("[secret]", "\u0000")).not.toContain(value);
      }),
    );
  });

  it("survives megabytes without a break in a process that optimizes expressions no more", () => {
    const source = new URL("../../src/core/scrub-secrets.ts", import.meta.url).href;
    const program = `
      const { createScrubber } = await import(${JSON.stringify(source)});
      for (const start of ["sk-", "Bearer ", "http://a:"]) createScrubber(["secret"])(start + "a".repeat(10_000_000));`;
    const run = () =>
      execFileSync(process.execPath, ["--no-regexp-optimization", "--input-type=module", "-e", program]);
    expect(run).not.toThrow();
  });
});
