import { createHash } from "node:crypto";
import { lstatSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ConfigCheckView, ConfigFileView, ConfigView } from "../../src/console/views/config-views.ts";
import { openConfig } from "../support/console/open-config.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

async function begin(...given: Parameters<typeof openConfig>) {
  const opened = await openConfig(...given);
  const headers = { cookie: await opened.server.addLogin("owner") };
  const ask = async (method: string, path: string, body?: object) => {
    const { status, text } = await opened.server.ask({ method, path: `/api/config${path}`, headers, body });
    return { status, view: JSON.parse(text) as unknown };
  };
  return {
    ...opened,
    async open(name: string): Promise<ConfigFileView> {
      const { files } = (await ask("GET", "")).view as ConfigView;
      const found = files.find((file) => file.name === name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    },
    check: async (file: string, text: string) => (await ask("POST", "/check", { file, text })).view as ConfigCheckView,
    save: (file: string, text: string, was: string) => ask("PUT", `/${file}`, { text, was }),
    ask,
  };
}

const schedule = "# mine\r\nreminders:\r\n  person: 50 # each\r\n\r\n  guest: 0\r\n";

describe("saving", () => {
  it("a saved text keeps every byte, comes into force at once, and leaves a row with the keys and no value", async () => {
    const { now, open, read, save, server } = await begin({ schedule: `\uFEFF${schedule}` });
    const { text, was } = await open("schedule");
    expect(text).toBe(`\uFEFF${schedule}`);
    expect(was).toBe(digest(text));
    const mine = text.replace("person: 50 # each", "person: 432 # each, 每人");
    const { status, view } = await save("schedule", mine, was);
    expect({ status, view }).toEqual({ status: 200, view: { state: "in-force", was: digest(mine) } });
    expect(read("schedule").toString()).toBe(mine);
    expect(now().written["schedule"]).toMatchObject({ reminders: { person: 432 } });
    expect(await server.audited()).toContainEqual({
      action: "config.changed",
      actor: "console:owner",
      file: "schedule.yaml",
      keys: ["reminders.person"],
      state: "in-force",
      login: "login_owner",
    });
    expect(JSON.stringify(await server.audited())).not.toContain("432");
  });

  it("the answer names the keys that wait for a restart", async () => {
    const { ask, open, save } = await begin({ channels: "telegram:\n  mentionOnly: true\n" });
    const { was } = await open("channels");
    const { view } = await save("channels", "telegram:\n  mentionOnly: false\n  reactions: false\n", was);
    expect(view).toMatchObject({ state: "waits", keys: ["channels.yaml: telegram.reactions"] });
    expect((await ask("GET", "")).view).toMatchObject({ waiting: ["channels.yaml: telegram.reactions"] });
  });

  it("a file that was not there is written", async () => {
    const { open, read, save } = await begin({});
    expect(await open("models")).toMatchObject({ text: "", was: "" });
    expect((await save("models", "rounds: { chat: 6 }\n", "")).view).toMatchObject({ state: "in-force" });
    expect(read("models").toString()).toBe("rounds: { chat: 6 }\n");
  });

  it("the second of two editors is shown the other's text, and can go on from there", async () => {
    const { open, read, save, write } = await begin({ schedule });
    const { was } = await open("schedule");
    const theirs = schedule.replace("50", "51");
    write("schedule", theirs);
    const mine = schedule.replace("50", "52");
    const met = await save("schedule", mine, was);
    expect(met).toMatchObject({ status: 409, view: { code: "conflict", theirs, was: digest(theirs) } });
    expect(read("schedule").toString()).toBe(theirs);
    expect((await save("schedule", mine, digest(theirs))).view).toMatchObject({ state: "in-force" });
  });

  it("one of two saves that come together is taken", async () => {
    const { open, save } = await begin({ schedule });
    const { was } = await open("schedule");
    const ends = await Promise.all(["52", "53"].map((count) => save("schedule", schedule.replace("50", count), was)));
    expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it("a malformed request is refused, and a file that is not of the list", async () => {
    const { ask, save } = await begin({ schedule });
    expect((await save("..%2Fmcp", "{}", "")).status).toBe(404);
    expect((await save("mcp", "{}", "")).status).toBe(404);
    expect((await ask("POST", "/check", { file: "mcp", text: "" })).status).toBe(404);
    expect((await ask("PUT", "/schedule", { text: "x".repeat(300_000), was: "" })).status).toBe(400);
    expect((await ask("PUT", "/schedule", { text: "{}" })).status).toBe(400);
  });
});

describe("faults", () => {
  it("faults are told with line, column and key, and nothing is written", async () => {
    const { check, open, read, save } = await begin({ schedule });
    const { was } = await open("schedule");
    const faulty = "reminders:\n  person: many\n  gest: 0\n";
    const { faults } = await check("schedule", faulty);
    expect(faults.map(({ isHere, place }) => ({ isHere, place }))).toEqual([
      { isHere: true, place: { file: "schedule.yaml", line: 2, column: 11 } },
      { isHere: true, place: { file: "schedule.yaml", line: 3, column: 3 } },
    ]);
    expect(faults[0]?.text).toMatch(/^reminders\.person: /);
    const end = await save("schedule", faulty, was);
    expect(end).toMatchObject({ status: 422, view: { kind: "faults", faults } });
    expect(read("schedule").toString()).toBe(schedule);
    expect((await check("schedule", "reminders: [\n")).faults[0]?.place?.line).toBeGreaterThan(0);
  });

  it("faults of the whole configuration count: a key may stand in one of two files only", async () => {
    const { open, save } = await begin({ sandbox: "pids: 32\n", tools: "{}\n" });
    const { was } = await open("tools");
    const end = await save("tools", "sandbox:\n  pids: 64\n", was);
    expect(end).toMatchObject({ status: 422, view: { kind: "faults" } });
    expect(JSON.stringify(end.view)).toContain("is also set in sandbox.yaml");
  });

  it("a file that is broken already is opened and mended, also beside another broken one", async () => {
    const { now, open, save, write } = await begin({ schedule, models: "rounds: { chat: 5 }\n" });
    write("schedule", "reminders: [\n");
    write("models", "rounds: { chat: many }\n");
    const broken = await open("schedule");
    expect(broken.text).toBe("reminders: [\n");
    expect(broken.faults).toHaveLength(1);
    const mended = await save("schedule", "reminders: { person: 9 }\n", broken.was);
    expect(mended).toMatchObject({ status: 200, view: { state: "refused" } });
    expect(JSON.stringify(mended.view)).toContain("models.yaml");
    const { was } = await open("models");
    expect((await save("models", "rounds: { chat: 7 }\n", was)).view).toMatchObject({ state: "in-force" });
    expect(now().written).toMatchObject({ schedule: { reminders: { person: 9 } }, models: { rounds: { chat: 7 } } });
  });
});

describe("files that cannot be read", () => {
  it("one whose link leads nowhere is not taken for an empty one, and the link stays", async () => {
    const { open, pathOf, save } = await begin({ schedule });
    rmSync(pathOf("schedule"));
    symlinkSync("/nowhere/schedule.yaml", pathOf("schedule"));
    const shown = await open("schedule");
    expect(shown).toMatchObject({ isMasked: true, text: "" });
    const end = await save("schedule", "reminders: { person: 9 }\n", shown.was);
    expect(end).toMatchObject({ status: 422, view: { kind: "unwritable" } });
    expect(lstatSync(pathOf("schedule")).isSymbolicLink()).toBe(true);
  });

  it("an alias within its own anchor is refused, and so is a text with ambiguous keys", async () => {
    const { check, open, save } = await begin({ schedule });
    const { was } = await open("schedule");
    for (const text of ["reminders: &a { person: 9, tasks: *a }\n", "reminders: !odd { person: 9 }\n"]) {
      await check("schedule", text);
      expect((await save("schedule", text, was)).status).toBe(422);
    }
  });

  it("a section whose last key is taken out may stay without keys", async () => {
    const { open, save } = await begin({ schedule: "reminders:\n  person: 50\n" });
    const { was } = await open("schedule");
    const end = await save("schedule", "reminders:\n#  person: 50\n", was);
    expect(end.view).not.toMatchObject({ kind: "locked" });
  });
});

describe("secrets", () => {
  it("a known one is masked, and a text with one is not saved", async () => {
    const environment = { WEATHER_API_KEY: "weather-secret-1" };
    const tools = "# weather-secret-1\nexclude: []\n";
    const { open, save } = await begin({ tools, schedule }, { environment });
    const shown = await open("tools");
    expect(shown).toMatchObject({ isMasked: true, text: "# [secret]\nexclude: []\n" });
    expect(await save("tools", shown.text, shown.was)).toMatchObject({ status: 422, view: { kind: "secret" } });
    const { was } = await open("schedule");
    const end = await save("schedule", `# weather-secret-1\n${schedule}`, was);
    expect(end).toMatchObject({ status: 422, view: { kind: "secret" } });
  });
});
