// full: starts the program
import { spawn } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

// Stands in for npm: notes each call, makes node_modules (`ci` anew) unless told to fail, and takes its time.
const fakeNpm = `
const { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } = require("node:fs");
const less = ["--omit=dev", "--no-save"].filter((option) => process.argv.includes(option)).map((option) => " " + option).join("");
appendFileSync("npm-calls", process.argv[2] + " node" + process.version.split(".")[0] + less + "\\n");
if (existsSync("break-npm")) { console.error("npm error network unreachable"); process.exit(1); }
if (process.argv[2] === "ci" && existsSync("lock-incomplete")) {
  console.error("npm error \`npm ci\` can only install packages when your package.json and package-lock.json are in sync");
  process.exit(1);
}
if (process.argv[2] === "ci") rmSync("node_modules", { recursive: true, force: true });
setTimeout(() => {
  mkdirSync("node_modules/.bin", { recursive: true });
  if (process.argv[2] === "rebuild" || !existsSync("link-nothing")) writeFileSync("node_modules/.bin/a", "");
}, 300);
`;

// Stands in for the bundler: its programs say which of them they are.
const fakeBundle = `
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findBundle } from "./bundle-state.mjs";
const { program } = findBundle(process.cwd());
mkdirSync(dirname(program), { recursive: true });
const number = readdirSync("dist").length;
writeFileSync(program, "console.log('bundle " + number + "', process.argv.slice(2).join('|'))");
`;

/** Stands in for rolldown under the real scripts/bundle.mjs. */
const fakeRolldown = `
import { writeFileSync } from "node:fs";
export const rolldown = async () => ({
  write: async ({ dir }) => writeFileSync(dir + "/kurisu.mjs", "console.log('built')"),
  close: async () => {},
});
`;

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

interface Checkout {
  readonly folder: string;
  run(...args: string[]): Promise<Ended>;
  runBy(script: string, ...args: string[]): Promise<Ended>;
  npmCalls(): Promise<string[]>;
}

