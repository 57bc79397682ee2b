import { z } from "zod";
import { defineTool } from "../../src/kernel/tools/define-tool.ts";
import type { PermissionRules } from "../../src/kernel/gate/permission.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import type { Person, Role } from "../../src/kernel/gate/types.ts";

/** A tool that takes anything and does nothing. */
export function makePlainTool(changes: Partial<Tool> = {}): Tool {
  const tool = defineTool({
    name: "poke",
    description: { zh: "", en: "" },
    input: z.unknown(),
    level: "confirm",
    readOnly: false,
    idempotent: false,
    summarize: () => "",
    place: "gateway",
    run: () => Promise.resolve({ ok: true, output: null }),
  });
  return { ...tool, ...changes };
}

export const makePerson = (role: Role): Person => ({ id: `fake:${role}`, name: role, role });

export function makeRules(rules: PermissionRules["rules"], permissions: PermissionRules["permissions"] = {}) {
  return { permissions, rules, exclude: [] } satisfies PermissionRules;
}
