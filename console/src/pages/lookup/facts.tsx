// Where an item is and whom to tell. These are asked of other servers, so a part may be missing; the
// place says so.

import { useQuery } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../../messages/use-text.ts'
import { Badge, type Tone } from '../../parts/badges.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { type LookupResult, lookupQuery } from './data.ts'
import { neighbourhoodOf } from './item-kind.ts'
import { messages } from './messages.ts'

type Contact = NonNullable<LookupResult['abuseContact']>

const CONTACT_TONES = {
  UNKNOWN: 'grey',
  OK: 'green',
  MX_FAILED: 'red',
  CONNECTION_FAILED: 'amber',
  RECIPIENT_FAILED: 'red',
} as const satisfies Record<Contact['status'], Tone>

interface FactsProps {
  readonly item: string
  readonly canonical: string
}

export function Facts({ item, canonical }: FactsProps) {
  const t = useText(messages)
  const lookup = useQuery(lookupQuery(item))
  return (
    <section className="lookup-section" aria-label={t('facts')} aria-busy={lookup.isPending}>
      <h2 className="section-title">{t('facts')}</h2>
      {lookup.error !== null && (
        <Problem error={lookup.error} onRetry={() => void lookup.refetch()} />
      )}
      {lookup.isPending && <Loading lines={5} />}
      {lookup.data !== undefined && (
        <FactList
          canonical={canonical}
          result={lookup.data.result}
          isPartial={lookup.data.partial}
          onRetry={() => void lookup.refetch()}
        />
      )}
    </section>
  )
}

interface FactListProps {
  readonly canonical: string
  readonly result: LookupResult
  readonly isPartial: boolean
  readonly onRetry: () => void
}

function FactList({ canonical, result, isPartial, onRetry }: FactListProps) {
  const t = useText(messages)
  const { type, asn, abuseContact, reverseDns, firstSeen, lastSeen } = result
  const range = neighbourhoodOf(canonical)
  const missing = <Missing isPartial={isPartial} onRetry={onRetry} />
  return (
    <dl className="facts">
      {type === 'IP' && (
        <>
          <dt>{t('network')}</dt>
          <dd>{asn === undefined ? missing : <Network asn={asn} />}</dd>
          <dt>{t('names')}</dt>
          <dd>{reverseDns === undefined ? missing : <Names names={reverseDns.current} />}</dd>
        </>
      )}
      {range !== null && (
        <>
          <dt>{t('range')}</dt>
          <dd>
            <ItemLink item={range} />
          </dd>
        </>
      )}
      <dt>{t('contact')}</dt>
      <dd>{abuseContact === undefined ? missing : <ContactLines contact={abuseContact} />}</dd>
      <dt>{t('first_seen')}</dt>
      <dd>
        <Since at={firstSeen} />
      </dd>
      <dt>{t('last_seen')}</dt>
      <dd>
        <Since at={lastSeen} />
      </dd>
    </dl>
  )
}

function Missing({
  isPartial,
  onRetry,
}: {
  readonly isPartial: boolean
  readonly onRetry: () => void
}) {
  const t = useText(messages)
  if (!isPartial) return <span className="dim">{t('none_known')}</span>
  return (
    <span className="facts-missing" role="status">
      <CloudOff size={14} aria-hidden />
      <span>{t('no_answer')}</span>
      <button type="button" className="text-button" onClick={onRetry}>
        {t('ask_again')}
      </button>
    </span>
  )
}

function Network({ asn }: { readonly asn: NonNullable<LookupResult['asn']> }): ReactNode {
  const language = useLanguage()
  const country =
    asn.countryCode === undefined
      ? undefined
      : new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  return (
    <>
      <div>
        <span className="mono">{asn.asn}</span> {asn.name}
      </div>
      {country !== undefined && asn.countryCode !== undefined && (
        <div className="dim">{nameCountry(country, asn.countryCode)}</div>
      )}
    </>
  )
}

/** Two letters that are no region throw. */
function nameCountry(names: Intl.DisplayNames, code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}

const NAMES_SHOWN = 5

function Names({ names }: { readonly names: readonly { readonly entry: string }[] }) {
  const t = useText(messages)
  if (names.length === 0) return <span className="dim">{t('no_names')}</span>
  return (
    <>
      {names.slice(0, NAMES_SHOWN).map(({ entry }) => (
        <div key={entry}>
          <ItemLink item={entry} />
        </div>
      ))}
      {names.length > NAMES_SHOWN && (
        <div className="dim small">{t('more_names', { count: names.length - NAMES_SHOWN })}</div>
      )}
    </>
  )
}

function ContactLines({
  contact: { email, status, lastVerification },
}: {
  readonly contact: Contact
}) {
  const t = useText(messages)
  return (
    <>
      <div className="mono">{email}</div>
      <div className="row-of facts-contact">
        <Badge tone={CONTACT_TONES[status]}>{t(`contact_${status}`)}</Badge>
        {lastVerification !== undefined && (
          <span className="dim small">
            <Since at={lastVerification} />
          </span>
        )}
      </div>
    </>
  )
}
