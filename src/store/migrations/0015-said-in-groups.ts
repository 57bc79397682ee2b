import type { Engine } from "./engine.ts";

/** The speakers of a group's talk beside her, and the part the model was told: schema/chat-tables.ts has the meaning. */
export function keepWhoWasOverheard({ text }: Engine): readonly string[] {
  return [
    `alter table overheard add column person ${text}`,
    `alter table overheard add column human ${text}`,
    `alter table overheard add column told integer not null default 0`,
  ];
}
