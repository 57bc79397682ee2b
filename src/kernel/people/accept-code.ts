import type { Clock } from "../../core/clock.ts";
import { findPairingByCode, savePerson } from "../../store/queries/people.ts";
import type { Store } from "../../store/open-store.ts";
import { readPairingCode } from "./read-pairing-code.ts";

/** Admits the stranger who was given this code. Returns undefined when there is none. */
export async function acceptCode(
  store: Pick<Store, "main">,
  clock: Clock,
  text: string,
): Promise<{ readonly person: string; readonly name: string; readonly session: string } | undefined> {
  const code = readPairingCode(`/pair ${text}`);
  const pairing = code && (await findPairingByCode(store.main, code, clock.now()));
  if (!pairing) return undefined;
  await savePerson(store.main, { id: pairing.person, name: pairing.name, role: "member", now: clock.now() });
  return { person: pairing.person, name: pairing.name, session: pairing.session };
}
