// One person: roles, whether they may sign in, and by what.

import { Button } from '@mantine/core'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useSession } from '../../../data/session.ts'
import { useAct } from '../../../data/use-act.ts'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Since } from '../../../parts/since.tsx'
import { RoleChoices, Words } from '../choices.tsx'
import { type User, usersQuery } from '../data.ts'
import { Facts, PanelForm, useSend } from '../form.tsx'
import { useAdmin } from '../use-admin.ts'
import { NewLink } from './invite-form.tsx'
import { messages } from './messages.ts'
import { Factors, Identities, Sessions } from './sign-in-blocks.tsx'
import { rolesIn, UserState } from './user-state.tsx'

interface OfPerson {
  readonly person: User
}

export function PersonPanel({ person }: OfPerson) {
  const t = useText(messages)
  const { close } = useAdmin()
  const { user } = useSession()
  const isSelf = user.id === person.id
  return (
    <SidePanel
      title={person.name}
      onClose={close}
      acts={isSelf ? undefined : <Leave person={person} />}
    >
      <div className="stack">
        <Facts
          facts={[
            {
              title: t('state'),
              value: (
                <span className="row-of">
                  <UserState state={person.state} />
                  {isSelf && <Badge tone="blue">{t('this_is_you')}</Badge>}
                </span>
              ),
            },
            { title: t('email'), value: person.email },
            {
              title: t('last_sign_in'),
              value: <Since at={person.last_sign_in_at} />,
            },
            ...person.tenants.map(({ tenant_id: tenant, roles }) => ({
              title: tenant,
              value: <Words words={roles} />,
            })),
          ]}
        />
        <Roles person={person} />
        <Links person={person} isSelf={isSelf} />
        <Sessions person={person} />
        <Factors person={person} isSelf={isSelf} />
        <Identities person={person} />
      </div>
    </SidePanel>
  )
}

function Roles({ person }: OfPerson) {
  const t = useText(messages)
  const { tenant_id: tenantId } = useSession()
  const former = rolesIn(person, tenantId)
  const [roles, setRoles] = useState(former)
  const [seen, setSeen] = useState(former)
  // Somebody else has changed them: saving the ones from before would take that back.
  if (seen.join() !== former.join()) {
    setSeen(former)
    setRoles(former)
  }
  const change = useSend({
    send: () =>
      casework.patch('/beta/admin/users/{userId}', {
        params: { path: { userId: person.id } },
        body: { roles: [...roles], tenant_id: tenantId },
      }),
    touches: [usersQuery.queryKey],
    say: t('roles_saved', { name: person.name }),
  })
  if (former.length === 0) return null
  return (
    <PanelForm
      label={t('roles_in', { tenant: tenantId })}
      act={t('save_roles')}
      isPending={change.isPending}
      error={change.error}
      onSend={() => change.mutate(undefined)}
    >
      <RoleChoices title={t('roles_in', { tenant: tenantId })} chosen={roles} onChange={setRoles} />
    </PanelForm>
  )
}

function Links({ person, isSelf }: OfPerson & { readonly isSelf: boolean }) {
  const t = useText(messages)
  const { id: userId, name } = person
  const isDisabled = person.state === 'disabled'
  const setDisabled = (disabled: boolean) =>
    casework.patch('/beta/admin/users/{userId}', {
      params: { path: { userId } },
      body: { disabled },
    })
  const toggle = useAct({
    act: setDisabled,
    touches: () => [usersQuery.queryKey],
    say: (disabled) => t(disabled ? 'disabled' : 'enabled', { name }),
    undo: (disabled) => () => setDisabled(!disabled),
  })
  const link = useSend({
    send: () => casework.post('/beta/admin/users/{userId}/links', { params: { path: { userId } } }),
    touches: [],
  })
  return (
    <div className="stack">
      <div className="panel-buttons">
        {!isSelf && (
          <Button
            variant="default"
            loading={toggle.isPending}
            onClick={() => toggle.mutate(!isDisabled)}
          >
            {t(isDisabled ? 'enable' : 'disable')}
          </Button>
        )}
        {!isDisabled && (
          <Button
            variant="default"
            title={t('new_link_help')}
            loading={link.isPending}
            onClick={() => link.mutate(undefined)}
          >
            {t('new_link')}
          </Button>
        )}
      </div>
      {link.data !== undefined && (
        <NewLink
          name={name}
          email={person.email}
          link={link.data.link}
          endsAt={link.data.link_expires_at}
        />
      )}
    </div>
  )
}

function Leave({ person }: OfPerson) {
  const t = useText(messages)
  const { close } = useAdmin()
  const { tenant_id: tenant } = useSession()
  const [isOpen, setOpen] = useState(false)
  const { name, id: userId } = person
  const remove = useAct({
    act: () =>
      casework.delete('/beta/admin/users/{userId}', {
        params: { path: { userId }, query: { tenant_id: tenant } },
      }),
    touches: () => [usersQuery.queryKey],
    say: () => t('removed', { name }),
    onDone: close,
  })
  if (rolesIn(person, tenant).length === 0) return null
  return (
    <>
      <Button color="red" variant="light" onClick={() => setOpen(true)}>
        {t('remove', { tenant })}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('remove_title', { name, tenant })}
        act={t('remove', { tenant })}
        isPending={remove.isPending}
        onAct={() => remove.mutate(undefined)}
      >
        {t('remove_why')}
      </Confirm>
    </>
  )
}
