/** The part of a tool's name that says what it does: after the server's name, without the kind of its object. */
const looks =
  /(?:^|_)(?:read|list|get|search|find|fetch|look|view|show|check|recall|load|query|describe|count|stat|stats|grep|glob|time|think|screenshot|expand|filter|format|reading|lookup)(?:_|$)/;
const changes =
  /(?:^|_)(?:write|edit|patch|delete|remove|send|create|add|update|set|put|post|move|rename|install|run|exec|execute|shell|cancel|save|upload|push|commit|restart|make|book|schedule|forget|remember|remind)(?:_|$)/;

/**
 * Whether a call of this tool can have changed something, by its name alone: a tool that only looks supports no claim that
 * something was done. Names that say neither are believed.
 */
export function changesThings(tool: string): boolean {
  const name = tool.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  return changes.test(name) || !looks.test(name);
}
