import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PersonaCheckView, PersonasView, PersonaView } from "../../src/console/views/persona-views.ts";
import { readCard } from "../../src/core/persona/cards/read-card.ts";
import { openPersonas, readShipped } from "../support/console/open-personas.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
const soul = "# Mira\r\nMira keeps gulls.\r\n";

async function begin(...given: Parameters<typeof openPersonas>) {
  const opened = await openPersonas(...given);
  const headers = { cookie: await opened.server.addLogin("owner") };
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await opened.server.ask({ method, path: `/api${path}`, headers, body });
    return { ...answer, view: (answer.text === "" ? undefined : JSON.parse(answer.text)) as unknown };
  };
  return {
    ...opened,
    ask,
    list: async () => ((await ask("GET", "/personas")).view as PersonasView).items,
    async open(id: string, name: string) {
      const view = (await ask("GET", `/personas/${id}`)).view as PersonaView;
      const file = view.files.find((one) => one.name === name);
      if (file === undefined) throw new Error(`${id} has no ${name}`);
      return { ...view, file };
    },
    check: async (id: string, drafts: Readonly<Record<string, string>>) =>
      (await ask("POST", `/personas/${id}/check`, { drafts })).view as PersonaCheckView,
    async save(id: string, name: string, text: string, was: string) {
      const { status, view } = await ask("PUT", `/personas/${id}/${name}`, { text, was });
      return { status, view };
    },
  };
}

describe("the list of personas", () => {
  it("names every persona, the usual one, the conversations that chose one, and the faults", async () => {
    const { kurisu, list, write } = await begin();
    await kurisu.say("你好", { user: "alice" });
    await kurisu.say("/persona default", { user: "alice" });
    await kurisu.say("/persona kurisu", { user: "bob" });
    write("odd", "persona.yaml", "id: odd\nname: 5\n");
    const items = await list();
    expect(items.map(({ id, isShipped, isUsual }) => ({ id, isShipped, isUsual }))).toEqual([
      { id: "default", isShipped: true, isUsual: false },
      { id: "kurisu", isShipped: true, isUsual: false },
      { id: "mira", isShipped: false, isUsual: true },
      { id: "odd", isShipped: false, isUsual: false },
    ]);
    expect(items.find(({ id }) => id === "kurisu")).toMatchObject({
      name: "牧濑红莉栖",
      languages: ["zh", "en", "ja"],
      chats: [{ name: "bob" }],
      chatCount: 1,
      faults: [],
    });
    const odd = items.find(({ id }) => id === "odd");
    expect(odd).toMatchObject({ name: "odd", languages: [] });
    expect(odd?.faults).toContainEqual(
      expect.objectContaining({ place: { file: "persona.yaml", line: 2, column: 7 } }),
    );
  });
});

