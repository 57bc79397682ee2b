import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tool, ToolResult } from "../../src/kernel/tools/types.ts";
import type { Workspace } from "../../src/workspace/types.ts";
import { runGiven } from "./run-given.ts";
import { createToolContext } from "./tool-context.ts";
import { createWorkspaceBench, type WorkspaceBench } from "./workspaces.ts";

export interface FileToolBench<Input> extends WorkspaceBench {
  run(input: Partial<Input>): Promise<ToolResult>;
  /** The output of a run that must go well. */
  output(input: Partial<Input>): Promise<Record<string, unknown>>;
  /** The sentence of a run that must not. */
  error(input: Partial<Input>): Promise<string>;
  /** A file as it is, with its bytes as Latin-1, so that nothing hides. */
  content(path: string): Promise<string>;
}

/** A tool on a workspace of its own on the host. */
export async function createFileToolBench<Input>(
  create: (parts: { readonly workspace: Workspace }) => Tool<Input>,
): Promise<FileToolBench<Input>> {
  const bench = await createWorkspaceBench("host by descriptor");
  const tool = create(bench);
  const context = createToolContext({ session: bench.session });
  const run = (input: Partial<Input>): Promise<ToolResult> => runGiven(tool, input, context);
  return {
    ...bench,
    run,
    async output(input) {
      const result = await run(input);
      if (!result.ok) throw new Error(result.error);
      return result.output as Record<string, unknown>;
    },
    async error(input) {
      const result = await run(input);
      if (result.ok) throw new Error(`it went well: ${JSON.stringify(result.output)}`);
      return result.error;
    },
    content: (path) => readFile(join(bench.folder, path), "latin1"),
  };
}
