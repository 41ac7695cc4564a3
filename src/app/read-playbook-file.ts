// A document of a playbook in a file of a command, read as an import reads it.

import { readImport, type SentDocument } from '../casework/playbooks/documents/read-import.ts'

export interface PlaybookFile extends Pick<SentDocument, 'addLine'> {
  readonly nodes: readonly unknown[]
  readonly description: string
}

/** Bytes of YAML, or parsed JSON. Throws CASEWORK_PLAYBOOK_NOT_VALID with every problem. */
export function readPlaybookFile(given: unknown): PlaybookFile {
  const { document, addLine } = readImport(given)
  return { nodes: document.nodes, description: document.description, addLine }
}
