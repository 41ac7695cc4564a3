// Whether the chain holds, as one green or red line. Long chains are checked in parts.

import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { RotateCw, ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useFormat } from '../../../messages/use-format.ts'
import { useText } from '../../../messages/use-text.ts'
import { messages } from './messages.ts'

interface Verdict {
  readonly isIntact: boolean
  readonly entries: number
  readonly signedSeq: number
  readonly lastSeq: number
  readonly erased: number
  readonly faults: Schemas['AuditReport']['faults']
  readonly faultCount: number
}

// Two million entries; longer chains are checked by `casework audit verify`.
const PARTS_MAX = 200

async function verifyChain(
  onCount: (entries: number) => void,
  signal: AbortSignal,
): Promise<Verdict> {
  let verdict: Verdict = {
    isIntact: true,
    entries: 0,
    signedSeq: 0,
    lastSeq: 0,
    erased: 0,
    faults: [],
    faultCount: 0,
  }
  let cursor = ''
  for (let part = 1; part <= PARTS_MAX; part += 1) {
    const report = await casework.post('/beta/admin/audit/verify', {
      body: cursor === '' ? {} : { cursor },
      signal,
    })
    verdict = {
      isIntact: verdict.isIntact && report.intact,
      entries: verdict.entries + report.entries,
      signedSeq: Math.max(verdict.signedSeq, report.signed_seq),
      lastSeq: Number.parseInt(report.head, 10),
      erased: verdict.erased + report.values.erased,
      faults: [...verdict.faults, ...report.faults].slice(0, 10),
      faultCount: verdict.faultCount + report.fault_count,
    }
    onCount(verdict.entries)
    cursor = report.next_cursor
    if (cursor === '') break
  }
  return verdict
}

export function ChainLine() {
  const t = useText(messages)
  const format = useFormat()
  const [count, setCount] = useState(0)
  const query = useQuery(
    queryOptions({
      queryKey: ['audit', 'chain'],
      // The parts that are left are not asked for once the page is left.
      queryFn: ({ signal }) => verifyChain(setCount, signal),
      staleTime: 5 * 60_000,
    }),
  )
  const again = (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<RotateCw size={14} aria-hidden />}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    >
      {t('verify')}
    </Button>
  )
  // That the chain held a while ago is no answer to a check that failed; a fault stays one.
  if (query.data === undefined || (query.error !== null && query.data.isIntact)) {
    const words = query.error === null ? t('checking', { count: format.number(count) }) : null
    return (
      <div className="verdict" data-tone={words === null ? 'amber' : 'grey'} role="status">
        <ShieldQuestion size={18} aria-hidden />
        <span className="verdict-words">{words ?? t('not_checked')}</span>
        {words === null && again}
      </div>
    )
  }
  return (
    <div className="verdict" data-tone={query.data.isIntact ? 'green' : 'red'} role="status">
      {query.data.isIntact ? (
        <ShieldCheck size={18} aria-hidden />
      ) : (
        <ShieldAlert size={18} aria-hidden />
      )}
      <VerdictWords verdict={query.data} />
      {again}
    </div>
  )
}

function VerdictWords({ verdict }: { readonly verdict: Verdict }) {
  const t = useText(messages)
  const { isIntact, entries, signedSeq, lastSeq, erased, faults, faultCount } = verdict
  const [first] = faults
  if (!isIntact) {
    return (
      <span className="verdict-words">
        {t('broken', { count: faultCount })}{' '}
        {first !== undefined && t('first_fault', { seq: first.seq, detail: first.detail })}
      </span>
    )
  }
  const signed = signedSeq >= lastSeq ? t('signed_all') : t('signed_to', { seq: signedSeq })
  return (
    <span className="verdict-words">
      {t('whole', { count: entries, signed })}
      {erased > 0 && ` ${t('erased', { count: erased })}`}
    </span>
  )
}
