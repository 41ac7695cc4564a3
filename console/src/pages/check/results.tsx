// The answer to a check: a summary that stays in sight, the table, and the lines without an item.

import { Button, Progress, SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Download, Square } from 'lucide-react'
import { useMemo } from 'react'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge, IntentBadge } from '../../parts/badges.tsx'
import { saveFile } from '../../parts/csv.ts'
import { type Column, DataTable, type Sort } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { readSort, writeSort } from '../../parts/table-search.ts'
import { toCsvOfRows, toJsonOfRows } from './export-rows.ts'
import { ITEMS_MAX, type PastedLine } from './find-items.ts'
import { messages } from './messages.ts'
import { type CheckSearch, checkRoute, FACTS, INTENTS } from './route.ts'
import { filterRows, isListed, sortRows } from './sort-rows.ts'
import type { Check, CheckedRow } from './use-check.ts'

interface ResultsProps {
  readonly check: Check
  readonly onStop: () => void
  readonly onRetry: () => void
}

const WORST_FIRST: Sort = { by: 'intent', isDescending: true }

export function Results({ check, onStop, onRetry }: ResultsProps) {
  const t = useText(messages)
  const search = checkRoute.useSearch()
  const { intent = [], fact = [], show } = search
  const navigate = useNavigate({ from: checkRoute.fullPath })
  const order = readSort(search.sort) ?? WORST_FIRST
  const columns = useColumns()
  const rows = useMemo(() => {
    const found = filterRows(check.rows, search.intent ?? [], search.fact ?? [])
    return sortRows(found, readSort(search.sort) ?? WORST_FIRST)
  }, [check.rows, search.intent, search.fact, search.sort])
  const change = (part: Partial<CheckSearch>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  return (
    <>
      <Summary check={check} onStop={onStop} />
      {check.error !== null && (
        <div className="check-problem">
          <Problem error={check.error} onRetry={onRetry} />
        </div>
      )}
      <FilterBar
        before={
          check.unreadCount > 0 && (
            <SegmentedControl
              aria-label={t('which')}
              value={show ?? 'items'}
              data={[
                { value: 'items', label: t('items') },
                { value: 'unread', label: t('unread', { count: check.unreadCount }) },
              ]}
              onChange={(next) => change({ show: next === 'unread' ? 'unread' : undefined })}
            />
          )
        }
        filters={[
          {
            name: 'intent',
            title: t('verdict'),
            values: intent,
            choices: INTENTS.map((value) => ({ value, title: t(`intent_${value}`) })),
          },
          {
            name: 'fact',
            title: t('fact'),
            values: fact,
            choices: FACTS.map((value) => ({ value, title: t(`fact_${value}`) })),
          },
        ]}
        onChange={(name, values) => change({ [name]: values })}
        after={<Exports rows={rows} />}
      />
      {show === 'unread' ? (
        <Unread lines={check.unread} count={check.unreadCount} />
      ) : (
        <DataTable
          label={t('title')}
          rows={rows}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ item }) => item}
          sort={order}
          onSort={(next) => change({ sort: writeSort(next) })}
          onEnter={({ item }) => void navigate({ to: '/lookup/$item', params: { item } })}
          isLoading={check.isRunning}
          empty={
            <EmptyState
              title={t(check.total === 0 ? 'no_items' : 'none_left')}
              text={t(check.total === 0 ? 'no_items_why' : 'none_left_why')}
            />
          }
        />
      )}
    </>
  )
}

interface SummaryProps {
  readonly check: Check
  readonly onStop: () => void
}

