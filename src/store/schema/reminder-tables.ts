/** Something she is to say, or to do, at a time. */
export interface ReminderTable {
  id: string;
  /** `<platform>:<user>`: who set it. */
  person: string;
  /** Their name at that time. */
  name: string;
  /** The chat where it was set; there it comes. */
  session: string;
  text: string;
  /** 1 = a task: when it is due, a turn begins with the text. */
  task: number;
  /** JSON; core/schedule/schedule.ts has its shape. */
  schedule: string;
  zone: string;
  language: string;
  /** The label of the turn that stored the text, and whose words that turn had read, as a JSON list. */
  taint: string;
  sources: string;
  /** active | done | cancelled */
  state: string;
  /** When it is looked at next; null = never again. */
  next_due: number | null;
  /** Only while it waits for the end of quiet hours: when it was due. */
  held_due: number | null;
  last_due: number | null;
  created_at: number;
  updated_at: number;
}
