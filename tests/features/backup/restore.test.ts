// full: a second database, and starts the program
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Header } from "tar";
import { describe, expect, test } from "vitest";
import { nameCheckFolder } from "../../../src/sandbox/mount-check.ts";
import { createKurisuFolder, type KurisuFolder } from "../../support/kurisu-process/kurisu-folder.ts";
import { runHere } from "../../support/kurisu-process/run-here.ts";
import { createBarePlace, listEngines } from "../../support/store-engines.ts";
import { postgresIsThere } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

interface Place {
  readonly folder: KurisuFolder;
  readonly environment: Readonly<Record<string, string>>;
}

async function createPlace(engine: "sqlite" | "postgres"): Promise<Place> {
  const { url } = await createBarePlace(engine);
  const environment = { KURISU_MODEL: "offline", ...(url !== undefined && { DATABASE_URL: url }) };
  return { folder: createKurisuFolder(), environment };
}

const say = async (place: Place, text: string): Promise<string> =>
  (await runHere(["chat", "--once", text, "--json"], place)).out;

/** Everything in a folder, by path; databases and locks count by their names alone. */
/**
 * A cache is written when there is time for it, and the folder by which a start finds out what containers see comes and goes:
 * both may be after a program's end was asked for.
 */
function listTree(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const checked = basename(nameCheckFolder(join(realpathSync(dirname(folder)), basename(folder), "workspaces")));
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path !== join("workspaces", checked))
    .filter((path) => !/^(?:kurisu\.(?:pid|lock)|cache(?:$|\/))/.test(path))
    .toSorted();
}

async function backUp(place: Place): Promise<string> {
  const file = join(await createTemporaryFolder(), "kurisu.tar.gz");
  const made = await runHere(["backup", file, "--json"], place);
  expect(made).toMatchObject({ code: 0, error: "" });
  return file;
}

describe.each(listEngines())("kurisu backup and restore on %s", (engine) => {
  test("memories, files of chats, installed things and an intact audit come back in an empty place", async () => {
    const place = await createPlace(engine);
    await say(place, "记住我喜欢红茶");
    mkdirSync(join(place.folder.home, "workspaces", "s1", "深"), { recursive: true });
    writeFileSync(join(place.folder.home, "workspaces", "s1", "深", `${"长".repeat(60)}.txt`), "hello");
    symlinkSync("/etc/passwd", join(place.folder.home, "workspaces", "s1", "link"));
    writeFileSync(join(place.folder.home, "mcp-logins.json"), "{}");
    const file = join(await createTemporaryFolder(), "kurisu.tar.gz");
    const made = await runHere(["backup", file], place);
    expect(made).toMatchObject({ code: 0, error: "" });
    expect(made.out).toContain("the configuration (config/, .env)");
    expect(made.out).toContain("1 link, pipe or unreadable file");
    expect(made.out).toContain("Secrets are in it");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const listed = execFileSync("tar", ["-tzf", file], { encoding: "utf8" });
    expect(listed).toContain(engine === "sqlite" ? "database/kurisu.db" : "database/messages.ndjson");
    expect(listed.trim().split("\n").at(-1)).toBe("manifest.json");

    const other = await createPlace(engine);
    expect(await runHere(["restore", file], other)).toMatchObject({ code: 0, error: "" });
    const text = readFileSync(join(other.folder.home, "workspaces", "s1", "深", `${"长".repeat(60)}.txt`), "utf8");
    expect(text).toBe("hello");
    expect(existsSync(join(other.folder.home, "workspaces", "s1", "link"))).toBe(false);
    expect(existsSync(join(other.folder.home, "mcp-logins.json"))).toBe(true);
    expect((await runHere(["memory", "list"], other)).out).toContain("红茶");
    expect((await runHere(["audit", "verify"], other)).out).toMatch(/^intact: /);
    expect((await runHere(["audit", "show"], other)).out).toContain("backup.restored");
    expect(await say(other, "现在几点")).toContain('"type":"reply"');
    expect(listTree(other.folder.home).filter((path) => path.startsWith("restor"))).toEqual([]);
  });

  test("data that is there is moved aside only with --replace, and nothing of it is deleted", async () => {
    const place = await createPlace(engine);
    await say(place, "记住我喜欢红茶");
    const file = await backUp(place);
    await say(place, "记住我住在东京");
    writeFileSync(join(place.folder.home, "mcp-logins.json"), "later");
    const refused = await runHere(["restore", file, "--json"], place);
    expect(JSON.parse(refused.out)).toMatchObject({ type: "error", code: "RESTORE_REFUSED" });
    expect(refused.out).toContain("--replace");
    expect((await runHere(["memory", "list"], place)).out).toContain("东京");

    const restored = await runHere(["restore", file, "--replace"], place);
    expect(restored).toMatchObject({ code: 0, error: "" });
    // People who were erased since are still in it.
    expect(restored.out.includes("the schema before_restore_")).toBe(engine === "postgres");
    const told = (await runHere(["memory", "list"], place)).out;
    expect(told).toContain("红茶");
    expect(told).not.toContain("东京");
    const aside = readdirSync(place.folder.home).find((name) => name.startsWith("before-restore-")) ?? "";
    expect(readFileSync(join(place.folder.home, aside, "mcp-logins.json"), "utf8")).toBe("later");
    expect(existsSync(join(place.folder.home, aside, "kurisu.db"))).toBe(engine === "sqlite");
    expect((await runHere(["audit", "verify"], place)).out).toMatch(/^intact: /);
  });
});