function Summary({ check, onStop }: SummaryProps) {
  const t = useText(messages)
  const { intent = [] } = checkRoute.useSearch()
  const navigate = useNavigate({ from: checkRoute.fullPath })
  const { rows, done, total, unreadCount, isRunning, isCut } = check
  const count = (one: CheckedRow['verdict']['intent']): number =>
    rows.filter(({ verdict }) => verdict.intent === one).length
  return (
    <section className="check-summary" aria-label={t('summary')}>
      <div className="check-line">
        <strong role="status">
          {isRunning ? t('running', { done, total }) : t('done', { done, total })}
        </strong>
        {INTENTS.filter((one) => count(one) > 0).map((one) => (
          <button
            key={one}
            type="button"
            className="check-count"
            aria-pressed={intent.includes(one)}
            onClick={() =>
              void navigate({
                search: (former) => ({
                  ...former,
                  show: undefined,
                  intent: intent.length === 1 && intent[0] === one ? undefined : [one],
                }),
                replace: true,
              })
            }
          >
            <IntentBadge intent={one} />
            <span className="number">{t('number', { count: count(one) })}</span>
          </button>
        ))}
        <span className="dim">{t('listed_count', { count: rows.filter(isListed).length })}</span>
        {unreadCount > 0 && <span className="dim">{t('unread', { count: unreadCount })}</span>}
        {isRunning && (
          <Button
            variant="default"
            leftSection={<Square size={14} aria-hidden />}
            onClick={onStop}
            className="check-stop"
          >
            {t('stop')}
          </Button>
        )}
      </div>
      {isRunning && (
        <Progress
          value={total === 0 ? 0 : (done / total) * 100}
          size={4}
          aria-label={t('running', { done, total })}
        />
      )}
      {isCut && <div className="dim small">{t('cut', { count: ITEMS_MAX })}</div>}
    </section>
  )
}

function Exports({ rows }: { readonly rows: readonly CheckedRow[] }) {
  const t = useText(messages)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        disabled={rows.length === 0}
        leftSection={<Download size={16} aria-hidden />}
        onClick={() => saveFile('casework-check.csv', 'text/csv', toCsvOfRows(rows))}
      >
        {t('export_csv')}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        disabled={rows.length === 0}
        leftSection={<Download size={16} aria-hidden />}
        onClick={() => saveFile('casework-check.json', 'application/json', toJsonOfRows(rows))}
      >
        {t('export_json')}
      </Button>
    </>
  )
}

interface UnreadProps {
  readonly lines: readonly PastedLine[]
  readonly count: number
}

function Unread({ lines, count }: UnreadProps) {
  const t = useText(messages)
  const format = useFormat()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div className="check-unread" tabIndex={0} role="group" aria-label={t('which')}>
      <p className="dim">
        {t('unread_why')}
        {count > lines.length && ` ${t('unread_cut', { count: lines.length })}`}
      </p>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col" className="number">
              {t('line')}
            </th>
            <th scope="col">{t('text')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, text }) => (
            <tr key={`${line} ${text}`}>
              <td className="number">{format.number(line)}</td>
              <td className="mono check-text">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const LINES_SHOWN = 3

function useColumns(): readonly Column<CheckedRow>[] {
  const t = useText(messages)
  return useMemo(
    () => [
      {
        id: 'item',
        title: t('item'),
        width: 'minmax(240px, 2fr)',
        isSortable: true,
        narrow: 'first',
        cell: ({ item }) => <ItemLink item={item} />,
      },
      {
        id: 'intent',
        title: t('verdict'),
        width: '140px',
        isSortable: true,
        narrow: 'first',
        cell: ({ verdict }) => <IntentBadge intent={verdict.intent} />,
      },
      {
        id: 'listed',
        title: t('blocklist'),
        width: '140px',
        isSortable: true,
        narrow: 'second',
        cell: (row) =>
          isListed(row) ? (
            <Badge tone="red">{t('fact_listed')}</Badge>
          ) : (
            <span className="dim">{t('not_listed')}</span>
          ),
      },
      {
        id: 'active',
        title: t('activity'),
        width: '160px',
        isSortable: true,
        narrow: 'second',
        cell: ({ verdict }) =>
          verdict.activity ? t('fact_active') : <span className="dim">{t('not_active')}</span>,
      },
      {
        id: 'notes',
        title: t('notes'),
        width: '160px',
        cell: ({ verdict }) => (verdict.bogon ? t('fact_bogon') : null),
      },
      {
        id: 'line',
        title: t('line'),
        width: '120px',
        isNumber: true,
        isSortable: true,
        cell: ({ lines }) =>
          lines.length > LINES_SHOWN
            ? t('lines_more', {
                lines: lines.slice(0, LINES_SHOWN).join(', '),
                count: lines.length - LINES_SHOWN,
              })
            : lines.join(', '),
      },
    ],
    [t],
  )
}
