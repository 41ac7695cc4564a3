// Making playbooks: a version is stored as a draft once its graph is found sound, and activation
// decides what new cases start on.

import { type Db, inTransaction } from '../../kernel/db/database.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isJsonObject } from '../../values/json-value.ts'
import { findUnstorableText, isStorableText } from '../../values/storable-text.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import {
  playbookNameTaken,
  playbookNotFound,
  playbookNotValid,
  playbookVersionNotFound,
  versionNotDraft,
} from './errors.ts'
import { parsePlaybookGraph } from './playbook-graph.ts'
import {
  activateVersion,
  findPlaybook,
  findVersion,
  insertPlaybook,
  insertVersion,
  lockPlaybook,
  type NewGraph,
} from './playbook-store.ts'
import { PLAYBOOK_NAME_LENGTH_MAX } from './playbook-wire.ts'

/**
 * Stores a new playbook under `id` with version 1 as a draft; the version. Throws what is wrong
 * with `body`, or that the name is taken.
 */
export async function createPlaybook(
  db: Db,
  scope: TenantScope,
  id: string,
  body: unknown,
): Promise<number> {
  const { name, graph } = parseNewPlaybook(body)
  return await inTransaction(db, async (tx) => {
    if (!(await insertPlaybook(tx, scope, { id, name }))) throw playbookNameTaken()
    const version = await insertVersion(tx, scope, id, graph)
    if (version === null) throw new Error('a playbook that was just made is not there')
    return version
  })
}

/** Adds the next version as a draft; its number. */
export async function createVersion(
  db: Db,
  scope: TenantScope,
  playbookId: string,
  body: unknown,
): Promise<number> {
  // What is not the caller's answers 404 whatever the body says.
  if ((await findPlaybook(db, scope, playbookId)) === null) throw playbookNotFound()
  const problems: FieldProblem[] = []
  const graph = readGraph(body, problems)
  if (graph === null) throw playbookNotValid(problems)
  const version = await inTransaction(db, (tx) => insertVersion(tx, scope, playbookId, graph))
  if (version === null) throw playbookNotFound()
  return version
}

/**
 * Makes a draft the active version; the former one drains. The active version again changes
 * nothing.
 */
export async function activatePlaybookVersion(
  db: Db,
  scope: TenantScope,
  playbookId: string,
  number: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const playbook = await lockPlaybook(tx, scope, playbookId)
    if (playbook === null) throw playbookNotFound()
    const version = await findVersion(tx, scope, playbookId, number)
    if (version === null) throw playbookVersionNotFound()
    if (version.state === 'active') return
    if (version.state !== 'draft') throw versionNotDraft()
    await activateVersion(tx, scope, playbook, number)
  })
}

function parseNewPlaybook(body: unknown): { readonly name: string; readonly graph: NewGraph } {
  const problems: FieldProblem[] = []
  if (!isJsonObject(body)) throw playbookNotValid([{ path: '/', reason: 'must be an object' }])
  const { name: given, ...rest } = body
  const name = readName(given, problems)
  const graph = readGraph(rest, problems)
  if (name === null || graph === null) throw playbookNotValid(problems)
  return { name, graph }
}

function readName(given: unknown, problems: FieldProblem[]): string | null {
  const name = typeof given === 'string' ? given.trim() : ''
  if (name !== '' && name.length <= PLAYBOOK_NAME_LENGTH_MAX && isStorableText(name)) return name
  const reason = `must be a text of 1 to ${PLAYBOOK_NAME_LENGTH_MAX} characters`
  problems.push({ path: '/name', reason: given === undefined ? 'is missing' : reason })
  return null
}

function readGraph(input: unknown, problems: FieldProblem[]): NewGraph | null {
  const result = parsePlaybookGraph(input)
  if (result.kind === 'invalid') {
    problems.push(...result.problems)
    return null
  }
  const wrong = findUnstorableText(input)
  if (wrong === null) return { graph: input, startNode: result.graph.startId }
  problems.push({ path: wrong, reason: 'has U+0000 or a lone surrogate' })
  return null
}
