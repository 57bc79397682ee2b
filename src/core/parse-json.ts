/** What a text says as JSON; undefined = it is none. For what others wrote, where that is no fault of ours. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
