// The top bar: one search box for everything, the tenant, help, colours, the person.

import {
  ActionIcon,
  Menu,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import {
  BookOpen,
  Building2,
  Check,
  ChevronDown,
  CircleHelp,
  LogOut,
  Moon,
  Sun,
  UserRound,
} from 'lucide-react'
import { signOut, switchTenant, useSession } from '../data/session.ts'
import { tellFailure } from '../data/use-act.ts'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'
import { SearchBox } from './search-box.tsx'

interface TopBarProps {
  readonly onHelp: () => void
}

export function TopBar({ onHelp }: TopBarProps) {
  const t = useText(messages)
  // The start page has the box itself, in large.
  const isHome = useRouterState({ select: ({ location }) => location.pathname === '/' })
  return (
    <header className="top">
      {isHome ? <span className="top-space" /> : <SearchBox />}
      <TenantMenu />
      <Tooltip label={t('help')}>
        <ActionIcon aria-label={t('help')} onClick={onHelp} className="only-wide" data-tour="help">
          <CircleHelp size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <SchemeSwitch />
      <PersonMenu />
    </header>
  )
}

function TenantMenu() {
  const t = useText(messages)
  const { tenant_id: current, tenants } = useSession()
  const router = useRouter()
  const change = async (tenantId: string): Promise<void> => {
    if (tenantId === current) return
    try {
      await switchTenant(tenantId, () => router.navigate({ to: '/' }))
      // Whether a second factor is required is a matter of the tenant.
      await router.invalidate()
    } catch (error) {
      tellFailure(error)
    }
  }
  if (tenants.length < 2) {
    return (
      <span className="tenant only-wide">
        <Building2 size={16} aria-hidden />
        <span className="cut">{current}</span>
      </span>
    )
  }
  return (
    <Menu>
      <Menu.Target>
        <button type="button" className="tenant" aria-label={t('tenant', { tenant: current })}>
          <Building2 size={16} aria-hidden />
          <span className="cut only-wide">{current}</span>
          <ChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('tenants')}</Menu.Label>
        {tenants.map(({ tenant_id: id }) => (
          <Menu.Item
            key={id}
            onClick={() => void change(id)}
            rightSection={id === current ? <Check size={16} aria-hidden /> : undefined}
            aria-current={id === current ? 'true' : undefined}
          >
            {id}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function SchemeSwitch() {
  const t = useText(messages)
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const label = t(isDark ? 'scheme_light' : 'scheme_dark')
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        className="only-wide"
      >
        {isDark ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  )
}

function PersonMenu() {
  const t = useText(messages)
  const { user } = useSession()
  const router = useRouter()
  const leave = async (): Promise<void> => {
    try {
      await signOut(() => router.navigate({ to: '/sign-in', search: { why: 'left' } }))
    } catch (error) {
      // Who thinks that they have left must not be told nothing.
      tellFailure(error)
    }
  }
  return (
    <Menu width={240}>
      <Menu.Target>
        <button type="button" className="person">
          <span aria-hidden>{initialsOf(user.name)}</span>
          <span className="hidden-text">{t('person', { name: user.name })}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <div className="cut">{user.name}</div>
          <div className="cut">{user.email}</div>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<UserRound size={16} aria-hidden />}>
          {t('account')}
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/docs"
          target="_blank"
          rel="noreferrer"
          leftSection={<BookOpen size={16} aria-hidden />}
        >
          {t('reference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()} leftSection={<LogOut size={16} aria-hidden />}>
          {t('sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase()
}
