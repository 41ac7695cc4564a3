// The mail as it would go out now.

import { CaseworkError, type Schemas } from 'casework/client'
import { TriangleAlert } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { useNoticeReason } from '../../parts/notice-reasons.ts'
import { Problem } from '../../parts/problem.tsx'
import { EvidenceFiles } from './evidence-files.tsx'
import type { Party } from './mail-dialog.tsx'
import { messages } from './messages.ts'

export interface MailPreviewProps {
  readonly preview: Schemas['NoticePreview'] | Schemas['NoticeDetail'] | null
  readonly party: Party
  readonly error: unknown
  readonly isAsking: boolean
  readonly needsAddress: boolean
  readonly onRetry: () => void
}

export function MailPreview({
  preview,
  party,
  error,
  isAsking,
  needsAddress,
  onRetry,
}: MailPreviewProps) {
  const t = useText(messages)
  const sayReason = useNoticeReason()
  const hasNoAddress = error instanceof CaseworkError && error.status === 409
  return (
    <section className="mail-preview" aria-label={t('mail_preview')} aria-busy={isAsking}>
      {needsAddress && <p className="dim">{t('needs_address')}</p>}
      {hasNoAddress && (
        <div className="note" data-tone="amber">
          <TriangleAlert size={16} aria-hidden />
          <span>{t(`no_address_${party}`)}</span>
        </div>
      )}
      {error !== null && !hasNoAddress && <Problem error={error} onRetry={onRetry} />}
      {preview === null && error === null && !needsAddress && <Loading lines={6} />}
      {preview !== null && (
        <div className="stack" data-old={isAsking ? '' : undefined}>
          {preview.state !== 'waiting' && (
            <div className="note" data-tone="amber">
              <TriangleAlert size={16} aria-hidden />
              <span>
                {t('would_not_go')} {sayReason(preview.reason ?? preview.state)}
              </span>
            </div>
          )}
          <dl className="facts">
            <dt>{t('to')}</dt>
            <dd>{preview.recipient}</dd>
            <dt>{t('subject')}</dt>
            <dd>{preview.subject}</dd>
            <dt>{t('language')}</dt>
            <dd>{preview.language}</dd>
          </dl>
          <div className="mail-text">{preview.text}</div>
          {preview.evidence !== undefined && preview.evidence.length === 0 && (
            <div className="dim">{t('no_evidence')}</div>
          )}
          <EvidenceFiles files={preview.evidence ?? []} />
        </div>
      )}
    </section>
  )
}