test("a backup overwrites no file, follows no link, leaves no half file, and stays out of the data folder", async () => {
  const place = await createPlace("sqlite");
  await say(place, "你好");
  const folder = await createTemporaryFolder();
  const there = join(folder, "there.tar.gz");
  writeFileSync(there, "mine");
  symlinkSync(join(folder, "nowhere"), join(folder, "link.tar.gz"));
  const refusals = [
    { file: there, says: "exists already" },
    { file: join(folder, "link.tar.gz"), says: "is a link" },
    { file: join(folder, "no", "x.tar.gz"), says: "Its folder is not there" },
    { file: join(place.folder.home, "x.tar.gz"), says: "is in the data folder" },
  ];
  for (const { file, says } of refusals) {
    const { code, error } = await runHere(["backup", file], place);
    expect({ file, code: code !== 0, error }).toMatchObject({
      file,
      code: true,
      error: expect.stringContaining(says) as string,
    });
  }
  expect(readFileSync(there, "utf8")).toBe("mine");
  expect(readdirSync(folder).toSorted()).toEqual(["link.tar.gz", "there.tar.gz"]);
});

/** One entry of a tar. */
function makeEntry(given: {
  readonly path: string;
  readonly type?: "File" | "SymbolicLink";
  readonly text?: string;
}): Buffer {
  const text = Buffer.from(given.text ?? "");
  const header = new Header({
    path: given.path,
    type: given.type ?? "File",
    size: text.length,
    mode: 0o600,
    linkpath: "/etc/passwd",
  });
  header.encode();
  return Buffer.concat([header.block ?? Buffer.alloc(0), text, Buffer.alloc((512 - (text.length % 512)) % 512)]);
}

