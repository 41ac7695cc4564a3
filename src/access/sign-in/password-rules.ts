// Which passwords are taken (NIST SP 800-63B section 5.1.1.2): long ones, of any characters, that
// are none of the most common ones and not the name or address of the person.

import type { FieldProblem } from '../../values/field-problem.ts'

const PASSWORD_LENGTH_MIN = 12
const PASSWORD_LENGTH_MAX = 256

/** What is wrong with a new password; empty when it is taken. */
export function findPasswordProblems(
  password: string,
  person: { readonly email: string; readonly name: string },
  path = '/password',
): readonly FieldProblem[] {
  // Characters as people count them, not UTF-16 units.
  const { length } = Array.from(password.normalize('NFC'))
  if (length < PASSWORD_LENGTH_MIN) {
    return [{ path, reason: `must have ${PASSWORD_LENGTH_MIN} characters or more` }]
  }
  if (length > PASSWORD_LENGTH_MAX) {
    return [{ path, reason: `must have ${PASSWORD_LENGTH_MAX} characters or fewer` }]
  }
  if (isCommon(password)) return [{ path, reason: 'is one of the most common passwords' }]
  if (namesPerson(password, person)) {
    return [{ path, reason: 'must not be the name or the e-mail address' }]
  }
  return []
}

// Of the lists of leaked passwords, the frequent ones that are long enough; a shorter one is
// refused for its length. Repeated and counted-up forms are found by rule.
const COMMON = new Set([
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  'administrator',
  'changemenow!',
  'changemeplease',
  'correcthorsebatterystaple',
  'iloveyouforever',
  'letmeinplease',
  'mypasswordis',
  'passwordpassword',
  'q1w2e3r4t5y6',
  'qazwsxedcrfv',
  'qwertyqwerty',
  'qwertyuiop[]',
  'qwertyuiopasdfghjkl',
  'qwerty123456',
  'trustno1trustno1',
  'unbelievable',
  'welcomewelcome',
])
const COMMON_STEMS =
  /^(?:(?:password|passw0rd|p@ssw0rd|p@ssword|pass|qwerty|qwertyuiop|qwertz|azerty|letmein|welcome|admin|administrator|iloveyou|monkey|dragon|football|baseball|superman|sunshine|princess|changeme|secret|master|casework|abuse|abusedesk)[^a-z]*){1,2}$/

function isCommon(password: string): boolean {
  const text = password.toLowerCase()
  return COMMON.has(text) || COMMON_STEMS.test(text) || isRepeated(text) || isCountedUp(text)
}

/** One to four characters again and again. */
function isRepeated(text: string): boolean {
  return [1, 2, 3, 4].some((size) =>
    text.startsWith(text.slice(0, size).repeat(Math.floor(text.length / size))),
  )
}

/** Neighbours in the alphabet, among the digits or on a keyboard, from the first to the last. */
function isCountedUp(text: string): boolean {
  return [
    '0123456789012345678901234567890',
    '1234567890123456789012345678901',
    'abcdefghijklmnopqrstuvwxyz',
    'qwertyuiopasdfghjklzxcvbnm1234567890',
    '1234567890qwertyuiopasdfghjklzxcvbnm',
  ].some((row) => row.includes(text) || row.split('').toReversed().join('').includes(text))
}

function namesPerson(
  password: string,
  { email, name }: { readonly email: string; readonly name: string },
): boolean {
  const text = password.toLowerCase()
  const local = email.slice(0, email.lastIndexOf('@'))
  return [email, local, name, name.replaceAll(' ', '')].some((own) => own.toLowerCase() === text)
}
