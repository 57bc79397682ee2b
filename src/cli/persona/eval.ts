import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { AppError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import type { Persona } from "../../core/persona/persona.ts";
import { anchorResult, buildSystemPrompt, describeAnchor } from "../../core/persona/system-prompt.ts";
import type { BreakKind } from "../../core/persona/validate-reply.ts";
import { learnTone } from "../../core/persona/tone/tone-finder.ts";
import { projectFolder } from "../../core/project-folder.ts";
import { askOnce } from "../../models/ask-once.ts";
import { formatModelReference, parseModelReference, type ModelReference } from "../../models/model-reference.ts";
import { pickModels } from "../../models/pick-models.ts";
import { countOf } from "../../core/words/count-of.ts";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext } from "../types.ts";
import { createReplyCheck } from "../../core/persona/check-reply.ts";
import { createToneJudge } from "./tone-judge-model.ts";
import { readDialogues, type Dialogue } from "./dialogues.ts";

type Models = ReturnType<CommandContext["configuration"]>["models"];

const maxMs = 120_000;
/** A server at home answers one at a time; one of a provider has limits by the minute. */
const atOnce = 2;

interface Judged {
  readonly dialogue: Dialogue;
  readonly reply: string;
  readonly kinds: readonly BreakKind[];
  /** Breaks that the judge of models.yaml names; "unread" = its answer was no verdict, absent when no judge is set. */
  readonly judge?: readonly BreakKind[] | "unread";
}

/**
 * Has a model answer the golden dialogues as the persona, and reports by situation and language how often it kept the
 * role.
 */
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
  const judge = findJudge(models, model);
  const judgeTone = judge && createToneJudge({ model: judge, credentials: models.credentials, maxMs }, persona);
  const judged: Judged[] = [];
  const left = dialogues.filter(({ lang }) => persona.languages.includes(lang));
  async function work(): Promise<void> {
    for (let dialogue = left.shift(); dialogue !== undefined; dialogue = left.shift()) {
      const asked = await askOnce(
        { model, credentials: models.credentials, maxMs },
        { messages: build(dialogue, persona) },
      );
      if (asked.kind === "failed") throw new AppError(asked.code, `${formatModelReference(model)}: ${asked.detail}`);
      const { lang, last, tools } = dialogue;
      const reply = asked.answer.text;
      const { kinds } = check({ reply, lang, last, tools: [...tools] });
      const named = await judgeTone?.({ last, reply, tools });
      judged.push({ dialogue, reply, kinds, ...(judgeTone && { judge: named ?? "unread" }) });
      if (process.stderr.isTTY) process.stderr.write(`\r${judged.length} of ${judged.length + left.length}\u001B[K`);
    }
  }
  /** After a failure nothing more is paid for. */
  const stop = (error: unknown) => {
    left.length = 0;
    throw error;
  };
  await Promise.all(Array.from({ length: atOnce }, () => work().catch(stop)));
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  const order = (one: Judged) => dialogues.indexOf(one.dialogue);
  const results = judged.toSorted((a, b) => order(a) - order(b));
  process.stdout.write(given.json ? toJson(model, results) : toTable(model, results) + tellJudge(judge, results));
  return 0;
}

/** models.yaml: persona.judge. A tier without a model is the one that is examined. */
function findJudge(
  { judge, tiers }: Pick<Models, "judge" | "tiers">,
  examined: ModelReference,
): ModelReference | undefined {
  return typeof judge === "string" ? (tiers[judge] ?? tiers.inherit ?? examined) : judge;
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
        content: anchorResult(turn.result, describeAnchor(persona, lang)),
        status: turn.ok ? "success" : "error",
      });
    }),
  ];
}

function toJson(model: ModelReference, results: readonly Judged[]): string {
  const lines = results.map(({ dialogue: { situation, lang, last }, judge, kinds, reply }) =>
    JSON.stringify({ model: formatModelReference(model), situation, lang, last, reply, kinds, judge }),
  );
  return `${lines.join("\n")}\n`;
}

/** How often the judge and the checks agree, and what the judge alone names. "" = there is no judge. */
function tellJudge(judge: ModelReference | undefined, results: readonly Judged[]): string {
  if (judge === undefined) return "";
  const read = results.flatMap((one) =>
    one.judge === undefined || one.judge === "unread" ? [] : [{ ...one, judge: one.judge }],
  );
  const fine = read.filter((one) => one.judge.length === 0);
  const agreed = read.filter((one) => (one.judge.length === 0) === (one.kinds.length === 0));
  const alone = read.filter((one) => one.judge.length > 0 && one.kinds.length === 0);
  return [
    "",
    `Judge ${formatModelReference(judge)}: ${fine.length}/${read.length} in character; it agrees with the checks on ${agreed.length}.`,
    ...(read.length < results.length ? [`It gave ${countOf(results.length - read.length, "time")} no verdict.`] : []),
    ...alone.map(({ dialogue, judge: kinds, reply }) => describeBreak(dialogue, kinds, reply)),
    "",
  ].join("\n");
}

function describeBreak({ lang, situation }: Dialogue, kinds: readonly BreakKind[], reply: string): string {
  return toTerminalLine(
    `  ${kinds.join(", ")} (${situation}, ${lang}): ${reply.replaceAll(/\s+/g, " ").slice(0, 120)}`,
  );
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
    ...breaks.map(({ dialogue, kinds, reply }) => describeBreak(dialogue, kinds, reply)),
    "",
  ].join("\n");
}
