import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { AppError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import type { Persona } from "../../core/persona/persona.ts";
import { buildSystemPrompt } from "../../core/persona/system-prompt.ts";
import type { BreakKind } from "../../core/persona/validate-reply.ts";
import { learnTone } from "../../core/persona/tone/tone-finder.ts";
import { projectFolder } from "../../core/project-folder.ts";
import { askOnce } from "../../models/ask-once.ts";
import { formatModelReference, parseModelReference, type ModelReference } from "../../models/model-reference.ts";
import { pickModels } from "../../models/pick-models.ts";
import { toTerminalLine } from "../terminal/terminal-text.ts";
import type { CommandContext } from "../types.ts";
import { createReplyCheck } from "./check.ts";
import { readDialogues, type Dialogue } from "./dialogues.ts";

const maxMs = 120_000;
/** A server at home answers one at a time; one of a provider has limits by the minute. */
const atOnce = 2;

interface Judged {
  readonly dialogue: Dialogue;
  readonly reply: string;
  readonly kinds: readonly BreakKind[];
}

/** Has a model answer the golden dialogues as the persona, and tells by situation and language how often it kept the role. */
export async function evaluatePersona(
  context: Pick<CommandContext, "configuration">,
  given: { readonly model?: string | undefined; readonly json: boolean },
): Promise<number> {
  const { models, persona } = context.configuration();
  const model = given.model === undefined ? await pickFirst(models) : readModel(given.model);
  if (model.provider === "offline") {
    const remedy = `Run ${kurisuCommand} setup, or name one: ${kurisuCommand} persona eval --model PROVIDER:NAME`;
    throw new AppError("CONFIG_INVALID", `The offline model cannot be examined: it speaks by rules. ${remedy}`);
  }
  const dialogues = readDialogues(readFileSync(join(projectFolder, "config", "personas", "dialogues.jsonl"), "utf8"));
  await learnTone(persona);
  const check = createReplyCheck(persona);
  const judged: Judged[] = [];
  const left = dialogues.filter(({ lang }) => persona.languages.includes(lang));
  async function work(): Promise<void> {
    for (let dialogue = left.shift(); dialogue !== undefined; dialogue = left.shift()) {
      const asked = await askOnce(
        { model, credentials: models.credentials, maxMs },
        { messages: build(dialogue, persona) },
      );
      if (asked.kind === "failed") left.length = 0;
      if (asked.kind === "failed") throw new AppError(asked.code, `${formatModelReference(model)}: ${asked.detail}`);
      const { lang, last, tools } = dialogue;
      const reply = asked.answer.text;
      judged.push({ dialogue, reply, kinds: check({ reply, lang, last, tools: [...tools] }).kinds });
      if (process.stderr.isTTY) process.stderr.write(`\r${judged.length} of ${judged.length + left.length}\u001B[K`);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  const order = (one: Judged) => dialogues.indexOf(one.dialogue);
  const results = judged.toSorted((a, b) => order(a) - order(b));
  process.stdout.write(given.json ? toJson(model, results) : toTable(model, results));
  return 0;
}

async function pickFirst(models: Parameters<typeof pickModels>[0]): Promise<ModelReference> {
  const [first] = await pickModels(models);
  return first ?? { provider: "offline" };
}

function readModel(text: string): ModelReference {
  const read = parseModelReference(text);
  if (read.kind === "faulty") throw new AppError("USAGE", `--model ${read.fault}`);
  return read.model;
}

function build({ lang, turns }: Dialogue, persona: Persona): readonly BaseMessage[] {
  let call = 0;
  return [
    new SystemMessage(buildSystemPrompt(persona, { language: lang })),
    ...turns.map((turn): BaseMessage => {
      if ("user" in turn) return new HumanMessage(turn.user);
      if ("assistant" in turn) return new AIMessage(turn.assistant);
      if ("call" in turn) {
        call += 1;
        return new AIMessage({
          content: "",
          tool_calls: [{ id: `call_${call}`, name: turn.call, args: turn.arguments }],
        });
      }
      return new ToolMessage({
        tool_call_id: `call_${call}`,
        content: turn.result,
        status: turn.ok ? "success" : "error",
      });
    }),
  ];
}

function toJson(model: ModelReference, results: readonly Judged[]): string {
  const lines = results.map(({ dialogue: { situation, lang, last }, kinds, reply }) =>
    JSON.stringify({ model: formatModelReference(model), situation, lang, last, reply, kinds }),
  );
  return `${lines.join("\n")}\n`;
}

/** Rows of situations, columns of languages: how many of how many stayed in character; then what broke it. */
function toTable(model: ModelReference, results: readonly Judged[]): string {
  const languages = [...new Set(results.map(({ dialogue }) => dialogue.lang))];
  const situations = [...new Set(results.map(({ dialogue }) => dialogue.situation))];
  const cell = (of: readonly Judged[]) =>
    of.length === 0 ? "-" : `${of.filter(({ kinds }) => kinds.length === 0).length}/${of.length}`;
  const row = (name: string, of: readonly Judged[]) =>
    [
      name.padEnd(18),
      ...[...languages.map((lang) => of.filter((one) => one.dialogue.lang === lang)), of].map((part) =>
        cell(part).padStart(7),
      ),
    ].join("");
  const breaks = results.filter(({ kinds }) => kinds.length > 0);
  return [
    `${formatModelReference(model)}: replies that stayed in character`,
    ["".padEnd(18), ...[...languages, "all"].map((name) => name.padStart(7))].join(""),
    ...situations.map((situation) =>
      row(
        situation,
        results.filter(({ dialogue }) => dialogue.situation === situation),
      ),
    ),
    row("all", results),
    ...(breaks.length === 0 ? [] : ["", "Breaks:"]),
    ...breaks.map(({ dialogue, kinds, reply }) =>
      toTerminalLine(
        `  ${kinds.join(", ")} (${dialogue.situation}, ${dialogue.lang}): ${reply.replaceAll(/\s+/g, " ").slice(0, 120)}`,
      ),
    ),
    "",
  ].join("\n");
}
