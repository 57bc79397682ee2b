import { z } from "zod";
import { defineTool } from "../../src/kernel/tools/define-tool.ts";
import type { Tool, ToolContext, ToolResult } from "../../src/kernel/tools/types.ts";
import type { Workspace } from "../../src/workspace/types.ts";

export interface Effect {
  readonly tool: string;
  readonly what: string;
  readonly session: string;
  readonly person: string;
  readonly tick: number;
}

export type Behaviour = (effect: Effect, context: ToolContext) => Promise<ToolResult> | ToolResult;

/**
 * Tools that do nothing but keep a list of what they did, and of what they did on a copy (poke only, which leaves a file):
 * poke (confirm), note (safe, but an effect), peek (safe, reads), read_page (safe, brings untrusted text), never (deny).
 */
export function createEffectTools(nextTick: () => number) {
  const effects: Effect[] = [];
  const previews: Effect[] = [];
  const behaviour: { run: Behaviour; preview: Behaviour } = {
    run: ({ what }) => ({ ok: true, output: `did ${what}` }),
    preview: ({ what }) => ({ ok: true, output: `tried ${what}` }),
  };

  const make = (
    name: string,
    more: Pick<Tool, "readOnly" | "level"> & Partial<Pick<Tool, "taint" | "idempotent" | "run">>,
  ): Tool =>
    defineTool({
      name,
      description: { zh: name, en: name },
      input: z.strictObject({ what: z.string().min(1) }),
      idempotent: false,
      summarize: ({ what }) => what,
      place: "gateway",
      run: async ({ what }, context) => {
        const effect = { tool: name, what, session: context.session, person: context.person.id, tick: nextTick() };
        effects.push(effect);
        return behaviour.run(effect, context);
      },
      ...more,
    }) as Tool;

  const pokeOn = (copy: Workspace): Tool =>
    make("poke", {
      level: "confirm",
      readOnly: false,
      run: async (input, context) => {
        const { what } = input as { what: string };
        const effect = { tool: "poke", what, session: context.session, person: context.person.id, tick: nextTick() };
        previews.push(effect);
        await copy.write(context.session, `${what}.txt`, `poked ${what}\n`, "append");
        return behaviour.preview(effect, context);
      },
    });

  return {
    effects,
    previews,
    behaviour,
    tools: [
      { ...make("poke", { level: "confirm", readOnly: false }), onCopy: pokeOn },
      make("note", { level: "safe", readOnly: false }),
      make("peek", { level: "safe", readOnly: true }),
      make("read_page", { level: "safe", readOnly: true, taint: "untrusted" }),
      make("never", { level: "deny", readOnly: false }),
    ],
  };
}

export const effectRules = {
  permissions: { safe: ["peek", "note", "read_page", "task"], deny: ["never"] },
  rules: [],
  exclude: [],
} as const;
