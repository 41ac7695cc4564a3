// Groups of people.

import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { sendChanged } from '../../../data/pick-changed.ts'
import { useMay, useSession } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import type { Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { FormProblem, fieldProblem } from '../../../parts/form-problem.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Since } from '../../../parts/since.tsx'
import { Choices } from '../choices.tsx'
import { groupsQuery, usersQuery } from '../data.ts'
import { DeleteRecord } from '../delete-record.tsx'
import { PanelForm, useSend } from '../form.tsx'
import { rolesIn } from '../people/user-state.tsx'
import { RecordsSection } from '../section.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

type Group = Schemas['UserGroup']

export function GroupsSection() {
  const t = useText(messages)
  const query = useQuery({ ...groupsQuery, enabled: useMay('users:manage') })
  return (
    <RecordsSection
      id="groups"
      create={t('create')}
      newPanel={<GroupForm />}
      label={t('name')}
      query={query}
      columns={useColumns()}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      empty={<EmptyState title={t('empty')} text={t('empty_why')} />}
    >
      {(group) => <GroupForm group={group} />}
    </RecordsSection>
  )
}

function useColumns(): readonly Column<Group>[] {
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
      id: 'people',
      title: t('people'),
      width: '160px',
      narrow: 'second',
      cell: ({ user_ids: ids }) => t('count', { count: ids.length }),
    },
    {
      id: 'created',
      title: t('created'),
      width: '160px',
      cell: ({ created_at: at }) => <Since at={at} />,
    },
  ]
}

function GroupForm({ group }: { readonly group?: Group }) {
  const t = useText(messages)
  const { close } = useAdmin()
  const { tenant_id: tenantId } = useSession()
  const users = useQuery(usersQuery)
  const [former] = useState({ name: group?.name ?? '', user_ids: [...(group?.user_ids ?? [])] })
  const [name, setName] = useState(former.name)
  const [members, setMembers] = useState<readonly string[]>(former.user_ids)
  const save = useSend({
    send: async () => {
      const given = { name, user_ids: [...members] }
      if (group === undefined) {
        await casework.post('/beta/admin/groups', { body: given })
        return
      }
      const params = { path: { userGroupId: group.id } }
      await sendChanged(former, given, (body) =>
        casework.patch('/beta/admin/groups/{userGroupId}', { params, body }),
      )
    },
    touches: [groupsQuery.queryKey],
    say: t('saved', { name }),
    onDone: close,
  })
  const people = (users.data ?? []).filter(
    (user) => rolesIn(user, tenantId).length > 0 || members.includes(user.id),
  )
  return (
    <SidePanel
      title={group?.name ?? t('create')}
      onClose={close}
      acts={group !== undefined && <DeleteGroup group={group} />}
    >
      <PanelForm
        label={t(group === undefined ? 'create' : 'edit')}
        act={t('save')}
        isPending={save.isPending}
        error={save.error}
        onSend={() => save.mutate(undefined)}
      >
        <TextInput
          label={t('name')}
          value={name}
          error={fieldProblem(save.error, '/name')}
          onChange={({ currentTarget: { value } }) => setName(value)}
          autoFocus
          required
          withAsterisk={false}
        />
        <FormProblem error={users.error} />
        <Choices
          title={t('people')}
          choices={people.map(({ id, name: title, email }) => ({ value: id, title, help: email }))}
          chosen={members}
          onChange={setMembers}
        />
      </PanelForm>
    </SidePanel>
  )
}

function DeleteGroup({ group: { id, name } }: { readonly group: Group }) {
  const t = useText(messages)
  const params = { path: { userGroupId: id } }
  return (
    <DeleteRecord
      send={() => casework.delete('/beta/admin/groups/{userGroupId}', { params })}
      touches={[groupsQuery.queryKey]}
      act={t('remove')}
      title={t('remove_title', { name })}
      why={t('remove_why')}
      done={t('removed', { name })}
    />
  )
}
