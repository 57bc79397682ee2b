import type { Logger } from "pino";
import type { ChosenPersonas } from "../../core/persona/chosen-personas.ts";
import type { Signals } from "../../store/engines/postgres-signals.ts";
import { findChosenPersona } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";

/** A persona that is chosen at one process of the database speaks at the others, too. */
export function sharePersonas(
  personas: ChosenPersonas,
  parts: {
    readonly store: Pick<Store, "main">;
    readonly signals: Pick<Signals, "send" | "on">;
    readonly log: Pick<Logger, "warn">;
  },
): ChosenPersonas {
  const { log, signals, store } = parts;

  async function refresh(session: string): Promise<void> {
    personas.choose(session, await findChosenPersona(store.main, session));
  }

  signals.on("persona", (session) => {
    refresh(session).catch((error: unknown) =>
      log.warn({ err: error, session }, "a persona that was chosen elsewhere is known with the next turn"),
    );
  });

  return {
    ...personas,
    choose(session, id) {
      personas.choose(session, id);
      signals.send("persona", session);
    },
    refresh,
  };
}
