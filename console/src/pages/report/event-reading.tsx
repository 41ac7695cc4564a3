// One event of the report: what was read, where, by which rule and words, and what to do when it is
// wrong.

import { Button, Menu } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { ItemLink } from '../../parts/item-link.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Since } from '../../parts/since.tsx'
import type { FoundValue } from './data.ts'
import { type FindingKey, hasLocation, isSameKey } from './marked-lines.ts'
import { messages } from './messages.ts'
import { useFieldName } from './use-field-name.ts'

export type Wrong = 'type' | 'target' | 'withdraw'

export interface ShownEvent {
  /** A person added it. */
  readonly isAdded: boolean
  /** Position in the reading; null for an event that is not in it. */
  readonly index: number | null
  readonly eventId: string | null
  readonly type: string
  readonly date: string
  readonly ip: string | undefined
  readonly domain: string | undefined
  readonly findings: readonly FoundValue[]
}

export interface EventReadingProps {
  readonly event: ShownEvent
  readonly chosen: FindingKey | null
  readonly onChoose: (key: FindingKey) => void
  /** Left out when the person may not correct. */
  readonly onWrong?: ((event: ShownEvent, wrong: Wrong) => void) | undefined
}

export function EventReading({ event, chosen, onChoose, onWrong }: EventReadingProps) {
  const t = useText(messages)
  const { index, isAdded, eventId, type, date, ip, domain, findings } = event
  const label = [type, ip ?? domain].filter(Boolean).join(' ')
  return (
    <section className="reading-event" aria-label={label}>
      <div className="reading-head">
        <div className="reading-title">
          {eventId === null ? (
            <span className="reading-type">{type}</span>
          ) : (
            <PathLink path={`/events?open=${eventId}`} className="plain-link reading-type">
              {type}
            </PathLink>
          )}
          {ip !== undefined && <ItemLink item={ip} />}
          {domain !== undefined && <ItemLink item={domain} />}
          <span className="dim small">
            <Since at={date} />
            {eventId === null && ` · ${t('not_stored')}`}
            {isAdded && ` · ${t('by_person')}`}
          </span>
        </div>
        {onWrong !== undefined && eventId !== null && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                variant="default"
                rightSection={<ChevronDown size={14} aria-hidden />}
                aria-label={t('wrong_named', { event: label })}
              >
                {t('wrong')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onWrong(event, 'type')}>{t('wrong_type')}</Menu.Item>
              <Menu.Item onClick={() => onWrong(event, 'target')}>{t('wrong_target')}</Menu.Item>
              <Menu.Item onClick={() => onWrong(event, 'withdraw')}>{t('wrong_event')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {findings.length > 0 && (
        <dl className="findings">
          {findings.map((finding, at) => (
            <FindingRow
              // oxlint-disable-next-line react/no-array-index-key -- a finding is its position
              key={at}
              finding={finding}
              isAgain={isSameValue(finding, findings[at - 1])}
              isChosen={isSameKey(chosen, { event: index ?? -1, finding: at })}
              onChoose={() => onChoose({ event: index ?? -1, finding: at })}
            />
          ))}
        </dl>
      )}
    </section>
  )
}

/** Several words may speak for one value. */
function isSameValue(one: FoundValue, other: FoundValue | undefined): boolean {
  return one.field === other?.field && one.value === other.value
}

interface FindingRowProps {
  readonly finding: FoundValue
  /** The row before has the same value; this is one more reason for it. */
  readonly isAgain: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function FindingRow({ finding, isAgain, isChosen, onChoose }: FindingRowProps) {
  const t = useText(messages)
  const nameField = useFieldName()
  const { field, value, reason, rule, words, part, line } = finding
  const origin = line === undefined ? part : t('part_line', { part, line })
  return (
    <>
      <dt>
        {isAgain ? <span className="hidden-text">{nameField(field)}</span> : nameField(field)}
      </dt>
      <dd data-chosen={isChosen ? '' : undefined}>
        {hasLocation(finding) ? (
          <button
            type="button"
            className="finding-value mail-mark-button mono"
            onClick={onChoose}
            title={t('show_in_mail')}
          >
            {value}
          </button>
        ) : (
          <span className="finding-value mono">{value}</span>
        )}
        <details className="fold finding-why">
          <summary>
            <ChevronRight size={14} aria-hidden />
            <span className="cut">{reason}</span>
          </summary>
          <div className="dim small finding-more">
            <div>{origin}</div>
            {rule !== undefined && <div>{t('by_rule', { rule })}</div>}
            {words !== undefined && <div>{t('by_words', { words })}</div>}
          </div>
        </details>
      </dd>
    </>
  )
}
