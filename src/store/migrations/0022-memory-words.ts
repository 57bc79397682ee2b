import type { Engine } from "./engine.ts";

/** The words of a memory go with it, whatever takes it away, and also while its index is made anew. */
export function dropWordsOfMemories({ name }: Engine): readonly string[] {
  return name === "sqlite" ? sqliteTriggers : postgresTriggers;
}

const sqliteTriggers = [
  `create trigger memory_terms_removed after delete on memories
    begin delete from memory_terms where memory = old.id; end`,
  `create trigger memory_terms_forgotten after update of state on memories when new.state = 'forgotten'
    begin delete from memory_terms where memory = old.id; end`,
];

const postgresTriggers = [
  `create or replace function kurisu_drop_memory_terms() returns trigger language plpgsql as $body$
  begin
    delete from memory_terms where memory = old.id;
    return null;
  end $body$`,
  `create trigger memory_terms_removed after delete on memories
    for each row execute function kurisu_drop_memory_terms()`,
  `create trigger memory_terms_forgotten after update of state on memories
    for each row when (new.state = 'forgotten') execute function kurisu_drop_memory_terms()`,
];
