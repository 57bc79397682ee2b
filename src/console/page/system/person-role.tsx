import { useSignal } from "@preact/signals";
import type { PersonView, RoleRequest } from "../../views/people-views.ts";
import type { PeopleWords } from "../words/people/zh.ts";

/** The changes of a role that the owner can make; taking it away takes a second step. */
export function PersonRole({
  isOff,
  onChange,
  person: { accounts, name, role },
  say,
}: {
  readonly person: PersonView;
  readonly say: PeopleWords;
  readonly isOff: boolean;
  readonly onChange: (request: RoleRequest) => Promise<void>;
}) {
  const isAsked = useSignal(false);
  if (role === "owner") return null;
  const stored = accounts.filter((account) => account.stored !== undefined);
  const isTrusted = role === "trusted" && stored.some((account) => account.stored === "trusted");

  async function change(to: RoleRequest["role"]): Promise<void> {
    isAsked.value = false;
    await onChange({ role: to });
  }
  if (isAsked.value)
    return (
      <div class="sys-acts" role="group" aria-label={name}>
        <p>{say.sure(name, stored.length)}</p>
        <button class="btn no" type="button" disabled={isOff} onClick={() => void change("none")}>
          {say.yes}
        </button>
        <button class="btn" type="button" ref={(button) => button?.focus()} onClick={() => (isAsked.value = false)}>
          {say.no}
        </button>
      </div>
    );
  return (
    <span class="acts">
      {role === "member" && (
        <button
          class="btn sm"
          type="button"
          disabled={isOff}
          aria-label={`${say.trust} ${name}`}
          onClick={() => void change("trusted")}
        >
          {say.trust}
        </button>
      )}
      {isTrusted && (
        <button
          class="btn sm"
          type="button"
          disabled={isOff}
          aria-label={`${say.untrust} ${name}`}
          onClick={() => void change("member")}
        >
          {say.untrust}
        </button>
      )}
      {stored.length > 0 && (
        <button
          class="btn sm no"
          type="button"
          disabled={isOff}
          aria-label={`${say.remove} ${name}`}
          onClick={() => (isAsked.value = true)}
        >
          {say.remove}
        </button>
      )}
    </span>
  );
}
