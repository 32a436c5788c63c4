import { VISITOR } from '../lib/offline/identity.ts'

/** Who is logged in, as far as a page has said since this worker was started. */
let current: string | null = null

export function setIdentity(owner: string): void {
  current = owner
}

/** An answer that was on its way at a logout comes too late to be kept. */
export const mayKeepFor = (owner: string): boolean =>
  current === null || owner === current || owner === VISITOR
