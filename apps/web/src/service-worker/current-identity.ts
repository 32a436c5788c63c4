import { VISITOR } from '../domains/offline/copies/identity.ts'

/** The current user, as reported by pages since the worker was started. */
let current = VISITOR

/** Users who have logged out since the worker was started. */
const gone = new Set<string>()

export function setIdentity(owner: string): void {
  if (current !== VISITOR) gone.add(current)
  gone.delete(owner)
  current = owner
}

/** Whether responses for a user may be cached. Not allowed after the user has logged out. */
export const mayCacheFor = (owner: string): boolean => !gone.has(owner)
