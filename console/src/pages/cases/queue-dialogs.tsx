// The dialog of the act that was started on the queue, and what it makes of the rows.

import { useQuery } from '@tanstack/react-query'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { caseQuery } from './case-panel.tsx'
import type { CaseDetail, ListedCase } from './case-types.ts'
import { describeCase } from './columns.tsx'
import { ActDialog, DialogFrame } from './shared/act-dialog.tsx'
import type { ActCase, ActKind, Draft } from './shared/act-kinds.ts'
import { MergeDialog } from './shared/merge-dialog.tsx'
import { messages as sharedMessages } from './shared/messages.ts'
import { TriggerChoices } from './shared/trigger-choices.tsx'
import { changeRows } from './use-cases.ts'

export interface QueueAct {
  readonly kind: ActKind | 'merge' | 'trigger'
  /** Rows of the queue, or the case of the panel that no row shows. */
  readonly cases: readonly (ListedCase | CaseDetail)[]
}

export interface QueueDialogsProps {
  readonly act: QueueAct | null
  readonly onClose: () => void
  readonly onMerged: () => void
}

export function QueueDialogs({ act, onClose, onMerged }: QueueDialogsProps) {
  if (act === null) return null
  const { kind, cases } = act
  const [first] = cases
  if (kind === 'merge') {
    const merged = cases.map((row) => ({
      id: row.id,
      title: describeCase(row),
      createdAt: row.created_at,
    }))
    return <MergeDialog cases={merged} onClose={onClose} onDone={onMerged} />
  }
  if (kind === 'trigger') {
    return first === undefined ? null : <TriggerDialog id={first.id} onClose={onClose} />
  }
  return (
    <ActDialog
      kind={kind}
      cases={cases.map(toActCase)}
      onClose={onClose}
      onExpect={showDraft}
      onDone={showDraft}
      onFail={(draft) => showFormer(cases, draft, ({ state }) => state)}
      onUndone={(ids, draft) => {
        const undone = cases.filter(({ id }) => ids.includes(id))
        showFormer(undone, draft, stateAfterUndo)
      }}
    />
  )
}

function toActCase(one: ListedCase | CaseDetail): ActCase {
  const { id, state } = one
  return { id, state, tags: 'tags' in one ? one.tags : (one.summary?.tags ?? []) }
}

/** Writes what was chosen into the rows; the stream of changes brings the rest. */
function showDraft(ids: readonly string[], draft: Draft): void {
  const { change, assigneeName } = draft
  changeRows(['cases', 'list'], new Set(ids), ({ summary, ...row }) => {
    const state = change.state ?? row.state
    if (summary === undefined) return { ...row, state }
    const { assignee_user_id: formerId, assignee_name: formerName, severity, ...kept } = summary
    const hasAssignee = change.assignee_user_id !== undefined
    const id = hasAssignee ? change.assignee_user_id : formerId
    const name = hasAssignee ? assigneeName : formerName
    const shown = change.severity === undefined ? severity : change.severity
    return {
      ...row,
      state,
      summary: {
        ...kept,
        ...(shown === null || shown === undefined ? {} : { severity: shown }),
        ...(id === null || id === undefined ? {} : { assignee_user_id: id }),
        ...(name === undefined ? {} : { assignee_name: name }),
        tags: [...new Set([...kept.tags, ...(change.add_tags ?? [])])].filter(
          (tag) => change.remove_tags?.includes(tag) !== true,
        ),
      },
    }
  })
}

/** That a person has looked at a case is never undone. */
function stateAfterUndo({ state }: ListedCase): ListedCase['state'] {
  return state === 'NEW' ? 'IN_PROGRESS' : state
}

/** Writes the members that the draft changes into the rows, as they were. */
function showFormer(
  cases: readonly ListedCase[],
  { change }: Draft,
  stateOf: (row: ListedCase) => ListedCase['state'],
): void {
  const former = new Map(cases.map((row) => [row.id, row]))
  changeRows(['cases', 'list'], new Set(former.keys()), (row) => {
    const before = former.get(row.id)
    if (before?.summary === undefined || row.summary === undefined) return row
    const { severity, assignee_user_id: id, assignee_name: name, tags, ...kept } = row.summary
    const severityOf = change.severity === undefined ? severity : before.summary.severity
    const hasAssignee = change.assignee_user_id !== undefined
    const idOf = hasAssignee ? before.summary.assignee_user_id : id
    const nameOf = hasAssignee ? before.summary.assignee_name : name
    const hasTags = change.add_tags !== undefined || change.remove_tags !== undefined
    return {
      ...row,
      state: change.state === undefined ? row.state : stateOf(before),
      summary: {
        ...kept,
        ...(severityOf === undefined ? {} : { severity: severityOf }),
        ...(idOf === undefined ? {} : { assignee_user_id: idOf }),
        ...(nameOf === undefined ? {} : { assignee_name: nameOf }),
        tags: hasTags ? before.summary.tags : tags,
      },
    }
  })
}

function TriggerDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useText(sharedMessages)
  const { data, error, refetch } = useQuery(caseQuery(id))
  return (
    <DialogFrame title={t('title_trigger')} onClose={onClose}>
      {error !== null && data === undefined && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading lines={3} />}
      {data !== undefined && <TriggerChoices caseId={id} waiting={data.waiting} onDone={onClose} />}
    </DialogFrame>
  )
}
