// Places a legal hold on the case, or lifts it. Both need a reason, which is kept.

import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { DialogActs, DialogFrame } from '../cases/shared/act-dialog.tsx'
import type { DialogProps } from './deadline-dialog.tsx'
import { messages } from './messages.ts'

export function HoldDialog({ detail, onClose }: DialogProps) {
  const t = useText(messages)
  const [reason, setReason] = useState('')
  const what = detail.legal_hold ? 'lift' : 'hold'
  const act = useAct<string, unknown>({
    act: (words) => setHold(detail.id, what, words),
    touches: () => [['cases', detail.id]],
    say: () => t(`said_${what}`),
    onDone: onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    act.mutate(reason.trim())
  }
  return (
    <DialogFrame title={t(`act_${what}`)} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <div>{t(`${what}_why`)}</div>
        <Textarea
          label={t('reason')}
          required
          withAsterisk={false}
          data-autofocus
          autosize
          minRows={2}
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <FormProblem error={act.error} />
        <DialogActs onClose={onClose}>
          <Button type="submit" disabled={reason.trim() === ''} loading={act.isPending}>
            {t(`act_${what}`)}
          </Button>
        </DialogActs>
      </form>
    </DialogFrame>
  )
}

function setHold(caseId: string, what: 'hold' | 'lift', reason: string): Promise<unknown> {
  const given = { params: { path: { caseId } }, body: { reason } }
  return what === 'hold'
    ? casework.post('/beta/casework/cases/{caseId}/hold', given)
    : casework.post('/beta/casework/cases/{caseId}/hold/lift', given)
}
