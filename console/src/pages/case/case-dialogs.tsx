// The dialog of the act that was started on the case.

import { queryClient } from '../../data/query-client.ts'
import type { CaseState } from '../../parts/badges.tsx'
import { ActDialog } from '../cases/shared/act-dialog.tsx'
import type { Draft } from '../cases/shared/act-kinds.ts'
import { type CaseDetail, caseQuery } from './data.ts'
import { DeadlineDialog } from './deadline-dialog.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { MailDialog } from './mail-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import type { CaseActKind } from './more-menu.tsx'
import { SplitDialog } from './split-dialog.tsx'
import { StartDialog } from './start-dialog.tsx'
import { TriggerDialog } from './trigger-dialog.tsx'
import { UnmergeDialog } from './unmerge-dialog.tsx'

export interface CaseDialogsProps {
  readonly act: CaseActKind | null
  readonly detail: CaseDetail
  readonly onClose: () => void
}

export function CaseDialogs({ act, detail, onClose }: CaseDialogsProps) {
  if (act === null) return null
  const shared = { detail, onClose }
  switch (act) {
    case 'deadline':
      return <DeadlineDialog {...shared} />
    case 'merge':
      return <MergeDialog {...shared} />
    case 'unmerge':
      return <UnmergeDialog {...shared} />
    case 'split':
      return <SplitDialog {...shared} />
    case 'hold':
    case 'lift':
      return <HoldDialog {...shared} />
    case 'start':
      return <StartDialog {...shared} />
    case 'mail':
      return <MailDialog {...shared} />
    case 'trigger':
      return <TriggerDialog {...shared} />
    case 'assign':
    case 'state':
    case 'close':
    case 'severity':
    case 'tags':
    case 'comment': {
      const { id, state, tags } = detail
      return (
        <ActDialog
          kind={act}
          cases={[{ id, state, tags }]}
          onClose={onClose}
          onExpect={([caseId = ''], draft) => showDraft(caseId, draft)}
        />
      )
    }
  }
}

/** Shows what was chosen before the server has answered. */
export function showDraft(caseId: string, { change, assigneeName }: Draft): void {
  queryClient.setQueryData<CaseDetail>(caseQuery(caseId).queryKey, (former) => {
    if (former === undefined) return former
    const {
      severity: oldSeverity,
      assignee_user_id: oldId,
      assignee_name: oldName,
      ...kept
    } = former
    const severity = change.severity === undefined ? oldSeverity : change.severity
    const isAssigned = change.assignee_user_id !== undefined
    const assigneeId = isAssigned ? change.assignee_user_id : oldId
    const name = isAssigned ? assigneeName : oldName
    const state: CaseState = change.state ?? former.state
    const removed = change.remove_tags ?? []
    return {
      ...kept,
      state,
      tags: [...new Set([...former.tags, ...(change.add_tags ?? [])])].filter(
        (tag) => !removed.includes(tag),
      ),
      ...(severity === null || severity === undefined ? {} : { severity }),
      ...(assigneeId === null || assigneeId === undefined ? {} : { assignee_user_id: assigneeId }),
      ...(name === undefined ? {} : { assignee_name: name }),
    }
  })
}
