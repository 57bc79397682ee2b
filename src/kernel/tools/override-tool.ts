import type { KnownTool, ToolLevel } from "../gate/types.ts";
import type { Tool } from "./types.ts";

/**
 * The tool `by` under the name of a built-in. Its own properties and binding stay; any question that either tool
 * requires is asked. `name` is the name of `by`; if that tool is missing, the built-in's name is turned off.
 */
export function overrideTool(replaced: Tool, name: string, by: Tool | undefined): Tool {
  if (!by) {
    const reason = `${name}, which stands in for ${replaced.name} (overrides in tools.yaml), is not there.`;
    return turnOff(replaced, reason);
  }
  const { onCopy: _, grantPattern: __, safeInOwnChat: ___, kind: ____, ...own } = by;
  const { detail, inspect } = by;
  // Two texts of one call must differ when another tool acts.
  const head = `${replaced.name} → ${by.name}`;
  const readOnly = replaced.readOnly && by.readOnly;
  return {
    ...own,
    name: replaced.name,
    aliases: replaced.aliases,
    ...(replaced.kind && { kind: replaced.kind }),
    override: { replaced: askAlways(replaced), by: withoutRun(by) },
    level: levels[Math.max(levels.indexOf(replaced.level), levels.indexOf(by.level))] ?? "deny",
    alwaysAsks: by.alwaysAsks === true || asksAtAll(replaced),
    ownerOnly: by.ownerOnly === true || replaced.ownerOnly === true,
    readOnly,
    concurrencySafe: by.concurrencySafe && readOnly,
    detail: (input, language) => `${head}\n${detail ? detail(input, language) : JSON.stringify(input, null, 2)}`,
    ...(inspect && {
      async inspect(input, place) {
        const found = await inspect(input, place);
        return found.ok ? { ok: true, detail: `${head}\n${found.detail}` } : found;
      },
    }),
    binding: async (input, call) => ({ by: by.name, of: (await by.binding?.(input, call)) ?? null }),
  };
}

const levels: readonly ToolLevel[] = ["safe", "confirm", "deny"];

function turnOff(replaced: Tool, reason: string): Tool {
  const { onCopy: _, prepare: __, inspect: ___, ...rest } = replaced;
  return {
    ...rest,
    availability: () => ({ ok: false, reason }),
    run: () => Promise.resolve({ ok: false, error: reason }),
  };
}

/** The test of the built-in expects other arguments. */
function asksAtAll({ alwaysAsks, asksFor }: KnownTool): boolean {
  return alwaysAsks === true || asksFor !== undefined;
}

function askAlways(replaced: Tool): KnownTool {
  const { asksFor: _, ...known } = withoutRun(replaced);
  return { ...known, alwaysAsks: asksAtAll(replaced) };
}

/** Removes `run` from a tool that is only judged. */
function withoutRun(tool: Tool): KnownTool {
  const { run: _, onCopy: __, ...known } = tool;
  return known;
}
