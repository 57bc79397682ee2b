import { useSignal } from "@preact/signals";
import type { AccountView, PeopleView, PersonView, RoleAnswerView, RoleRequest } from "../../views/people-views.ts";
import { callServer, type ServerAnswer } from "../call-server.ts";
import { connection } from "../live.ts";
import { Strangers } from "../strangers.tsx";
import { useView } from "../use-view.ts";
import { Groups } from "./groups.tsx";
import { PersonRole } from "./person-role.tsx";
import type { SystemPageParts } from "./system-parts.ts";

/** The people who may talk to her, and their roles. */
export function People(parts: SystemPageParts) {
  const { onSignedOut, say: all, time, words } = parts;
  const say = all.people;
  const { isLost, read, view } = useView<PeopleView>("/system/people", ["people"], onSignedOut);
  const told = useSignal("");
  const isBusy = useSignal(false);
  const shown = view.value;
  const isOff = isBusy.value || isLost.value || connection.value.kind !== "live";
  if (shown === undefined) return <p class="empty">{isLost.value ? words.lost : words.loading}</p>;

  async function act<View>(asked: Promise<ServerAnswer<View>>, tell: (answer: ServerAnswer<View>) => string) {
    isBusy.value = true;
    told.value = tell(await asked);
    isBusy.value = false;
    await read();
  }

  function tellRole(answer: ServerAnswer<RoleAnswerView>, name: string, { role: wanted }: RoleRequest): string {
    if (answer.kind === "lost") return say.failed;
    if (answer.kind === "refused")
      return { 403: say.isOwner, 404: say.gone, 409: say.byFile }[answer.status] ?? say.failed;
    const { role } = answer.view;
    if (role === "guest") return say.out(name);
    return role === wanted ? say.now(name, say.roles[role]) : say.still(name, say.roles[role]);
  }

  const change = ({ id, name }: PersonView, request: RoleRequest) =>
    act(callServer<RoleAnswerView>("POST", `/people/${encodeURIComponent(id)}/role`, request), (answer) =>
      tellRole(answer, name, request),
    );
  const unlink = (account: AccountView) =>
    act(callServer("DELETE", `/links/${encodeURIComponent(account.id)}`), (answer) => {
      if (answer.kind === "ok") return say.unlinked(account.shown);
      return answer.kind === "refused" && answer.status === 404 ? say.notLinked : say.failed;
    });

  const describeAccount = (account: AccountView) =>
    [
      account.shown,
      account.stored && say.from.stored(say.roles[account.stored], time.short(account.since ?? shown.now, shown.now)),
      account.configured && say.from.configured(say.roles[account.configured], places[account.configured]),
      account.link && (account.link.private ? say.linked : say.linkedInGroup),
    ].filter((part) => part !== undefined);

  return (
    <>
      <Strangers today={shown} words={words} time={time} isOld={isLost.value} onAnswered={() => void read()} />
      <section class="sheet side folk" aria-labelledby="people">
        <h2 class="head" id="people">
          {say.title}
        </h2>
        {shown.people.length === 0 && <p class="small soft">{say.none}</p>}
        <ul class="sys-list">
          {shown.people.map((person) => (
            <li key={person.id}>
              <div>
                <b>{person.name}</b> <span class={`chip ${chips[person.role]}`}>{say.roles[person.role]}</span>
                {person.accounts.map((account) => (
                  <div class="d small soft" key={account.id}>
                    {describeAccount(account).map((part, at) => (
                      <>
                        {at > 0 && <i class="sep" />}
                        {part}
                      </>
                    ))}
                    {account.link && shown.canUnlink && (
                      <button
                        class="btn sm"
                        type="button"
                        disabled={isOff}
                        aria-label={`${say.unlink} ${account.shown}`}
                        onClick={() => void unlink(account)}
                      >
                        {say.unlink}
                      </button>
                    )}
                  </div>
                ))}
              </div>
              <PersonRole person={person} say={say} isOff={isOff} onChange={(request) => change(person, request)} />
            </li>
          ))}
        </ul>
        <p class="small soft">{say.ownersHow}</p>
        <p role="status" class={told.value === "" ? "sr" : "small"}>
          {told.value}
        </p>
      </section>
      <Groups {...parts} people={shown} />
    </>
  );
}

const places = { owner: "KURISU_OWNERS", trusted: "channels.yaml", member: "channels.yaml" } as const;
const chips = { owner: "acc", trusted: "free", member: "" } as const;
