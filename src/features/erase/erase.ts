import { createAlarm } from "../../core/schedule/alarm.ts";
import type { ToolContext } from "../../kernel/tools/types.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { orderErasure } from "./order-erasure.ts";

/**
 * Forgets everything of a person, or hands it over: an order is a row of the inbox, which is done once and to its end.
 * The gateway makes the work on orders (`erasures.ts`), since it ends turns and questions of the person.
 */
export const erase = defineFeature({
  name: "erase",
  environment: {},
  configure: () => ({}),
  make({ store }) {
    const alarm = createAlarm();
    return {
      /** Rings when a person is to be forgotten. */
      alarm,
      /** Orders that the person of a call is forgotten. */
      async order(asked: Pick<ToolContext, "call" | "now" | "person" | "session" | "turn">): Promise<void> {
        const { call, now, person, session, turn } = asked;
        await orderErasure(store.main, { account: person.id, by: person.id, session, key: `${turn}/${call}`, now });
        alarm.ring();
      },
    };
  },
});
