import { z } from "zod";
import type { JsonValue } from "../../core/canonical-json.ts";
import { plainArguments } from "../../kernel/tools/plain-arguments.ts";
import { describedText } from "../../kernel/tools/tool-options.ts";
import type { AskOwnTool } from "./ask-own-tool.ts";
import type { OwnToolFile } from "./read-own-tools.ts";
import { readToolsLock, writeToolsLock } from "./tools-lock.ts";

/** The declaration in the default export of a file, next to `run`. */
const declarationSchema = z.strictObject({
  description: describedText,
  arguments: plainArguments,
});

export type OwnDeclaration = z.output<typeof declarationSchema>;

type Declared =
  | { readonly ok: true; readonly declaration: OwnDeclaration; readonly written: JsonValue }
  | { readonly ok: false; readonly problem: string };

const loadMs = 10_000;

/** The declaration of a content that may run. */
export async function declareOwnTool(file: OwnToolFile, ask: AskOwnTool): Promise<Declared> {
  const answer = await ask(file, { signal: AbortSignal.timeout(loadMs) });
  if (!answer.ok) return { ok: false, problem: `${file.file}:${answer.place ?? "1:1"} ${answer.error}` };
  const parsed = declarationSchema.safeParse(answer.value);
  if (parsed.success) return { ok: true, declaration: parsed.data, written: answer.value };
  return { ok: false, problem: `${file.file}:1:1 ${z.prettifyError(parsed.error).split("\n").join(" ")}` };
}

/** The declaration that was recorded with the approval; no process is started for it. */
export function findDeclaration(home: string, { name, digest }: OwnToolFile): OwnDeclaration | undefined {
  const known = readToolsLock(home)[name];
  return known?.digest === digest ? declarationSchema.safeParse(known.declaration).data : undefined;
}

/** From now on this content may run. Returns the problem, if there is one. */
export async function admitOwnTool(
  file: OwnToolFile,
  parts: { readonly home: string; readonly ask: AskOwnTool; readonly approver: string; readonly date: string },
): Promise<string | undefined> {
  const { home, ask, approver, date } = parts;
  const declared = await declareOwnTool(file, ask);
  const declaration = declared.ok ? { declaration: declared.written } : {};
  const { name, digest } = file;
  writeToolsLock(home, { ...readToolsLock(home), [name]: { digest, approver, date, ...declaration } });
  return declared.ok ? undefined : declared.problem;
}
