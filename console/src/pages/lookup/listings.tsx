// The lists that cover the item, and the taggings: by whom, since when, until when. What no fetch
// brings back can be taken away by those who may.

import { Button } from '@mantine/core'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Since } from '../../parts/since.tsx'
import type { Entry } from './data.ts'
import { messages } from './messages.ts'
import { type TakeBack, useTakeBack } from './use-marks.ts'

interface ListingsProps {
  readonly item: string
  readonly entries: readonly Entry[]
}

export function Listings({ item, entries }: ListingsProps) {
  const t = useText(messages)
  const rows = entries.filter(({ kind }) => kind !== 'sighting')
  const takeBack = useTakeBack(item)
  const isAllowed = rows.some(({ kind, live }) => kind === 'allowance' && live)
  return (
    <section className="lookup-section" aria-label={t('listings')}>
      <h2 className="section-title">{t('listings')}</h2>
      {rows.length === 0 ? (
        <p className="dim flat">{t('listings_none')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
        <div className="wide-table" tabIndex={0} role="group" aria-label={t('listings')}>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('says')}</th>
                <th scope="col">{t('source')}</th>
                <th scope="col">{t('since')}</th>
                <th scope="col">{t('until')}</th>
                <th scope="col">{t('state')}</th>
                {takeBack !== null && (
                  <th scope="col">
                    <span className="hidden-text">{t('acts')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((entry) => (
                <ListingRow
                  key={`${entry.kind} ${entry.subject} ${entry.list} ${entry.tag} ${entry.source.name}`}
                  entry={entry}
                  isAllowed={isAllowed}
                  takeBack={takeBack}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

interface ListingRowProps {
  readonly entry: Entry
  readonly isAllowed: boolean
  readonly takeBack: TakeBack | null
}

function ListingRow({ entry, isAllowed, takeBack }: ListingRowProps) {
  const t = useText(messages)
  const format = useFormat()
  const { kind, subject, relation, source, reason, expires, live } = entry
  const name = entry.list ?? entry.tag ?? ''
  return (
    <tr data-over={live ? undefined : ''}>
      <th scope="row">
        <span className="listing-name">
          <span className="dim">{t(`kind_${kind === 'sighting' ? 'listing' : kind}`)}</span> {name}
        </span>
        {relation !== 'itself' && (
          <span className="small listing-reason">
            <span className="dim">{t('about')}</span> <ItemLink item={subject} />
          </span>
        )}
        {reason !== undefined && <span className="dim small listing-reason">{reason}</span>}
      </th>
      <td data-label={t('source')}>{source.name}</td>
      <td data-label={t('since')}>
        <Since at={entry.firstSeen ?? entry.lastSeen} />
      </td>
      <td data-label={t('until')}>
        {expires === undefined ? (
          <span className="dim">{t('no_end')}</span>
        ) : (
          <time dateTime={expires} title={format.exact(new Date(expires))}>
            {format.day(new Date(expires))}
          </time>
        )}
      </td>
      <td data-label={t('state')}>
        <EntryState entry={entry} isAllowed={isAllowed} />
      </td>
      {takeBack !== null && (
        <td className="listing-acts">
          {live && takeBack.mayTake(entry) && (
            <Button
              variant="subtle"
              color="gray"
              aria-label={t('take_back_named', { name })}
              onClick={() => takeBack.take(entry)}
            >
              {t('take_back')}
            </Button>
          )}
        </td>
      )}
    </tr>
  )
}

function EntryState({ entry, isAllowed }: Pick<ListingRowProps, 'entry' | 'isAllowed'>) {
  const t = useText(messages)
  if (!entry.live) return <Badge tone="grey">{t('expired')}</Badge>
  if (entry.kind === 'allowance') return <Badge tone="green">{t('wins')}</Badge>
  if (entry.kind === 'tagging') return <Badge tone="blue">{t('active')}</Badge>
  return isAllowed ? (
    <Badge tone="grey">{t('overruled')}</Badge>
  ) : (
    <Badge tone="red">{t('active')}</Badge>
  )
}
