/** Numeric user and group that commands run as and that own the workspace. */
export interface ContainerIdentity {
  readonly uid: number;
  readonly gid: number;
}

const fallback = 1000;

/**
 * A gateway that is root runs commands as 1000:1000 and gives them the workspace by chown. Any other gateway cannot
 * chown, so commands run under its own number: both sides then own every file. It is never 0, even when the gateway is
 * root.
 */
export function chooseContainerIdentity(uid: number | undefined, gid: number | undefined): ContainerIdentity {
  if (uid === undefined || uid === 0) return { uid: fallback, gid: fallback };
  return { uid, gid: gid === undefined || gid === 0 ? fallback : gid };
}
