// A new token. Its secret is shown once, in the place of the form.

import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useSession } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { RoleChoices, ScopeChoices } from '../choices.tsx'
import { serviceAccountsQuery, tokensQuery } from '../data.ts'
import { PanelForm, SecretOnce, useSend } from '../form.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

const ENDS = ['30', '90', '365', 'none'] as const
const DAY_MS = 86_400_000

export function TokenForm() {
  const t = useText(messages)
  const { close } = useAdmin()
  const { tenant_id: tenantId } = useSession()
  const accounts = useQuery(serviceAccountsQuery)
  const [given, setGiven] = useState({ name: '', owner: '', networks: '', contact: '', end: '90' })
  const [chosenRoles, setRoles] = useState<readonly string[]>([])
  const [scopes, setScopes] = useState<readonly string[]>([])
  const set = (name: keyof typeof given, value: string): void =>
    setGiven((former) => ({ ...former, [name]: value }))
  const create = useSend({
    send: () =>
      casework.post('/beta/admin/tokens', { body: buildToken(given, chosenRoles, scopes) }),
    touches: [tokensQuery.queryKey, serviceAccountsQuery.queryKey],
  })
  if (create.data !== undefined) {
    const { name, token } = create.data
    return (
      <SidePanel title={t('create')} onClose={close}>
        <SecretOnce label={t('created_title', { name })} text={token} />
      </SidePanel>
    )
  }
  const own = (accounts.data ?? []).filter(({ tenant_id: id }) => id === tenantId)
  return (
    <SidePanel title={t('create')} onClose={close}>
      <PanelForm
        label={t('create')}
        act={t('create')}
        isPending={create.isPending}
        error={create.error}
        onSend={() => create.mutate(undefined)}
      >
        <TextInput
          label={t('for_name')}
          description={t('for_name_help')}
          value={given.name}
          error={fieldProblem(create.error, '/name')}
          onChange={({ currentTarget: { value } }) => set('name', value)}
          autoFocus
          required
          withAsterisk={false}
        />
        <NativeSelect
          label={t('owner')}
          description={t('owner_help')}
          value={given.owner}
          data={[
            { value: '', label: t('owner_none') },
            ...own.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) => set('owner', value)}
        />
        <RoleChoices title={t('roles')} chosen={chosenRoles} onChange={setRoles} />
        <ScopeChoices title={t('scopes')} chosen={scopes} onChange={setScopes} />
        <NativeSelect
          label={t('end_label')}
          value={given.end}
          data={ENDS.map((value) => ({ value, label: t(`end_${value}`) }))}
          onChange={({ currentTarget: { value } }) => set('end', value)}
        />
        <Textarea
          label={t('networks_label')}
          description={t('networks_help')}
          value={given.networks}
          error={fieldProblem(create.error, '/networks')}
          onChange={({ currentTarget: { value } }) => set('networks', value)}
          autosize
          minRows={2}
        />
        <TextInput
          type="email"
          label={t('contact_label')}
          value={given.contact}
          error={fieldProblem(create.error, '/contact_email')}
          onChange={({ currentTarget: { value } }) => set('contact', value)}
        />
      </PanelForm>
    </SidePanel>
  )
}

interface Given {
  readonly name: string
  readonly owner: string
  readonly networks: string
  readonly contact: string
  readonly end: string
}

function buildToken(
  { name, owner, networks, contact, end }: Given,
  roles: readonly string[],
  scopes: readonly string[],
) {
  const lines = networks.split(/[\s,]+/).filter((line) => line !== '')
  return {
    name,
    ...(roles.length === 0 ? {} : { roles: [...roles] }),
    ...(scopes.length === 0 ? {} : { scopes: [...scopes] }),
    ...(owner === '' ? {} : { service_account_id: owner }),
    ...(lines.length === 0 ? {} : { networks: lines }),
    ...(contact === '' ? {} : { contact_email: contact }),
    expires_at: end === 'none' ? null : new Date(Date.now() + Number(end) * DAY_MS).toISOString(),
  }
}
