import { z } from "zod";
import { type DMailInput, dmailName, maxDMailsPerTurn } from "../../kernel/agent/rewind/dmail-call.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { Tool } from "../../kernel/tools/types.ts";

const input = z.strictObject({
  checkpoint: z.number().int().min(0).describe("Where to go back to."),
  message: z.string().trim().min(1).max(4_000).describe("What your earlier self must know."),
});

/** Lets the model write to itself, earlier in this turn. The tool only says that the message was sent; `kernel/agent/rewind/close-round.ts` edits the turn's state. */
export function createDMailTool(): Tool<DMailInput> {
  return defineTool({
    name: dmailName,
    description: {
      zh: `给这一轮里更早的自己发一条消息:那个 checkpoint 之后的内容会从上下文里消失,只留下这条消息。走错了路、或者读了一大堆没用的东西时用。checkpoint 0 是对方刚说完话的时候,N 是工具结果里写着 "checkpoint":N 的地方,只算这一轮的。已经发生的事不会撤销。必须单独调用,每轮最多 ${maxDMailsPerTurn} 次。`,
      en: `Send a message to your earlier self in this turn: everything after that checkpoint leaves your context, only the message stays. For when you took a wrong path or read much that was of no use. Checkpoint 0 is right after the person's message, N is where a tool result says "checkpoint":N, of this turn only. What already happened is not undone. It must be the only call of its round; at most ${maxDMailsPerTurn} in a turn.`,
    },
    input,
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    // Wherever calls are shown, people read this and not the message.
    summarize: () => "El Psy Kongroo",
    detail: ({ checkpoint, message }) => `D-Mail → ${checkpoint}: ${message}`,
    run: ({ checkpoint }) => Promise.resolve({ ok: true as const, output: { checkpoint } }),
  });
}
