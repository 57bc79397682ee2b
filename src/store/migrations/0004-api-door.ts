/** Which message a request of the API repeats is looked up by its conversation. */
export function createApiIndex(): readonly string[] {
  return [`create index inbox_api on inbox (session, seq) where platform = 'api'`];
}