test("a damaged, cut, forged or foreign file is refused, and nothing is touched", async () => {
  const place = await createPlace("sqlite");
  await say(place, "记住我喜欢红茶");
  const sound = readFileSync(await backUp(place));
  const unpacked = gunzipSync(sound);
  const flip = (bytes: Buffer, at: number): Buffer => {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return changed;
  };
  const manifest = unpacked.indexOf('{\n "format": 1');
  const newer = Buffer.from(unpacked);
  newer.write("9", manifest + '{\n "format": '.length);
  const cases: Readonly<Record<string, Buffer>> = {
    "a flipped bit of the checksum of the packed file": flip(sound, sound.length - 7),
    "a flipped bit of the database": gzipSync(flip(unpacked, 512 + 5_000)),
    "a cut end": sound.subarray(0, sound.length - 100),
    "a cut end, packed again": gzipSync(unpacked.subarray(0, unpacked.length >> 1)),
    "no tar at all": gzipSync(Buffer.from("hello".repeat(500))),
    "not even packed": Buffer.from("hello".repeat(500)),
    "an empty file": Buffer.alloc(0),
    "a path that leads out": gzipSync(Buffer.concat([makeEntry({ path: "files/../../escaped", text: "x" }), unpacked])),
    "an absolute path": gzipSync(Buffer.concat([makeEntry({ path: "/tmp/kurisu-escaped", text: "x" }), unpacked])),
    "a link": gzipSync(Buffer.concat([makeEntry({ path: "files/link", type: "SymbolicLink" }), unpacked])),
    "a lock of the data folder": gzipSync(
      Buffer.concat([makeEntry({ path: "files/kurisu.lock", text: "x" }), unpacked]),
    ),
    "a file that its manifest does not name": gzipSync(
      Buffer.concat([makeEntry({ path: "files/more", text: "x" }), unpacked]),
    ),
    "a format of a newer version": gzipSync(newer),
  };
  const file = join(await createTemporaryFolder(), "b.tar.gz");
  const empty = await createPlace("sqlite");
  for (const [name, bytes] of Object.entries(cases)) {
    writeFileSync(file, bytes);
    // The look at the container engine takes its own file away when it has ended.
    await expect.poll(() => listTree(place.folder.home).filter((name) => name.endsWith("/nonce"))).toEqual([]);
    const before = listTree(place.folder.home);
    const { out } = await runHere(["restore", file, "--replace", "--json"], place);
    const code = name.includes("newer") ? "STORE_NEWER" : "BACKUP_DAMAGED";
    expect({ name, ...(JSON.parse(out) as object) }).toMatchObject({ name, type: "error", code });
    expect({ name, tree: listTree(place.folder.home) }).toEqual({ name, tree: before });
    await runHere(["restore", file], empty);
    expect({ name, tree: listTree(empty.folder.home) }).toEqual({ name, tree: [] });
  }
  expect((await runHere(["memory", "list"], place)).out).toContain("红茶");
});

test.runIf(postgresIsThere())(
  "a backup of one engine is not restored into the other; the message names migrate-store",
  async () => {
    const from = await createPlace("sqlite");
    await say(from, "你好");
    const file = await backUp(from);
    const { out } = await runHere(["restore", file, "--json"], await createPlace("postgres"));
    expect(JSON.parse(out)).toMatchObject({ code: "RESTORE_REFUSED" });
    expect(out).toContain("migrate-store");
  },
);

test("a damaged database refuses to start and names the newest backup, and the command brings it back", async () => {
  const place = await createPlace("sqlite");
  const { home } = place.folder;
  await say(place, "记住我喜欢红茶");
  mkdirSync(join(home, "backups"));
  const newest = join(home, "backups", "kurisu-2026-11-22T04-05-06Z.tar.gz");
  expect((await runHere(["backup", newest], place)).code).toBe(0);
  const sound = readFileSync(join(home, "kurisu.db"));
  const damage: readonly (() => void)[] = [
    () => writeFileSync(join(home, "kurisu.db"), Buffer.concat([Buffer.from("garbage!"), sound.subarray(8)])),
    () => {
      // A page in the middle, after an end that was none: the log is still there.
      writeFileSync(
        join(home, "kurisu.db"),
        Buffer.concat([sound.subarray(0, 8_192), Buffer.alloc(8_192, 0xab), sound.subarray(16_384)]),
      );
      writeFileSync(join(home, "kurisu.db-wal"), "x");
    },
  ];
  for (const spoil of damage) {
    spoil();
    const { out } = await runHere(["chat", "--once", "你好", "--json"], place);
    expect(out).toContain('"code":"DATABASE_DAMAGED"');
    expect(out).toContain(`restore ${newest} --replace`);
    expect(await runHere(["restore", newest, "--replace"], place)).toMatchObject({ code: 0, error: "" });
    expect((await runHere(["memory", "list"], place)).out).toContain("红茶");
    for (const name of readdirSync(home))
      if (name.startsWith("before-restore-")) rmSync(join(home, name), { recursive: true });
  }
});

test("a restore that was cut off is finished before anything starts", async () => {
  const place = await createPlace("sqlite");
  await say(place, "你好");
  const file = await backUp(place);
  writeFileSync(join(place.folder.home, "restore-unfinished"), "");
  expect((await runHere(["chat", "--once", "你好", "--json"], place)).out).toContain('"code":"RESTORE_UNFINISHED"');
  expect((await runHere(["restore", file, "--replace"], place)).code).toBe(0);
  expect(await say(place, "你好")).toContain('"type":"reply"');
});
