import type { Engine } from "./engine.ts";

/** Who said what in a group beside her, and what the model was told of: schema/chat-tables.ts has the meaning. */
export function keepWhoWasOverheard({ text }: Engine): readonly string[] {
  return [
    `alter table overheard add column person ${text}`,
    `alter table overheard add column human ${text}`,
    `alter table overheard add column told integer not null default 0`,
  ];
}
