/**
 * Where people talk to the official QQ bot. A group is its plain openid, as people write it under `groups` of channels.yaml;
 * everything else carries a prefix. The same person has another openid in each of these places.
 */
export interface QqChat {
  /** user = alone with her; channel = a text channel of a guild; direct = a private chat that began in a guild. */
  readonly scene: "user" | "group" | "channel" | "direct";
  readonly id: string;
}

const prefixes = { user: "private:", channel: "channel:", direct: "direct:" } as const;

export function toChat({ scene, id }: QqChat): string {
  return scene === "group" ? id : `${prefixes[scene]}${id}`;
}

export function readChat(chat: string): QqChat {
  for (const scene of ["user", "channel", "direct"] as const) {
    if (chat.startsWith(prefixes[scene])) return { scene, id: chat.slice(prefixes[scene].length) };
  }
  return { scene: "group", id: chat };
}

/** The path in the API. Only the first two count replies by a sequence number. */
export function pathOf({ scene, id }: QqChat): string {
  const part = encodeURIComponent(id);
  switch (scene) {
    case "user":
      return `/v2/users/${part}`;
    case "group":
      return `/v2/groups/${part}`;
    case "channel":
      return `/channels/${part}`;
    case "direct":
      return `/dms/${part}`;
  }
}
