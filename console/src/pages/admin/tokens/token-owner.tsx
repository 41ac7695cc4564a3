// Whose token it is, by name where the person may see the names.

import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import { serviceAccountsQuery, type Token, usersQuery } from '../data.ts'
import { messages } from './messages.ts'

export function TokenOwner({ owner }: Pick<Token, 'owner'>) {
  const t = useText(messages)
  const isUser = owner?.kind === 'user'
  const mayNameUsers = useMay('users:manage')
  const users = useQuery({ ...usersQuery, enabled: isUser && mayNameUsers })
  const accounts = useQuery({ ...serviceAccountsQuery, enabled: owner !== null && !isUser })
  if (owner === null) return <span className="dim">{t('no_owner')}</span>
  const named = (isUser ? users.data : accounts.data)?.find(({ id }) => id === owner.id)
  return <span title={owner.id}>{named?.name ?? owner.id}</span>
}
