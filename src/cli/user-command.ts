// `casework user setup-link` and `casework user reset`: the ways back in for who administers this
// machine. They work through the running server, or directly on the database without one.

import { CommandFailure, EXIT } from './exit-codes.ts'
import { ask } from './token.ts'

type Flags = Readonly<Record<string, unknown>>

export async function runSetupLink(flags: Flags): Promise<void> {
  const answer = await ask(flags, { method: 'POST', path: '/beta/admin/setup-link' })
  writeLink(answer, flags, 'This link makes the first person, once, within an hour:')
}

/** `who`: the id of a user, or the e-mail address. */
export async function runUserReset(who: string, flags: Flags): Promise<void> {
  const id = who.startsWith('usr_') ? who : await findByEmail(who, flags)
  const path = `/beta/admin/users/${encodeURIComponent(id)}`
  if (flags['removeFactors'] === true) {
    await ask(flags, { method: 'DELETE', path: `${path}/factors` })
    process.stderr.write('The second factors are removed.\n')
  }
  const answer = await ask(flags, { method: 'POST', path: `${path}/links` })
  writeLink(answer, flags, 'By this link the person chooses a new password, once:')
}

// The operator of an instance looks through them once; a tenant has some dozens.
const PAGES_MAX = 100

async function findByEmail(email: string, flags: Flags): Promise<string> {
  let path = '/beta/admin/users?limit=1000'
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, next_cursor: cursor } = await ask(flags, { method: 'GET', path })
    const found = Array.isArray(items)
      ? items.find((one) => String(one.email).toLowerCase() === email.toLowerCase())
      : undefined
    if (found !== undefined) return String(found.id)
    if (typeof cursor !== 'string' || cursor === '') break
    path = `/beta/admin/users?limit=1000&cursor=${encodeURIComponent(cursor)}`
  }
  throw new CommandFailure(`There is no user of the address ${email}.`, EXIT.notFound)
}

/** The link alone on standard output, everything else on standard error. */
function writeLink(answer: Record<string, unknown>, flags: Flags, sentence: string): void {
  if (flags['output'] === 'json') {
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
    return
  }
  process.stderr.write(`${sentence}\n`)
  process.stdout.write(`${String(answer['link'])}\n`)
}
