import { useState } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { loginAdmin, loginKey } from '../api/auth.api.ts'

export type LoginMode = 'admin' | 'key'

export interface AccountInput {
  username: string
  password: string
}

/** Form state of the login: input of both methods, and the last attempt. */
export function useLogin(mode: LoginMode, onDone: (isFirstStart: boolean) => void) {
  const { t } = useT()
  const [account, setAccount] = useState<AccountInput>({ username: '', password: '' })
  const [key, setKey] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const problem = () => {
    if (mode === 'key') return key.trim() === '' ? t('auth.needKey') : null
    return account.username.trim() === '' || account.password === '' ? t('auth.needBoth') : null
  }
  /** Returns whether the login succeeded, or an earlier attempt is still in progress. */
  const submit = async (): Promise<boolean> => {
    const missing = problem()
    setError(missing)
    if (missing !== null || isBusy) return isBusy
    setBusy(true)
    try {
      if (mode === 'key') {
        await loginKey(key.trim())
        onDone(false)
      } else onDone(await loginAdmin({ ...account, username: account.username.trim() }))
      return true
    } catch (failure) {
      setError(errorText(failure))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { account, setAccount, key, setKey, error, clearError: () => setError(null), isBusy, submit }
}
