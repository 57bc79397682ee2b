/** A group's own title, as QQ writes it before a name. */
const titles = /^(?:【[^【】]{1,40}】\s*)+(?=\S)/;

/** The name of a person alone: titles such as 【管理员】 are the group's, and no part of it. */
export function toQqName(label: string): string {
  return label.slice(0, 400).replace(titles, "").trim();
}
