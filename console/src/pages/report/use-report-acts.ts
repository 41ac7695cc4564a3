// The acts on a report: read it again, correct it, reject it, take it as an answer.

import type { InfiniteData } from '@tanstack/react-query'
import { casework } from '../../data/client.ts'
import { queryClient } from '../../data/query-client.ts'
import { useSession } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { forgetDraft } from '../../parts/use-draft.ts'
import type { Report } from '../reports/data.ts'
import { type Correction, type ReportDetail, reportQuery } from './data.ts'
import { messages } from './messages.ts'

interface Correcting {
  readonly body: Correction
  /** Of the report that the person saw: one that was corrected since is refused. */
  readonly version: number
  /** What to say when it is done. */
  readonly said: string
  /** The correction that takes it back; null when nothing does. */
  readonly undo: Correction | null
}

type Rejecting = Pick<Correcting, 'version'> & { readonly reason: string }

export interface TakenAnswer {
  readonly caseId: string
  readonly party: 'customer' | 'reporter' | 'other' | null
  readonly takesPath: boolean
}

/** Under which the half-written reason of a correction or rejection is kept. */
export function nameReasonDraft(reportId: string): string {
  return `correct ${reportId}`
}

export function useReportActs(reportId: string, onRejected: () => void) {
  const t = useText(messages)
  const { tenant_id: tenantId } = useSession()
  const path = { reportId }
  const touches = () => [['reports', reportId], ['events'], ['cases', 'list']]
  const correctIt = async (version: number, body: Correction): Promise<ReportDetail> => {
    const corrected = await casework.post('/beta/casework/reports/{reportId}/correct', {
      params: { path },
      body: { ...body, version },
    })
    showReport(corrected)
    return corrected
  }
  const replay = useAct({
    act: async (_given: null) => {
      await casework.post('/beta/casework/reports/{reportId}/replay', { params: { path } })
      const report = await casework.get('/beta/casework/reports/{reportId}', { params: { path } })
      showReport(report)
      return report
    },
    touches,
    say: (_, { state, event_count: count }) =>
      state === 'accepted' ? t('replayed', { count }) : t('replayed_same', { state }),
  })
  const correct = useAct({
    act: ({ version, body }: Correcting) => correctIt(version, body),
    touches,
    say: ({ said }) => said,
    undo: ({ undo }, { version }) => (undo === null ? null : () => correctIt(version, undo)),
  })
  const reject = useAct({
    act: ({ version, reason }: Rejecting) =>
      correctIt(version, { withdraw_all: true, ...(reason === '' ? {} : { reason }) }),
    touches,
    say: () => t('rejected'),
    onDone() {
      // Here, as the dialog is gone when the next report is shown.
      forgetDraft(tenantId, nameReasonDraft(reportId))
      onRejected()
    },
  })
  const takeAnswer = useAct({
    act: ({ caseId, party, takesPath }: TakenAnswer) =>
      casework.post('/beta/casework/reports/{reportId}/take-as-answer', {
        params: { path },
        body: {
          ...(caseId === '' ? {} : { case_id: caseId }),
          ...(party === null ? {} : { party }),
          ...(takesPath ? { take_path: true } : {}),
        },
      }),
    touches,
    say: (_, { case_id: caseId }) => t('taken', { id: caseId }),
  })
  return { replay, correct, reject, takeAnswer }
}

/** On its page, and in its place in the lists that show it, so that no row jumps away. */
function showReport(report: ReportDetail): void {
  queryClient.setQueryData(reportQuery(report.report_id).queryKey, report)
  queryClient.setQueriesData<InfiniteData<{ readonly items: readonly Report[] }>>(
    { queryKey: ['reports', 'list'] },
    (data) => {
      if (data === undefined || !Array.isArray(data.pages)) return data
      const pages = data.pages.map((page) => ({
        ...page,
        items: page.items.map((row) =>
          row.report_id === report.report_id ? { ...row, ...pickRow(report) } : row,
        ),
      }))
      return { ...data, pages }
    },
  )
}

function pickRow({ state, event_count, version, format, reason }: ReportDetail): Partial<Report> {
  return {
    state,
    event_count,
    version,
    ...(format === undefined ? {} : { format }),
    ...(reason === undefined ? {} : { reason }),
  }
}
