// Who asks, and what the token could do. The warning stands above the buttons: a stranger who makes
// somebody approve a code gets their rights (RFC 8628 section 5.4).

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { casework } from '../../data/client.ts'
import { noteFailure } from '../../data/query-client.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Since } from '../../parts/since.tsx'
import { messages } from './messages.ts'
import type { Waiting } from './view.tsx'

interface DecisionProps {
  readonly waiting: Waiting
  readonly tenant: string
  readonly onDecided: (decided: 'approved' | 'denied') => void
  readonly onOther: () => void
}

export function Decision({ waiting: { code, login }, tenant, onDecided, onOther }: DecisionProps) {
  const t = useText(messages)
  const decide = useMutation({
    mutationFn: (approve: boolean) =>
      casework.post('/beta/session/device/decision', { body: { user_code: code, approve } }),
    onError: noteFailure,
    onSuccess: (_answer, approve) => onDecided(approve ? 'approved' : 'denied'),
  })
  const isSent = decide.isPending ? decide.variables : null
  return (
    <div className="stack">
      <p className="device-client">{t('asks', { client: login.client_name })}</p>
      <dl className="device-facts">
        <dt>{t('code')}</dt>
        <dd className="mono">{code}</dd>
        <dt>{t('address')}</dt>
        <dd className="mono">{login.address ?? t('address_unknown')}</dd>
        <dt>{t('asked')}</dt>
        <dd>
          <Since at={login.created_at} />
        </dd>
        <dt>{t('tenant')}</dt>
        <dd>{tenant}</dd>
      </dl>
      <details className="device-scopes">
        <summary>{t('scopes', { count: login.scopes.length })}</summary>
        <ul className="mono small">
          {login.scopes.map((scope) => (
            <li key={scope}>{scope}</li>
          ))}
        </ul>
      </details>
      <div className="note note-text" data-tone="amber">
        <TriangleAlert size={16} aria-hidden />
        <span>{t('warning')}</span>
      </div>
      <FormProblem error={decide.error} />
      <div className="device-acts">
        <Button
          variant="default"
          loading={isSent === false}
          disabled={isSent === true}
          onClick={() => decide.mutate(false)}
        >
          {t('deny')}
        </Button>
        <Button
          loading={isSent === true}
          disabled={isSent === false}
          onClick={() => decide.mutate(true)}
        >
          {t('approve')}
        </Button>
      </div>
      <Button variant="subtle" color="gray" onClick={onOther}>
        {t('other_code')}
      </Button>
    </div>
  )
}
