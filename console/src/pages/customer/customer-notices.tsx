// The notices that a customer got, or did not get.

import { useQuery } from '@tanstack/react-query'
import { Ban, CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { casework } from '../../data/client.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FirstPageOnly } from '../../parts/first-only.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { messages } from './messages.ts'

const NOTICES_MAX = 50
const STATES = {
  sent: ['green', CircleCheck],
  waiting: ['blue', Clock],
  held: ['amber', Clock],
  bounced: ['red', TriangleAlert],
  failed: ['red', TriangleAlert],
  suppressed: ['grey', Ban],
} as const

export function CustomerNotices({ customerId }: { readonly customerId: string }) {
  const t = useText(messages)
  const { data, error, refetch } = useQuery({
    queryKey: ['notices', 'list', { ofCustomer: customerId }],
    queryFn: () =>
      casework.get('/beta/casework/notices', {
        params: { query: { customer_id: customerId, limit: NOTICES_MAX } },
      }),
  })
  if (error !== null && data === undefined) {
    return <Problem error={error} onRetry={() => void refetch()} />
  }
  if (data === undefined) return <Loading lines={8} />
  if (data.items.length === 0) {
    return <EmptyState title={t('no_notices')} text={t('no_notices_why')} />
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <div className="scroll-x" tabIndex={0} role="group" aria-label={t('tab_notices')}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('subject')}</th>
              <th scope="col">{t('state')}</th>
              <th scope="col">{t('recipient')}</th>
              <th scope="col">{t('created')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((notice) => {
              const [tone, icon] = STATES[notice.state]
              return (
                <tr key={notice.id}>
                  <th scope="row" className="wrap">
                    {notice.case_id === undefined ? (
                      notice.subject
                    ) : (
                      <PathLink
                        path={`/cases/${encodeURIComponent(notice.case_id)}`}
                        className="plain-link"
                      >
                        {notice.subject}
                      </PathLink>
                    )}
                  </th>
                  <td>
                    <Badge tone={tone} icon={icon}>
                      {t(`notice_${notice.state}`)}
                    </Badge>
                  </td>
                  <td>{notice.recipient}</td>
                  <td>
                    <Since at={notice.created_at} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <FirstPageOnly page={data} />
    </>
  )
}
