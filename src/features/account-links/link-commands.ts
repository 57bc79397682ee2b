import { linkWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { listLinkedAccounts } from "../../store/queries/account-links.ts";
import type { Clock } from "../../core/clock.ts";
import type { Role } from "../../kernel/gate/types.ts";
import type { Store } from "../../store/open-store.ts";
import type { Channel } from "../../channels/types.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";
import { readLinkCode, type LinkBook, type LinkSide, type LinkSpeaker } from "./link-book.ts";
import type { Roles } from "../../kernel/people/find-role.ts";
import { consoleOwner, consolePlatform } from "../../core/own-platforms.ts";
import { servedPlatform } from "../../core/served-platform.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import { tellAs } from "../../kernel/outbox/tell-as.ts";

/** Platforms of programs, as opposed to clients that identify people: the program says who asks. */
const programs = new Set(["cli", consolePlatform, servedPlatform]);

/** /link, /unlink and /whoami. In a group nothing is said of accounts elsewhere. */
export function createLinkCommands(parts: {
  readonly store: Pick<Store, "main">;
  readonly links: LinkBook;
  readonly roles: Pick<Roles, "base">;
  readonly namedByClients: (platform: string) => boolean;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly tellOwners: TellOwners;
  readonly clock: Clock;
}) {
  const { links, store } = parts;

  const mayLink = (platform: string) => !programs.has(platform) && !parts.namedByClients(platform);

  async function link(call: CommandCall): Promise<CommandAnswer> {
    const { message, language } = call;
    const texts = linkWords[language];
    const { platform } = message.address;
    if (message.sender.kind !== "person" || !mayLink(platform)) return { text: texts.notHere };
    const speaker = toSpeaker(call);
    const isOtherId = parts.findChannel(platform)?.capabilities.idsDifferByChat === true;
    const code = readLinkCode(`/link ${call.rest}`);
    if (!speaker.isPrivate && (call.rest === "" || !isOtherId)) {
      if (code !== undefined) await links.spoil(code);
      return tellAs("privately", call.language, texts.privateOnly);
    }
    if (call.rest === "") return begin(speaker, call);
    return code === undefined ? { text: texts.usage } : enter(speaker, code, language);
  }

  async function begin(speaker: LinkSpeaker, { language, person, words }: CommandCall): Promise<CommandAnswer> {
    if (person.role === "guest") return tellAs("denied", language, words.access.ownerOnly);
    const begun = await links.begin(speaker);
    return { text: begun.kind === "begun" ? linkWords[language].begun(begun.code) : linkWords[language][begun.why] };
  }

  async function enter(speaker: LinkSpeaker, code: string, language: Language): Promise<CommandAnswer> {
    const texts = linkWords[language];
    const step = await links.enter(speaker, code);
    switch (step.kind) {
      case "refused":
        return { text: texts[step.why] };
      case "wrong":
        return { text: texts.wrong };
      case "too-many":
        return { text: texts.tooMany };
      case "own":
        return { text: texts.own };
      case "answered": {
        const { code: next, first, second } = step;
        if (speaker.isPrivate) return { text: texts.secondCode({ code: next, other: describeSide(first) }) };
        const text = (_words: Words, theirs: Language) =>
          linkWords[theirs].sendThere({ code: next, other: describeSide(second) });
        return { text: texts.lookInPrivate, also: { session: first.session, text } };
      }
      case "linked": {
        const { first, second } = step;
        await tellOfNewcomer(first, second);
        // The other one is always in private: from a group it is the first, and else both are.
        const [here, there] = speaker.account === first.account ? [first, second] : [second, first];
        const also = {
          session: there.session,
          text: (_words: Words, theirs: Language) => linkWords[theirs].linked(describeSide(here)),
        };
        return { text: speaker.isPrivate ? texts.linked(describeSide(there)) : texts.linkedHere, also };
      }
    }
  }

  /**
   * A link may admit a person whom no owner let in, so the owners are notified. An owner who links accounts sees it in
   * both of them.
   */
  async function tellOfNewcomer(first: LinkSide, second: LinkSide): Promise<void> {
    const role = await roleOf(first.account);
    if (role === "owner") return;
    const sides = { one: describeSide(first), other: describeSide(second) };
    await parts.tellOwners(`linked:${first.account}:${second.account}:${parts.clock.now()}`, (_words, language) =>
      linkWords[language].toOwners(sides),
    );
  }

  async function unlink(call: CommandCall): Promise<CommandAnswer> {
    const { person, rest, language } = call;
    const texts = linkWords[language];
    const speaker = toSpeaker(call);
    if (!speaker.isPrivate && rest !== "") return tellAs("privately", call.language, texts.privateOnly);
    const left = await links.leave(speaker, person.role === "owner", rest === "" ? undefined : rest);
    if (left === undefined)
      return { text: rest === "" ? texts.notLinked : texts.notYours(makeVisible(rest.slice(0, 64))) };
    const strangers = await forgetStrangers(left);
    if (!speaker.isPrivate) return { text: texts.unlinkedHere };
    const again = strangers.length === 0 ? [] : [texts.strangersNow(strangers)];
    return { text: [texts.unlinked(left), ...again].join("\n") };
  }

  /** At the console. False = the account is linked with no other. */
  async function unlinkAccount(account: string, login: string): Promise<boolean> {
    const owner = { account: consoleOwner, name: consoleOwner, session: consolePlatform, isPrivate: true, login };
    const left = await links.leave(owner, true, account);
    if (left !== undefined) await forgetStrangers(left);
    return left !== undefined;
  }

  /**
   * Forgets the pairing of accounts that are now admitted nowhere, so that their next message counts as their first.
   */
  async function forgetStrangers(accounts: readonly string[]): Promise<readonly string[]> {
    const strangers: string[] = [];
    for (const account of accounts) {
      if ((await roleOf(account)) !== "guest") continue;
      await store.main.deleteFrom("pairings").where("person", "=", account).execute();
      strangers.push(account);
    }
    return strangers;
  }

  async function whoAmI({ message, person, language }: CommandCall): Promise<CommandAnswer> {
    const texts = linkWords[language];
    const line = texts.whoAmI({ name: makeVisible(person.name), id: person.id, role: texts.roles[person.role] });
    if (message.chatKind === "group") return { text: line };
    const others = (await listLinkedAccounts(store.main, person.id)).filter((account) => account !== person.id);
    const none = mayLink(message.address.platform) ? texts.noOthers : texts.noOthersHere;
    return { text: [line, others.length === 0 ? none : texts.others(others)].join("\n") };
  }

  function roleOf(account: string): Promise<Role> {
    return parts.roles.base(account, store.main);
  }

  return { link, unlink, unlinkAccount, whoAmI };
}

function toSpeaker({ message, person, session }: CommandCall): LinkSpeaker {
  return { account: person.id, name: person.name, session, isPrivate: message.chatKind === "private" };
}

function describeSide({ account, name }: LinkSide): string {
  return `${makeVisible(name.slice(0, 64))} (${account})`;
}
