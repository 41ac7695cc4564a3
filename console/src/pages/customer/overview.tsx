// Contacts, contracts and resources of a customer.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MailX, Plus, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { FirstPageOnly } from '../../parts/first-only.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { suppressedQuery } from '../notices/data.ts'
import { type Customer, contractsQuery, resourcesQuery } from './data.ts'
import { messages } from './messages.ts'
import { RowActs, useDeleteContract, useDeleteResource } from './owned-acts.tsx'

export interface OverviewProps {
  readonly customerId: string
  /** Null for one without a record. */
  readonly customer: Customer | null
  readonly onAdd: ((what: 'contract' | 'resource') => void) | undefined
  readonly onEdit: (what: { readonly contract?: string; readonly resource?: string }) => void
}

type OwnedProps = Omit<OverviewProps, 'customer'>

export function Overview({ customer, ...owned }: OverviewProps) {
  const t = useText(messages)
  if (customer === null) return <p className="dim">{t('no_record')}</p>
  return (
    <div className="customer-sections">
      <Contacts customer={customer} />
      <Resources {...owned} />
      <Contracts {...owned} />
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly act?: ReactNode
  readonly children: ReactNode
}

function Section({ title, act, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <div className="section-head">
        <h2 className="section-title">{title}</h2>
        {act}
      </div>
      {children}
    </section>
  )
}

function AddButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button variant="subtle" leftSection={<Plus size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  )
}

function Contacts({ customer: { contacts } }: { readonly customer: Customer }) {
  const t = useText(messages)
  const may = useMay('customers:read')
  const suppressed = useQuery({ ...suppressedQuery, enabled: may })
  const isPartial = suppressed.error !== null || (suppressed.data?.next_cursor ?? '') !== ''
  const causes = new Map(suppressed.data?.items.map((one) => [one.address, one.cause]))
  return (
    <Section title={t('contacts')}>
      {contacts.length === 0 ? (
        <p className="dim plain">{t('no_contacts')}</p>
      ) : (
        <Scroll label={t('contacts')}>
          <thead>
            <tr>
              <th scope="col">{t('email')}</th>
              <th scope="col">{t('purpose')}</th>
              <th scope="col">{t('language')}</th>
              <th scope="col">{t('state')}</th>
            </tr>
          </thead>
          <tbody>
            {contacts.map(({ email, purpose, language, state }) => {
              const cause = causes.get(email.toLowerCase())
              return (
                <tr key={`${email} ${purpose}`}>
                  <th scope="row">{email}</th>
                  <td>{purpose ?? '–'}</td>
                  <td>{language ?? '–'}</td>
                  <td>
                    <span className="row-of">
                      {state === 'active' && cause === undefined && t('state_active')}
                      {state !== 'active' && (
                        <Badge tone={state === 'bounced' ? 'red' : 'grey'} icon={TriangleAlert}>
                          {t(`state_${state}`)}
                        </Badge>
                      )}
                      {cause !== undefined && (
                        <Badge tone="amber" icon={MailX}>
                          {t(`suppressed_${cause}`)}
                        </Badge>
                      )}
                    </span>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </Scroll>
      )}
      {contacts.length > 0 && isPartial && (
        <p className="dim small" role="status">
          {t('suppressed_unknown')}
        </p>
      )}
    </Section>
  )
}

function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div className="scroll-x" tabIndex={0} role="group" aria-label={label}>
      <table className="plain-table">{children}</table>
    </div>
  )
}

function Resources({ customerId, onAdd, onEdit }: OwnedProps) {
  const t = useText(messages)
  const remove = useDeleteResource()
  const { data, error, refetch } = useQuery(resourcesQuery(customerId))
  return (
    <Section
      title={t('resources')}
      act={
        onAdd !== undefined && (
          <AddButton label={t('add_resource')} onClick={() => onAdd('resource')} />
        )
      }
    >
      {error !== null && data === undefined && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading lines={3} />}
      {data?.items.length === 0 && <p className="dim plain">{t('no_resources')}</p>}
      {data !== undefined && data.items.length > 0 && (
        <Scroll label={t('resources')}>
          <thead>
            <tr>
              <th scope="col">{t('value')}</th>
              <th scope="col">{t('kind')}</th>
              <th scope="col">{t('contract')}</th>
              <th scope="col">{t('valid')}</th>
              {onAdd !== undefined && (
                <th scope="col" className="row-acts">
                  {t('acts')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.items.map((resource) => (
              <tr key={resource.id}>
                <th scope="row">
                  {resource.kind === 'account' ? (
                    <span className="mono">{resource.value}</span>
                  ) : (
                    <ItemLink item={resource.value} />
                  )}
                </th>
                <td>{t(`kind_${resource.kind}`)}</td>
                <td>{resource.contract_id ?? '–'}</td>
                <td>
                  <Validity from={resource.valid_from} until={resource.valid_until} />
                </td>
                {onAdd !== undefined && (
                  <td className="row-acts">
                    <RowActs
                      name={resource.value}
                      onEdit={() => onEdit({ resource: resource.id })}
                      onDelete={() => remove.mutate(resource)}
                      isDeleting={remove.isPending}
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </Scroll>
      )}
      <FirstPageOnly page={data} />
    </Section>
  )
}

function Contracts({ customerId, onAdd, onEdit }: OwnedProps) {
  const t = useText(messages)
  const remove = useDeleteContract()
  const { data, error, refetch } = useQuery(contractsQuery(customerId))
  return (
    <Section
      title={t('contracts')}
      act={
        onAdd !== undefined && (
          <AddButton label={t('add_contract')} onClick={() => onAdd('contract')} />
        )
      }
    >
      {error !== null && data === undefined && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading lines={3} />}
      {data?.items.length === 0 && <p className="dim plain">{t('no_contracts')}</p>}
      {data !== undefined && data.items.length > 0 && (
        <Scroll label={t('contracts')}>
          <thead>
            <tr>
              <th scope="col">{t('contract')}</th>
              <th scope="col">{t('name')}</th>
              <th scope="col">{t('valid')}</th>
              {onAdd !== undefined && (
                <th scope="col" className="row-acts">
                  {t('acts')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.items.map((contract) => (
              <tr key={contract.id}>
                <th scope="row" className="mono">
                  {contract.id}
                </th>
                <td>{contract.name ?? '–'}</td>
                <td>
                  <Validity from={contract.valid_from} until={contract.valid_until} />
                </td>
                {onAdd !== undefined && (
                  <td className="row-acts">
                    <RowActs
                      name={contract.id}
                      onEdit={() => onEdit({ contract: contract.id })}
                      onDelete={() => remove.mutate(contract)}
                      isDeleting={remove.isPending}
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </Scroll>
      )}
      <FirstPageOnly page={data} />
    </Section>
  )
}

interface ValidityProps {
  readonly from: string | undefined
  readonly until: string | undefined
}

/** In UTC, as the form has them: a day that is sent is midnight UTC. */
function Validity({ from, until }: ValidityProps) {
  const t = useText(messages)
  const format = useFormat('utc')
  if (from === undefined && until === undefined) return <span className="dim">{t('always')}</span>
  const say = (at: string | undefined): string =>
    at === undefined ? '…' : format.day(new Date(at))
  return <span>{`${say(from)} – ${say(until)}`}</span>
}
