import { describe, expect, it } from "vitest";
import { wordsFor } from "../../src/core/words/words.ts";
import type { CommandCall } from "../../src/kernel/commands/command-call.ts";
import type { CommandHandlers } from "../../src/kernel/commands/chat-commands.ts";
import {
  createCommandTable,
  listCommandMenus,
  listCommands,
  readCommand,
} from "../../src/kernel/commands/command-table.ts";
import { features } from "../../src/assembly/features.ts";
import type { Role } from "../../src/kernel/gate/types.ts";

const words = wordsFor("en");
const chatCommands = listCommands(features);
const names = chatCommands.flatMap((command) => command.names);
const handlers = new Proxy({}, { get: () => () => ({ text: "it ran" }) }) as CommandHandlers;
const made = features.map(({ name, commands = [] }) => ({
  name,
  hooks: {},
  tools: {},
  commands: commands.map((row) => ({ ...row, answer: () => ({ text: "it ran" }), complete: async () => [] })),
}));
const { find: findCommand, answer: run } = createCommandTable(handlers, made);
const callOf = (role: Role) =>
  ({ person: { id: "fake:1", name: "One", role }, language: "en", words, rest: "" }) as CommandCall;

async function listReached(role: Role): Promise<readonly string[]> {
  const answers = await Promise.all(names.map(async (name) => ({ name, answer: await run(name, callOf(role)) })));
  return answers.filter(({ answer }) => answer?.text !== words.access.ownerOnly).map(({ name }) => name);
}

describe("the table of chat commands", () => {
  it("gives guests what only shows, members all but what owners keep, owners everything", async () => {
    const openTo = (...who: readonly string[]) =>
      chatCommands.filter((command) => who.includes(command.who)).flatMap((command) => command.names);
    const reached = { guest: await listReached("guest"), member: await listReached("member") };
    expect(reached.guest).toEqual(openTo("everybody"));
    expect(reached.guest).toEqual(expect.arrayContaining(["start", "help", "status", "proof"]));
    for (const kept of ["pair", "trust", "untrust", "resume"]) expect(reached.member).not.toContain(kept);
    expect(reached.member).toEqual(openTo("everybody", "members"));
    expect(await listReached("trusted")).toEqual(reached.member);
    expect(await listReached("owner")).toEqual(names);
  });

  it("tells a guest no more of a command that is not there than of one that is", async () => {
    expect(await run("nothing", callOf("guest"))).toMatchObject({ text: words.access.ownerOnly });
    expect(await run("nothing", callOf("member"))).toEqual({ text: words.command.unknown("/nothing") });
  });

  it("the table has each name once, and only harmless commands are heard while everything is paused", () => {
    expect(new Set(names).size).toBe(names.length);
    const heard = chatCommands.filter(({ whilePaused }) => whilePaused).flatMap((command) => command.names);
    expect(heard.toSorted()).toEqual([
      "console",
      "help",
      "link",
      "pair",
      "proof",
      "resume",
      "start",
      "status",
      "stop",
      "unlink",
      "usage",
      "whoami",
      "帮助",
      "状态",
    ]);
  });

  it("counts what goes to the model, and nothing else, as a message", () => {
    const begins = (text: string) => {
      const { name, rest } = readCommand(text) ?? { name: "", rest: "" };
      return findCommand(name)?.beginsTurn?.(rest) ?? false;
    };
    expect(["/dmail 3 hello", "/mcp read notes a://b", "/mcp prompt notes p"].filter(begins)).toHaveLength(3);
    expect(["/mcp", "/mcp approve notes", "/mcp reader", "/worldline 2", "/new"].filter(begins)).toEqual([]);
  });

  it("fills the menus and /help from the rows", async () => {
    const [menu] = listCommandMenus(chatCommands, "en");
    const listed = menu?.commands.map(({ command }) => command);
    expect(listed).toEqual(chatCommands.flatMap((row) => ((row.menu ?? row.words) ? [row.names[0]] : [])));
    const shared = menu?.commands.filter(({ privateOnly }) => !privateOnly).map(({ command }) => command);
    expect(shared).not.toContain("pair");
    expect(shared).toContain("worldline");
    const ask = async (role: Role, rest: string) => (await run("help", { ...callOf(role), rest }))?.text ?? "";
    const help = await ask("owner", "all");
    for (const {
      names: [name],
    } of chatCommands.filter((row) => (row.menu ?? row.words) !== undefined))
      expect(help).toContain(`/${name}`);
    const everyday = await ask("owner", "");
    expect(everyday).toMatch(/^\/reminders [\s\S]*^\/help all /m);
    expect(everyday).not.toContain("/worldline");
    expect(await ask("guest", "all")).not.toMatch(/\/model|\/trust/);
  });
});
