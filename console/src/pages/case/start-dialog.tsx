// Starts a playbook on the case, on its active version.

import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { DialogActs, DialogFrame } from '../cases/shared/act-dialog.tsx'
import { playbooksQuery } from '../playbooks/data.ts'
import type { DialogProps } from './deadline-dialog.tsx'
import { messages } from './messages.ts'

export function StartDialog({ detail, onClose }: DialogProps) {
  const t = useText(messages)
  const [chosen, setChosen] = useState<string | null>(null)
  const list = useQuery(playbooksQuery)
  const playbooks = (list.data ?? []).filter((one) => one.active_version !== undefined)
  const name = playbooks.find(({ id }) => id === chosen)?.name ?? ''
  const act = useAct<string, { readonly run_id: string }>({
    act: (playbookId) =>
      casework.post('/beta/casework/cases/{caseId}/runs', {
        params: { path: { caseId: detail.id } },
        body: { playbook_id: playbookId },
      }),
    touches: () => [['cases', detail.id]],
    say: () => t('said_started', { name }),
    undo:
      (_given, { run_id: runId }) =>
      () =>
        cancelRun(runId),
    onDone: onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen !== null) act.mutate(chosen)
  }
  return (
    <DialogFrame title={t('act_start')} onClose={onClose}>
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isLoading && <Loading lines={3} />}
      {list.isSuccess && playbooks.length === 0 && (
        <EmptyState title={t('no_playbooks')} text={t('no_playbooks_why')} />
      )}
      {playbooks.length > 0 && (
        <form className="stack" onSubmit={submit}>
          <Select
            label={t('playbook')}
            description={t('start_why')}
            data-autofocus
            searchable
            data={playbooks.map((one) => ({ value: one.id, label: one.name }))}
            value={chosen}
            onChange={setChosen}
          />
          <FormProblem error={act.error} />
          <DialogActs onClose={onClose}>
            <Button type="submit" disabled={chosen === null} loading={act.isPending}>
              {t('act_start')}
            </Button>
          </DialogActs>
        </form>
      )}
    </DialogFrame>
  )
}

function cancelRun(runId: string): Promise<unknown> {
  return casework.post('/beta/casework/runs/{runId}/cancel', {
    params: { path: { runId } },
    body: {},
  })
}
