// Why the answer is what it is: each part of it with what decided. The rules come as the interface
// words them, which is in English; the rest is said in the language of the page.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { Partial } from '../../parts/notes.tsx'
import { tagsQuery } from '../tags/data.ts'
import type { Entry, Explanation } from './data.ts'
import { messages } from './messages.ts'
import { TONES } from './tag-chips.tsx'

export function Why({ explanation }: { readonly explanation: Explanation }) {
  const t = useText(messages)
  const { intent, tags, bogon, activity, serviceMailBlocklist, rollUp, notes } = explanation
  return (
    <section className="lookup-section" aria-label={t('why')}>
      <h2 className="section-title">{t('why')}</h2>
      {notes.length > 0 && <Partial parts={[t('reasons')]} />}
      <dl className="why">
        <Reason title={t('verdict')}>{useIntentReason(explanation)}</Reason>
        {tags.map((tag) => (
          <TagReason key={tag.name} tag={tag} entries={explanation.entries} />
        ))}
        <Reason title={t('blocklists')}>
          {useListReason(explanation, serviceMailBlocklist.value === 'ACTIVE')}
        </Reason>
        <Reason title={t('activity_short')}>
          {t(activity.value ? 'why_active' : 'why_inactive')}
        </Reason>
        {rollUp !== undefined && (
          <Reason title={t('prefixes')}>
            {rollUp.prefixes
              .map(({ prefix, addresses }) => t('why_prefix', { prefix, count: addresses }))
              .join(', ')}
            {rollUp.counts ? ` – ${t('why_roll_up', { count: rollUp.addressesMin })}` : ''}
          </Reason>
        )}
        {bogon.value && (
          <Reason title={t('reserved')}>
            <span lang="en">{bogon.because}</span>
          </Reason>
        )}
        {intent.value === 'benign' && tags.some((tag) => tag.intent === 'malicious') && (
          <Reason title={t('benign')}>{t('why_vetted')}</Reason>
        )}
      </dl>
    </section>
  )
}

function Reason({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  )
}

function useIntentReason({ intent, tags }: Explanation): string {
  const t = useText(messages)
  if (intent.value === 'unknown') return t(tags.length === 0 ? 'why_no_tag' : 'why_describing')
  const names = tags.filter((tag) => tag.intent === intent.value).map(({ name }) => name)
  return t(`why_${intent.value}`, { count: names.length, tags: names.join(', ') })
}

interface TagReasonProps {
  readonly tag: Explanation['tags'][number]
  readonly entries: readonly Entry[]
}

function TagReason({ tag, entries }: TagReasonProps) {
  const t = useText(messages)
  const { data: catalogue = [] } = useQuery(tagsQuery)
  const { name, intent, because } = tag
  const taggings = entries.filter(
    (entry) => entry.kind === 'tagging' && entry.tag === name && entry.live,
  )
  const rules = because.filter((sentence) => sentence.startsWith('Rule "'))
  const described = catalogue.find((one) => one.name === name)?.description
  return (
    <Reason
      title={
        <Link to="/tags/$name" params={{ name }} className="why-tag">
          <Badge tone={TONES[intent]}>{name}</Badge>
        </Link>
      }
    >
      {taggings.map(({ source, subject, relation }) => (
        <div key={`${source.name} ${subject}`}>
          {relation === 'itself'
            ? t('why_tagged', { source: source.name })
            : t('why_tagged_wider', { source: source.name, subject })}
        </div>
      ))}
      {rules.map((rule) => (
        <div key={rule} lang="en">
          {rule}
        </div>
      ))}
      {described !== undefined && (
        <div className="dim small" lang="en">
          {described}
        </div>
      )}
    </Reason>
  )
}

function useListReason({ entries }: Explanation, isActive: boolean): string {
  const t = useText(messages)
  const listings = entries.filter(({ kind }) => kind === 'listing')
  const allowance = entries.find(({ kind, live }) => kind === 'allowance' && live)
  const names = [...new Set(listings.filter(({ live }) => live).map(({ list }) => list ?? ''))]
  const said = { count: names.length, lists: names.join(', ') }
  if (isActive) return t('why_listed', said)
  if (names.length > 0 && allowance !== undefined) {
    return t('why_allowed', { ...said, allowed: allowance.list ?? '' })
  }
  return t(listings.length > 0 ? 'why_expired' : 'why_unlisted')
}
