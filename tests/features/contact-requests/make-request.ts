import type { ContactRequestEvent } from "../../../src/channels/types.ts";
import { fakeAddress } from "../../support/fake-channel.ts";

let requests = 0;

/** A stranger wants something of the account. */
export function makeRequest(more: Partial<ContactRequestEvent> & { readonly user?: string } = {}): ContactRequestEvent {
  requests += 1;
  const { user = "stranger", ...rest } = more;
  const request = rest.request ?? "friend";
  const flag = rest.flag ?? `flag-${requests}`;
  return {
    kind: "request",
    key: `request:${user}:${flag}`,
    address: fakeAddress(request === "friend" ? user : "lab"),
    sender: { id: user, name: user, kind: "person" },
    sentAt: 0,
    comment: "",
    ...rest,
    request,
    flag,
  };
}
