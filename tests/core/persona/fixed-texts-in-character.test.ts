/* What the gateway says by itself, held against the shipped character as a reply of a model would be. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { indexPrompt } from "../../../src/core/persona/find-prompt-overlap.ts";
import { loadPersona } from "../../../src/core/persona/load-persona.ts";
import { splitReply } from "../../../src/core/persona/split-reply.ts";
import { createReplyJudge } from "../../../src/core/persona/validate-reply.ts";
import { listFixedTexts } from "../../support/list-fixed-texts.ts";

const loaded = loadPersona(join(import.meta.dirname, "../../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
/** Examples teach how replies sound; fixed texts are held against what can be told word by word. */
const persona = { ...loaded.persona, avoids: [] };

describe.each(["zh", "en", "ja"] as const)("fixed texts in %s", (language) => {
  it("use no honorific, no emoji, no service phrase, no word that she avoids, and claim no AI", () => {
    const judge = createReplyJudge(persona, indexPrompt(persona.soul), { acted: true });
    const found = listFixedTexts(language, 2).flatMap(({ path, text }) => {
      const kinds = splitReply(text).flatMap((segment) => judge.ofSegment(segment, ""));
      return kinds.length === 0 ? [] : [[path, kinds.join(","), text.slice(0, 200)]];
    });
    expect(found).toEqual([]);
  });
});
