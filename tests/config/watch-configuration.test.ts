import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listSharedWatches } from "../../src/features/skills/loader/shared-folders.ts";
import { watchConfiguration } from "../../src/config/watch-configuration.ts";
import { loadConfiguration } from "../../src/config.ts";
import type { Configuration } from "../../src/config.ts";
import { ConfigFolder } from "../support/config-folder.ts";
import { patienceMs } from "../support/patience.ts";

const models = (rounds: number): string => `rounds:\n  chat: ${rounds}\n`;

describe("watchConfiguration", () => {
  let folder: ConfigFolder;
  let stop: AbortController;
  const loaded: Configuration[] = [];
  const faults: string[] = [];

  beforeEach(() => {
    folder = new ConfigFolder();
    stop = new AbortController();
    loaded.length = 0;
    faults.length = 0;
    folder.write("config/system/models.yaml", models(1));
    const shipped = join(import.meta.dirname, "../../config/personas/kurisu");
    cpSync(shipped, join(folder.path, "config/personas/kurisu"), { recursive: true });
  });
  afterEach(() => {
    stop.abort();
    folder.remove();
  });

  function startWatching(): { reload(): void } {
    return watchConfiguration({
      load: () => folder.load(),
      folder: join(folder.path, "config"),
      debounceMs: 20,
      onChange: (next) => void loaded.push(next),
      onFault: (text) => void faults.push(text),
      onUnwatched: (text) => void faults.push(text),
      signal: stop.signal,
    });
  }

  const rounds = (): number | undefined => loaded.at(-1)?.agents.rounds.chat;
  const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: patienceMs, interval: 10 });

  it("sees a file written in place and one replaced by renaming, again and again", async () => {
    startWatching();
    for (let round = 2; round < 8; round += 2) {
      folder.write("config/system/models.yaml", models(round));
      await eventually(() => expect(rounds()).toBe(round));
      renameSync(folder.write("config/system/.models.new", models(round + 1)), modelsFile());
      await eventually(() => expect(rounds()).toBe(round + 1));
    }
    expect(faults).toEqual([]);
  });

  it("goes on watching a folder that another took the place of", async () => {
    startWatching();
    const system = join(folder.path, "config/system");
    cpSync(system, join(folder.path, "next"), { recursive: true });
    renameSync(system, join(folder.path, "before"));
    renameSync(join(folder.path, "next"), system);
    folder.write("config/personas/touch", "x");
    await eventually(() => expect(loaded.length).toBeGreaterThan(0));
    folder.write("config/system/models.yaml", models(7));
    await eventually(() => expect(rounds()).toBe(7));
  });

  it("goes on watching a folder that was removed and made again at once, whose number the system may give out again", async () => {
    const soul = "config/personas/kurisu/soul.md";
    const persona = join(folder.path, "config/personas/kurisu");
    const shipped = join(import.meta.dirname, "../../config/personas/kurisu");
    startWatching();
    for (let round = 0; round < 4; round += 1) {
      rmSync(persona, { recursive: true });
      cpSync(shipped, persona, { recursive: true });
      folder.write(soul, `made again ${round}`);
      await eventually(() => expect(loaded.at(-1)?.persona.soul).toBe(`made again ${round}`));
      folder.write(soul, `changed ${round}`);
      await eventually(() => expect(loaded.at(-1)?.persona.soul).toBe(`changed ${round}`));
    }
  });

  it("sees one file elsewhere as it comes, changes and goes, and no other file beside it", async () => {
    watchConfiguration({
      load: () => folder.load(),
      folder: join(folder.path, "config"),
      files: [join(folder.path, ".mcp.json")],
      debounceMs: 20,
      onChange: (next) => void loaded.push(next),
      onFault: (text) => void faults.push(text),
      onUnwatched: (text) => void faults.push(text),
      signal: stop.signal,
    });
    const names = () => loaded.at(-1)?.mcp.servers.map(({ name }) => name);
    const write = (name: string) => folder.write(".mcp.json", `{"mcpServers":{"${name}":{"command":"x"}}}`);
    folder.write("other.json", "{}");
    write("one");
    await eventually(() => expect(names()).toEqual(["one"]));
    renameSync(folder.write(".mcp.new", `{"mcpServers":{"two":{"command":"x"}}}`), join(folder.path, ".mcp.json"));
    await eventually(() => expect(names()).toEqual(["two"]));
    folder.write(".mcp.json", "{");
    await eventually(() => expect(loaded.at(-1)?.mcp.warnings.at(-1)).toMatch(/^\.mcp\.json:1:/));
    expect(names()).toEqual([]);
    write("three");
    await eventually(() => expect(names()).toEqual(["three"]));
    expect(faults).toEqual([]);
    rmSync(join(folder.path, ".mcp.json"));
    await eventually(() => expect(names()).toEqual([]));
    const count = loaded.length;
    folder.write("other.json", "{ }");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(loaded).toHaveLength(count);
  });

  it("sees folders that other agents read, too, as they come, change and go, and follows nothing out of them", async () => {
    const at = (name: string) => folder.write(name, "---\nname: x\ndescription: one\n---\ntext\n");
    const shared = () =>
      loaded
        .at(-1)
        ?.skills.list()
        .flatMap(({ id, origin, context }) => (origin === "shared" ? [`${id}: ${context}`] : []));
    watchConfiguration({
      load: () =>
        loadConfiguration({ environment: { HOME: join(folder.path, "home") }, workingDirectory: folder.path }),
      folder: join(folder.path, "config"),
      shared: () => [folder.path, join(folder.path, "home")].map((place) => join(place, ".agents/skills")),
      debounceMs: 20,
      onChange: (next) => void loaded.push(next),
      onFault: (text) => void faults.push(text),
      onUnwatched: (text) => void faults.push(text),
      signal: stop.signal,
    });
    at(".agents/skills/notes/SKILL.md");
    await eventually(() => expect(shared()).toEqual(["notes: text"]));
    folder.write(".agents/skills/notes/SKILL.md", "---\ndescription: one\n---\nother\n");
    await eventually(() => expect(shared()).toEqual(["notes: other"]));
    // Links out of it, and a pipe that would never end.
    at("outside/SKILL.md");
    symlinkSync(join(folder.path, "outside"), join(folder.path, ".agents/skills/linked"));
    mkdirSync(join(folder.path, ".agents/skills/file"));
    symlinkSync(join(folder.path, "outside/SKILL.md"), join(folder.path, ".agents/skills/file/SKILL.md"));
    mkdirSync(join(folder.path, ".agents/skills/pipe"));
    execFileSync("mkfifo", [join(folder.path, ".agents/skills/pipe/SKILL.md")]);
    const problems = () => loaded.at(-1)?.skills.warnings.map(({ problem }) => problem);
    await eventually(() => expect(problems()?.filter((problem) => problem === "is no file")).toHaveLength(2));
    const [place, home] = [folder.path, join(folder.path, "home")];
    const agents = (...names: string[]) => join(place, ".agents", ...names);
    const all = undefined;
    expect(listSharedWatches([agents("skills"), join(home, ".agents/skills")])).toEqual(
      new Map([
        [place, new Set([".agents"])],
        [agents(), new Set(["skills"])],
        [agents("skills"), all],
        ...["file", "notes", "pipe"].map((name) => [agents("skills", name), all] as const),
        [home, new Set([".agents"])],
      ]),
    );
    expect(shared()).toEqual(["notes: other"]);
    // The whole folder goes, and another comes in its place that is only a link.
    rmSync(join(folder.path, ".agents"), { recursive: true });
    await eventually(() => expect(shared()).toEqual([]));
    at("elsewhere/skills/notes/SKILL.md");
    symlinkSync(join(folder.path, "elsewhere"), join(folder.path, ".agents"));
    await eventually(() => expect(problems()).toContain("is a link and not followed"));
    expect(shared()).toEqual([]);
    mkdirSync(join(home, ".agents"), { recursive: true });
    symlinkSync(join(folder.path, "elsewhere/skills"), join(home, ".agents/skills"));
    expect(listSharedWatches([agents("skills"), join(home, ".agents/skills")])).toEqual(
      new Map([
        [place, new Set([".agents"])],
        [home, new Set([".agents"])],
        [join(home, ".agents"), new Set(["skills"])],
      ]),
    );
    rmSync(join(folder.path, ".agents"));
    at(".agents/skills/again/SKILL.md");
    await eventually(() => expect(shared()).toEqual(["again: text"]));
    expect(faults).toEqual([]);
  });

  it("reports a faulty change once, keeps quiet about the rest, and picks up the repair", async () => {
    startWatching();
    folder.write("config/system/models.yaml", "rounds: many\n");
    await eventually(() => expect(faults).toHaveLength(1));
    expect(faults[0]).toBe("config/system/models.yaml:1:9 rounds: expected object, received string");
    folder.write("config/system/models.yaml", "rounds: many\n");
    folder.write("config/system/models.yaml", "rounds: more\nx: 1\n");
    await eventually(() => expect(faults).toHaveLength(2));
    expect(loaded).toEqual([]);
    folder.write("config/system/models.yaml", models(9));
    await eventually(() => expect(rounds()).toBe(9));
    expect(faults).toHaveLength(2);
  });

  it("sees what is in folders made later, and folders that come back", async () => {
    startWatching();
    folder.write("config/agents/new/deep/prompt.md", "a");
    await eventually(() => expect(loaded.length).toBeGreaterThan(0));
    const before = loaded.length;
    folder.write("config/agents/new/deep/prompt.md", "b");
    await eventually(() => expect(loaded.length).toBeGreaterThan(before));

    rmSync(join(folder.path, "config/system"), { recursive: true });
    await eventually(() => expect(rounds()).toBe(5));
    mkdirSync(join(folder.path, "config/system"));
    folder.write("config/system/models.yaml", models(3));
    await eventually(() => expect(rounds()).toBe(3));
    folder.write("config/system/models.yaml", models(4));
    await eventually(() => expect(rounds()).toBe(4));
  });

  it("sees a changed persona", async () => {
    startWatching();
    folder.write("config/personas/kurisu/soul.md", "Makise");
    await eventually(() => expect(loaded.at(-1)?.persona.soul).toBe("Makise"));
  });

  it("keeps the last good persona when the changed one is faulty", async () => {
    startWatching();
    folder.write("config/personas/kurisu/soul.md", "");
    await eventually(() => expect(faults[0]).toContain("config/personas/kurisu/soul.md:1:1"));
    expect(loaded).toEqual([]);
  });

  it("reloads when it is told to", () => {
    startWatching().reload();
    expect(rounds()).toBe(1);
  });

  it("watches nothing any more once it is stopped, and needs no folder to begin with", async () => {
    startWatching();
    folder.write("config/system/models.yaml", models(2));
    stop.abort();
    folder.write("config/system/models.yaml", models(3));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(loaded).toEqual([]);

    stop = new AbortController();
    rmSync(join(folder.path, "config"), { recursive: true });
    startWatching().reload();
    expect(rounds()).toBe(5);
    expect(faults).toEqual([]);
  });

  function modelsFile(): string {
    return join(folder.path, "config/system/models.yaml");
  }
});
