import { SEALED_POLICIES, type SealedPolicy, systemRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api-error.ts'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import { api } from '../../api/api-client.ts'
import { draftOwner } from '../../session/session-owner.ts'

/** Storage keys of the policy that the administrator has set, and of the last choice of the user. */

const POLICY_KEY = 'sealed_policy'
const CHOICE_KEY = 'sealed_choice'

/** Returns the last known policy. It applies until the server responds, and while the server is unreachable. */
export function lastPolicy(): SealedPolicy {
  const stored = readStored(POLICY_KEY)
  return SEALED_POLICIES.find((policy) => policy === stored) ?? 'off'
}

async function readPolicy(signal: AbortSignal): Promise<SealedPolicy> {
  try {
    const { data } = await api(systemRoutes.sealing, { signal })
    writeStored(POLICY_KEY, data.policy)
    return data.policy
  } catch (error) {
    // An older server does not support encrypted shares.
    if (error instanceof ApiError && error.status === 404) return 'off'
    throw error
  }
}

/** Query for whether shares can or must be encrypted. */
export const sealingQuery = () =>
  queryOptions({
    queryKey: ['sealing'],
    queryFn: ({ signal }): Promise<SealedPolicy> => readPolicy(signal),
  })

/** Why the switch cannot be changed. */
export type FixedReason = 'required' | 'insecure'

export interface Sealing {
  /** Whether the page shows the switch. */
  readonly isShown: boolean
  readonly isOn: boolean
  readonly reason: FixedReason | null
  /** Whether shares must be encrypted but this page cannot encrypt. The page then cannot share anything. */
  readonly isBlocked: boolean
}

const choiceKey = () => `${CHOICE_KEY}:${draftOwner()}`

/** Returns the last choice of the current user; `null` if the user has made no choice. */
export function readChoice(): boolean | null {
  const stored = readStored(choiceKey())
  return stored === null ? null : stored === 'on'
}

export function storeChoice(isOn: boolean): void {
  writeStored(choiceKey(), isOn ? 'on' : 'off')
}

/** Browsers encrypt only on pages that were loaded over HTTPS or from this computer. */
export const canSealHere = (): boolean => globalThis.isSecureContext

/** @param choice last choice of the user */
export function sealingOf(
  policy: SealedPolicy,
  { choice, canSeal }: { choice: boolean | null; canSeal: boolean },
): Sealing {
  if (policy === 'off') return { isShown: false, isOn: false, reason: null, isBlocked: false }
  if (!canSeal) return { isShown: true, isOn: false, reason: 'insecure', isBlocked: policy === 'required' }
  if (policy === 'required') return { isShown: true, isOn: true, reason: 'required', isBlocked: false }
  const isOn = choice ?? policy === 'default'
  return { isShown: true, isOn, reason: null, isBlocked: false }
}
