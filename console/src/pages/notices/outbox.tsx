// All notices of the tenant, the newest first.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { ColumnMenu } from '../../parts/column-menu.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { ListFrame } from '../../parts/list-frame.tsx'
import { useNoticeReason } from '../../parts/notice-reasons.ts'
import { Since } from '../../parts/since.tsx'
import { UrlField } from '../../parts/url-field.tsx'
import { useListRows } from '../../parts/use-list-pages.ts'
import { NoticeStateBadge } from './badges.tsx'
import { type Notice, noticesQuery } from './data.ts'
import { messages } from './messages.ts'
import { type NoticesSearch, noticesRoute, PARTIES, PURPOSES, STATES } from './route.ts'
import { withoutTag } from './without-tag.ts'

const TYPING_MS = 400
// The interface finds the notices of a whole address, and refuses what is shorter than this.
const ADDRESS_LETTERS_MIN = 3

function itemsOf({ items }: { readonly items: readonly Notice[] }): readonly Notice[] {
  return items
}

export function Outbox() {
  const t = useText(messages)
  const search = noticesRoute.useSearch()
  const { open, hide = [], state, party, purpose } = search
  const navigate = useNavigate({ from: noticesRoute.fullPath })
  const notices = useListRows(useInfiniteQuery(noticesQuery(search)), itemsOf)
  const columns = useColumns()
  const { rows } = notices
  const isFiltered = [state, party, purpose, search.recipient, search.case].some(
    (one) => one !== undefined,
  )
  const change = (part: Partial<NoticesSearch>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  return (
    <>
      {rows.some(({ reason }) => reason === 'no_relay') && (
        <div className="notice-pad">
          <div className="note" data-tone="amber" role="status">
            <span>{t('relay_missing')}</span>
          </div>
        </div>
      )}
      <FilterBar
        before={<RecipientSearch />}
        filters={[
          {
            name: 'state',
            title: t('state'),
            values: state === undefined ? [] : [state],
            choices: STATES.map((value) => ({ value, title: t(`state_${value}`) })),
          },
          {
            name: 'purpose',
            title: t('purpose'),
            values: purpose === undefined ? [] : [purpose],
            choices: PURPOSES.map((value) => ({ value, title: t(`purpose_${value}`) })),
          },
          {
            name: 'party',
            title: t('party'),
            values: party === undefined ? [] : [party],
            choices: PARTIES.map((value) => ({ value, title: t(`party_${value}`) })),
          },
          {
            name: 'case',
            title: t('case'),
            values: search.case === undefined ? [] : [search.case],
            choices: search.case === undefined ? [] : [{ value: search.case, title: search.case }],
          },
        ]}
        // The interface filters by one value of each; the one that was chosen last counts.
        onChange={(name, values) => change({ [name]: values.at(-1) })}
        after={
          <ColumnMenu
            columns={columns}
            hidden={hide}
            onChange={(next) => change({ hide: next.length === 0 ? undefined : next })}
          />
        }
      />
      <ListFrame list={notices}>
        <DataTable
          label={t('outbox')}
          rows={rows}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ subject }) => subject}
          hiddenColumns={hide}
          openId={open}
          onOpen={({ id }) => void navigate({ search: (former) => ({ ...former, open: id }) })}
          isLoading={notices.data === undefined}
          onEnd={notices.loadMore}
          empty={
            isFiltered ? (
              <EmptyState title={t('nothing_found')} />
            ) : (
              <EmptyState
                title={t('empty')}
                text={t('empty_why')}
                command="npx casework notice list"
              />
            )
          }
        />
      </ListFrame>
    </>
  )
}

function RecipientSearch() {
  const t = useText(messages)
  const { recipient = '' } = noticesRoute.useSearch()
  const navigate = useNavigate({ from: noticesRoute.fullPath })
  return (
    <UrlField
      aria-label={t('recipient_search')}
      placeholder={t('recipient_search')}
      leftSection={<Search size={16} aria-hidden />}
      className="notice-search"
      value={recipient}
      read={(typed) => (typed.trim().length < ADDRESS_LETTERS_MIN ? '' : typed.trim())}
      stillMs={TYPING_MS}
      onChange={(text) =>
        void navigate({
          search: (former) => ({ ...former, recipient: text === '' ? undefined : text }),
          replace: true,
        })
      }
    />
  )
}

function useColumns(): readonly Column<Notice>[] {
  const t = useText(messages)
  const reasonOf = useNoticeReason()
  return [
    {
      id: 'state',
      title: t('state'),
      width: '148px',
      narrow: 'second',
      cell: ({ state }) => <NoticeStateBadge state={state} />,
    },
    {
      id: 'subject',
      title: t('subject'),
      width: 'minmax(200px, 1.5fr)',
      narrow: 'first',
      cell: ({ subject }) => <span title={subject}>{withoutTag(subject)}</span>,
    },
    {
      id: 'recipient',
      title: t('recipient'),
      width: 'minmax(200px, 1.2fr)',
      narrow: 'second',
      cell: ({ recipient }) => recipient,
    },
    {
      id: 'purpose',
      title: t('purpose'),
      width: '120px',
      cell: ({ purpose }) => <span className="dim">{t(`purpose_${purpose}`)}</span>,
    },
    {
      id: 'reason',
      title: t('reason'),
      width: 'minmax(140px, 1.2fr)',
      cell: ({ reason }) => <span className="dim">{reasonOf(reason)}</span>,
    },
    {
      id: 'created',
      title: t('created'),
      width: '130px',
      narrow: 'second',
      cell: ({ created_at }) => <Since at={created_at} />,
    },
    {
      id: 'next',
      title: t('next'),
      width: '130px',
      cell: ({ state, next_at }) => (state === 'waiting' ? <Since at={next_at} /> : ''),
    },
  ]
}
