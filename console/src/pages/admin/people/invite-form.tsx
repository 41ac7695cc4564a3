// An invitation. Its link is shown once, unless the server mailed it.

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useSession } from '../../../data/session.ts'
import { useFormat } from '../../../messages/use-format.ts'
import { useText } from '../../../messages/use-text.ts'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { RoleChoices } from '../choices.tsx'
import { usersQuery } from '../data.ts'
import { PanelForm, SecretOnce, useSend } from '../form.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

export function InviteForm() {
  const t = useText(messages)
  const { close } = useAdmin()
  const { tenant_id: tenantId } = useSession()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<readonly string[]>(['agent'])
  const invite = useSend({
    send: () =>
      casework.post('/beta/admin/users', {
        body: { email, name, roles: [...roles], tenant_id: tenantId },
      }),
    touches: [usersQuery.queryKey],
  })
  if (invite.data !== undefined) {
    return (
      <SidePanel title={t('invite')} onClose={close}>
        <NewLink
          name={invite.data.name}
          email={invite.data.email}
          link={invite.data.link}
          endsAt={invite.data.link_expires_at}
        />
      </SidePanel>
    )
  }
  return (
    <SidePanel title={t('invite')} onClose={close}>
      <PanelForm
        label={t('invite')}
        act={t('invite')}
        isPending={invite.isPending}
        error={invite.error}
        onSend={() => invite.mutate(undefined)}
      >
        <TextInput
          label={t('name')}
          value={name}
          error={fieldProblem(invite.error, '/name')}
          onChange={({ currentTarget: { value } }) => setName(value)}
          autoFocus
          required
          withAsterisk={false}
        />
        <TextInput
          type="email"
          label={t('email')}
          value={email}
          error={fieldProblem(invite.error, '/email')}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
          required
          withAsterisk={false}
        />
        <RoleChoices
          title={t('roles_in', { tenant: tenantId })}
          chosen={roles}
          onChange={setRoles}
        />
      </PanelForm>
    </SidePanel>
  )
}

interface NewLinkProps {
  readonly name: string
  readonly email: string
  readonly link: string | null
  readonly endsAt: string
}

export function NewLink({ name, email, link, endsAt }: NewLinkProps) {
  const t = useText(messages)
  const format = useFormat()
  return (
    <div className="stack">
      {link === null ? (
        <p>{t('link_by_mail', { email })}</p>
      ) : (
        <SecretOnce label={t('link_title', { name })} text={link} />
      )}
      <div className="dim small">{t('link_ends', { when: format.time(new Date(endsAt)) })}</div>
    </div>
  )
}