async function createCheckout(): Promise<Checkout> {
  const folder = await createTemporaryFolder();
  await mkdir(join(folder, "scripts"));
  for (const name of ["node.mjs", "install-state.mjs", "bundle-state.mjs"]) {
    await copyFile(new URL(`../../scripts/${name}`, import.meta.url), join(folder, "scripts", name));
  }
  await mkdir(join(folder, "npm"));
  await writeFile(join(folder, "npm", "npm-cli.js"), fakeNpm);
  await writeFile(
    join(folder, "package-lock.json"),
    JSON.stringify({ packages: { "": {}, "node_modules/a": { version: "1.0.0" } } }),
  );
  await writeFile(join(folder, "hello.mjs"), "console.log('hello', process.argv.slice(2).join('|'), process.version)");
  const checkout: Checkout = {
    folder,
    run: (...args) => checkout.runBy("scripts/node.mjs", ...args),
    async runBy(script, ...args) {
      const child = spawn(process.execPath, [script, ...args], {
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
  return checkout;
}

const runningNode = `node${process.version.split(".")[0]}`;

describe("scripts/node.mjs", () => {
  it("installs once, then only when the lock file changes, and keeps standard output clean", async () => {
    const checkout = await createCheckout();
    expect(await checkout.run("hello.mjs", "a b", "c")).toMatchObject({
      code: 0,
      out: `hello a b|c ${process.version}\n`,
      err: expect.stringMatching(/^Installing[^\n]*\n$/),
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

  it("hands on the PATH as it was before our Node came first in it", async () => {
    const checkout = await createCheckout();
    await writeFile(join(checkout.folder, "path.mjs"), "console.log(process.env.KURISU_OPERATOR_PATH)");
    expect(await checkout.run("path.mjs")).toMatchObject({ code: 0, out: `${process.env.PATH}\n` });
  });

  it("installs less for the program than for tests, and nothing again for what is there", async () => {
    const checkout = await createCheckout();
    await mkdir(join(checkout.folder, "src"));
    await writeFile(join(checkout.folder, "src", "main.ts"), "console.log('the sources')");
    await writeFile(join(checkout.folder, "scripts", "bundle.mjs"), "process.exit(1)");
    expect(await checkout.run("src/main.ts")).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Installing once[^\n]*: what Kurisu needs to run …\n/),
    });
    expect(await checkout.run("--no-warnings", "src/main.ts")).toMatchObject({ code: 0, err: "" });
    expect(await checkout.npmCalls()).toEqual([`ci ${runningNode} --omit=dev`]);
    // A Kurisu who runs meanwhile loads this when she needs it.
    const loadedLater = join(checkout.folder, "node_modules", "loaded-later.js");
    await writeFile(loadedLater, "");
    const { ino } = await stat(loadedLater);
    expect(await checkout.run("hello.mjs")).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Installing once[^\n]*: all dependencies/),
    });
    expect(await checkout.run("--no-warnings", "src/main.ts")).toMatchObject({ code: 0, err: "" });
    expect(await checkout.npmCalls()).toEqual([`ci ${runningNode} --omit=dev`, `install ${runningNode} --no-save`]);
    expect(await stat(loadedLater)).toMatchObject({ ino });
  });

  it("runs the bundle of the program, built when the sources have changed, and the sources where that fails", async () => {
    const checkout = await createCheckout();
    const main = join(checkout.folder, "src", "main.ts");
    await mkdir(join(checkout.folder, "src"));
    await writeFile(main, "console.log('the sources')");
    await writeFile(join(checkout.folder, "scripts", "bundle.mjs"), fakeBundle);
    expect(await checkout.run("src/main.ts", "a")).toMatchObject({ code: 0, out: "bundle 1 a\n" });
    expect(await checkout.run(main, "b")).toMatchObject({ code: 0, out: "bundle 1 b\n", err: "" });
    await writeFile(main, "console.log('other sources')");
    expect(await checkout.run("src/main.ts")).toMatchObject({ code: 0, out: "bundle 2 \n" });
    await writeFile(join(checkout.folder, "scripts", "bundle.mjs"), "console.error('no rolldown'); process.exit(1)");
    expect(await checkout.run("src/main.ts")).toMatchObject({
      code: 0,
      out: "other sources\n",
      err: expect.stringMatching(/could not be built[^]*no rolldown/),
    });
  });

  it("builds again when the contents of a part have changed, whatever their sizes and times", async () => {
    const checkout = await createCheckout();
    const parts = ["src/main.ts", "src/file-action.sh", "scripts/learn-models.mjs", "config/skills/sentences.tsv"];
    const write = async (path: string, text: string): Promise<void> => {
      await writeFile(join(checkout.folder, path), text);
      await utimes(join(checkout.folder, path), 1, 1);
    };
    await mkdir(join(checkout.folder, "src"));
    await mkdir(join(checkout.folder, "config", "skills"), { recursive: true });
    await writeFile(join(checkout.folder, "scripts", "bundle.mjs"), fakeBundle);
    for (const path of parts) await write(path, "// 1");
    expect(await checkout.run("src/main.ts")).toMatchObject({ out: "bundle 1 \n" });
    for (const [at, path] of parts.entries()) {
      await write(path, "// 2");
      expect(await checkout.run("src/main.ts")).toMatchObject({ out: `bundle ${at + 2} \n` });
    }
    for (const path of parts) await writeFile(join(checkout.folder, path), "// 1");
    expect(await checkout.run("src/main.ts"), "the contents are the first ones again").toMatchObject({
      out: "bundle 1 \n",
    });
  });

  it("knows the program through a link to the checkout", async () => {
    const checkout = await createCheckout();
    await mkdir(join(checkout.folder, "src"));
    await writeFile(join(checkout.folder, "src", "main.ts"), "console.log('the sources')");
    await writeFile(join(checkout.folder, "scripts", "bundle.mjs"), fakeBundle);
    const link = join(await createTemporaryFolder(), "link");
    await symlink(checkout.folder, link);
    expect(await checkout.runBy(join(link, "scripts/node.mjs"), join(link, "src/main.ts"), "a")).toMatchObject({
      code: 0,
      out: "bundle 1 a\n",
    });
    expect(await checkout.npmCalls()).toEqual([`ci ${runningNode} --omit=dev`]);
  });

  it("the script keeps a bundle while a process runs it, and deletes unused ones after a day, except the newest four", async () => {
    const checkout = await createCheckout();
    const inFolder = (...path: string[]): string => join(checkout.folder, ...path);
    await mkdir(inFolder("src"));
    await writeFile(inFolder("src", "main.ts"), "");
    await copyFile(new URL("../../scripts/bundle.mjs", import.meta.url), inFolder("scripts", "bundle.mjs"));
    await writeFile(inFolder("scripts", "learn-models.mjs"), "");
    await writeFile(inFolder("scripts", "plain-templates.mjs"), "export const plainTemplates = {};");
    await writeFile(inFolder("scripts", "console-page.mjs"), "export const buildConsolePage = async () => {};");
    for (const name of ["a", "rolldown"]) await mkdir(inFolder("node_modules", name), { recursive: true });
    await writeFile(inFolder("node_modules", ".package-lock.json"), await readFile(inFolder("package-lock.json")));
    await writeFile(inFolder("node_modules", "rolldown", "package.json"), '{"type":"module","exports":"./index.js"}');
    await writeFile(inFolder("node_modules", "rolldown", "index.js"), fakeRolldown);

    const startProcess = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    const living = startProcess();
    onTestFinished(() => void living.kill("SIGKILL"));
    const killed = startProcess();
    await new Promise((resolve) => {
      killed.on("exit", resolve);
      killed.kill("SIGKILL");
    });
    const hour = 3600;
    const bundles: readonly (readonly [name: string, hoursAgo: number, pid?: number | undefined])[] = [
      ["1", 1],
      ["2", 2],
      ["3", 20],
      ["4", 30],
      ["of-today", 23],
      ["of-yesterday", 31],
      ["run", 300, living.pid],
      ["run-until-killed", 299, killed.pid],
      [".building-abandoned", 1],
    ];
    for (const [name, hoursAgo, pid] of bundles) {
      const marks = inFolder("dist", name, "running");
      await mkdir(marks, { recursive: true });
      if (pid !== undefined) await writeFile(join(marks, String(pid)), "");
      const time = Date.now() / 1000 - hoursAgo * hour;
      for (const path of [marks, inFolder("dist", name)]) await utimes(path, time, time);
    }

    expect(await checkout.run("src/main.ts")).toMatchObject({ code: 0, out: "built\n", err: "" });
    const left = (await readdir(inFolder("dist"))).filter((name) => !/^[0-9a-f]{16}$/.test(name));
    expect(left.toSorted()).toEqual(["1", "2", "3", "of-today", "run"]);
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

  it("the script installs once for several simultaneous starts, and a dead process's lock delays no start", async () => {
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

  it("adds what a lock file from a smaller registry does not list, without a word about it", async () => {
    const checkout = await createCheckout();
    await writeFile(join(checkout.folder, "lock-incomplete"), "");
    expect(await checkout.run("hello.mjs")).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Installing[^\n]*\n$/),
    });
    expect(await checkout.npmCalls()).toEqual([`ci ${runningNode}`, `install ${runningNode} --no-save`]);
  });

  it("links the programs of packages where npm 9.2 leaves them out", async () => {
    const checkout = await createCheckout();
    await writeFile(join(checkout.folder, "link-nothing"), "");
    expect(await checkout.run("hello.mjs")).toMatchObject({ code: 0, err: expect.not.stringContaining("npm") });
    expect(await checkout.npmCalls()).toEqual([`ci ${runningNode}`, `rebuild ${runningNode}`]);
    expect(await readdir(join(checkout.folder, "node_modules", ".bin"))).toEqual(["a"]);
  });

  it("ends as the program ends", async () => {
    const checkout = await createCheckout();
    await checkout.run("hello.mjs");
    expect(await checkout.run("-e", "process.exit(7)")).toMatchObject({ code: 7 });
    expect(await checkout.run("-e", "process.kill(process.pid, 'SIGTERM')")).toMatchObject({ signal: "SIGTERM" });
    expect(await checkout.run()).toMatchObject({ code: 78, err: expect.stringMatching(/usage/) });
  });
});
