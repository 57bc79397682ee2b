const looks =
  /(?:^|_)(?:read|list|get|search|find|fetch|look|view|show|recall|describe|count|stat|stats|grep|glob|time|think|screenshot|expand|format|output|filter_by_person|load_messages|expand_query)(?:_|$)/;
const changes =
  /(?:^|_)(?:write|edit|patch|delete|remove|replace|insert|append|send|reply|create|add|update|set|reset|clear|put|post|move|copy|rename|merge|archive|mark|install|run|exec|execute|start|stop|open|close|kill|cancel|save|upload|push|commit|restart|make|book|schedule|forget|remember|remind)(?:_|$)/;

/**
 * Whether a call of this tool can have changed something, by its name alone: a tool that only looks supports no claim that
 * something was done. A tool whose name says neither is believed to change things.
 */
export function changesThings(tool: string): boolean {
  const name = (tool.split("__").at(-1) ?? tool)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_");
  return changes.test(name) || !looks.test(name);
}
