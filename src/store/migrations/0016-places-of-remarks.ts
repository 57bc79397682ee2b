/** Up to where the remarks of a line are written is asked before each summary. */
export function indexPlacesOfRemarks(): readonly string[] {
  return [`create index remarks_place on remarks (session, branch, position)`];
}
