import { requestWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { createHash, randomInt } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { createWakeLoop } from "../../core/schedule/wake-loop.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import {
  countContactRequests,
  expireContactRequests,
  findContactRequest,
  findUnsettledRequest,
  insertContactRequest,
  listOpenContactRequests,
  renewContactRequest,
  settleContactRequest,
  takeContactRequest,
  type ContactRequest,
} from "./queries/contact-requests.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../../kernel/gate/types.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";
import type { Channel, ContactRequestEvent } from "../../channels/types.ts";
import { readRequestAnswer, type RequestWords } from "./read-request-answer.ts";

/** People who want to be friends, to join a group, or to have her in one. Without an owner's answer nothing happens. */
export interface RequestBook {
  /** Stores the request and notifies the owners. */
  note(event: ContactRequestEvent): Promise<void>;
  /** Acts on an owner's answer, once. `cause` = the row of the answer; the same again acts no second time. */
  answer(given: {
    readonly request: { readonly id: string } | { readonly code: string };
    readonly accept: boolean;
    readonly by: Person;
    readonly cause: string;
    readonly session: string;
    readonly language: Language;
  }): Promise<string>;
  /** The words of an answer if they name a request that is or was there. */
  read(text: string): Promise<RequestWords | undefined>;
  describe(language: Language): Promise<string>;
  /** Ends requests that have expired, now and from then on. Never throws. */
  watch(): Promise<void>;
  stop(): Promise<void>;
}

const dayMs = 24 * 3_600_000;
const lifeMs = 3 * dayMs;
const hourMs = 3_600_000;
/** The others of an hour are one line together. */
const toldInAnHour = 5;
const maxOpen = 30;
const lookAgainMs = 10 * 60_000;

export function createRequestBook(parts: {
  readonly store: Store;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly tellOwners: TellOwners;
  readonly clock: Clock;
  readonly log: Logger;
}): RequestBook {
  const { store, tellOwners, clock, log } = parts;
  let noting: Promise<unknown> = Promise.resolve();
  const loop = createWakeLoop({ look });

  /** One after the other, so that a flood is counted. */
  function note(event: ContactRequestEvent): Promise<void> {
    const noted = noting.then(() => noteOne(event));
    noting = Promise.allSettled([noted]);
    return noted;
  }

  async function noteOne(event: ContactRequestEvent): Promise<void> {
    const now = clock.now();
    const { account, chat, platform } = event.address;
    const { flag, request: kind, sender } = event;
    const same = { platform, account, chat, person: sender.id, kind, flag };
    const id = nameRequest(event);
    const comment = makeVisible(event.comment);
    // After a crash the request may be stored without a notice to the owners.
    let code = (await findContactRequest(store.main, { id }))?.code;
    const recent = await countContactRequests(store.main, now - hourMs);
    if (code === undefined) {
      if (await renewContactRequest(store.main, same)) return;
      const open = await listOpenContactRequests(store.main);
      if (open.length >= maxOpen) {
        await tellOwners(
          `requests-full:${Math.floor(now / hourMs)}`,
          (_words, language) => requestWords[language].full,
        );
        return;
      }
      code = chooseCode(kind, open);
      await insertContactRequest(store.main, { ...same, id, code, comment, createdAt: now, expiresAt: now + lifeMs });
    }
    const shown = code;
    if (recent >= toldInAnHour) {
      await tellOwners(`requests-more:${Math.floor(now / hourMs)}`, (_words, language) => requestWords[language].more);
      return;
    }
    const asked = { kind, who: `${platform}:${sender.id}`, chat };
    await tellOwners(id, (words, language) => ({
      text: requestWords[language].asked({ ...asked, comment, code: shown, term: words.duration(lifeMs) }),
      choices: [
        { label: requestWords[language].accept, data: `r:${id}:y`, style: "approve" },
        { label: requestWords[language].decline, data: `r:${id}:n`, style: "reject" },
      ],
    }));
  }

  async function answer(given: Parameters<RequestBook["answer"]>[0]): Promise<string> {
    const { accept, by, cause, session } = given;
    const words = requestWords[given.language];
    const before = await findUnsettledRequest(store.main, cause);
    if (before) {
      // This process died in between: whether the answer reached the platform is unknown.
      await settleContactRequest(store.main, before.id, "unclear");
      return words.unclear(before.code);
    }
    const request = await findContactRequest(store.main, given.request);
    if (request === undefined) return words.none;
    const now = clock.now();
    const won = await store.main.transaction().execute(async (tx) => {
      if (!(await takeContactRequest(tx, { id: request.id, by: by.id, cause, now }))) return false;
      const detail = {
        code: request.code,
        kind: request.kind,
        person: `${request.platform}:${request.person}`,
        accept,
      };
      await appendAudit(tx, { actor: by.id, action: "request.answered", session, detail, now });
      return true;
    });
    if (!won) return words.over(request.code);
    return act(request, accept, given.language);
  }

  async function act(request: ContactRequest, accept: boolean, language: Language): Promise<string> {
    const { account, chat, code, flag, id, kind, platform } = request;
    const address = { platform, account, chat, thread: null };
    const done = await parts.findChannel(platform)?.answerRequest?.(address, { request: kind, flag }, accept);
    const ended = done ?? { kind: "later", reason: platform };
    switch (ended.kind) {
      case "done":
        await settleContactRequest(store.main, id, accept ? "accepted" : "declined");
        return accept ? requestWords[language].accepted(code) : requestWords[language].declined(code);
      case "refused":
        await settleContactRequest(store.main, id, "failed");
        return requestWords[language].failed({ code, reason: makeVisible(ended.reason) });
      case "later":
        await settleContactRequest(store.main, id, "open");
        return requestWords[language].later({ code, reason: makeVisible(ended.reason) });
      case "unknown":
        await settleContactRequest(store.main, id, "unclear");
        return requestWords[language].unclear(code);
    }
  }

  async function look(): Promise<number> {
    try {
      const ended = await expireContactRequests(store.main, clock.now());
      const [first] = ended;
      const codes = ended.map(({ code }) => code);
      if (first) await tellOwners(`${first.id}.expired`, (_words, language) => requestWords[language].expired(codes));
    } catch (error) {
      log.error({ err: error }, "requests could not be looked at; trying again");
    }
    return lookAgainMs;
  }

  return {
    note,
    answer,
    watch: loop.ring,
    stop: loop.stop,
    async read(text) {
      const said = readRequestAnswer(text);
      return said && (await findContactRequest(store.main, said)) ? said : undefined;
    },
    async describe(language) {
      await loop.ring();
      const open = await listOpenContactRequests(store.main);
      if (open.length === 0) return requestWords[language].none;
      const lines = open.map(({ chat, code, comment, kind, person, platform }) =>
        requestWords[language].line({ code, kind, who: `${platform}:${person}`, chat, comment }),
      );
      return [requestWords[language].heading, ...lines].join("\n");
    },
  };
}

/** The same event is the same request. */
function nameRequest({ address, key }: ContactRequestEvent): string {
  const digest = createHash("sha256").update(`${address.platform}:${address.account}:${key}`).digest("hex");
  return `request_${digest.slice(0, 26)}`;
}

/** None that an open one has. */
function chooseCode(kind: ContactRequest["kind"], open: readonly ContactRequest[]): string {
  const taken = new Set(open.map(({ code }) => code));
  for (;;) {
    const code = `${kind === "friend" ? "F" : "G"}${randomInt(100, 1_000)}`;
    if (!taken.has(code)) return code;
  }
}
