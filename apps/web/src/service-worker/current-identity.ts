import { VISITOR } from '../domains/offline/copies/identity.ts'

/** Who is logged in, as far as a page has said since this worker was started. */
let current = VISITOR

/** Who has left since. */
const gone = new Set<string>()

export function setIdentity(owner: string): void {
  if (current !== VISITOR) gone.add(current)
  gone.delete(owner)
  current = owner
}

/** An answer that was on its way at a logout comes too late to be kept. */
export const mayKeepFor = (owner: string): boolean => !gone.has(owner)
