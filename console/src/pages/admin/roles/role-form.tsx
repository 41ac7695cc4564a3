// A role of the tenant, new or changed.

import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { sendChanged } from '../../../data/pick-changed.ts'
import { useText } from '../../../messages/use-text.ts'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { ScopeChoices } from '../choices.tsx'
import { type Role, rolesQuery } from '../data.ts'
import { DeleteRecord } from '../delete-record.tsx'
import { PanelForm, useSend } from '../form.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

export function RoleForm({ role }: { readonly role?: Role }) {
  const t = useText(messages)
  const { close } = useAdmin()
  const [former] = useState({
    description: role?.description ?? '',
    scopes: [...(role?.scopes ?? [])],
  })
  const [name, setName] = useState(role?.name ?? '')
  const [description, setDescription] = useState(former.description)
  const [scopes, setScopes] = useState<readonly string[]>(former.scopes)
  const save = useSend({
    send: async () => {
      const given = { description, scopes: [...scopes] }
      if (role === undefined) {
        await casework.post('/beta/admin/roles', { body: { name, ...given } })
        return
      }
      const params = { path: { role: role.name } }
      await sendChanged(former, given, (body) =>
        casework.patch('/beta/admin/roles/{role}', { params, body }),
      )
    },
    touches: [rolesQuery.queryKey],
    say: t('saved', { name }),
    onDone: close,
  })
  return (
    <SidePanel
      title={role?.name ?? t('create')}
      onClose={close}
      acts={role !== undefined && <DeleteRole name={role.name} />}
    >
      <PanelForm
        label={t(role === undefined ? 'create' : 'edit')}
        act={t('save')}
        isPending={save.isPending}
        error={save.error}
        onSend={() => save.mutate(undefined)}
      >
        {role === undefined && (
          <TextInput
            label={t('name')}
            description={t('name_help')}
            value={name}
            error={fieldProblem(save.error, '/name')}
            onChange={({ currentTarget: { value } }) => setName(value)}
            autoFocus
            required
            withAsterisk={false}
          />
        )}
        <Textarea
          label={t('description')}
          value={description}
          error={fieldProblem(save.error, '/description')}
          onChange={({ currentTarget: { value } }) => setDescription(value)}
          autosize
          minRows={2}
        />
        <ScopeChoices title={t('scopes')} chosen={scopes} onChange={setScopes} />
      </PanelForm>
    </SidePanel>
  )
}

function DeleteRole({ name }: { readonly name: string }) {
  const t = useText(messages)
  const params = { path: { role: name } }
  return (
    <DeleteRecord
      send={() => casework.delete('/beta/admin/roles/{role}', { params })}
      touches={[rolesQuery.queryKey]}
      act={t('remove')}
      title={t('remove_title', { name })}
      why={t('remove_why')}
      done={t('removed', { name })}
    />
  )
}
