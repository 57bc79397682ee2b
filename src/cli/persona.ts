import { checkReplies } from "./persona/check.ts";
import { evaluatePersona } from "./persona/eval.ts";
import { exportPersona } from "./persona/export.ts";
import { importCard } from "./persona/import.ts";
import { printLore } from "./persona/lore.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import type { Command, CommandContext } from "./types.ts";
import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { cardVersions, type CardVersion } from "../core/persona/cards/character-card.ts";
import { cardFormats, type CardFormat } from "../core/persona/cards/write-card.ts";
import { findPersonas } from "../core/persona/find-personas.ts";
import { planUsualPersona } from "../core/persona/plan-usual-persona.ts";
import { writeConfigFile } from "../core/write-config-file.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import { listFaults, findPersona } from "./persona/find-persona.ts";

const help = `${kurisuCommand} persona list [--json]
${kurisuCommand} persona use ID
${kurisuCommand} persona check [REPLY]
${kurisuCommand} persona eval [--model PROVIDER:NAME] [--json]
${kurisuCommand} persona import FILE [--as ID] [--replace] [--system-prompt] [--json]
${kurisuCommand} persona export ID [FILE] [--as json|png|charx] [--version 1|2|3]
${kurisuCommand} persona lore ID TEXT [--json]

list shows the personas there are. use writes the choice into channels.yaml; it holds from the next message on.
check says whether a reply stays in character: {"verdict":"ok|break","kinds":[…]}. Without REPLY it reads one reply a line:
plain text, or {"reply":"…","last":"…","lang":"zh|en|ja","tools":[{"name":"…","ok":true}]}.
eval has a model answer golden dialogues (small talk, after a tool, provoked, …) and tells how often it stayed in character.
import makes a persona of a character card (V1, V2 or V3; JSON, PNG, APNG or CHARX). The card's own system prompt is left
out unless --system-prompt says yes to it. --replace puts it in the place of an earlier import.
export writes a persona as a card; of an imported one every field comes out again. The file's ending tells the form;
without FILE it is ID.png (or .json, .charx) in this folder.
lore says which entries of a persona's lorebook come when TEXT is the newest message, and why; and which stay out.`;

export const personaCommand: Command = {
  name: "persona",
  help,
  async run(context) {
    const { values, positionals } = readOptions("persona", context.arguments, {
      as: { type: "string" },
      model: { type: "string" },
      json: { type: "boolean", default: false },
      replace: { type: "boolean", default: false },
      "system-prompt": { type: "boolean", default: false },
      version: { type: "string", default: "3" },
    });
    const [action, first, second, ...more] = positionals;
    if (more.length > 0 || (second !== undefined && action !== "export" && action !== "lore"))
      throw new AppError("USAGE", help);
    if (action === "check") return checkReplies(context, first);
    if (action === "eval" && first === undefined) return evaluatePersona(context, values);
    if (action === "list" && first === undefined) return listPersonas(context, values.json);
    if (action === "use" && first !== undefined) return usePersona(context, first);
    if (action === "import" && first !== undefined)
      return importCard(context, { ...values, file: first, id: values.as, prompts: values["system-prompt"] });
    if (action === "lore" && first !== undefined && second !== undefined)
      return printLore(context, { id: first, text: second, json: values.json });
    if (action === "export" && first !== undefined) {
      const format = values.as ?? (second === undefined ? "png" : /\.(\w{1,8})$/.exec(second)?.[1]?.toLowerCase());
      const version = Number(values.version);
      if (isFormat(format) && isVersion(version))
        return exportPersona(context, { id: first, file: second ?? `${first}.${format}`, format, version });
    }
    throw new AppError("USAGE", help);
  },
};

const isFormat = (given: string | undefined): given is CardFormat => cardFormats.some((format) => format === given);
const isVersion = (given: number): given is CardVersion => cardVersions.some((version) => version === given);

/** The personas there are, the one in use marked; a faulty one with its faults. */
function listPersonas(context: Pick<CommandContext, "configuration" | "environment">, json: boolean): number {
  const { persona, personaFolders } = context.configuration();
  const rows = findPersonas(personaFolders, context.environment.all).map(({ id, folder, result }) => ({
    id,
    used: id === persona.id,
    folder,
    ...(result.kind === "loaded"
      ? { name: result.persona.name, languages: result.persona.languages }
      : { faults: listFaults(result).split("\n") }),
  }));
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return 0;
  }
  for (const row of rows) {
    const about =
      "faults" in row
        ? `faulty: ${row.faults.join("; ")}`
        : `${[...new Set(Object.values(row.name))].join(" / ")} (${row.languages.join(", ")})`;
    process.stdout.write(`${row.used ? "*" : " "} ${row.id.padEnd(20)} ${toTerminalLine(about)}\n`);
  }
  return 0;
}

/** Writes `persona: ID` into channels.yaml, whose comments stay. A running Kurisu uses it from the next message on. */
function usePersona(context: Pick<CommandContext, "configuration" | "environment">, id: string): number {
  const { personaFolders } = context.configuration();
  const { persona } = findPersona(personaFolders, context.environment, id);
  const planned = planUsualPersona(personaFolders, id);
  if (planned.kind === "refused") throw new AppError("PERSONA_REFUSED", planned.problem);
  writeConfigFile(planned.file, planned.text);
  process.stdout.write(`${id} (${toTerminalLine(persona.name.en)}) is the persona now, from the next message on.\n`);
  return 0;
}
