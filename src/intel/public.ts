// The door of the intel area for the casework area: what is not named here stays inside.

export { parentDomains, registrableDomain } from './model/domain-name.ts'
export { type Item, parseItem } from './model/item.ts'
