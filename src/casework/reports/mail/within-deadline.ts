// A bounded wait for the database. A server that was stopped, or a net that swallows packets,
// answers nothing at all, and a client of ours must hear something before it gives up by itself.

/** The wait is over; whether the work is done is not known. */
export class DeadlinePassed extends Error {
  constructor(limitMs: number) {
    super(`nothing was heard of it within ${limitMs / 1_000} seconds`)
    this.name = 'DeadlinePassed'
  }
}

/**
 * What `work` gives, or DeadlinePassed when that takes longer; the signal then aborts with it. Work
 * that heeds the signal before it commits leaves nothing behind when the database comes to itself
 * again, unless the commit was on its way already (RFC 1047: then the client sends its mail a
 * second time, and its events are known by their fingerprints).
 */
export async function withinDeadline<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController()
  const timeUp = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const passed = new DeadlinePassed(limitMs)
    stopping.abort(passed)
    timeUp.reject(passed)
  }, limitMs)
  try {
    // How the loser of the race ends concerns nobody; a race hears both to their end.
    return await Promise.race([work(stopping.signal), timeUp.promise])
  } finally {
    clearTimeout(timer)
  }
}
