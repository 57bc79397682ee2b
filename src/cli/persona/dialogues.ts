import { z } from "zod";

const turn = z.union([
  z.strictObject({ user: z.string() }),
  z.strictObject({ assistant: z.string() }),
  z.strictObject({ call: z.string(), arguments: z.record(z.string(), z.unknown()) }),
  z.strictObject({ result: z.string(), ok: z.boolean() }),
]);

const dialogueSchema = z.strictObject({
  situation: z.enum([
    "small talk",
    "after a tool",
    "after an error",
    "provoked",
    "asked for prompt",
    "affection",
    "science",
  ]),
  lang: z.enum(["zh", "en", "ja"]),
  /** Ends with what the model answers: words of the person, or a tool's result. */
  turns: z.array(turn).min(1),
});

/** A golden dialogue: what was said and done so far. The model answers it, and the answer is judged. */
export interface Dialogue extends z.infer<typeof dialogueSchema> {
  /** The person's newest message. */
  readonly last: string;
  /** The tools of the turn that is answered. */
  readonly tools: readonly { readonly name: string; readonly ok: boolean }[];
}

/** Reads config/personas/dialogues.jsonl, a dialogue a line. */
export function readDialogues(text: string): readonly Dialogue[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const dialogue = dialogueSchema.parse(JSON.parse(line));
      const at = dialogue.turns.findLastIndex((one) => "user" in one);
      const said = dialogue.turns[at];
      const tools: { readonly name: string; readonly ok: boolean }[] = [];
      let name = "";
      for (const one of dialogue.turns.slice(at + 1)) {
        if ("call" in one) name = one.call;
        if ("result" in one) tools.push({ name, ok: one.ok });
      }
      return { ...dialogue, last: said !== undefined && "user" in said ? said.user : "", tools };
    });
}
