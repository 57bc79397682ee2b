import { namePlatform } from "../describe-question.ts";
import { serverNow } from "../live.ts";
import { pathTo, place } from "../router.ts";
import { viewer } from "../viewer.ts";
import type { HerParts } from "./her-parts.ts";
import { PersonMemories } from "./person-memories.tsx";

const platformOf = (account: string): string => account.split(":")[0] ?? "";

/** Her memories of the member who is signed in, by their accounts. */
export function OwnMemory(parts: HerParts) {
  const { say, words } = parts;
  const accounts = viewer.value?.accounts ?? [];
  const shown = accounts.find((account) => account === place.value[2]) ?? accounts[0];
  if (shown === undefined) return <p role="status">{words.loading}</p>;
  return (
    <div class={`sheet ${accounts.length > 1 ? "her-know" : ""}`}>
      {accounts.length > 1 && (
        <nav class="her-people" aria-label={say.own.accounts}>
          <ul>
            {accounts.map((account) => (
              <li key={account}>
                <a href={pathTo(["her", "memory", account])} aria-current={account === shown ? "true" : undefined}>
                  <span class="her-name">{namePlatform(platformOf(account), words)}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <PersonMemories key={shown} {...parts} person={{ id: shown, kind: "own" }} now={serverNow()} />
    </div>
  );
}
