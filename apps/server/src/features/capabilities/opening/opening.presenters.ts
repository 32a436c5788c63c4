import type { OpeningState } from '@dropleaf/contract'
import { toInstantOrNull } from '../../../lib/clock.ts'
import type { lookAtShare } from './opening.usecases.ts'

type Look = Awaited<ReturnType<typeof lookAtShare>>

export const presentState = ({ kind, share, isUsedUp, openedAtMs }: Look): OpeningState => ({
  kind,
  opening: share.opening,
  requires_password: share.password_hash !== null || (share.kdf ?? null) !== null,
  requires_pin: share.pin_hash !== null,
  views_left: share.max_views === null ? null : Math.max(0, share.max_views - share.views),
  expires_at: toInstantOrNull(share.expires_at_ms),
  ended: isUsedUp ? 'used_up' : null,
  opened_at: toInstantOrNull(openedAtMs),
})
