/** An installed skill that an owner has let into a chat, as it was then. */
export interface SkillAdmissionTable {
  session: string;
  skill: string;
  digest: string;
  person: string;
  at: number;
}
