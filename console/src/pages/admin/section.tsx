// The frame of a section: its words, whether the person may open it, its list and its new record.

import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Lock, Plus } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useSession } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FirstOnly } from '../../parts/first-only.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ROWS_MAX } from './data.ts'
import { messages } from './messages.ts'
import { findSection, isAllowed, roleWith, type SectionId } from './sections.ts'
import { NEW, useAdmin } from './use-admin.ts'

export interface SectionProps {
  readonly id: SectionId
  readonly acts?: ReactNode
  readonly panel?: ReactNode
  readonly isFull?: boolean
  readonly children: ReactNode
}

export function Section({ id, acts, panel, isFull = false, children }: SectionProps) {
  const t = useText(messages)
  const { scopes } = useSession()
  const section = findSection(id)
  const may = section !== undefined && isAllowed(section, scopes)
  return (
    <Page
      title={t(id)}
      lede={t(`${id}_lede`)}
      acts={may ? acts : undefined}
      panel={may ? panel : undefined}
      isFull={isFull && may}
    >
      {may ? children : <NeedsRole scopes={section?.scopes ?? []} />}
    </Page>
  )
}

/** Which role is needed, by name, and the scope that the server asks for. */
function NeedsRole({ scopes }: { readonly scopes: readonly string[] }) {
  const t = useText(messages)
  const { tenant_id: tenant } = useSession()
  const [scope = ''] = scopes
  return (
    <div className="empty">
      <Lock size={20} aria-hidden className="dim" />
      <h2 className="section-title">{t('needs_role', { role: roleWith(scope) })}</h2>
      <p className="dim">{t('needs_role_why', { scopes: scopes.join(', '), tenant })}</p>
    </div>
  )
}

/** The primary act of a list, also under the key `n`. */
export function NewButton({ title }: { readonly title: string }) {
  const t = useText(messages)
  const { open } = useAdmin()
  useKeys(t('admin'), [{ keys: 'n', title, run: () => open(NEW) }])
  return (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => open(NEW)}>
      {title}
    </Button>
  )
}

interface ListProps<Row> {
  readonly label: string
  readonly query: Pick<UseQueryResult<readonly Row[]>, 'data' | 'error' | 'refetch' | 'isPending'>
  readonly columns: readonly Column<Row>[]
  readonly rowId: (row: Row) => string
  readonly rowName: (row: Row) => string
  readonly empty: ReactNode
}

function List<Row extends object>(props: ListProps<Row>) {
  const { query, label, columns, rowId, rowName, empty } = props
  const { search, open } = useAdmin()
  if (query.error !== null && query.data === undefined) {
    return (
      <div className="admin-pad">
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  const rows = query.data ?? []
  return (
    <>
      <DataTable
        label={label}
        rows={rows}
        columns={columns}
        rowId={rowId}
        rowName={rowName}
        openId={search.open}
        onOpen={(row) => open(rowId(row))}
        isLoading={query.isPending}
        empty={empty}
      />
      <FirstOnly count={rows.length} isCut={rows.length === ROWS_MAX} />
    </>
  )
}

export interface RecordsSectionProps<Row> extends ListProps<Row> {
  readonly id: SectionId
  /** What the primary act says; left out where the person may make none. */
  readonly create?: string
  readonly newPanel?: ReactNode
  /** The panel of the open record. */
  readonly children: (row: Row) => ReactNode
}

/** A section that is a list of records: a panel beside it shows the open one, or makes a new one. */
export function RecordsSection<Row extends object>(props: RecordsSectionProps<Row>) {
  const { id, create, newPanel, children, ...list } = props
  const { search } = useAdmin()
  const shown = list.query.data?.find((row) => list.rowId(row) === search.open)
  return (
    <Section
      id={id}
      isFull
      acts={create === undefined ? undefined : <NewButton title={create} />}
      panel={
        <>
          {search.open === NEW && newPanel}
          {shown !== undefined && <Fragment key={search.open}>{children(shown)}</Fragment>}
        </>
      }
    >
      <List {...list} />
    </Section>
  )
}

/** An answer that is no list: what is on its way, what failed, else what is in it. */
export function Answer<Data>({
  query,
  children,
}: {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  readonly children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error !== null) {
    return <Problem error={query.error} onRetry={() => void query.refetch()} />
  }
  return <Loading lines={4} />
}
