import { VISITOR } from '../domains/offline/copies/identity.ts'

/** The user, as reported by pages since this worker was started. */
let current = VISITOR

/** Users who have logged out since. */
const gone = new Set<string>()

export function setIdentity(owner: string): void {
  if (current !== VISITOR) gone.add(current)
  gone.delete(owner)
  current = owner
}

/** A response that arrives after the logout must not be cached. */
export const mayCacheFor = (owner: string): boolean => !gone.has(owner)
