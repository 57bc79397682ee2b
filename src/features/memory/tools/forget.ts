import { memoryWords } from "../words.ts";
import { z } from "zod";
import { formatIso } from "../../../core/schedule/zoned-time.ts";
import { forgetMemory, listForgotten } from "../people/forget-memory.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import { findScope, isServed, type MemoryParts, refuseAsker } from "./memory-parts.ts";

/** Takes a memory and its older versions away for good. */
export function createForgetTool(parts: MemoryParts) {
  return defineTool({
    name: "forget",
    description: {
      zh: "忘掉对方的一件事：memory_id 来自 recall_memory 或 list_memories。内容连同旧的说法一起删掉，找不回来。all=true：对方要你把关于自己的一切都忘掉。",
      en: "Forgets one thing of this person: memory_id comes from recall_memory or list_memories. Its words and its older versions are deleted for good. all=true: the person wants everything about them forgotten.",
    },
    input: z
      .strictObject({ memory_id: z.int().min(1).optional(), all: z.boolean().default(false) })
      .refine(({ all, memory_id: id }) => all === (id === undefined), {
        error: "give memory_id, or all=true for everything",
      }),
    level: "confirm",
    asksFor: ({ all }) => all,
    onlyAskerConfirms: ({ all }) => all,
    readOnly: false,
    concurrencySafe: false,
    idempotent: true,
    place: "gateway",
    summarize: ({ memory_id: id }) => (id === undefined ? "" : `#${id}`),
    async inspect({ memory_id: id }, { chatKind, language, person, session }) {
      if (id === undefined) return { ok: true, detail: memoryWords[language].forgetAll };
      if (person === undefined) return { ok: true, detail: `#${id}` };
      const scope = await findScope(parts, { chatKind, person, session });
      const gone = await listForgotten(parts.database(), scope, id);
      if (gone === undefined) return { ok: false, error: unknownMemory };
      const name = (one: { readonly id: number; readonly content: string }) => `#${one.id} ${one.content}`;
      const memory = name(gone[0]);
      const older = gone.slice(1).map(name);
      // The card names everything that goes.
      const detail = older.length === 0 ? memory : memoryWords[language].withOlder({ memory, older });
      return { ok: true, detail };
    },
    async run({ memory_id: id }, context) {
      const refusal = refuseAsker(parts, context);
      if (refusal) return refusal;
      if (id === undefined) {
        if (isServed(context.person))
          return { ok: false, error: "That cannot be done from here: the person asks for it in their own chat." };
        return { ok: true, output: { receipt: await parts.memory.forgetAll(context) }, message: "" };
      }
      const scope = await findScope(parts, context);
      const receipt = await forgetMemory(parts.database(), scope, id, context.now);
      if (receipt === undefined) return { ok: false, error: unknownMemory };
      const stay = receipt.stay.map((one) => ({ id: one.id, content: one.content }));
      const output = {
        forgotten: id,
        memories: receipt.memories,
        at: formatIso(receipt.at, context.zone),
        ...(stay.length > 0 && { stay }),
      };
      return { ok: true, output: { receipt: output }, message: String(id) };
    },
  });
}

const unknownMemory = "This person has no memory with that id here; list_memories shows the ids.";
