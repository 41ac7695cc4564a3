// Names of nodes and paths.

// A console shows them as buttons in a row.
export const PATHS_MAX = 20

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/
export const NODE_NAME_RULE =
  'must be 1 to 64 letters, digits, hyphens or underscores, beginning and ending with a letter or digit'

/** Whether the text may be the id of a node or the name of a path. It is safe in URLs and logs. */
export function isNodeName(text: string): boolean {
  return NAME.test(text)
}
