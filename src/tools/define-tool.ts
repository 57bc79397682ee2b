import type { Tool } from "./types.ts";

type Definition<Input> = Omit<Tool<Input>, "aliases" | "source" | "timeoutMs"> & {
  readonly aliases?: readonly string[];
  readonly timeoutMs?: number | ((input: Input) => number);
};

/** Makes a built-in tool from its definition; `timeoutMs` defaults to 20 seconds. */
export function defineTool<Input>(definition: Definition<Input>): Tool<Input> {
  const { timeoutMs = 20_000, aliases = [], ...rest } = definition;
  return {
    ...rest,
    source: "builtin",
    aliases,
    timeoutMs: typeof timeoutMs === "number" ? () => timeoutMs : timeoutMs,
  };
}
