import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { forgetKeysAtLogout } from '../../domains/sealed/keys/forget-at-logout.ts'
import { areKeysMarked } from '../../domains/sealed/keys/key-mark.ts'
import { guardLogout } from '../../domains/session/before-logout.ts'
import { errorText } from '../../i18n/error-text.ts'
import { loadWords } from '../../i18n/i18n.ts'
import { notify } from '../../lib/notices.ts'
import type { KeyLossQuestion } from './key-loss-dialog.tsx'

/** The dialog is loaded on demand, because few logouts need it. */
const loadDialog = () => import('./key-loss-dialog.tsx')
const KeyLossDialog = lazy(async () => ({ default: (await loadDialog()).KeyLossDialog }))

async function findKeys(): Promise<KeyLossQuestion['keys']> {
  try {
    const { listKeys } = await import('../../domains/sealed/keys/key-store.ts')
    return await listKeys()
  } catch (error) {
    // If the key store cannot be loaded, the logout cannot delete the keys either, so it needs no confirmation.
    reportError(error)
    return []
  }
}

/** Asks for confirmation before a logout that deletes keys of encrypted shares. Then deletes the keys. */
export function KeyLoss(): ReactNode {
  const [question, setQuestion] = useState<KeyLossQuestion | null>(null)
  useEffect(() => forgetKeysAtLogout(), [])
  useEffect(
    () =>
      guardLogout(async () => {
        const keys = areKeysMarked() ? await findKeys() : []
        if (keys.length === 0) return true
        try {
          await Promise.all([loadDialog(), loadWords('later')])
        } catch (error) {
          // Keys are never deleted without a confirmation.
          notify('error', errorText(error))
          return false
        }
        return new Promise((resolve) => {
          const answer = (isSure: boolean) => {
            setQuestion(null)
            resolve(isSure)
          }
          setQuestion({ keys, answer })
        })
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