describe("saving", () => {
  it("the next message is answered with the new soul, and the file keeps every byte", async () => {
    const { kurisu, open, read, save, server } = await begin();
    await kurisu.say("你好", { user: "alice" });
    const { file } = await open("mira", "soul.md");
    expect(file).toEqual({ name: "soul.md", text: soul, was: digest(soul), isMasked: false });
    const mine = soul.replace("gulls", "lighthouses");
    expect(await save("mira", "soul.md", mine, file.was)).toEqual({
      status: 200,
      view: { was: digest(mine), state: "in-force", faults: [], isCopied: false },
    });
    expect(read("mira", "soul.md")).toBe(mine);
    await kurisu.say("你好", { user: "alice" });
    const prompts = kurisu.model.asked.map(({ request }) => JSON.stringify(request.messages[0]));
    expect(prompts.at(0)).toContain("Mira keeps gulls.");
    expect(prompts.at(-1)).toContain("Mira keeps lighthouses.");
    const rows = await server.audited();
    expect(rows).toContainEqual({
      action: "persona.changed",
      actor: "console:owner",
      persona: "mira",
      file: "soul.md",
      state: "in-force",
      isCopied: false,
      login: "login_owner",
    });
    expect(JSON.stringify(rows)).not.toContain("lighthouses");
  });

  it("a persona that came with Kurisu is copied into the own folder, and stays as it is in the shipped one", async () => {
    const { list, now, open, read, save } = await begin();
    const before = readShipped("default", "soul.md");
    const { file } = await open("default", "soul.md");
    const mine = `${before}\nShe likes rain.\n`;
    const end = await save("default", "soul.md", mine, file.was);
    expect(end).toMatchObject({ status: 200, view: { state: "in-force", isCopied: true } });
    expect(readShipped("default", "soul.md")).toBe(before);
    expect(read("default", "soul.md")).toBe(mine);
    expect(read("default", "persona.yaml")).toBe(readShipped("default", "persona.yaml"));
    expect(now().personas.find(({ id }) => id === "default")?.soul).toContain("She likes rain.");
    expect((await list()).find(({ id }) => id === "default")).toMatchObject({ isShipped: false });
    const again = await save("default", "soul.md", before, digest(mine));
    expect(again).toMatchObject({ status: 200, view: { isCopied: false } });
  });

  it("a file that was not there is begun, and an optional one is listed only where it is", async () => {
    const { ask, open, read, save } = await begin();
    expect((await open("mira", "lore.md")).file).toMatchObject({ text: "", was: "" });
    const { files } = (await ask("GET", "/personas/mira")).view as PersonaView;
    expect(files.map(({ name }) => name)).toEqual(["persona.yaml", "soul.md", "lore.md"]);
    expect(await save("mira", "voice.tsv", "none\tGulls again.\n", "")).toMatchObject({ status: 200 });
    expect(read("mira", "voice.tsv")).toBe("none\tGulls again.\n");
  });

  it("the second of two editors is shown the other's text, and nothing of it is lost", async () => {
    const { open, read, save, write } = await begin();
    const { file } = await open("mira", "soul.md");
    write("mira", "soul.md", "theirs\n");
    const met = await save("mira", "soul.md", "mine\n", file.was);
    expect(met).toMatchObject({ status: 409, view: { code: "conflict", theirs: "theirs\n", was: digest("theirs\n") } });
    expect(read("mira", "soul.md")).toBe("theirs\n");
    expect(await save("mira", "soul.md", "mine\n", digest("theirs\n"))).toMatchObject({ status: 200 });
  });

  it("a name that is none of the five, a folder that is no persona, and a malformed request are refused", async () => {
    const { ask, has, save } = await begin();
    for (const name of ["card.json", "..%2F..%2Fsystem%2Fchannels.yaml", "soul.md%00", ".hidden"])
      expect((await save("mira", name, "x", "")).status).toBe(404);
    for (const id of ["nobody", "..%2Fmira", "..", "."]) expect((await save(id, "soul.md", "x", "")).status).toBe(404);
    expect(has("nobody")).toBe(false);
    expect((await ask("PUT", "/personas/mira/soul.md", { text: "x" })).status).toBe(400);
    expect((await save("mira", "soul.md", "x".repeat(500_001), "")).status).toBe(400);
    expect((await ask("POST", "/personas/mira/check", { drafts: { "card.json": "" } })).status).toBe(400);
    expect((await ask("POST", "/personas/nobody/check", { drafts: {} })).status).toBe(404);
    expect((await ask("GET", "/personas/nobody")).status).toBe(404);
  });

  it("a link is neither read nor followed, wherever it leads", async () => {
    const { open, pathOf, save } = await begin();
    const elsewhere = pathOf("mira", "../elsewhere.txt");
    writeFileSync(elsewhere, "not hers");
    rmSync(pathOf("mira", "soul.md"));
    symlinkSync(elsewhere, pathOf("mira", "soul.md"));
    const { file } = await open("mira", "soul.md");
    expect(file).toMatchObject({ isMasked: true, text: "", was: "" });
    const end = await save("mira", "soul.md", "mine", "");
    expect(end).toMatchObject({ status: 422, view: { kind: "unwritable" } });
    expect(readFileSync(elsewhere, "utf8")).toBe("not hers");
    expect(lstatSync(pathOf("mira", "soul.md")).isSymbolicLink()).toBe(true);
  });

  it("a known secret is masked where it is shown, and a text with one is not saved", async () => {
    const { open, read, save, write } = await begin({ environment: { WEATHER_API_KEY: "weather-secret-1" } });
    const { file } = await open("mira", "soul.md");
    const end = await save("mira", "soul.md", `${soul}weather-secret-1\n`, file.was);
    expect(end).toMatchObject({ status: 422, view: { kind: "secret" } });
    expect(read("mira", "soul.md")).toBe(soul);
    write("mira", "lore.md", "weather-secret-1\n");
    const { file: lore } = await open("mira", "lore.md");
    expect(lore).toMatchObject({ isMasked: true, text: "[secret]\n" });
    expect(await save("mira", "lore.md", lore.text, lore.was)).toMatchObject({ status: 422 });
  });
});

