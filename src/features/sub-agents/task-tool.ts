import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { Tool } from "../../kernel/tools/types.ts";
import type { StartTask } from "./start-task.ts";
import type { SubAgent } from "./sub-agent.ts";

/** Gives a piece of work to a sub-agent. The call ends when the sub-agent has: `join` waits for it. */
export function createTaskTool(parts: { readonly agents: () => readonly SubAgent[]; readonly start: StartTask }) {
  const tool = defineTool({
    name: "task",
    description: { zh: "", en: "" },
    input: z.strictObject({
      description: z
        .string()
        .min(1)
        .max(8_000)
        .describe("The whole task: the sub-agent sees nothing of the conversation, only this."),
      agent_name: z.string().min(1).max(64).default("coder").describe("Which sub-agent."),
      background: z
        .boolean()
        .default(false)
        .describe("true = do not wait; its result comes later, in a message of its own."),
    }),
    level: "safe",
    readOnly: false,
    // Started once per call, however often it runs.
    idempotent: true,
    // Its calls are judged for themselves, with the label of the turn that starts it.
    contained: true,
    place: "gateway",
    summarize: ({ agent_name, description }) => `${agent_name}: ${description}`,
    availability: () =>
      parts.agents().length > 0 ? { ok: true } : { ok: false, reason: "No sub-agent is set in config/agents." },
    async run({ agent_name, background, description }, context) {
      const agent = parts.agents().find(({ id }) => id === agent_name);
      if (!agent) {
        const known = parts.agents().map(({ id }) => id);
        return { ok: false, error: `There is no sub-agent ${agent_name}. There are: ${known.join(", ")}.` };
      }
      const started = await parts.start({ agent, description, background, context });
      if (started.kind === "refused") return { ok: false, error: started.reason };
      const output = { agent: agent.id, status: "running", task: started.task, background };
      const note =
        "It has begun. Its result comes by itself in a later message; do not wait for it and do not start it again.";
      return { ok: true, output: background ? { ...output, note } : output };
    },
  });
  return {
    ...tool,
    // The list may change while Kurisu runs.
    get description() {
      return describeAgents(parts.agents());
    },
  };
}

function describeAgents(agents: readonly SubAgent[]): Tool["description"] {
  const list = (language: "zh" | "en") => agents.map(({ id, description }) => `${id}: ${description[language]}`);
  return {
    zh: [
      "把一件独立的事交给子代理去做。它看不到对话，所以 description 要写全；同一轮里发起几个，它们就同时做。有：",
      ...list("zh"),
    ].join("\n"),
    en: [
      "Give a separate piece of work to a sub-agent. It sees nothing of the conversation, so put everything into description; several started in one round work side by side. There are:",
      ...list("en"),
    ].join("\n"),
  };
}
