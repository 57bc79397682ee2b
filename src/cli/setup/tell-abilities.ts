import type { Words } from "../../core/words/dictionary.ts";
import type { TriedServer } from "../../models/ask-once.ts";
import { listModelInputs } from "../../models/list-model-inputs.ts";
import { tryReading, tryTool, type Ability } from "../../models/try-abilities.ts";
import type { Prompts } from "./prompts.ts";

type Texts = Words["setup"]["abilities"];

/**
 * Tries what the model can do in addition to talking and prints a line for each. Answers whether she can act with it.
 */
export async function tellAbilities(prompts: Prompts, texts: Texts, server: TriedServer): Promise<boolean> {
  const tool = await tryTool(server);
  tell(prompts, tool, { works: texts.tools, missing: texts.noTools, unknown: texts.toolsUnknown });
  const inputs = listModelInputs(server.model);
  const { picture, stream } = await tryReading(server, inputs);
  tell(prompts, stream, { works: texts.stream, missing: () => texts.noStream, unknown: texts.streamUnknown });
  const rest = inputs.filter((kind) => kind !== "image");
  const line = `inputs: [${rest.join(", ")}]`;
  if (picture === undefined) prompts.tell(texts.picturesUntried);
  else
    tell(prompts, picture, {
      works: texts.pictures,
      missing: (reason) => texts.noPictures({ reason, line }),
      unknown: texts.picturesUnknown,
    });
  return tool.kind !== "missing";
}

interface Lines {
  readonly works: string;
  readonly missing: (reason: string) => string;
  readonly unknown: (reason: string) => string;
}

function tell(prompts: Prompts, ability: Ability, lines: Lines): void {
  switch (ability.kind) {
    case "works":
      return prompts.good(lines.works);
    case "missing":
      return prompts.warn(lines.missing(ability.reason));
    case "unknown":
      return prompts.warn(lines.unknown(ability.reason));
  }
}
