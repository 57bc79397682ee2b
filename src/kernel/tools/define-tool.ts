import { listAliases } from "../gate/tool-aliases.ts";
import type { Tool } from "./types.ts";

type Definition<Input> = Omit<Tool<Input>, "aliases" | "source" | "timeoutMs" | "concurrencySafe"> & {
  readonly concurrencySafe?: boolean;
  readonly timeoutMs?: number | ((input: Input) => number);
};

/**
 * Creates a built-in tool from its definition. `timeoutMs` defaults to 20 seconds, and read-only tools may run in
 * parallel. The input type follows from the schema.
 */
export function defineTool<Input>(definition: Definition<Input>): Tool<Input> {
  const { timeoutMs = 20_000, concurrencySafe = definition.readOnly, ...rest } = definition;
  return {
    ...rest,
    source: "builtin",
    aliases: listAliases(rest.name),
    concurrencySafe,
    timeoutMs: typeof timeoutMs === "number" ? () => timeoutMs : timeoutMs,
  };
}
