// A progress line on a terminal: share, rate and remaining time. Silent where standard error is no
// terminal.

export interface Progress {
  readonly show: (bytesRead: number, rows: number) => void
  readonly end: () => void
}

// At most ten updates a second: more cannot be read, and they slow down a slow terminal.
const PAUSE_MS = 100
const BAR_WIDTH = 24

export function createProgress(bytes: number | null): Progress {
  const isShown = process.stderr.isTTY && process.env['TERM'] !== 'dumb'
  const startedAt = performance.now()
  let shownAt = 0
  return {
    show(bytesRead, rows) {
      const now = performance.now()
      if (!isShown || now - shownAt < PAUSE_MS) return
      shownAt = now
      process.stderr.write(
        `\r\x1b[K${formatProgress({ bytes, bytesRead, rows, seconds: (now - startedAt) / 1_000 })}`,
      )
    },
    end() {
      if (isShown && shownAt > 0) process.stderr.write('\r\x1b[K')
    },
  }
}

export interface ProgressState {
  readonly bytes: number | null
  readonly bytesRead: number
  readonly rows: number
  readonly seconds: number
}

/**
 * `[######------] 50 %  120,000 rows  60,000/s  2 s left`; without a known size the bar and the
 * rest are left out.
 */
export function formatProgress({ bytes, bytesRead, rows, seconds }: ProgressState): string {
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0
  const counts = `${rows.toLocaleString('en')} rows  ${rate.toLocaleString('en')}/s`
  if (bytes === null || bytes === 0) return counts
  const share = Math.min(1, bytesRead / bytes)
  const filled = Math.round(share * BAR_WIDTH)
  const restSeconds = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : 0
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${Math.round(share * 100)} %  ${counts}  ${restSeconds} s left`
}
