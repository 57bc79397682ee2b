import type { SandboxOutcome } from "../../../src/sandbox/types.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** One command that runs each of these in a shell and an empty folder of its own, and prints what came of each. */
export function joinCommands(commands: readonly string[]): string {
  const lines = commands.map(
    (command, place) =>
      `mkdir ${place}; cd ${place}; out=$(bash --noprofile --norc -c ${quote(command)} 2>../errors </dev/null | base64 -w0; exit \${PIPESTATUS[0]}); ` +
      `code=$?; cd ..; echo "$code:$out:$(base64 -w0 errors)"`,
  );
  return lines.join("\n");
}

/** The inverse for the outputs: one outcome each, or the whole one for each if the command did not come to its end. */
export function splitOutcome(outcome: SandboxOutcome, count: number): SandboxOutcome[] {
  if (outcome.kind !== "finished" || outcome.timedOut) return Array<SandboxOutcome>(count).fill(outcome);
  const lines = outcome.stdout.trimEnd().split("\n");
  if (lines.length !== count) return Array<SandboxOutcome>(count).fill(outcome);
  return lines.map((line) => {
    const [code, stdout = "", stderr = ""] = line.split(":");
    const decode = (text: string): string => Buffer.from(text, "base64").toString("utf8");
    return { ...outcome, exitCode: Number(code), stdout: decode(stdout), stderr: decode(stderr) };
  });
}
