// The administration: its sections at the left, one of them beside.

import { NativeSelect } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from 'react'
import { useSession } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import './admin.css'
import { messages } from './messages.ts'
import { sectionRoute } from './route.ts'
import { findSection, GROUPS, isAllowed, SECTIONS, type SectionId } from './sections.ts'

type View = LazyExoticComponent<ComponentType>

const VIEWS: Readonly<Record<SectionId, View>> = {
  people: lazy(async () => ({ default: (await import('./people/view.tsx')).PeopleSection })),
  groups: lazy(async () => ({ default: (await import('./groups/view.tsx')).GroupsSection })),
  roles: lazy(async () => ({ default: (await import('./roles/view.tsx')).RolesSection })),
  tokens: lazy(async () => ({ default: (await import('./tokens/view.tsx')).TokensSection })),
  'service-accounts': lazy(async () => ({
    default: (await import('./service-accounts/view.tsx')).ServiceAccountsSection,
  })),
  audit: lazy(async () => ({ default: (await import('./audit/view.tsx')).AuditSection })),
  retention: lazy(async () => ({
    default: (await import('./retention/view.tsx')).RetentionSection,
  })),
  privacy: lazy(async () => ({ default: (await import('./privacy/view.tsx')).PrivacySection })),
  webhooks: lazy(async () => ({
    default: (await import('./webhooks/view.tsx')).WebhooksSection,
  })),
  mail: lazy(async () => ({ default: (await import('./mail/view.tsx')).MailSection })),
  mitigations: lazy(async () => ({
    default: (await import('./mitigations/view.tsx')).MitigationsSection,
  })),
  tenants: lazy(async () => ({ default: (await import('./tenants/view.tsx')).TenantsSection })),
  health: lazy(async () => ({ default: (await import('./health/view.tsx')).HealthSection })),
}

export function AdminView() {
  const { section } = sectionRoute.useParams()
  const { scopes } = useSession()
  const found = findSection(section)
  if (found === undefined) return null
  const shown = SECTIONS.filter((one) => isAllowed(one, scopes))
  const Content = VIEWS[found.id]
  return (
    <div className="admin">
      <SectionNav current={found.id} shown={shown} />
      <div className="admin-content">
        <Suspense fallback={<Loading />}>
          <Content key={found.id} />
        </Suspense>
      </div>
    </div>
  )
}

interface NavProps {
  readonly current: SectionId
  readonly shown: readonly (typeof SECTIONS)[number][]
}

function SectionNav({ current, shown }: NavProps) {
  const t = useText(messages)
  const navigate = useNavigate()
  return (
    <>
      <nav className="admin-nav" aria-label={t('nav')}>
        {GROUPS.map((group) => {
          const entries = shown.filter((one) => one.group === group)
          if (entries.length === 0) return null
          return (
            <div key={group} className="admin-group">
              <div className="admin-group-title">{t(`group_${group}`)}</div>
              {entries.map(({ id, icon: Icon }) => (
                <Link
                  key={id}
                  to="/admin/$section"
                  params={{ section: id }}
                  className="admin-link"
                  aria-current={id === current ? 'page' : undefined}
                >
                  <Icon size={16} aria-hidden />
                  {t(id)}
                </Link>
              ))}
            </div>
          )
        })}
      </nav>
      <div className="admin-select">
        <NativeSelect
          aria-label={t('nav')}
          value={current}
          data={shown.map(({ id }) => ({ value: id, label: t(id) }))}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ to: '/admin/$section', params: { section: value } })
          }
        />
      </div>
    </>
  )
}
