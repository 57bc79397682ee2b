import { randomUUID } from "node:crypto";
import type { Language } from "../../core/conversation.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { ConsoleHooks } from "../../kernel/feature/console-hooks.ts";
import type { Kernel } from "../../kernel/feature/define-feature.ts";
import { findWholeSession } from "../../store/queries/sessions.ts";
import { isAtWork, type BranchSwitcher } from "./branch-switcher.ts";
import {
  findBranchNumber,
  findOtherBranch,
  listForks,
  listOtherBranches,
  listPoints,
  type Branch,
  type Point,
} from "./branches.ts";
import { describeMove, nameBranch, shortenWords } from "./describe-worldlines.ts";

type WorldLines = NonNullable<ConsoleHooks["worldlines"]>;
type WorldLine = Awaited<ReturnType<WorldLines["list"]>>[number];

const maxOthers = 10;
const owner = { id: consoleOwner, name: "", role: "owner" } as const;
/** Whatever is unfinished came before a click. */
const item = { seq: Number.MAX_SAFE_INTEGER };

/** The branches of a conversation for the web console, and the owner's move between them. */
export function createConsoleWorldlines({
  branchSwitcher,
  ...kernel
}: Pick<Kernel, "clock" | "gateway" | "store" | "systemReplies"> & {
  readonly branchSwitcher: BranchSwitcher;
}): WorldLines {
  const db = kernel.store.main;
  return {
    async list(id) {
      const session = await findWholeSession(db, id);
      const others = session === undefined ? [] : await listOtherBranches(db, session, maxOthers);
      if (session === undefined || others.length === 0) return [];
      const number = await findBranchNumber(db, session);
      const [last] = await listPoints(db, session, session.points - 1, session.points - 1);
      const branches = [...others, { number, last }].toSorted((one, other) => one.number - other.number);
      const forks = await listForks(
        db,
        id,
        branches.map((branch) => branch.number),
      );
      return branches.map((branch) => describe(branch, forks.get(branch.number), branch.number === number));
    },
    async enter(id, number, login) {
      const session = await findWholeSession(db, id);
      const known = session && (await findOtherBranch(db, session, number));
      if (session === undefined || known === undefined) return "unknown";
      if (await isAtWork(db, id, item.seq)) return "busy";
      const ended = await kernel.gateway.endOpenQuestions(id, owner);
      // An owner may end those of others.
      const codes = ended.kind === "ended" ? ended.codes : [];
      // The chat is told after it, as of every action of the console.
      const by = { item, person: owner, login, report: () => Promise.resolve() };
      if (!(await branchSwitcher.enter(by, session, number))) return "busy";
      const told = describeMove(known, codes, session.language as Language);
      await kernel.systemReplies.tell(`console.${randomUUID()}`, id, () => told);
      return "moved";
    },
  };
}

function describe({ last, number }: Branch, from: WorldLine["from"], isCurrent: boolean): WorldLine {
  return {
    number,
    name: nameBranch(number),
    ...(from && { from }),
    ...(last && { last: describeLast(last) }),
    isCurrent,
  };
}

const describeLast = ({ at, number, text }: Pick<Point, "number" | "text" | "at">) => ({
  point: number,
  text: shortenWords(text),
  at,
});
