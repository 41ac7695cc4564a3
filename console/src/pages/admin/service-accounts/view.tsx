// Programs that own tokens.

import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import type { Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Since } from '../../../parts/since.tsx'
import { serviceAccountsQuery, tokensQuery } from '../data.ts'
import { DeleteRecord } from '../delete-record.tsx'
import { PanelForm, useSend } from '../form.tsx'
import { RecordsSection } from '../section.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

type Account = Schemas['ServiceAccount']

export function ServiceAccountsSection() {
  const t = useText(messages)
  const query = useQuery({ ...serviceAccountsQuery, enabled: useMay('tokens:manage') })
  return (
    <RecordsSection
      id="service-accounts"
      create={t('create')}
      newPanel={<AccountForm />}
      label={t('name')}
      query={query}
      columns={useColumns()}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      empty={<EmptyState title={t('empty')} text={t('empty_why')} />}
    >
      {(account) => <AccountForm account={account} />}
    </RecordsSection>
  )
}

function useColumns(): readonly Column<Account>[] {
  const t = useText(messages)
  return [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(200px, 1fr)',
      narrow: 'first',
      cell: ({ name }) => name,
    },
    {
      id: 'id',
      title: t('id'),
      width: 'minmax(140px, 1fr)',
      narrow: 'second',
      cell: ({ id }) => <span className="mono">{id}</span>,
    },
    {
      id: 'tokens',
      title: t('tokens'),
      width: '120px',
      isNumber: true,
      cell: ({ live_tokens: count }) => count,
    },
    {
      id: 'created',
      title: t('created'),
      width: '160px',
      cell: ({ created_at: at }) => <Since at={at} />,
    },
  ]
}

function AccountForm({ account }: { readonly account?: Account }) {
  const t = useText(messages)
  const { close } = useAdmin()
  const [id, setId] = useState('')
  const [name, setName] = useState(account?.name ?? '')
  const save = useSend({
    send: () => {
      if (account === undefined) {
        return casework.post('/beta/admin/service-accounts', { body: { id, name } })
      }
      return casework.patch('/beta/admin/service-accounts/{serviceAccountId}', {
        params: {
          path: { serviceAccountId: account.id },
          query: { tenant_id: account.tenant_id },
        },
        body: { name },
      })
    },
    touches: [serviceAccountsQuery.queryKey],
    say: t('saved', { name }),
    onDone: close,
  })
  return (
    <SidePanel
      title={account?.name ?? t('create')}
      onClose={close}
      acts={account !== undefined && <DeleteAccount account={account} />}
    >
      <PanelForm
        label={t(account === undefined ? 'create' : 'edit')}
        act={t('save')}
        isPending={save.isPending}
        error={save.error}
        onSend={() => save.mutate(undefined)}
      >
        {account === undefined && (
          <TextInput
            label={t('id')}
            description={t('id_help')}
            value={id}
            error={fieldProblem(save.error, '/id')}
            onChange={({ currentTarget: { value } }) => setId(value)}
            autoFocus
            required
            withAsterisk={false}
          />
        )}
        <TextInput
          label={t('name')}
          value={name}
          error={fieldProblem(save.error, '/name')}
          onChange={({ currentTarget: { value } }) => setName(value)}
          required
          withAsterisk={false}
        />
      </PanelForm>
    </SidePanel>
  )
}

function DeleteAccount({ account }: { readonly account: Account }) {
  const t = useText(messages)
  const { id, name, tenant_id: tenantId, live_tokens: count } = account
  const params = { path: { serviceAccountId: id }, query: { tenant_id: tenantId } }
  return (
    <DeleteRecord
      send={() => casework.delete('/beta/admin/service-accounts/{serviceAccountId}', { params })}
      touches={[serviceAccountsQuery.queryKey, tokensQuery.queryKey]}
      act={t('remove')}
      title={t('remove_title', { name })}
      why={t('remove_why', { count })}
      done={t('removed', { name })}
    />
  )
}
