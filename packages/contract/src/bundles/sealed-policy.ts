/**
 * What the administrator allows: no sealed shares, sealed shares on request, sealed shares by default, or only sealed
 * shares.
 */
export const SEALED_POLICIES = ['off', 'offered', 'default', 'required'] as const
export type SealedPolicy = (typeof SEALED_POLICIES)[number]
