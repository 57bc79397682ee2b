import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { linkWords } from "./words.ts";
import { createLinkBook, readLinkCode } from "./link-book.ts";
import { createLinkCommands } from "./link-commands.ts";
import { accountLinkTables } from "./tables.ts";

/**
 * One human with several accounts: how the accounts are linked. The kernel knows the links
 * (`store/queries/account-links.ts`): memory, roles and answers to questions follow them.
 *
 *     /link             shows a code in one account and takes it in the other, once in each direction
 *     admits            accepts a link code from strangers and in closed groups, and nothing else of theirs
 *     /unlink           parts an account from the others
 *     /whoami           names the person's other accounts, in private only
 *
 * `link-book.ts` has the rules: permitted links, wrong codes, and what a group may do.
 */
export const accountLinks = defineFeature({
  name: "account-links",
  tables: accountLinkTables,
  words: linkWords,
  make(kernel) {
    const links = createLinkBook(kernel);
    return { admits: links.admits, ...createLinkCommands({ ...kernel, links }) };
  },
  commands: [
    {
      names: ["link"],
      menu: pickMenu(linkWords, "link"),
      who: "everybody",
      whilePaused: true,
      // A code that a whole group has read must be used up, and is nothing for the model.
      withoutMention: ({ rest }) => readLinkCode(`/link ${rest}`) !== undefined,
      answer: ({ link }, call) => link(call),
    },
    {
      names: ["unlink"],
      menu: pickMenu(linkWords, "unlink"),
      who: "everybody",
      whilePaused: true,
      answer: ({ unlink }, call) => unlink(call),
    },
    {
      names: ["whoami"],
      menu: pickMenu(linkWords, "whoami"),
      who: "everybody",
      whilePaused: true,
      inGroups: true,
      answer: ({ whoAmI }, call) => whoAmI(call),
    },
  ],
});
