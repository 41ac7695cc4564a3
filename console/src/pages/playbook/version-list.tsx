// The versions at the left, the newest first.

import { useText } from '../../messages/use-text.ts'
import { Since } from '../../parts/since.tsx'
import { VersionBadge } from '../playbooks/version-badge.tsx'
import { messages } from './messages.ts'
import type { PlaybookDetail } from './view.tsx'

export interface VersionListProps {
  readonly playbook: PlaybookDetail
  readonly shown: number
  readonly compared: number | undefined
  readonly onShow: (version: number) => void
  readonly onCompare: (version: number | undefined) => void
}

export function VersionList({ playbook, shown, compared, onShow, onCompare }: VersionListProps) {
  const t = useText(messages)
  return (
    <nav aria-label={t('versions')}>
      <ol className="versions" reversed>
        {playbook.versions.map(({ version, state, created_at: made, activated_at: activated }) => (
          <li key={version} className="version" data-shown={version === shown || undefined}>
            <button
              type="button"
              className="version-show"
              aria-current={version === shown ? 'true' : undefined}
              onClick={() => onShow(version)}
            >
              <span className="version-line">
                <span className="version-name">{t('version', { version })}</span>
                <VersionBadge state={state} />
              </span>
              <span className="dim small">
                {activated === undefined ? t('made') : t('activated')}{' '}
                <Since at={activated ?? made} />
              </span>
            </button>
            {version !== shown && (
              <button
                type="button"
                className="version-compare small"
                aria-pressed={version === compared}
                aria-label={t(version === compared ? 'compared_named' : 'compare_named', {
                  before: version,
                  after: shown,
                })}
                onClick={() => onCompare(version === compared ? undefined : version)}
              >
                {version === compared ? t('compare_end') : t('compare')}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
