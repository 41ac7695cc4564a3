// The name of a playbook, as it is given at its creation and its import. change-playbook.ts checks
// the one of a renaming, whose length its schema limits.

import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem, isStorableText } from '../../values/json-value.ts'
import { PLAYBOOK_NAME_LENGTH_MAX } from './playbook-wire.ts'

/** Without spaces around it; null when there is a problem. */
export function readPlaybookName(given: unknown, problems: FieldProblem[]): string | null {
  const name = typeof given === 'string' ? given.trim() : ''
  if (name !== '' && name.length <= PLAYBOOK_NAME_LENGTH_MAX && isStorableText(name)) return name
  const reason = `must be a text of 1 to ${PLAYBOOK_NAME_LENGTH_MAX} characters`
  addProblem(problems, '/name', given === undefined ? 'is missing' : reason)
  return null
}
