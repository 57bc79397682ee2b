import { mcpWords } from "../words.ts";
import type { Language } from "../../../core/conversation.ts";
import { makeVisible, measurePayload, maxAsked, showPayload } from "../../../core/persona/show-payload.ts";
import { wordsFor } from "../../../core/words/words.ts";
import type { McpElicitation } from "../connection/types.ts";
import { describeType } from "./read-fields.ts";

const maxFields = 20;
const maxTitleLength = 200;

/**
 * The question of a server, for the person: its words in a block of their own, so that they cannot pose as ours.
 * Returns undefined if it is more than people can be asked to read; an approval must cover all of it, so nothing is
 * cut.
 */
export function describeElicitation(asked: {
  readonly server: string;
  readonly asking: McpElicitation;
  readonly code: string;
  /** How long the question waits, in milliseconds. */
  readonly openMs: number;
  readonly language: Language;
}): string | undefined {
  const { asking, code, language, openMs, server } = asked;
  const words = wordsFor(language);
  const mcp = mcpWords[language];
  const term = mcp.validFor({ code, term: words.duration(openMs) });
  if (asking.kind === "address") {
    const payload = `${asking.message}\n${asking.url}`;
    if (measurePayload(payload) > maxAsked.call) return undefined;
    return [mcp.asksAddress(server), showPayload(payload, language), term, mcp.howToDecide].join("\n");
  }
  if (asking.fields.length > maxFields) return undefined;
  const fields = asking.fields.map((field) => {
    const title =
      field.title === field.name
        ? ""
        : `${makeVisible(field.title).replaceAll(/\s+/g, " ").slice(0, maxTitleLength)}, `;
    return mcp.field({ name: field.name, about: `${title}${describeType(field, language)}`, required: field.required });
  });
  // Names, titles and values are the server's words as well.
  const payload = [asking.message, ...fields].join("\n");
  if (measurePayload(payload) > maxAsked.call) return undefined;
  const [only, ...others] = asking.fields;
  const how =
    only === undefined || (only.type === "boolean" && others.length === 0)
      ? mcp.howToDecide
      : others.length === 0
        ? mcp.howToFillOne(code)
        : mcp.howToFill(code);
  return [mcp.asks(server), showPayload(payload, language), term, how].join("\n");
}
