// The frame of every page: rail, top bar, the page, and what floats over it.

import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useIsActUnderWay } from '../data/acts-under-way.ts'
import { followChanges } from '../data/live.ts'
import { useSession } from '../data/session.ts'
import { useActs } from '../keys/acts.ts'
import { type Key, useKeys } from '../keys/keys.ts'
import { useText } from '../messages/use-text.ts'
import { Toasts } from '../parts/toasts-view.tsx'
import { setPreference, usePreferences } from '../settings/preferences.ts'
import { messages } from './messages.ts'
import { BottomBar, Rail } from './rail.tsx'
import { focusSearch } from './search-box.tsx'
import { TopBar } from './top-bar.tsx'
import { useRailEntries } from './use-rail-entries.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }))
const KeyMap = lazy(async () => ({ default: (await import('./key-map.tsx')).KeyMap }))

export function Frame() {
  const { tenant_id: tenantId, user } = useSession()
  // Of one tenant or person nothing stays for another: no answer, no stream of changes, nothing
  // half done. Both may change in another tab of the browser.
  return <TenantFrame key={`${user.id} ${tenantId}`} />
}

function TenantFrame() {
  const t = useText(messages)
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const isOffline = useIsOffline()
  const { tour } = usePreferences()
  useLiveStream()
  useFocusOnNewPage()
  useFactorDoor()
  useFrameKeys(setOpen)
  const close = (): void => setOpen(null)
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <Rail />
      <TopBar onHelp={() => setOpen('keys')} />
      <main className="main" id="main" tabIndex={-1}>
        {isOffline && (
          <div className="banner" role="status">
            {t('offline')}
          </div>
        )}
        <Outlet />
      </main>
      <BottomBar />
      <Toasts />
      <ActProgress />
      <Suspense fallback={null}>
        {tour === 'open' && open === null && <Tour />}
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'keys' && <KeyMap onClose={close} />}
      </Suspense>
    </div>
  )
}

/** Shown after a tenth of a second, so that a fast answer does not flicker. */
function ActProgress() {
  const t = useText(messages)
  const isUnderWay = useIsActUnderWay()
  if (!isUnderWay) return null
  // A status, because what stands outside of the landmarks must be one.
  return (
    <div role="status">
      <div className="act-progress" role="progressbar" aria-label={t('act_under_way')} />
    </div>
  )
}

function useFrameKeys(open: (what: 'palette' | 'keys') => void): void {
  const t = useText(messages)
  const navigate = useNavigate()
  const { density, zone } = usePreferences()
  const go = useRailEntries().map(
    (entry): Key => ({
      keys: `g ${entry.key}`,
      title: t('key_go', { page: t(entry.title) }),
      run: () => void navigate({ to: entry.path }),
    }),
  )
  useKeys(t('everywhere'), [
    { keys: '/', title: t('key_search'), run: focusSearch },
    { keys: 'mod+k', title: t('key_palette'), run: () => open('palette') },
    { keys: '?', title: t('key_help'), run: () => open('keys') },
    ...go,
  ])
  const isCompact = density === 'compact'
  useActs([
    { id: 'keys', title: t('help'), keys: '?', run: () => open('keys') },
    { id: 'tour', title: t('tour'), run: () => setPreference('tour', 'open') },
    {
      id: 'density',
      title: t(isCompact ? 'normal' : 'compact'),
      run: () => setPreference('density', isCompact ? 'normal' : 'compact'),
    },
    {
      id: 'zone',
      title: t(zone === 'utc' ? 'zone_local' : 'zone_utc'),
      run: () => setPreference('zone', zone === 'utc' ? 'local' : 'utc'),
    },
  ])
}

/** From the first page to the last. */
function useLiveStream(): void {
  useEffect(() => {
    const stop = new AbortController()
    void followChanges(stop.signal)
    return () => stop.abort()
  }, [])
}

/** A person with a keyboard or a screen reader goes on in the new page. */
function useFocusOnNewPage(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined) document.getElementById('main')?.focus()
      }),
    [router],
  )
}

/** A tenant that requires a second factor from now on holds up the sessions that are open. */
function useFactorDoor(): void {
  const router = useRouter()
  const { must_enrol: isHeld } = useSession()
  useEffect(() => {
    // The way in of the frame leads to the door.
    if (isHeld) void router.invalidate()
  }, [router, isHeld])
}

function useIsOffline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine)
}

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
