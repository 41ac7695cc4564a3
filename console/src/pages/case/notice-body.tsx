// A mail that left: its subject, why it did not go out, and its text when a person asks.

import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { useNoticeReason } from '../../parts/notice-reasons.ts'
import { Problem } from '../../parts/problem.tsx'
import { noticeQuery } from '../notices/data.ts'
import { withoutTag } from '../notices/without-tag.ts'
import { EvidenceFiles } from './evidence-files.tsx'
import { messages } from './messages.ts'

export interface NoticeBodyProps {
  readonly id: string
  readonly subject: string
  readonly reason: string
}

export function NoticeBody({ id, subject, reason }: NoticeBodyProps) {
  const t = useText(messages)
  const sayReason = useNoticeReason()
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <button
        type="button"
        className="fold fold-text"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        <span className="fold-words">{subject === '' ? t('show_mail') : withoutTag(subject)}</span>
      </button>
      {reason !== '' && <div className="dim small">{sayReason(reason)}</div>}
      {isOpen && <NoticeText id={id} />}
    </div>
  )
}

function NoticeText({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(noticeQuery(id))
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading lines={4} />
  return (
    <div className="stack">
      <div className="mail-text">{data.text}</div>
      <EvidenceFiles files={data.evidence ?? []} />
    </div>
  )
}
