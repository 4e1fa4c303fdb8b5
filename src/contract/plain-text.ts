/**
 * How the interface's own words stand in a JSON body: the name of a property, the number that it has, a status. A key
 * that is such a word is not told by them.
 */
export const interfaceText: readonly RegExp[] = [
  /"(?:petId|quantity|status|code|message)"\s*:(?:\s*-?\d+(?:\.\d+)?(?=\s*[,}\]]))?/g,
  /"status"\s*:\s*"(?:available|pending|sold)"/g,
]
