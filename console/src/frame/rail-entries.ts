// The entries of the rail, in their order. One shows when its page is in the list of routes.

import {
  Bell,
  Briefcase,
  ChartColumn,
  Database,
  FileText,
  ListChecks,
  Radar,
  Scale,
  Search,
  Settings,
  Tags,
  Users,
  Workflow,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { messages } from './messages.ts'

export interface RailEntry {
  readonly path: string
  readonly title: keyof (typeof messages)['en']
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>
  /** `g` and then this key go there. */
  readonly key: string
  /** Reached by the palette, by keys and from its neighbours, not by the rail. */
  readonly isAside?: boolean
}

export const RAIL_ENTRIES: readonly RailEntry[] = [
  { path: '/', title: 'lookup', icon: Search, key: 'l' },
  { path: '/overview', title: 'overview', icon: ChartColumn, key: 'o' },
  { path: '/cases', title: 'cases', icon: Briefcase, key: 'c' },
  { path: '/reports', title: 'reports', icon: FileText, key: 'r' },
  { path: '/events', title: 'events', icon: Radar, key: 'e' },
  { path: '/customers', title: 'customers', icon: Users, key: 'u' },
  { path: '/rules', title: 'rules', icon: Scale, key: 'm' },
  { path: '/playbooks', title: 'playbooks', icon: Workflow, key: 'p' },
  { path: '/notices', title: 'notices', icon: Bell, key: 'n' },
  { path: '/sources', title: 'sources', icon: Database, key: 's' },
  { path: '/check', title: 'check', icon: ListChecks, key: 'k', isAside: true },
  { path: '/tags', title: 'tags', icon: Tags, key: 't', isAside: true },
  { path: '/admin', title: 'admin', icon: Settings, key: 'a' },
]
