// Programs that carry out mitigations.

import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { CircleCheck, CircleOff } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import type { Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { PasswordField } from '../../../parts/password-field.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Choices } from '../choices.tsx'
import { adaptersQuery } from '../data.ts'
import { DeleteRecord } from '../delete-record.tsx'
import { PanelForm, useSend } from '../form.tsx'
import { RecordsSection } from '../section.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

type Adapter = Schemas['MitigationAdapter']

export function MitigationsSection() {
  const t = useText(messages)
  const query = useQuery({ ...adaptersQuery, enabled: useMay('playbooks:read') })
  return (
    <RecordsSection
      id="mitigations"
      create={t('create')}
      newPanel={<AdapterForm />}
      label={t('name')}
      query={query}
      columns={useColumns()}
      rowId={({ name }) => name}
      rowName={({ name }) => name}
      empty={<EmptyState title={t('empty')} text={t('empty_why')} />}
    >
      {(adapter) => <AdapterForm adapter={adapter} />}
    </RecordsSection>
  )
}

function useColumns(): readonly Column<Adapter>[] {
  const t = useText(messages)
  return [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(140px, 1fr)',
      narrow: 'first',
      cell: ({ name }) => name,
    },
    {
      id: 'url',
      title: t('url'),
      width: 'minmax(220px, 2fr)',
      narrow: 'second',
      cell: ({ url }) => <span className="mono">{url}</span>,
    },
    {
      id: 'kinds',
      title: t('kinds'),
      width: 'minmax(160px, 1fr)',
      cell: ({ kinds }) => kinds.map((kind) => t(`kind_${kind}`)).join(', '),
    },
    {
      id: 'state',
      title: t('state'),
      width: '90px',
      narrow: 'first',
      cell: ({ enabled }) => (
        <Badge tone={enabled ? 'green' : 'grey'} icon={enabled ? CircleCheck : CircleOff}>
          {t(enabled ? 'on' : 'off')}
        </Badge>
      ),
    },
  ]
}

const KINDS = ['suspend', 'null_route', 'dns_hold', 'block_port', 'takedown', 'custom'] as const

function AdapterForm({ adapter }: { readonly adapter?: Adapter }) {
  const t = useText(messages)
  const { close } = useAdmin()
  const [name, setName] = useState(adapter?.name ?? '')
  const [url, setUrl] = useState(adapter?.url ?? '')
  const [secret, setSecret] = useState(adapter?.secret ?? '')
  const [value, setValue] = useState('')
  const [description, setDescription] = useState(adapter?.description ?? '')
  const [kinds, setKinds] = useState<readonly string[]>(adapter?.kinds ?? [])
  const [isOn, setOn] = useState(adapter?.enabled ?? true)
  const { data: others = [] } = useQuery(adaptersQuery)
  // The same request makes an adapter and changes one.
  const isTaken = adapter === undefined && others.some((one) => one.name === name)
  const save = useSend({
    send: async () => {
      if (value !== '') {
        const params = { path: { name: secret } }
        await casework.put('/beta/casework/secrets/{name}', { params, body: { value } })
      }
      return await casework.put('/beta/casework/mitigation-adapters/{name}', {
        params: { path: { name } },
        body: {
          url,
          secret,
          description,
          kinds: KINDS.filter((kind) => kinds.includes(kind)),
          enabled: isOn,
        },
      })
    },
    touches: [adaptersQuery.queryKey],
    say: t('saved', { name }),
    onDone: close,
  })
  const text = (
    label: string,
    given: string,
    set: (value: string) => void,
    pointer: string,
    help?: string,
  ) => (
    <TextInput
      label={label}
      description={help}
      value={given}
      error={pointer === '/name' && isTaken ? t('name_taken') : fieldProblem(save.error, pointer)}
      onChange={({ currentTarget: { value: next } }) => set(next)}
      required={pointer !== '/description'}
      withAsterisk={false}
    />
  )
  return (
    <SidePanel
      title={adapter?.name ?? t('create')}
      onClose={close}
      acts={adapter !== undefined && <DeleteAdapter name={adapter.name} />}
    >
      <PanelForm
        label={t(adapter === undefined ? 'create' : 'edit')}
        act={t('save')}
        isPending={save.isPending}
        error={save.error}
        onSend={() => {
          if (!isTaken) save.mutate(undefined)
        }}
      >
        {adapter === undefined && text(t('name'), name, setName, '/name', t('name_help'))}
        {text(t('url'), url, setUrl, '/url', t('url_help'))}
        <Choices
          title={t('kinds')}
          choices={KINDS.map((kind) => ({ value: kind, title: t(`kind_${kind}`) }))}
          chosen={kinds}
          onChange={setKinds}
        />
        {text(t('secret'), secret, setSecret, '/secret', t('secret_help'))}
        <PasswordField
          label={t('secret_new')}
          description={t('secret_new_help')}
          autoComplete="new-password"
          value={value}
          error={fieldProblem(save.error, '/value')}
          onChange={({ currentTarget: { value: next } }) => setValue(next)}
        />
        {text(t('description'), description, setDescription, '/description')}
        <Checkbox
          label={t('is_on')}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => setOn(checked)}
        />
      </PanelForm>
    </SidePanel>
  )
}

function DeleteAdapter({ name }: { readonly name: string }) {
  const t = useText(messages)
  const params = { path: { name } }
  return (
    <DeleteRecord
      send={() => casework.delete('/beta/casework/mitigation-adapters/{name}', { params })}
      touches={[adaptersQuery.queryKey]}
      act={t('remove')}
      title={t('remove_title', { name })}
      why={t('remove_why')}
      done={t('removed', { name })}
    />
  )
}
