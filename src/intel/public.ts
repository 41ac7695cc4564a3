// The door of the intel area for the casework area: what is not named here stays inside.

export { parentDomains, registrableDomain } from '../values/domain.ts'
export { type Item, parseItem } from '../values/item.ts'
