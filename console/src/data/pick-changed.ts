// A form sends what differs from what it began with. What nobody touched in it stays as others, or
// the program itself, have it meanwhile.

/** The members that differ from the former ones; none when nothing does. */
export function pickChanged<Body extends object>(former: Body, next: Body): Partial<Body> {
  const changed: Partial<Body> = {}
  for (const name in next) {
    if (JSON.stringify(next[name]) !== JSON.stringify(former[name])) changed[name] = next[name]
  }
  return changed
}

/** Sends nothing when nothing differs. */
export async function sendChanged<Body extends object>(
  former: Body,
  next: Body,
  send: (changed: Partial<Body>) => Promise<unknown>,
): Promise<void> {
  const changed = pickChanged(former, next)
  if (Object.keys(changed).length > 0) await send(changed)
}
