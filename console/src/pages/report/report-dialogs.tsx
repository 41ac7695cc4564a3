// What is asked before an act on a report.

import { Button, Checkbox, Group, Modal, Select, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import type { ReportDetail } from './data.ts'
import { messages } from './messages.ts'
import { nameReasonDraft, type TakenAnswer, type useReportActs } from './use-report-acts.ts'

export type ReportAct =
  | { readonly kind: 'correct'; readonly eventId: string | null; readonly focus: 'type' | 'target' }
  | { readonly kind: 'withdraw'; readonly eventId: string; readonly label: string }
  | { readonly kind: 'reject' }
  | { readonly kind: 'answer' }

export interface ReportDialogsProps {
  readonly report: ReportDetail
  readonly act: ReportAct
  readonly acts: ReturnType<typeof useReportActs>
  readonly onClose: () => void
}

/** Mounted as the dialog opens: the report of that moment is the one that the person decides on. */
export function ReportDialogs({ report, act, acts, onClose }: ReportDialogsProps) {
  const t = useText(messages)
  const { report_id: reportId } = report
  const [version] = useState(report.version)
  switch (act.kind) {
    case 'correct':
      return (
        <CorrectDialog
          reportId={reportId}
          version={version}
          eventId={act.eventId}
          focus={act.focus}
          correct={acts.correct}
          onClose={onClose}
        />
      )
    case 'withdraw':
      return (
        <Confirm
          isOpen
          onClose={onClose}
          title={t('withdraw_title', { event: act.label })}
          act={t('withdraw')}
          isPending={acts.correct.isPending}
          onAct={() =>
            acts.correct.mutate(
              {
                body: { events: [{ event_id: act.eventId, withdraw: true }] },
                version,
                said: t('withdrawn'),
                undo: null,
              },
              { onSettled: onClose },
            )
          }
        >
          {t('withdraw_why')}
        </Confirm>
      )
    case 'reject':
      return (
        <RejectDialog
          reportId={reportId}
          version={version}
          reject={acts.reject}
          eventCount={report.event_count}
          onClose={onClose}
        />
      )
    case 'answer':
      return <AnswerDialog takeAnswer={acts.takeAnswer} onClose={onClose} />
  }
}

interface RejectDialogProps {
  readonly reportId: string
  readonly version: number
  readonly reject: ReturnType<typeof useReportActs>['reject']
  readonly eventCount: number
  readonly onClose: () => void
}

function RejectDialog({ reportId, version, reject, eventCount, onClose }: RejectDialogProps) {
  const t = useText(messages)
  const [reason, setReason] = useDraft(nameReasonDraft(reportId))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    reject.mutate({ version, reason: reason.trim() }, { onSettled: onClose })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('reject_title')}
      role="alertdialog"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} className="stack">
        <p className="plain">
          {eventCount === 0 ? t('reject_why') : t('reject_events', { count: eventCount })}
        </p>
        <Textarea
          label={t('reason')}
          description={t('reason_kept')}
          value={reason}
          onChange={(change) => setReason(change.currentTarget.value)}
          autosize
          minRows={2}
          maxLength={2_000}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" color="red" loading={reject.isPending} data-autofocus>
            {t('reject')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const PARTIES = ['customer', 'reporter', 'other'] as const

interface AnswerDialogProps {
  readonly takeAnswer: ReturnType<typeof useReportActs>['takeAnswer']
  readonly onClose: () => void
}

function AnswerDialog({ takeAnswer, onClose }: AnswerDialogProps) {
  const t = useText(messages)
  const [caseId, setCaseId] = useState('')
  const [party, setParty] = useState<TakenAnswer['party']>(null)
  const [takesPath, setTakesPath] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    takeAnswer.mutate({ caseId: caseId.trim(), party, takesPath }, { onSuccess: onClose })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('answer_title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} className="stack">
        <p className="plain">{t('answer_why')}</p>
        <TextInput
          label={t('answer_case')}
          description={t('answer_case_hint')}
          placeholder="C-"
          value={caseId}
          onChange={(change) => setCaseId(change.currentTarget.value)}
          data-autofocus
          classNames={{ input: 'mono' }}
        />
        <Select
          label={t('answer_party')}
          placeholder={t('answer_party_auto')}
          clearable
          data={PARTIES.map((value) => ({ value, label: t(`party_${value}`) }))}
          value={party}
          onChange={(value) => setParty(PARTIES.find((one) => one === value) ?? null)}
        />
        <Checkbox
          label={t('answer_path')}
          checked={takesPath}
          onChange={(change) => setTakesPath(change.currentTarget.checked)}
        />
        <FormProblem error={takeAnswer.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={takeAnswer.isPending}>
            {t('answer')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
