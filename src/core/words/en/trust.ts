/** Answers to /trust and /untrust. */
export const trust = {
  usage: "Usage: /trust ID or name, /untrust takes it back. The id is the platform's number; names count only if unique.",
  given: ({ name, id }: { readonly name: string; readonly id: string }) => `Good: ${name} (${id}) is trusted, from their next message on.`,
  taken: ({ name, id }: { readonly name: string; readonly id: string }) => `${name} (${id}) is no longer trusted, only a member. That holds at once.`,
  unknown: (text: string) => `I know nobody called "${text}". Use the id, or let them pair first.`,
  several: (ids: readonly string[]) => `More than one person has that name: ${ids.join(", ")}. Use the id.`,
  isOwner: (name: string) => `${name} is an owner already.`,
  notTrusted: (name: string) => `${name} was not among the trusted.`,
  byConfiguration: (name: string) => `${name} is trusted by the configuration: change trusted in channels.yaml.`,
};
