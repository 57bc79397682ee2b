/**
 * Where people talk on QQ. Numbers of people and of groups may coincide, so a private chat carries a prefix; a group is its
 * plain number, as people write it under `groups` of channels.yaml.
 */
export interface QqChat {
  readonly kind: "private" | "group";
  readonly id: string;
}

const privatePrefix = "private:";

export function toChat({ kind, id }: QqChat): string {
  return kind === "private" ? `${privatePrefix}${id}` : id;
}

export function readChat(chat: string): QqChat {
  return chat.startsWith(privatePrefix)
    ? { kind: "private", id: chat.slice(privatePrefix.length) }
    : { kind: "group", id: chat };
}
