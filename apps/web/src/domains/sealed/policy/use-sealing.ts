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
   * Returns whether to encrypt, once the server has said whether it is allowed or required.
   * @throws {ApiError} `share.must_be_sealed` if it is required and impossible here; `share.sealing_off` if the user
   *   sees the choice on, and the server does not allow it
   */
  readonly settle: () => Promise<boolean>
}

const refusal = (code: 'share.must_be_sealed' | 'share.sealing_off', message: string) =>
  new ApiError({ kind: 'http', code, status: 403, message })

/** The choice between open and end-to-end encrypted shares. It is remembered for each user. */
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
      // Nothing that looked encrypted is sent openly, whatever the server says.
      if (shown.isOn && !isOn) throw refusal('share.sealing_off', 'The server takes no encrypted shares.')
      return isOn
    },
  }
}
