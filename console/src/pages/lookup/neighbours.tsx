// The neighbours of an address as a strip of 256 places: the addresses of its /24, or the /56 of its
// /48. What is known of each is its colour; its words are on hover and in the page of the range.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { type RangeItem, rangeQuery } from './data.ts'
import { kindOf, neighbourhoodOf, placeOf } from './item-kind.ts'
import { messages } from './messages.ts'

const PLACES = 256
const WORST = ['malicious', 'suspicious', 'unknown', 'benign'] as const

export function Neighbours({ address }: { readonly address: string }) {
  const t = useText(messages)
  const range = neighbourhoodOf(address) ?? ''
  const query = useQuery({ ...rangeQuery(range), enabled: range !== '' })
  return (
    <section className="lookup-section" aria-label={t('neighbours')}>
      <div className="section-head">
        <h2 className="section-title">{t('neighbours')}</h2>
        <Link to="/lookup/$item" params={{ item: range }} className="text-link mono">
          {range}
        </Link>
      </div>
      {query.error !== null && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading lines={3} />}
      {query.data !== undefined && (
        <Strip address={address} items={query.data.items} hasMore={query.data.next !== ''} />
      )}
    </section>
  )
}

interface StripProps {
  readonly address: string
  readonly items: readonly RangeItem[]
  readonly hasMore: boolean
}

interface Place {
  readonly intent: RangeItem['intent']
  readonly items: readonly RangeItem[]
}

function Strip({ address, items, hasMore }: StripProps) {
  const t = useText(messages)
  const addresses = items.filter(({ item }) => !item.includes('/'))
  const places = gather(addresses)
  const own = placeOf(address)
  const count = (intent: RangeItem['intent']): number =>
    addresses.filter((one) => one.intent === intent).length
  return (
    <>
      <div className="strip" role="group" aria-label={t('neighbours')}>
        {Array.from({ length: PLACES }, (_, at) => (
          <Cell key={at} place={places.get(at)} isOwn={at === own} />
        ))}
      </div>
      <p className="dim small flat">
        {t(kindOf(address) === 'ipv4' ? 'strip_ipv4' : 'strip_ipv6', {
          known: addresses.length,
          malicious: count('malicious'),
          suspicious: count('suspicious'),
        })}
        {hasMore ? ` ${t('strip_more')}` : ''}
      </p>
    </>
  )
}

function gather(addresses: readonly RangeItem[]): ReadonlyMap<number, Place> {
  const places = new Map<number, RangeItem[]>()
  for (const one of addresses) {
    const at = placeOf(one.item)
    const there = places.get(at)
    if (there === undefined) places.set(at, [one])
    else there.push(one)
  }
  return new Map(
    [...places].map(([at, there]) => [
      at,
      {
        intent: WORST.find((intent) => there.some((one) => one.intent === intent)) ?? 'unknown',
        items: there,
      },
    ]),
  )
}

function Cell({ place, isOwn }: { readonly place: Place | undefined; readonly isOwn: boolean }) {
  const t = useText(messages)
  const own = isOwn ? '' : undefined
  const [first] = place?.items ?? []
  if (place === undefined || first === undefined) return <span className="cell" data-own={own} />
  const words = t('cell', {
    item: first.item,
    intent: place.intent,
    more: place.items.length - 1,
  })
  return (
    <Link
      to="/lookup/$item"
      params={{ item: first.item }}
      className="cell"
      data-intent={place.intent}
      data-own={own}
      title={words}
      aria-label={words}
      preload={false}
    />
  )
}
