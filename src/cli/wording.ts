// Small wording that several commands share: numbers with their noun, and the flags of the program
// in sentences of the server.

/** `1 entry`, `2 entries`. */
export function countOf(count: unknown, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`
}

/** Replaces the requests in a sentence of the server by flags and commands. */
export function nameFlags(sentence: string): string {
  return sentence
    .replaceAll('allowShrink=true', '--allow-shrink')
    .replaceAll('GET /beta/casework/assignees', '`npx casework case assignees`')
}
