import { obeyWords } from "./obey-words.ts";
import type { Script, ScriptedView } from "./scripted-model.ts";

/** A sub-agent as config/agents has it, so that nothing here needs the feature. */
export interface TestAgent {
  readonly id: string;
  readonly description: Readonly<Record<"zh" | "en", string>>;
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly exclude: readonly string[];
  readonly model: string;
  readonly rounds: number;
}

const base = {
  description: { zh: "照做", en: "does as it is told" },
  exclude: [],
  model: "inherit",
  rounds: 4,
} as const;

/** worker may poke, note and read; reader only reads; endless has one round, patient as many as can be set. */
export const testAgents: readonly TestAgent[] = [
  { ...base, exclude: [], id: "worker", prompt: "Do it.", tools: ["poke", "note", "peek", "read_page", "task"] },
  { ...base, exclude: ["poke"], id: "reader", prompt: "Read it.", tools: ["p*", "read_page"] },
  { ...base, exclude: [], id: "endless", prompt: "Never stop.", tools: ["peek"], rounds: 1 },
  { ...base, exclude: [], id: "patient", prompt: "Take your time.", tools: ["peek"], rounds: 100 },
];

/** The sub-agent whose model is asked; undefined = she herself. */
export function agentOf({ request }: ScriptedView): string | undefined {
  return /You are the sub-agent ([\w-]+)\./.exec(JSON.stringify(request.messages[0]?.content))?.[1];
}

/**
 * A person's 「派 worker: poke a | bg reader: peek b」 starts these tasks in one round; then she repeats what came of them.
 * A sub-agent does what its task says (see obeyWords). Any other message goes to `others`.
 */
export function sendAgents(others: Script = obeyWords): Script {
  return (view) => {
    if (agentOf(view) !== undefined) return obeyWords(view);
    if (!/派/.test(view.text)) return others(view);
    if (view.results.length > 0) return { text: `回来了：${view.results.map(readResult).join("｜")}` };
    const wanted = /派 (.*)$/s.exec(view.text)?.[1] ?? "";
    return {
      calls: wanted.split(" | ").map((part) => {
        const [, background, agent = "", description = ""] = /^(bg )?([\w-]+): (.*)$/s.exec(part) ?? [];
        return {
          name: "task",
          arguments: { description, agent_name: agent, ...(background !== undefined && { background: true }) },
        };
      }),
    };
  };
}

function readResult(text: string): string {
  const { ok, output, error } = JSON.parse(text) as {
    readonly ok: boolean;
    readonly output?: { readonly agent: string; readonly result?: string; readonly status: string };
    readonly error?: string;
  };
  return [ok ? "成" : "败", output?.agent, output?.status, output?.result, error].filter((part) => part).join(" ");
}
