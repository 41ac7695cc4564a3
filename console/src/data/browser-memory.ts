// What this browser keeps of a person beside the cookie: half-written texts and the items that were
// looked up. The next person at the same browser must not find it (ASVS 14.3.1).

export const DRAFT_PREFIX = 'casework-draft '
export const RECENT_PREFIX = 'casework-recent '
const OWNER_KEY = 'casework-person'

/** Forgets what somebody else left here, by a session that ended without a sign-out. */
export function keepFor(userId: string): void {
  try {
    if (localStorage.getItem(OWNER_KEY) === userId) return
    forgetPerson()
    localStorage.setItem(OWNER_KEY, userId)
  } catch {
    // A closed storage keeps nothing.
  }
}

export function forgetPerson(): void {
  try {
    const names = Object.keys(localStorage)
    for (const name of names) {
      const isOfPerson = name.startsWith(DRAFT_PREFIX) || name.startsWith(RECENT_PREFIX)
      if (isOfPerson || name === OWNER_KEY) localStorage.removeItem(name)
    }
  } catch {
    // A closed storage keeps nothing.
  }
}
