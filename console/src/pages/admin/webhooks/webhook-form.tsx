// A webhook, new or changed. The secret of a new one is shown once.

import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useText } from '../../../messages/use-text.ts'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Choices } from '../choices.tsx'
import { type Webhook, webhooksQuery } from '../data.ts'
import { PanelForm, SecretOnce, useSend } from '../form.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

const TYPES = [
  'case.opened',
  'case.moved',
  'case.changed',
  'case.commented',
  'case.mitigated',
  'case.run_ended',
  'run.started',
  'run.waiting',
  'run.ended',
  'run.failed',
  'run.cancelled',
  'run.paused',
  'run.resumed',
  'run.migrated',
  'event.stored',
  'report.accepted',
  'report.rejected',
  'report.quarantined',
] as const satisfies readonly Webhook['types'][number][]

export interface WebhookGiven {
  readonly url: string
  readonly description: string
  readonly types: readonly string[]
  readonly enabled: boolean
}

const EMPTY: WebhookGiven = { url: '', description: '', types: ['case.opened'], enabled: true }

export function NewWebhook() {
  const t = useText(messages)
  const { close } = useAdmin()
  const [given, setGiven] = useState(EMPTY)
  const create = useSend({
    send: () => casework.post('/beta/webhooks', { body: buildBody(given) }),
    touches: [webhooksQuery.queryKey],
  })
  return (
    <SidePanel title={t('create')} onClose={close}>
      {create.data === undefined ? (
        <PanelForm
          label={t('create')}
          act={t('create')}
          isPending={create.isPending}
          error={create.error}
          onSend={() => create.mutate(undefined)}
        >
          <WebhookFields given={given} error={create.error} onChange={setGiven} />
        </PanelForm>
      ) : (
        <SecretOnce label={t('secret')} text={create.data.secret} />
      )}
    </SidePanel>
  )
}

export function buildBody({ url, description, types, enabled }: WebhookGiven) {
  return { url, description, types: TYPES.filter((type) => types.includes(type)), enabled }
}

interface FieldsProps {
  readonly given: WebhookGiven
  readonly error: unknown
  readonly onChange: (given: WebhookGiven) => void
}

export function WebhookFields({ given, error, onChange }: FieldsProps) {
  const t = useText(messages)
  return (
    <>
      <TextInput
        type="url"
        label={t('url')}
        description={t('url_help')}
        value={given.url}
        error={fieldProblem(error, '/url')}
        onChange={({ currentTarget: { value } }) => onChange({ ...given, url: value })}
        required
        withAsterisk={false}
      />
      <TextInput
        label={t('description')}
        value={given.description}
        error={fieldProblem(error, '/description')}
        onChange={({ currentTarget: { value } }) => onChange({ ...given, description: value })}
      />
      <Choices
        title={t('types')}
        choices={TYPES.map((value) => ({ value, title: <span className="mono">{value}</span> }))}
        chosen={given.types}
        onChange={(types) => onChange({ ...given, types })}
      />
      <Checkbox
        label={t('is_on')}
        checked={given.enabled}
        onChange={({ currentTarget: { checked } }) => onChange({ ...given, enabled: checked })}
      />
    </>
  )
}
