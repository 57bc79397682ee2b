import type { PeopleView } from "../../views/people-views.ts";
import { namePlatform } from "../describe-question.ts";
import type { SystemPageParts } from "./system-parts.ts";

/** The groups she talks in, and what the configuration says of whole platforms. */
export function Groups({
  people: { groups, now, platforms },
  say: { people: say },
  time,
  words,
}: SystemPageParts & { readonly people: PeopleView }) {
  const rules = platforms.flatMap(({ admins, everybody, everyGroup, platform }) => {
    const name = namePlatform(platform, words);
    return [
      ...(everybody ? [say.everybody(name)] : []),
      ...(everyGroup ? [say.everyGroup(name)] : []),
      ...(admins === undefined ? [] : [say.admins(name, say.roles[admins])]),
    ];
  });
  return (
    <>
      <section class="sheet side" aria-labelledby="groups">
        <h2 class="head" id="groups">
          {say.groups}
        </h2>
        {groups.length === 0 && !platforms.some(({ everyGroup }) => everyGroup) && (
          <p class="small soft">{say.noGroups}</p>
        )}
        <ul class="sys-list">
          {groups.map((group) => (
            <li key={`${group.platform} ${group.id} ${group.by}`}>
              <div>
                <b>{group.name}</b>
                <span class="d small soft">
                  {namePlatform(group.platform, words)}
                  <i class="sep" />
                  {group.id}
                  <i class="sep" />
                  {group.by === "pair" ? say.byPair : say.byConfiguration}
                  {group.since !== undefined && (
                    <>
                      <i class="sep" />
                      {say.since(time.short(group.since, now))}
                    </>
                  )}
                </span>
              </div>
            </li>
          ))}
        </ul>
      </section>
      {rules.length > 0 && (
        <section class="sheet side" aria-labelledby="rules">
          <h2 class="head" id="rules">
            {say.configuration}
          </h2>
          {rules.map((rule) => (
            <p key={rule}>{rule}</p>
          ))}
          <p class="small soft">{say.where}</p>
        </section>
      )}
    </>
  );
}
