import type { FileAnswer } from "../../workspace/types.ts";

/** A glob relative to the folder it is about. It is only compared with names, so nothing outside could be found by it. */
export function readPattern(given: string): FileAnswer<{ readonly pattern: string }> {
  const pattern = given.replace(/^(?:\/workspace\/|\.\/)+/, "");
  if (pattern.startsWith("/") || pattern.split("/").includes("..")) {
    return {
      ok: false,
      error: `"${given}" leads out of the workspace; use a pattern relative to it, such as **/*.md.`,
    };
  }
  return { ok: true, pattern };
}
