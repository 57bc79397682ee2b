type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Leaves out what is not set, so that an optional field is there or is not. */
export function dropUnset<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
