// POST /beta/casework/playbooks/import: a document becomes a playbook, or the next draft version of
// the playbook of its name.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { AllowList } from '../../../kernel/outbound/allow-list.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import { ProblemLocations } from '../../../vocabulary/problem-wire.ts'
import { playbookNotFound, playbookNotValid } from '../errors.ts'
import { findTargetWarnings } from '../find-target-warnings.ts'
import { type NewGraph, parseNewGraph } from '../new-graph.ts'
import {
  findLastVersion,
  insertPlaybook,
  insertVersion,
  lockPlaybookByName,
  type PlaybookRecord,
  type VersionWithGraph,
} from '../playbook-store.ts'
import { PlaybookImportBody, type StoredGraph, VersionState } from '../playbook-wire.ts'
import { arrangeNodes, compareGraphs } from './playbook-document.ts'
import { readImport, type SentDocument } from './read-import.ts'
import { resolveReferences } from './resolve-references.ts'
import { YAML_TYPE } from './send-document.ts'

// Graphs of other routes have 256 KiB of JSON; YAML and indented JSON of the same are longer.
const BODY_LIMIT = 1_048_576

const NodeIds = Type.Array(Type.String(), { description: 'Ids of nodes.' })

const ImportAnswer = named(
  'ImportedPlaybook',
  Type.Object({
    outcome: Type.Union(
      [
        Type.Literal('playbook_created'),
        Type.Literal('version_created'),
        Type.Literal('unchanged'),
        Type.Literal('refused'),
      ],
      {
        description:
          'unchanged: the newest version says the same already. refused: of a dry run only. In a dry run what an import would do.',
      },
    ),
    dry_run: Type.Boolean(),
    name: Type.String(),
    id: Type.Optional(Type.String({ description: 'Of the playbook, if it is there.' })),
    version: Type.Optional(
      Type.Integer({ description: 'The version that says this, if there is one.' }),
    ),
    state: Type.Optional(VersionState),
    changes: Type.Optional(
      Type.Object(
        { added: NodeIds, changed: NodeIds, removed: NodeIds },
        { description: 'Against the newest version before.' },
      ),
    ),
    problems: ProblemLocations,
    warnings: Type.Array(ProblemLocations.items, {
      description:
        'What does not keep the document from being stored: secrets and templates that are missing, for instance, and targets that requests would be refused for.',
    }),
  }),
)

export interface ImportPlaybookDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
  readonly allow: AllowList
}

export function importPlaybookRoute({ db, audit, ids, allow }: ImportPlaybookDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/import',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'importPlaybook',
    idempotency: 'kept',
    summary: 'Import a playbook',
    description: `Makes a playbook with a draft version, or the next draft version of the playbook of this name. A document that says what the newest version says changes nothing. The body is a document as JSON or YAML, or \`{"template": …}\` for a playbook that ships with the program. Problems name the node, the field and, in YAML, the line.`,
    query: Type.Object({
      dry_run: Type.Optional(
        Type.Boolean({ description: 'Answers what would happen, and stores nothing.' }),
      ),
    }),
    body: PlaybookImportBody,
    consumes: ['application/json', YAML_TYPE, 'application/x-yaml', 'text/yaml', 'text/x-yaml'],
    checksOwnBody: true,
    checksOwnText: true,
    bodyLimit: BODY_LIMIT,
    responses: {
      200: {
        description: 'Nothing was stored: it is there already, or the run is dry.',
        schema: ImportAnswer,
      },
      201: { description: 'Stored as a draft; Location names it.', schema: ImportAnswer },
      400: { description: 'The document is not valid; every problem is named by its path.' },
      404: { description: 'No playbook of this name ships with the program.' },
    },
    async handle({ caller, query, body }) {
      const scope = requireCaller(caller)
      const sent = readImport(body)
      const isDry = query.dry_run === true
      const newId = ids.nextUuid()
      return await inTransaction(db, async (tx) => {
        const { name } = sent.document
        // The later of two imports of a new name waits here, and then adds a version.
        if (!isDry) await insertPlaybook(tx, scope, { id: newId, name })
        const playbook = await lockPlaybookByName(tx, scope, name)
        const found = await planImport(tx, scope, sent, playbook, newId)
        const targets = findTargetWarnings(sent.document.nodes, allow).map(sent.addLine)
        const plan = { ...found, warnings: [...found.warnings, ...targets] }
        if (isDry || plan.outcome === 'unchanged') {
          return { status: 200, json: presentPlan(plan, isDry) }
        }
        if (plan.graph === null) throw playbookNotValid(plan.problems)
        const id = playbook?.id ?? newId
        const version = await insertVersion(tx, scope, id, plan.graph)
        // The playbook was deleted while this import waited.
        if (version === null) throw playbookNotFound()
        const { tenantId } = scope
        const after = { name, version, graph: plan.graph.graph }
        await (plan.outcome === 'playbook_created'
          ? audit.record(tx, 'playbook.create', { tenantId, id, after })
          : audit.record(tx, 'playbook_version.create', {
              tenantId,
              id: `${id}/${version}`,
              after: { graph: plan.graph.graph },
            }))
        return {
          status: 201,
          headers: { location: `/beta/casework/playbooks/${id}/versions/${version}` },
          json: { ...presentPlan(plan, false), id, version, state: 'draft' },
        }
      })
    },
  })
}

