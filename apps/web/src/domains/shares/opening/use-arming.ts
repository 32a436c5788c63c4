import type { OpeningKind } from '@dropleaf/contract'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { armAgain } from './owner.api.ts'

/** Resets a share, and shows whether the reset succeeded. */
export function useArming(kind: OpeningKind, onArmed: () => void): (id: string) => Promise<void> {
  const { t } = useT()
  return async (id) => {
    try {
      await armAgain(kind, id)
      notify('success', t('shares.opening.armed'))
      onArmed()
    } catch (error) {
      notify('error', errorText(error))
    }
  }
}