describe("faults", () => {
  it.each([
    { file: "persona.yaml", change: "emoji: maybe", place: { line: 2, column: 8 } },
    { file: "voice.tsv", change: "none\tGulls.\nodd label\n", place: { line: 2, column: 1 } },
    { file: "lorebook.json", change: '{\n  "entries": [,]\n}\n', place: { line: 2, column: 15 } },
    { file: "soul.md", change: "", place: { line: 1, column: 1 } },
  ])("a fault of $file is told with line and column, and nothing is written", async ({ change, file, place }) => {
    const { check, pathOf, read, save, write } = await begin();
    const before = file === "persona.yaml" ? read("mira", file).replace(/^emoji:.*\n/m, "") : undefined;
    if (before !== undefined) write("mira", file, before);
    const text = before?.replace("\n", `\n${change}\n`) ?? change;
    const wanted = { place: { file, ...place }, text: expect.any(String) as string };
    expect((await check("mira", { [file]: text })).faults).toContainEqual(wanted);
    const look = () => (existsSync(pathOf("mira", file)) ? read("mira", file) : undefined);
    const stored = look();
    const end = await save("mira", file, text, stored === undefined ? "" : digest(stored));
    expect(end).toMatchObject({ status: 422, view: { kind: "faults", faults: [wanted] } });
    expect(look()).toBe(stored);
  });

  it("a line for the time without a model is checked as at the start, with its place", async () => {
    const { check, read } = await begin();
    const text = `${read("mira", "persona.yaml").replace(/^offline:[^]*$/m, "")}\noffline:\n  zh:\n    odd: [no]\n`;
    const { faults } = await check("mira", { "persona.yaml": text });
    expect(faults).toHaveLength(1);
    expect(faults[0]?.place.line).toBeGreaterThan(1);
    expect(faults[0]?.text).toMatch(/^offline\.zh/);
  });

  it("a check reads all drafts together and counts what the persona costs in every turn", async () => {
    const { check, open } = await begin();
    const { tokens } = await open("mira", "soul.md");
    expect(tokens.map(({ language }) => language)).toContain("zh");
    const drafted = await check("mira", { "soul.md": `${soul}${"海".repeat(100)}`, "lore.md": "猫".repeat(50) });
    expect(drafted.faults).toEqual([]);
    expect((drafted.tokens[0]?.tokens ?? 0) - (tokens[0]?.tokens ?? 0)).toBeGreaterThanOrEqual(149);
    expect((await check("mira", { "soul.md": "" })).tokens).toEqual([]);
  });

  it("a persona with faults in two files is mended one file after the other", async () => {
    const { now, open, save, write } = await begin();
    write("odd", "persona.yaml", "id: odd\nname: 5\n");
    const { file, faults } = await open("odd", "soul.md");
    expect(faults.map(({ place }) => place.file)).toContain("soul.md");
    const first = await save("odd", "soul.md", "Odd.\n", file.was);
    expect(first).toMatchObject({ status: 200, view: { state: "refused" } });
    const { file: yaml } = await open("odd", "persona.yaml");
    const mended = readShipped("default", "persona.yaml").replace(/^id: .*$/m, "id: odd");
    expect((await save("odd", "persona.yaml", mended, yaml.was)).view).toMatchObject({ state: "in-force" });
    expect(now().personas.map(({ id }) => id)).toContain("odd");
  });
});

describe("the usual persona", () => {
  it("another one speaks from the next message on, and the comments of channels.yaml stay", async () => {
    const { ask, channels, kurisu, list, server } = await begin();
    expect((await ask("PUT", "/persona", { id: "kurisu" })).status).toBe(204);
    expect(channels()).toBe("# mine\npersona: kurisu # hers\n");
    expect((await list()).find(({ isUsual }) => isUsual)?.id).toBe("kurisu");
    await kurisu.say("你好", { user: "alice" });
    expect(JSON.stringify(kurisu.model.asked.at(-1)?.request.messages[0])).toContain("红莉栖");
    expect(await server.audited()).toContainEqual({
      action: "persona.chosen",
      actor: "console:owner",
      persona: "kurisu",
      login: "login_owner",
    });
  });

  it("one with faults, one that is not there, and a broken channels.yaml are refused without a change", async () => {
    const { ask, channels, pathOf, write } = await begin();
    write("odd", "persona.yaml", "id: odd\nname: 5\n");
    const odd = await ask("PUT", "/persona", { id: "odd" });
    expect(odd).toMatchObject({ status: 422, view: { code: "faulty" } });
    expect(odd.text).toContain("persona.yaml:");
    expect((await ask("PUT", "/persona", { id: "nobody" })).status).toBe(404);
    expect((await ask("PUT", "/persona", {})).status).toBe(400);
    expect(channels()).toBe("# mine\npersona: mira # hers\n");
    writeFileSync(join(pathOf("mira", "."), "../../system/channels.yaml"), "persona: [\n");
    expect((await ask("PUT", "/persona", { id: "kurisu" })).status).toBe(422);
    expect(channels()).toBe("persona: [\n");
  });
});

describe("the export", () => {
  it("a persona comes out as a card that can be read again, and not with a secret or with faults", async () => {
    const { ask, server, write } = await begin({ environment: { WEATHER_API_KEY: "weather-secret-1" } });
    const json = await ask("GET", "/personas/mira/export?as=json");
    expect(json.headers["content-disposition"]).toBe('attachment; filename="mira.json"');
    const read = await readCard(Buffer.from(json.text));
    expect(read).toMatchObject({ kind: "card" });
    expect(json.text).toContain("Mira keeps gulls.");
    const headers = { cookie: await server.addLogin("owner", "login_second") };
    const png = await server.ask({ path: "/api/personas/mira/export?as=png", headers });
    expect({ status: png.status, type: png.headers["content-type"] }).toEqual({ status: 200, type: "image/png" });
    expect((await ask("GET", "/personas/mira/export?as=charx")).status).toBe(400);
    expect((await ask("GET", "/personas/nobody/export?as=json")).status).toBe(404);
    write("mira", "soul.md", "weather-secret-1\n");
    expect((await ask("GET", "/personas/mira/export?as=json")).status).toBe(422);
    write("mira", "soul.md", "");
    expect((await ask("GET", "/personas/mira/export?as=json")).status).toBe(422);
  });
});
