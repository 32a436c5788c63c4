import { listKeys } from '../../domains/sealed/keys/key-store.ts'
import { loadWords } from '../../i18n/i18n.ts'
import type { KeyLossQuestion } from './key-loss-dialog.tsx'

async function findKeys(): Promise<KeyLossQuestion['keys']> {
  try {
    return await listKeys()
  } catch (error) {
    // If the key store cannot be opened, the logout cannot delete the keys either, so it needs no confirmation.
    reportError(error)
    return []
  }
}

/**
 * Asks whether a logout may delete the keys of encrypted shares, if there are any.
 * @param ask shows the question, or removes it with `null`
 * @returns whether to log out
 * @throws if the dialog cannot be loaded
 */
export async function mayLoseKeys(ask: (question: KeyLossQuestion | null) => void): Promise<boolean> {
  const keys = await findKeys()
  if (keys.length === 0) return true
  await Promise.all([import('./key-loss-dialog.tsx'), loadWords('later')])
  return new Promise((resolve) => {
    const answer = (isSure: boolean) => {
      ask(null)
      resolve(isSure)
    }
    ask({ keys, answer })
  })
}
