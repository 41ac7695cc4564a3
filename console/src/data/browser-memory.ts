// What this browser keeps of a person beside the cookie: half-written texts and the items that were
// looked up. The next person at the same browser must not find it (ASVS 14.3.1).

export const DRAFT_PREFIX = 'casework-draft '
export const RECENT_PREFIX = 'casework-recent '
const OWNER_KEY = 'casework-person'
const TENANT_KEY = 'casework-tenant'

/**
 * Forgets what somebody else left here, by a session that ended without a sign-out. The other tabs
 * share the session, and hear of another person or tenant by what is written here.
 */
export function keepFor(userId: string, tenantId: string): void {
  try {
    if (localStorage.getItem(OWNER_KEY) !== userId) {
      forgetPerson()
      localStorage.setItem(OWNER_KEY, userId)
    }
    localStorage.setItem(TENANT_KEY, tenantId)
  } catch {
    // A closed storage keeps nothing.
  }
}

/** Calls the listener when another tab of this browser signed in or out, or switched the tenant. */
export function listenToOtherTabs(listener: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === OWNER_KEY || key === TENANT_KEY) listener()
  })
}

export function forgetPerson(): void {
  try {
    const names = Object.keys(localStorage)
    for (const name of names) {
      const isOfPerson = name.startsWith(DRAFT_PREFIX) || name.startsWith(RECENT_PREFIX)
      if (isOfPerson || name === OWNER_KEY || name === TENANT_KEY) localStorage.removeItem(name)
    }
  } catch {
    // A closed storage keeps nothing.
  }
}
