// The account that the database runs under, and the folders that this account may pass. PostgreSQL
// refuses to run as root.

import { lchownSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Account {
  readonly uid: number
  readonly gid: number
}

// A user id without an entry in /etc/passwd: "nobody" or "postgres" would share files and signals
// with other programs. 60706..61183 is the range below 65536 that no distribution, person or
// systemd assigns (systemd, UIDS-GIDS.md), and containers map user ids below 65536.
export const CLUSTER_ACCOUNT: Account = { uid: 61_100, gid: 61_100 }

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * The first folder, from the top, that `account` may not pass to reach `folder` (itself included),
 * or null.
 */
export function findClosedFolder(folder: string, account: Account): string | null {
  const path = realpathSync(folder)
  const steps: string[] = []
  for (let step = path; ; step = dirname(step)) {
    steps.unshift(step)
    if (step === dirname(step)) break
  }
  return steps.find((step) => !isAllowed(statSync(step), account, EXECUTE)) ?? null
}

export const READ = 4
export const EXECUTE = 1

/** True when the mode bits grant it; access control lists (ACL) are ignored. */
export function isAllowed(
  stats: Stats,
  account: Account,
  permission: typeof READ | typeof EXECUTE,
): boolean {
  if (stats.uid === account.uid) return (stats.mode & (permission << 6)) !== 0
  if (stats.gid === account.gid) return (stats.mode & (permission << 3)) !== 0
  return (stats.mode & permission) !== 0
}

/** Changes the owner of a folder and of everything in it to `account`; links are not followed. */
export function chownTree(path: string, account: Account): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) chownTree(child, account)
    else lchownSync(child, account.uid, account.gid)
  }
  lchownSync(path, account.uid, account.gid)
}

/**
 * A user id other than root's that the account list knows, "nobody" if it does; null when there is
 * none. Only initdb needs one: it looks up its own name and stops without one ("could not look up
 * effective user ID").
 */
export function findNamedUid(passwd: string): number | null {
  const entries = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid]) => ({ name, uid: Number(uid) }))
    .filter(({ uid }) => Number.isInteger(uid) && uid > 0)
  const nobody = entries.find(({ name }) => name === 'nobody')
  return (nobody ?? entries.at(-1))?.uid ?? null
}

/**
 * The list of accounts (passwd(5)); empty where there is none, as in containers without a base
 * image.
 */
export function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}
