import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";

const canary = 'kanarie"n\\1';

function logLines(secrets: readonly string[], write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog({ level: "trace", secrets, destination: { write: (line: string) => void lines.push(line) } }));
  return lines;
}

function expectClean(lines: readonly string[]): void {
  for (const line of lines) {
    expect(JSON.parse(line)).toBeTypeOf("object");
    expect(line).not.toContain("kanarie");
  }
}

describe("createLog", () => {
  it("writes one JSON object a line with a level and a time", () => {
    const [line = ""] = logLines([], (log) => log.info({ turn: "t_1" }, "answered"));
    expect(line.endsWith("\n")).toBe(true);
    expect(JSON.parse(line)).toEqual({ level: "info", time: expect.any(String), turn: "t_1", msg: "answered" });
  });

  it("writes C1 and direction characters so that no terminal obeys them", () => {
    const text = "a\u009B31mb\u202Ec\u2066d";
    const [line = ""] = logLines([], (log) => log.info(text));
    expect(line).not.toMatch(/[\u007F-\u009F]|\p{Bidi_Control}/u);
    expect(JSON.parse(line)).toMatchObject({ msg: text });
  });

  it("hides a known secret in message, fields, errors, causes and child loggers", () => {
    const lines = logLines([canary], (log) => {
      log.info(`sent ${canary}`);
      log.info({ url: `https://x/?q=${encodeURIComponent(canary)}`, deep: { list: [{ canary }] } });
      log.error({ err: new Error(`refused ${canary}`, { cause: new Error(canary) }) }, "failed");
      log.child({ session: canary }).warn({ [canary]: 1 }, "%s", canary);
      log.info(JSON.stringify({ body: JSON.stringify({ a: canary }) }));
      log.info(Buffer.from(`user:${canary}`).toString("base64"));
    });
    expect(lines).toHaveLength(6);
    expectClean(lines);
    expect(lines[2]).toContain("[secret]");
    expect(lines[2]).toContain("log.test.ts");
  });

  it("hides fields by their name at any depth, whatever their type", () => {
    const lines = logLines([], (log) => {
      log.info({
        token: "kanarie",
        headers: { Authorization: "kanarie", "set-cookie": ["a=kanarie", "b=kanarie"], "x-api-key": "kanarie" },
        a: {
          b: { c: { d: { e: { apiKey: 'kanarie"\\', OPENAI_API_KEY: "kanarie", secret: { value: "kanarie" } } } } },
        },
      });
      log.info(`the server said {"access_token":"kana\\"rie-kanarie","expires":5}`.replace("kana\\", "kanarie\\"));
      log.error({ err: Object.assign(new Error("x"), { config: { headers: { cookie: "kanarie" } } }) });
      log.info({ password: 123_456 });
    });
    expectClean(lines);
    expect(lines[1]).toContain("expires");
    expect(lines[3]).not.toContain("123456");
  });

  it("the log hides credentials that it was not told of", () => {
    const token = "123456789:kanarieklmnopqrstuvwxyzABCDEFGHIJKL";
    const lines = logLines([], (log) => {
      log.error({ err: new Error(`POST https://api.telegram.org/bot${token}/sendMessage failed`) });
      log.info({ request: "Bearer kanarie-12345" }, "sk-kanarieabcdefghijkl");
    });
    expectClean(lines);
    expect(lines[0]).toContain("/bot[secret]/sendMessage");
  });

  it("stays valid JSON when a secret is a number or the rest of an escape", () => {
    const lines = logLines(["1234567", "nabcdef"], (log) => {
      log.info({ amount: 1_234_567, other: 7 }, "\nabcdef nabcdef");
    });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ amount: "[secret]", other: 7, msg: "\nabcdef [secret]" });
  });

  it("stays valid JSON and clean for any secret in any place", () => {
    const secret = fc.string({ minLength: 6, maxLength: 20 });
    fc.assert(
      fc.property(secret, fc.string(), fc.json(), (value, text, json) => {
        fc.pre(!/^[\][esctr]+$/.test(value));
        const [line = ""] = logLines([value], (log) => log.info({ text: value + text, json }, text + value));
        const read = JSON.parse(line) as { text: string; msg: string };
        for (const item of [read.text, read.msg]) {
          expect(item.replaceAll("[secret]", "\u0000")).not.toContain(value);
        }
      }),
    );
  });

  it("writes to a file that only its owner can read", () => {
    const folder = mkdtempSync(join(tmpdir(), "kurisu-log-"));
    try {
      const file = join(folder, "new", "kurisu.log");
      const log = createLog({ level: "info", secrets: [canary], file });
      log.debug("not this");
      log.info(`this ${canary}`);
      expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ msg: "this [secret]" });
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
