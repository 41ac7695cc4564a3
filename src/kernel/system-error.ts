// Errors of the operating system, as Node reports them: distinguished by their code (ENOENT, EACCES
// and so on).

/** True when `error` carries one of the given system codes. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  )
}
