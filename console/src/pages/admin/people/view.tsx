// The people of the tenant.

import { useQuery } from '@tanstack/react-query'
import { useMay, useSession } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import type { Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { Since } from '../../../parts/since.tsx'
import { type User, usersQuery } from '../data.ts'
import { RecordsSection } from '../section.tsx'
import { InviteForm } from './invite-form.tsx'
import { messages } from './messages.ts'
import { PersonPanel } from './person-panel.tsx'
import { rolesIn, UserState } from './user-state.tsx'

export function PeopleSection() {
  const t = useText(messages)
  const query = useQuery({ ...usersQuery, enabled: useMay('users:manage') })
  return (
    <RecordsSection
      id="people"
      create={t('invite')}
      newPanel={<InviteForm />}
      label={t('name')}
      query={query}
      columns={useColumns()}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      empty={
        <EmptyState
          title={t('empty')}
          text={t('empty_why')}
          command="npx casework user invite ana@desk.example --role agent"
        />
      }
    >
      {(person) => <PersonPanel person={person} />}
    </RecordsSection>
  )
}

function useColumns(): readonly Column<User>[] {
  const t = useText(messages)
  const { tenant_id: tenantId } = useSession()
  return [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(140px, 1fr)',
      narrow: 'first',
      cell: ({ name }) => name,
    },
    {
      id: 'email',
      title: t('email'),
      width: 'minmax(180px, 1.5fr)',
      narrow: 'second',
      cell: ({ email }) => email,
    },
    {
      id: 'state',
      title: t('state'),
      width: '120px',
      narrow: 'first',
      cell: ({ state }) => <UserState state={state} />,
    },
    {
      id: 'roles',
      title: t('roles'),
      width: 'minmax(140px, 1.5fr)',
      cell: (person) => rolesIn(person, tenantId).join(', ') || <span className="dim">–</span>,
    },
    {
      id: 'tenants',
      title: t('tenants'),
      width: '90px',
      isNumber: true,
      cell: ({ tenants }) => tenants.length,
    },
    {
      id: 'last_sign_in',
      title: t('last_sign_in'),
      width: '140px',
      narrow: 'second',
      cell: ({ last_sign_in_at: at }) => <Since at={at} />,
    },
  ]
}
