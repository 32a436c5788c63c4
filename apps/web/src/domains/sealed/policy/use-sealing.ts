import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { draftOwner } from '../../session/session-owner.ts'
import { useSession } from '../../session/session.ts'
import {
  canSealHere,
  lastPolicy,
  readChoice,
  type Sealing,
  sealingOf,
  sealingQuery,
  storeChoice,
} from './sealing.ts'

export interface SealingChoice extends Sealing {
  readonly choose: (isOn: boolean) => void
  /**
   * Returns whether to encrypt. Waits until the server has reported whether encryption is allowed or required. If the
   * request fails, uses the last known policy.
   * @throws {ApiError} `share.must_be_sealed` if encryption is required and this page cannot encrypt;
   * `share.sealing_off` if the switch is on and the server does not allow encryption
   */
  readonly settle: () => Promise<boolean>
}

const refusal = (code: 'share.must_be_sealed' | 'share.sealing_off', message: string) =>
  new ApiError({ kind: 'http', code, status: 403, message })

/** Returns the user's choice between unencrypted and encrypted shares. The choice is stored for each user. */
export function useSealing(): SealingChoice {
  const client = useQueryClient()
  const { data: policy = lastPolicy() } = useQuery(sealingQuery())
  useSession()
  const owner = draftOwner()
  const [chosen, setChosen] = useState<{ owner: string; isOn: boolean } | null>(null)
  const choice = chosen?.owner === owner ? chosen.isOn : readChoice()
  const of = (known: typeof policy) => sealingOf(known, { choice, canSeal: canSealHere() })
  const shown = of(policy)
  return {
    ...shown,
    choose(isOn) {
      storeChoice(isOn)
      setChosen({ owner, isOn })
    },
    async settle() {
      const known = await client.ensureQueryData(sealingQuery()).catch(lastPolicy)
      const { isOn, isBlocked } = of(known)
      if (isBlocked)
        throw refusal(
          'share.must_be_sealed',
          'Only encrypted shares are allowed, and this page cannot encrypt.',
        )
      // If the page has shown that the share will be encrypted, the share is never sent unencrypted.
      if (shown.isOn && !isOn) throw refusal('share.sealing_off', 'The server takes no encrypted shares.')
      return isOn
    },
  }
}
