import { spawn } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

// Stands in for npm: notes each call, makes node_modules unless told to fail, and takes its time.
const fakeNpm = `
const { appendFileSync, existsSync, mkdirSync } = require("node:fs");
appendFileSync("npm-calls", process.argv[2] + " node" + process.version.split(".")[0] + "\\n");
if (existsSync("break-npm")) { console.error("npm error network unreachable"); process.exit(1); }
if (process.argv[2] === "ci" && existsSync("lock-incomplete")) {
  console.error("npm error \`npm ci\` can only install packages when your package.json and package-lock.json are in sync");
  process.exit(1);
}
setTimeout(() => mkdirSync("node_modules", { recursive: true }), 300);
`;

interface Checkout {
  readonly folder: string;
  run(...args: string[]): Promise<{ code: number | null; signal: string | null; out: string; err: string }>;
  npmCalls(): Promise<string[]>;
}

async function createCheckout(): Promise<Checkout> {
  const folder = await createTemporaryFolder();
  await mkdir(join(folder, "scripts"));
  for (const name of ["node.mjs", "install-state.mjs"]) {
    await copyFile(new URL(`../../scripts/${name}`, import.meta.url), join(folder, "scripts", name));
  }
  await mkdir(join(folder, "npm"));
  await writeFile(join(folder, "npm", "npm-cli.js"), fakeNpm);
  await writeFile(
    join(folder, "package-lock.json"),
    JSON.stringify({ packages: { "": {}, "node_modules/a": { version: "1.0.0" } } }),
  );
  await writeFile(join(folder, "hello.mjs"), "console.log('hello', process.argv.slice(2).join('|'), process.version)");
  return {
    folder,
    async run(...args) {
      const child = spawn(process.execPath, ["scripts/node.mjs", ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, npm_execpath: join(folder, "npm", "npm-cli.js"), NODE_ENV: "production" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const ended = new Promise<[number | null, string | null]>((resolve) =>
        child.on("close", (code, signal) => resolve([code, signal])),
      );
      const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, signal, out, err };
    },
    async npmCalls() {
      const calls = await readFile(join(folder, "npm-calls"), "utf8").catch(() => "");
      return calls.split("\n").filter(Boolean);
    },
  };
}

const runningNode = `node${process.version.split(".")[0]}`;

describe("scripts/node.mjs", () => {
  it("installs once, then only when the lock file changes, and keeps standard output clean", async () => {
    const checkout = await createCheckout();
    expect(await checkout.run("hello.mjs", "a b", "c")).toMatchObject({
      code: 0,
      out: `hello a b|c ${process.version}\n`,
      err: expect.stringMatching(/^Installing/),
    });
    expect(await checkout.run("hello.mjs")).toMatchObject({ code: 0, err: "" });
    expect(await checkout.npmCalls()).toEqual([`ci ${runningNode}`]);
    await writeFile(
      join(checkout.folder, "package-lock.json"),
      '{"packages":{"":{}, "node_modules/b":{"version":"2.0.0"}}}',
    );
    expect(await checkout.run("hello.mjs")).toMatchObject({ code: 0, err: expect.stringMatching(/^Installing/) });
    expect(await checkout.npmCalls()).toHaveLength(2);
  });

  it("has Node keep what it compiled of the program, and of nothing else", async () => {
    const checkout = await createCheckout();
    const show = "console.log(process.env.NODE_COMPILE_CACHE)";
    for (const file of ["main.ts", "test.mjs"]) await writeFile(join(checkout.folder, file), show);
    const kept = join(checkout.folder, "node_modules", ".cache", "kurisu-compile");
    expect(await checkout.run("main.ts")).toMatchObject({ code: 0, out: `${kept}\n` });
    expect(await checkout.run("test.mjs")).toMatchObject({ code: 0, out: "undefined\n" });
  });

  it("accepts what was installed by hand", async () => {
    const checkout = await createCheckout();
    await mkdir(join(checkout.folder, "node_modules", "a"), { recursive: true });
    await writeFile(
      join(checkout.folder, "node_modules", ".package-lock.json"),
      '{"packages":{"node_modules/a":{"version":"1.0.0"}}}',
    );
    expect(await checkout.run("hello.mjs")).toMatchObject({ code: 0, err: "" });
    expect(await checkout.npmCalls()).toEqual([]);
  });

  it("installs for one of several that start at once; a lock of the dead holds nobody up", async () => {
    const checkout = await createCheckout();
    await mkdir(join(checkout.folder, ".cache", "install-lock"), { recursive: true });
    await writeFile(join(checkout.folder, ".cache", "install-lock", "pid"), "999999999");
    const runs = await Promise.all([1, 2, 3].map((number) => checkout.run("hello.mjs", String(number))));
    expect(runs.map((run) => run.code)).toEqual([0, 0, 0]);
    expect(await checkout.npmCalls()).toHaveLength(1);
  });

  it("names the remedy when installing fails, and tries again the next time", async () => {
    const checkout = await createCheckout();
    await writeFile(join(checkout.folder, "break-npm"), "");
    expect(await checkout.run("hello.mjs")).toMatchObject({
      code: 69,
      out: "",
      err: expect.stringMatching(/network unreachable[^]*What to do: /),
    });
    expect(await checkout.run("hello.mjs")).toMatchObject({ code: 69 });
    expect(await checkout.npmCalls()).toHaveLength(2);
  });

  it("adds what a lock file from a smaller registry does not list", async () => {
    const checkout = await createCheckout();
    await writeFile(join(checkout.folder, "lock-incomplete"), "");
    expect(await checkout.run("hello.mjs")).toMatchObject({ code: 0 });
    expect(await checkout.npmCalls()).toEqual([`ci ${runningNode}`, `install ${runningNode}`]);
  });

  it("ends as the program ends", async () => {
    const checkout = await createCheckout();
    await checkout.run("hello.mjs");
    expect(await checkout.run("-e", "process.exit(7)")).toMatchObject({ code: 7 });
    expect(await checkout.run("-e", "process.kill(process.pid, 'SIGTERM')")).toMatchObject({ signal: "SIGTERM" });
    expect(await checkout.run()).toMatchObject({ code: 78, err: expect.stringMatching(/usage/) });
  });
});
