import { ownToolWords } from "./words.ts";
import { z } from "zod";
import { payloadLimit } from "../../core/persona/show-payload.ts";
import type { Language } from "../../core/conversation.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { Tool } from "../../kernel/tools/types.ts";
import type { OwnTools } from "./create-own-tools.ts";
import type { OwnToolFile } from "./read-own-tools.ts";

/** The first use of a tool of config/tools: an owner reads all of its code, and approves exactly that. */
export function createUseToolTool({ own }: { readonly own: Pick<OwnTools, "waiting" | "admit"> }): Tool {
  function find(name: string) {
    const file = own.waiting().find((one) => one.name === name);
    const names = own.waiting().map((one) => one.name);
    return file
      ? ({ ok: true, file } as const)
      : ({ ok: false, error: `No tool ${name} waits for a yes. Waiting: ${names.join(", ") || "none"}.` } as const);
  }

  const tool = defineTool({
    name: "use_tool",
    description: { zh: "", en: "" },
    input: z.strictObject({ name: z.string().min(1).max(64).describe("Name of the tool.") }),
    level: "confirm",
    ownerOnly: true,
    alwaysAsks: true,
    readOnly: false,
    idempotent: true,
    place: "gateway",
    timeoutMs: 30_000,
    summarize: ({ name }) => name,
    availability: () =>
      own.waiting().length > 0 ? { ok: true } : { ok: false, reason: "No tool of config/tools waits for a yes." },
    async inspect({ name }, { language }) {
      const found = find(name);
      if (!found.ok) return found;
      const detail = describe(found.file, language);
      // The approval covers the text that was read, so nothing of it may be cut.
      return detail.length <= payloadLimit
        ? { ok: true, detail }
        : { ok: false, error: `config/tools/${name}.ts is too long to be shown whole; make it shorter.` };
    },
    async binding({ name }) {
      const found = find(name);
      return found.ok ? found.file.digest : null;
    },
    async run({ name }, { person, now, language, shown }) {
      const found = find(name);
      if (!found.ok) return found;
      if (shown !== undefined && shown !== describe(found.file, language))
        return { ok: false, error: `config/tools/${name}.ts is not what the person was shown; ask once more.` };
      const problem = await own.admit(found.file, person.id, new Date(now).toISOString());
      if (problem !== undefined) return { ok: false, error: `It may run, but it cannot: ${problem}` };
      const note = "It is offered from the next message on.";
      return { ok: true, output: { tool: name, sha256: found.file.digest, note }, message: name };
    },
  });
  return {
    ...tool,
    // The waiting tools may change while Kurisu runs.
    get description() {
      const names = own.waiting().map(({ name }) => name);
      return {
        zh: `主人写的工具第一次用之前，要主人看过代码、点头。等着的有：${names.join("、")}。`,
        en: `Before the first use of a tool that the owner has written, the owner reads its code and says yes. Waiting: ${names.join(", ")}.`,
      };
    },
  } as Tool;
}

function describe({ name, source, digest }: OwnToolFile, language: Language): string {
  const ownTool = ownToolWords[language].ownTool;
  return [`config/tools/${name}.ts`, `SHA-256 ${digest}`, ownTool, "", source].join("\n");
}
