import { z } from "zod";
import { readProfile } from "../people/read-profile.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import { findScope, labelMemories, type MemoryParts, refuseAsker } from "./memory-parts.ts";

export function createGetUserProfileTool(parts: MemoryParts) {
  return defineTool({
    name: "get_user_profile",
    description: {
      zh: "对方的简介：怎么称呼、用哪些语言、时区、职业、和你的关系（stranger 到 close）。",
      en: "The person in short: what to call them, their languages, time zone, occupation, and how well you know each other (stranger to close).",
    },
    input: z.strictObject({}),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    summarize: () => "",
    async run(_, context) {
      const refusal = refuseAsker(parts, context);
      if (refusal) return refusal;
      const scope = await findScope(parts, context);
      const { from, languages, name, occupation, relation, zone } = await readProfile(parts.database(), scope);
      const spoken = languages.length === 0 ? [context.language] : [...languages];
      return {
        ok: true as const,
        output: { name, languages: spoken, zone: zone ?? context.zone, occupation, relation },
        message: relation,
        ...labelMemories(from, scope, context),
      };
    },
  });
}
