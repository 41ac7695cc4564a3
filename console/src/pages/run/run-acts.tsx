// What a person may do with a run. Pausing can be undone; cancelling asks.

import { Button, Checkbox } from '@mantine/core'
import { CirclePause, CirclePlay, CircleX, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import type { RunDetail } from '../runs/data.ts'
import { messages } from '../runs/messages.ts'
import { MigrateRun } from './migrate-run.tsx'
import { Reason } from './reason.tsx'

interface RunProps {
  readonly run: RunDetail
}

export function RunActs({ run }: RunProps) {
  const mayTrigger = useMay('playbooks:trigger')
  const mayMigrate = useMay('playbooks:activate')
  if (!mayTrigger || run.state === 'ended' || run.state === 'cancelled') return null
  return (
    <>
      <Cancel run={run} />
      {mayMigrate && <MigrateRun run={run} />}
      {run.state === 'active' && <Pause run={run} />}
      {run.state === 'paused' && <Resume run={run} />}
      {run.state === 'failed' && <Retry run={run} />}
    </>
  )
}

function touchesOf({ run_id: runId, case_id: caseId }: RunDetail) {
  return () => [
    ['runs', runId],
    ['runs', 'list'],
    ['cases', caseId],
  ]
}

function pathOf({ run_id: runId }: RunDetail) {
  return { params: { path: { runId } } }
}

function Pause({ run }: RunProps) {
  const t = useText(messages)
  const pause = useAct({
    act: () => casework.post('/beta/casework/runs/{runId}/pause', { ...pathOf(run), body: {} }),
    touches: touchesOf(run),
    say: () => t('paused'),
    undo: () => () =>
      casework.post('/beta/casework/runs/{runId}/resume', { ...pathOf(run), body: {} }),
  })
  return (
    <Button
      variant="default"
      leftSection={<CirclePause size={16} aria-hidden />}
      loading={pause.isPending}
      onClick={() => pause.mutate(undefined)}
    >
      {t('pause')}
    </Button>
  )
}

function Resume({ run }: RunProps) {
  const t = useText(messages)
  const resume = useAct({
    act: () => casework.post('/beta/casework/runs/{runId}/resume', { ...pathOf(run), body: {} }),
    touches: touchesOf(run),
    say: () => t('resumed'),
    undo: () => () =>
      casework.post('/beta/casework/runs/{runId}/pause', { ...pathOf(run), body: {} }),
  })
  return (
    <Button
      leftSection={<CirclePlay size={16} aria-hidden />}
      loading={resume.isPending}
      onClick={() => resume.mutate(undefined)}
    >
      {t('resume')}
    </Button>
  )
}

function Retry({ run }: RunProps) {
  const t = useText(messages)
  const [isOpen, setIsOpen] = useState(false)
  const [reason, setReason] = useState('')
  const [resend, setResend] = useState(false)
  const retry = useAct({
    act: () =>
      casework.post('/beta/casework/runs/{runId}/resume', {
        ...pathOf(run),
        body: { resend, ...(reason === '' ? {} : { reason }) },
      }),
    touches: touchesOf(run),
    say: () => t('resumed'),
    onDone: () => setIsOpen(false),
  })
  return (
    <>
      <Button leftSection={<RotateCw size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        {t('retry')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('retry_ask')}
        act={t('retry')}
        onAct={() => retry.mutate(undefined)}
        isPending={retry.isPending}
      >
        <p className="dim">{t('retry_why', { node: run.node ?? '' })}</p>
        <Checkbox
          label={t('resend')}
          description={t('resend_why')}
          checked={resend}
          onChange={(event) => setResend(event.currentTarget.checked)}
        />
        <Reason value={reason} onChange={setReason} />
        <FormProblem error={retry.error} />
      </Confirm>
    </>
  )
}

function Cancel({ run }: RunProps) {
  const t = useText(messages)
  const [isOpen, setIsOpen] = useState(false)
  const [reason, setReason] = useState('')
  const cancel = useAct({
    act: () =>
      casework.post('/beta/casework/runs/{runId}/cancel', {
        ...pathOf(run),
        body: reason === '' ? {} : { reason },
      }),
    touches: touchesOf(run),
    say: () => t('cancelled'),
    onDone: () => setIsOpen(false),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<CircleX size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('cancel')}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('cancel_ask')}
        act={t('cancel')}
        onAct={() => cancel.mutate(undefined)}
        isPending={cancel.isPending}
      >
        <p className="dim">{t('cancel_why')}</p>
        <Reason value={reason} onChange={setReason} />
        <FormProblem error={cancel.error} />
      </Confirm>
    </>
  )
}