interface ImportPlan {
  readonly outcome: Static<typeof ImportAnswer>['outcome']
  readonly name: string
  /** Null when there are problems. */
  readonly graph: NewGraph | null
  /** The newest version of the playbook; null when it has none. */
  readonly newest: VersionWithGraph | null
  readonly problems: readonly FieldProblem[]
  readonly warnings: readonly FieldProblem[]
}

/** What the import does, or would do; nothing is written. */
async function planImport(
  tx: Tx,
  scope: TenantScope,
  { document, addLine }: SentDocument,
  playbook: PlaybookRecord | null,
  newId: string,
): Promise<ImportPlan> {
  const { name, description } = document
  const own = { id: playbook?.id ?? newId, name }
  const { nodes, ...missing } = await resolveReferences(tx, scope, document.nodes, own)
  const problems: FieldProblem[] = [...missing.problems]
  const graph = parseNewGraph({ nodes, description }, problems)
  const newest = playbook === null ? null : await findLastVersion(tx, scope, playbook.id)
  const isValid = graph !== null && problems.length === 0
  return {
    outcome: isValid ? chooseOutcome(playbook, document.description, nodes, newest) : 'refused',
    name,
    graph: isValid ? graph : null,
    newest,
    // The parser of graphs has its own word for a playbook that is no id.
    problems: problems
      .filter(({ path }, at) => problems.findIndex((one) => one.path === path) === at)
      .map(addLine),
    warnings: missing.warnings.map(addLine),
  }
}

function chooseOutcome(
  playbook: PlaybookRecord | null,
  description: string,
  nodes: StoredGraph['nodes'],
  newest: VersionWithGraph | null,
): ImportPlan['outcome'] {
  // One that was just made has the number 0; one whose drafts were deleted keeps the last number.
  if (playbook === null || playbook.latestVersion === 0) return 'playbook_created'
  if (newest === null) return 'version_created'
  const former = JSON.stringify(arrangeNodes(newest.graph.nodes))
  const isSame = newest.description === description && former === JSON.stringify(nodes)
  return isSame ? 'unchanged' : 'version_created'
}

function presentPlan(plan: ImportPlan, isDry: boolean): Static<typeof ImportAnswer> {
  const { outcome, name, newest, graph } = plan
  const isThere = newest !== null && outcome === 'unchanged'
  return {
    outcome,
    dry_run: isDry,
    name,
    ...(newest === null ? {} : { id: newest.playbookId }),
    ...(isThere ? { version: newest.version, state: newest.state } : {}),
    ...(newest === null || graph === null ? {} : { changes: presentChanges(newest, graph) }),
    problems: [...plan.problems],
    warnings: [...plan.warnings],
  }
}

function presentChanges(newest: VersionWithGraph, { graph }: NewGraph) {
  const { added, changed, removed } = compareGraphs(arrangeNodes(newest.graph.nodes), graph.nodes)
  return { added: [...added], changed: [...changed], removed: [...removed] }
}
