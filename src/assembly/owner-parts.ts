import type { Configuration } from "../config.ts";
import type { PeoplePorts } from "../console/routes/describe-people.ts";
import type { TrialParts } from "../console/routes/trial-routes.ts";
import { erase } from "../features/erase/erase.ts";
import { memory } from "../features/memory/memory.ts";
import { reminders } from "../features/reminders/reminders.ts";
import { skills } from "../features/skills/skills.ts";
import type { ConsoleHooks } from "../kernel/feature/console-hooks.ts";
import type { MadeFeatures } from "../kernel/feature/make-features.ts";
import type { Roles } from "../kernel/people/find-role.ts";
import type { Store } from "../store/open-store.ts";

/** The features' actions for the owner in the web console. */
export function findOwnerParts(
  now: () => Configuration,
  made: MadeFeatures,
  {
    people,
    roles,
    store,
    ...trials
  }: Pick<TrialParts["trials"], "models" | "reload" | "scrub"> & {
    readonly people: Pick<PeoplePorts, "access" | "platforms">;
    readonly roles: Pick<Roles, "base">;
    readonly store: Pick<Store, "main">;
  },
) {
  /** Undefined when the feature that has it was removed. */
  const find = <Name extends keyof ConsoleHooks>(name: Name): ConsoleHooks[Name] | undefined =>
    made.list.find(({ hooks }) => hooks[name])?.hooks[name];
  return {
    memories: made.of(memory).owner,
    reminders: made.of(reminders).owner,
    eraseConversation: made.of(erase).eraseConversation,
    erasePerson: made.of(erase).eraseAsOperator,
    skills: made.of(skills).desk,
    strangers: made.list.flatMap(({ hooks }) => hooks.strangers ?? []),
    standing: {
      areMembersLetIn: () => now().console.members,
      roleOf: (account: string) => roles.base(account, store.main),
    },
    people: { ...people, unlinkAccount: find("unlinkAccount") },
    listAgents: find("listAgents"),
    worldlines: find("worldlines"),
    trials: {
      ...trials,
      folders: () => now().personaFolders,
      readPersona: (...asked: Parameters<Configuration["readPersona"]>) => now().readPersona(...asked),
    },
    writeConversation: find("writeConversation"),
  };
}

export type OwnerParts = ReturnType<typeof findOwnerParts>;
