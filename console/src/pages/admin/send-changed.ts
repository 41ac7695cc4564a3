// A form sends what differs from what it began with. What nobody touched in it stays as others, or
// the program itself, have it meanwhile.

/** Sends nothing when nothing differs. */
export async function sendChanged<Body extends object>(
  former: Body,
  next: Body,
  send: (changed: Partial<Body>) => Promise<unknown>,
): Promise<void> {
  const changed: Partial<Body> = {}
  let isChanged = false
  for (const name in next) {
    if (JSON.stringify(next[name]) === JSON.stringify(former[name])) continue
    changed[name] = next[name]
    isChanged = true
  }
  if (isChanged) await send(changed)
}
