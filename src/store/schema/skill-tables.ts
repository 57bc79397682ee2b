/** A session's choice about a skill (`/skills on`, `/skills off`). */
export interface SkillChoiceTable {
  session: string;
  skill: string;
  /** on | off */
  choice: string;
}

/** The skills that a session's topic is about, as JSON, before and after the turn that wrote the row. */
export interface SkillTopicTable {
  session: string;
  turn: string;
  position: number;
  before: string;
  after: string;
}

/** An installed skill that an owner has let into a chat, as it was then. */
export interface SkillAdmissionTable {
  session: string;
  skill: string;
  digest: string;
  person: string;
  at: number;
}
