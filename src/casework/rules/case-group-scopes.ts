// Which scope each member of a case group needs: the rule itself rules:write, the playbook that
// works its cases playbooks:activate. So an author of playbooks attaches one and changes no rule.

import { scopeMissing } from '../../kernel/errors.ts'
import type { Scope } from '../../vocabulary/scopes.ts'

/** Throws 403 with the scope that the members of this body need and the caller lacks. */
export function assertMayWrite(scopes: ReadonlySet<Scope>, body: object): void {
  const names = Object.keys(body)
  const attaches = names.includes('playbook_id')
  if (attaches && !scopes.has('playbooks:activate')) throw scopeMissing('playbooks:activate')
  if (names.some((name) => name !== 'playbook_id') && !scopes.has('rules:write')) {
    throw scopeMissing('rules:write')
  }
}
