// The playbooks that ship with the program: documents in resources/playbooks. A tenant copies one
// by importing it, so an upgrade of the program changes no playbook of a tenant.

import type { FieldProblem } from '../../../values/field-problem.ts'
import { listResources, readResource } from '../../../values/resources.ts'
import { type PlaybookDocument, readDocument } from './playbook-document.ts'
import { readYaml } from './yaml-text.ts'

export interface ShippedPlaybook {
  /** The name of its file, such as notify-and-escalate. */
  readonly name: string
  readonly document: PlaybookDocument
}

let read: readonly ShippedPlaybook[] | null = null

/** By name. Read when they are needed first. */
export function listShippedPlaybooks(): readonly ShippedPlaybook[] {
  read ??= listResources('playbooks')
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => ({ name: file.replace(/\.yaml$/, ''), document: readShipped(file) }))
  return read
}

export function findShippedPlaybook(name: string): ShippedPlaybook | null {
  return listShippedPlaybooks().find((one) => one.name === name) ?? null
}

function readShipped(file: string): PlaybookDocument {
  const reading = readYaml(readResource(`playbooks/${file}`))
  const problems: FieldProblem[] = reading.kind === 'read' ? [] : [...reading.problems]
  const document = reading.kind === 'read' ? readDocument(reading.value, problems) : null
  if (document !== null) return document
  const [first] = problems
  throw new Error(`resources/playbooks/${file} is no document: ${first?.path} ${first?.reason}`)
}
