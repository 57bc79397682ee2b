import type { ModelEvent } from "../../models/types.ts";
import type { KnownTool } from "../gate/types.ts";
import type { OfferedTool } from "../tools/describe-tool.ts";
import { createKeyArgumentReader, type KeyArgumentReader } from "./key-argument-reader.ts";
import type { DraftedCall } from "./types.ts";

/** The calls of an answer that is still being written. */
export interface DraftCalls {
  add(piece: Extract<ModelEvent, { kind: "call" }>): void;
  /** The answer is complete, or another one begins: removes its drafts from view. */
  drop(): void;
}

/** Arguments that describe a call best; the first one that a tool has counts. */
const keyArguments = ["command", "url", "query", "pattern", "path", "description"];

/**
 * Reports everything to show whenever it changes. Shows nothing of hidden tools, of tools that are not offered, or
 * before there is a key argument.
 */
export function createDraftCalls(parts: {
  readonly round: number;
  readonly tools: readonly KnownTool[];
  readonly offered: readonly OfferedTool[];
  readonly onChange: (calls: readonly DraftedCall[]) => void;
}): DraftCalls {
  const { round, tools, offered, onChange } = parts;
  const drafts = new Map<number, { readonly tool: KnownTool; readonly reader: KeyArgumentReader; shown: string }>();

  function open(index: number, name: string) {
    const tool = tools.find((one) => one.name === name);
    const key = findKeyArgument(offered.find((one) => one.name === name));
    if (!tool || tool.hidden === true || key === undefined) return undefined;
    const draft = { tool, reader: createKeyArgumentReader(key), shown: "" };
    drafts.set(index, draft);
    return draft;
  }

  const list = (): readonly DraftedCall[] =>
    [...drafts].flatMap(([index, { tool, shown }]) =>
      shown === ""
        ? []
        : [{ id: `${round}.${index + 1}`, name: tool.name, summary: shown, ...(tool.kind && { kind: tool.kind }) }],
    );

  return {
    add({ index, name, text }) {
      const draft = drafts.get(index) ?? open(index, name);
      if (!draft) return;
      draft.reader.add(text);
      const shown = draft.reader.shown();
      if (shown === draft.shown) return;
      draft.shown = shown;
      onChange(list());
    },
    drop() {
      const isShown = list().length > 0;
      drafts.clear();
      if (isShown) onChange([]);
    },
  };
}

function findKeyArgument(tool: OfferedTool | undefined): string | undefined {
  const properties = tool?.parameters["properties"];
  if (typeof properties !== "object" || properties === null) return undefined;
  return keyArguments.find((name) => Object.hasOwn(properties, name));
}
