import { createAlarm } from "../../core/schedule/alarm.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { eraseWords } from "./words.ts";
import type { ToolContext } from "../../kernel/tools/types.ts";
import { createEraseAsOperator, type ErasePersonRequest } from "./erase-as-operator.ts";
import { createEraseConversation } from "./erase-conversation.ts";
import { createErasures } from "./erasures.ts";
import { orderErasure } from "./order-erasure.ts";

/**
 * Erases everything about a person, or exports it (`export-person.ts`).
 *
 *     order, `kurisu memory forget --all`   write a row of the inbox and ring the alarm
 *     opened -> loop                        takes up orders, those of another process too; `stop` ends it
 *     job `erase`                           ends the person's work, deletes slice by slice, and notifies the chat that asked
 *
 * The kernel and each feature declare, for each of their tables, what belongs to a person
 * (`store/tables/person-table.ts`).
 */
export const erase = defineFeature({
  name: "erase",
  words: eraseWords,
  make(kernel) {
    const { store, clock } = kernel;
    const alarm = createAlarm();
    const erasures = createErasures({
      ...kernel,
      alarm,
      takeOrders: () => kernel.gateway.takeUnfinished(),
      stopPerson: (...request) => kernel.gateway.stopPerson(...request),
      endWork: (session) => kernel.gateway.endWork(session),
      sweepOutgoing: () => kernel.gateway.sweepOutgoing(),
    });
    let isOpened = false;
    const isStarted = () => isOpened;
    const eraseAsOperator = createEraseAsOperator({ store, alarm, work: erasures.work, isStarted, clock });
    return {
      opened() {
        isOpened = true;
        erasures.start();
      },
      stop: erasures.stop,
      jobs: { erase: { work: erasures.work } },
      /** Orders that the person of a call is forgotten. */
      async order(asked: Pick<ToolContext, "call" | "now" | "person" | "session" | "turn">): Promise<void> {
        const { call, now, person, session, turn } = asked;
        await orderErasure(store.main, { account: person.id, by: person.id, session, key: `${turn}/${call}`, now });
        alarm.ring();
      },
      eraseAsOperator,
      eraseConversation: createEraseConversation({
        ...kernel,
        endWork: (session) => kernel.gateway.endWork(session),
        sweepOutgoing: () => kernel.gateway.sweepOutgoing(),
      }),
      requests: {
        "erase-person": async ({ person }: ErasePersonRequest) =>
          JSON.stringify(await eraseAsOperator(person, "cli:owner")),
      },
    };
  },
});
