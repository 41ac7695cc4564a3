// A customer by the name that the desk knows; the id, until the name is known or where it may not be.

import { useQuery } from '@tanstack/react-query'
import { customerNameQuery } from '../data/customer-name.ts'
import { useMay } from '../data/session.ts'
import { PathLink } from './path-link.tsx'

interface CustomerProps {
  readonly id: string
}

export function CustomerName({ id }: CustomerProps) {
  const mayName = useMay('customers:read')
  const { data } = useQuery({ ...customerNameQuery(id), enabled: mayName })
  return <span title={id}>{data ?? id}</span>
}

export function CustomerLink({ id }: CustomerProps) {
  return (
    <PathLink path={`/customers/${encodeURIComponent(id)}`} className="plain-link cut">
      <CustomerName id={id} />
    </PathLink>
  )
}
