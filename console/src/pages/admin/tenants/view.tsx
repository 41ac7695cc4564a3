// The tenants of the installation for its operator; their own one for administrators of a tenant.

import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { sendChanged } from '../../../data/pick-changed.ts'
import { useMay, useSession } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import type { Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Since } from '../../../parts/since.tsx'
import { Choices } from '../choices.tsx'
import { ownTenantQuery, type Tenant, tenantsQuery } from '../data.ts'
import { PanelForm, useSend } from '../form.tsx'
import { RecordsSection } from '../section.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

export function TenantsSection() {
  const t = useText(messages)
  const { tenant_id: own } = useSession()
  const isOperator = useMay('instance:admin')
  const isAdministrator = useMay('tenant:admin')
  const all = useQuery({ ...tenantsQuery, enabled: isOperator })
  const one = useQuery({ ...ownTenantQuery(own), enabled: isAdministrator && !isOperator })
  const query = isOperator ? all : one
  return (
    <RecordsSection
      id="tenants"
      {...(isOperator ? { create: t('create'), newPanel: <NewTenant /> } : {})}
      label={t('name')}
      query={query}
      columns={useColumns()}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      empty={<EmptyState title={t('empty')} />}
    >
      {(tenant) => <TenantForm tenant={tenant} />}
    </RecordsSection>
  )
}

function useColumns(): readonly Column<Tenant>[] {
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
      id: 'shares',
      title: t('shares'),
      width: '140px',
      cell: ({ settings }) => t(settings.share_sightings ? 'yes' : 'no'),
    },
    {
      id: 'created',
      title: t('created'),
      width: '160px',
      cell: ({ created_at: at }) => <Since at={at} />,
    },
  ]
}

function NewTenant() {
  const t = useText(messages)
  const { close } = useAdmin()
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const create = useSend({
    send: () => casework.post('/beta/admin/tenants', { body: { id, name } }),
    touches: [tenantsQuery.queryKey],
    say: t('saved', { name }),
    onDone: close,
  })
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
          label={t('id')}
          description={t('id_help')}
          value={id}
          error={fieldProblem(create.error, '/id')}
          onChange={({ currentTarget: { value } }) => setId(value)}
          autoFocus
          required
          withAsterisk={false}
        />
        <TextInput
          label={t('name')}
          value={name}
          error={fieldProblem(create.error, '/name')}
          onChange={({ currentTarget: { value } }) => setName(value)}
          required
          withAsterisk={false}
        />
      </PanelForm>
    </SidePanel>
  )
}

const UNMATCHED = ['item_is_customer', 'unassigned'] as const
const DEADLINES = ['dsa', 'nis2'] as const

interface Given {
  readonly name: string
  /** Empty for the default of the installation. */
  readonly unmatched: string
  readonly deadlines: readonly string[]
  readonly isSharing: boolean
  readonly isVerifying: boolean
  readonly isFactorRequired: boolean
}

function readGiven({ name, settings }: Tenant): Given {
  return {
    name,
    unmatched: settings.unmatched ?? '',
    deadlines: settings.legal_deadlines ?? [],
    isSharing: settings.share_sightings,
    isVerifying: settings.verify_targets ?? false,
    isFactorRequired: settings.second_factor_required ?? false,
  }
}

/** The name and the settings beside one another. */
function buildBody({ name, unmatched, deadlines, ...given }: Given) {
  return {
    name,
    unmatched: UNMATCHED.find((one) => one === unmatched) ?? null,
    legal_deadlines: DEADLINES.filter((one) => deadlines.includes(one)),
    share_sightings: given.isSharing,
    verify_targets: given.isVerifying,
    second_factor_required: given.isFactorRequired,
  }
}

function TenantForm({ tenant }: { readonly tenant: Tenant }) {
  const t = useText(messages)
  const { close } = useAdmin()
  const [former] = useState(() => readGiven(tenant))
  const [given, setGiven] = useState(former)
  const set = (changed: Partial<Given>): void => setGiven((now) => ({ ...now, ...changed }))
  const save = useSend({
    // Untouched switches stay with the default of the installation.
    send: () =>
      sendChanged(buildBody(former), buildBody(given), ({ name, ...settings }) =>
        casework.patch('/beta/admin/tenants/{tenantId}', {
          params: { path: { tenantId: tenant.id } },
          body: { ...(name === undefined ? {} : { name }), settings },
        }),
      ),
    touches: [['tenants'], ['session']],
    say: t('saved', { name: given.name }),
    onDone: close,
  })
  return (
    <SidePanel title={tenant.name} onClose={close}>
      <PanelForm
        label={t('edit')}
        act={t('save')}
        isPending={save.isPending}
        error={save.error}
        onSend={() => save.mutate(undefined)}
      >
        <TextInput
          label={t('name')}
          value={given.name}
          error={fieldProblem(save.error, '/name')}
          onChange={({ currentTarget: { value } }) => set({ name: value })}
          required
          withAsterisk={false}
        />
        <NativeSelect
          label={t('unmatched')}
          value={given.unmatched}
          data={[
            { value: '', label: t('unmatched_default') },
            ...UNMATCHED.map((value) => ({ value, label: t(`unmatched_${value}`) })),
          ]}
          onChange={({ currentTarget: { value } }) => set({ unmatched: value })}
        />
        <Choices
          title={t('deadlines')}
          choices={DEADLINES.map((value) => ({ value, title: t(`deadlines_${value}`) }))}
          chosen={given.deadlines}
          onChange={(deadlines) => set({ deadlines })}
        />
        <Checkbox
          label={t('share')}
          checked={given.isSharing}
          onChange={({ currentTarget: { checked } }) => set({ isSharing: checked })}
        />
        <Checkbox
          label={t('verify')}
          checked={given.isVerifying}
          onChange={({ currentTarget: { checked } }) => set({ isVerifying: checked })}
        />
        <Checkbox
          label={t('factor')}
          description={t('factor_help')}
          checked={given.isFactorRequired}
          onChange={({ currentTarget: { checked } }) => set({ isFactorRequired: checked })}
        />
      </PanelForm>
    </SidePanel>
  )
}
