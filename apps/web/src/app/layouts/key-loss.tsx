import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { forgetKeysAtLogout } from '../../domains/sealed/keys/forget-at-logout.ts'
import { areKeysMarked } from '../../domains/sealed/keys/key-mark.ts'
import { guardLogout } from '../../domains/session/before-logout.ts'
import { errorText } from '../../i18n/error-text.ts'
import { notify } from '../../lib/notices.ts'
import type { KeyLossQuestion } from './key-loss-dialog.tsx'

/** The dialog is loaded on demand, because few logouts need it. */
const KeyLossDialog = lazy(async () => ({ default: (await import('./key-loss-dialog.tsx')).KeyLossDialog }))

/** Asks for confirmation before a logout that deletes keys of encrypted shares. Then deletes the keys. */
export function KeyLoss(): ReactNode {
  const [question, setQuestion] = useState<KeyLossQuestion | null>(null)
  useEffect(() => forgetKeysAtLogout(), [])
  useEffect(
    () =>
      guardLogout(async () => {
        if (!areKeysMarked()) return true
        try {
          const { mayLoseKeys } = await import('./key-loss-guard.ts')
          return await mayLoseKeys(setQuestion)
        } catch (error) {
          // Keys are never deleted without a confirmation.
          notify('error', errorText(error))
          return false
        }
      }),
    [],
  )
  if (!question) return null
  return (
    <Suspense fallback={null}>
      <KeyLossDialog {...question} />
    </Suspense>
  )
}
