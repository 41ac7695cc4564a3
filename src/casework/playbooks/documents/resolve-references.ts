// What a document names against what the tenant has: playbooks become ids, and what is missing is
// told before a run finds out.

import type { Db } from '../../../kernel/db/database.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { listTemplates } from '../../notices/template-store.ts'
import { listSecrets, TENANT_SECRETS } from '../../secrets/secret-store.ts'
import { listCalendars } from '../calendars/calendar-store.ts'
import { listPlaybooksNamed } from '../playbook-store.ts'
import type { StoredGraph } from '../playbook-wire.ts'
import { findDisabledChecks } from './find-disabled-checks.ts'
import { arrangeNodes, listReferences, type NodeReference } from './playbook-document.ts'

/** The nodes as a graph stores them. */
export interface ResolvedNodes {
  readonly nodes: StoredGraph['nodes']
  /** Playbooks that the tenant does not have, by name or id: the graph cannot be stored. */
  readonly problems: readonly FieldProblem[]
  /**
   * Names of secrets, templates and calendars that are missing, and checks that are switched off: a
   * run would not get far at their nodes.
   */
  readonly warnings: readonly FieldProblem[]
}

/** `own` is the playbook of the document itself, which may not be there yet. */
export async function resolveReferences(
  db: Db,
  scope: TenantScope,
  nodes: readonly unknown[],
  own: { readonly id: string; readonly name: string },
): Promise<ResolvedNodes> {
  const references = listReferences(nodes)
  const namesOf = (kind: NodeReference['kind']): string[] =>
    references.filter((one) => one.kind === kind).map(({ name }) => name)
  const playbooks = [own, ...(await listPlaybooksNamed(db, scope, namesOf('playbook')))]
  const secrets = await listSecrets(db, scope, TENANT_SECRETS)
  const templates = namesOf('template').length === 0 ? [] : await listTemplates(db, scope)
  const calendars = await listCalendars(db, scope, namesOf('calendar'))
  const idOf = (text: string): string | undefined =>
    playbooks.find(({ name }) => name === text)?.id ??
    playbooks.find(({ id }) => id === text.toLowerCase())?.id
  const known = {
    secret: new Set(secrets.map(({ name }) => name)),
    template: new Set(templates.map(({ name }) => name)),
    calendar: new Set(calendars.map(({ name }) => name)),
  }
  const problems: FieldProblem[] = []
  const warnings: FieldProblem[] = []
  for (const { kind, name, path, node } of references) {
    const isThere = kind === 'playbook' ? idOf(name) !== undefined : known[kind].has(name)
    if (isThere) continue
    const place = { path, node, field: path.split('/').slice(3).join('/') }
    const problem = { ...place, reason: explainMissing(kind, name) }
    if (kind === 'playbook') problems.push(problem)
    else warnings.push(problem)
  }
  const resolved = arrangeNodes(nodes, ({ kind, name }) =>
    kind === 'playbook' ? (idOf(name) ?? name) : name,
  )
  warnings.push(...(await findDisabledChecks(db, scope, nodes)))
  return { nodes: resolved, problems, warnings }
}

function explainMissing(kind: NodeReference['kind'], name: string): string {
  const short = name.slice(0, 100)
  switch (kind) {
    case 'secret':
      return `names the secret ${short}, which is not there; set it before the playbook runs`
    case 'template':
      return `names the template ${short}, which is not there; add it before the playbook runs`
    case 'calendar':
      return `names the calendar ${short}, which is not there; add it before the version is activated`
    case 'playbook':
      return `names the playbook ${short}, which is not there; import that one first`
  }
}

/** The nodes of a stored graph with playbooks by name; one that is gone keeps its id. */
export async function nameReferences(
  db: Db,
  scope: TenantScope,
  nodes: StoredGraph['nodes'],
): Promise<StoredGraph['nodes']> {
  const ids = listReferences(nodes).flatMap(({ kind, name }) => (kind === 'playbook' ? [name] : []))
  const playbooks = await listPlaybooksNamed(db, scope, ids)
  return arrangeNodes(nodes, ({ kind, name }) => {
    if (kind !== 'playbook') return name
    return playbooks.find(({ id }) => id === name.toLowerCase())?.name ?? name
  })
}
