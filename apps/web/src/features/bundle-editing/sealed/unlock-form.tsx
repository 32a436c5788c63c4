import type { BundleDetail } from '@dropleaf/contract'
import { type Bytes, SealError } from '@dropleaf/seal'
import { Button, Progress } from '@mantine/core'
import { type ChangeEvent, type FormEvent, useEffect, useState } from 'react'
import { keyProblemOf, LINK_MAX_LENGTH, readEnteredKey } from '../../../domains/sealed/link/link-keys.ts'
import { sealedErrorText } from '../../../domains/sealed/reading/fault-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { useFieldError } from '../../../ui/forms/use-field-error.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import styles from './sealed-editor.module.css'

interface UnlockFormProps extends Pick<BundleDetail, 'kdf'> {
  /** The key that this browser stores; `null` if it stores none. */
  kept: Bytes | null
  /** Tries a key. @throws {SealError, ApiError, PreviewError, OlderRevisionError} */
  unlock: (secret: Bytes, password: string | null, onProgress: (share: number) => void) => Promise<void>
}

const isRefused = (error: unknown) => error instanceof SealError && error.code === 'manifest.refused'

/**
 * Fields for the key and the password that this browser does not store, and the attempt to open the bundle with them.
 */
function useUnlocking({ kdf, kept, unlock }: UnlockFormProps) {
  const { t } = useT()
  const [asksKey, setAsksKey] = useState(kept === null)
  const [keyText, setKeyText] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [share, setShare] = useState<number | null>(null)
  const key = useFieldError()
  const word = useFieldError()
  const { field: keyField } = key
  const { field: wordField } = word
  useEffect(
    () => focusOnMount(asksKey ? keyField.current : wordField.current),
    [asksKey, keyField, wordField],
  )

  const readKey = (): Bytes | null => {
    if (!asksKey) return kept
    try {
      return readEnteredKey(keyText)
    } catch (error) {
      key.refuse(t(`sealedReading.key.${keyProblemOf(error)}`))
      return null
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    key.clear()
    word.clear()
    const secret = readKey()
    if (!secret) return
    if (kdf && password === '') {
      word.refuse(t('errors.bundle.password_missing'))
      return
    }
    setBusy(true)
    try {
      await unlock(secret, kdf && password, setShare)
    } catch (error) {
      if (!isRefused(error)) (kdf ? word : key).refuse(sealedErrorText(error))
      else if (kdf) word.refuse(t('sealedReading.password.wrong'))
      else key.refuse(t('sealedReading.key.wrong'))
    } finally {
      setBusy(false)
      setShare(null)
    }
  }
  return {
    asksKey,
    askKey: () => setAsksKey(true),
    isBusy,
    share,
    submit,
    keyField: {
      ref: keyField,
      value: keyText,
      ...key.said,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setKeyText(event.currentTarget.value),
    },
    wordField: {
      ref: wordField,
      value: password,
      ...word.said,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setPassword(event.currentTarget.value),
    },
  }
}

/** Asks for the key, the password, or both. */
export function UnlockForm(props: UnlockFormProps) {
  const { t } = useT()
  const { asksKey, askKey, keyField, wordField, isBusy, share, submit } = useUnlocking(props)
  return (
    <Panel title={t(asksKey ? 'sealing.editing.keyTitle' : 'sealing.editing.passwordTitle')}>
      <form className={styles.unlock} onSubmit={(event) => void submit(event)} noValidate>
        {asksKey && (
          <>
            <p className={formStyles.text}>{t('sealing.editing.keyText')}</p>
            <PasswordField
              label={t('sealedReading.key.label')}
              maxLength={LINK_MAX_LENGTH}
              autoComplete="off"
              {...keyField}
            />
          </>
        )}
        {props.kdf && (
          <>
            <p className={formStyles.text}>{t('sealing.editing.passwordText')}</p>
            <PasswordField label={t('common.password.label')} autoComplete="off" {...wordField} />
          </>
        )}
        <div className={styles.buttons}>
          <Button type="submit" loading={isBusy}>
            {t('sealedReading.key.open')}
          </Button>
          {!asksKey && (
            <Button variant="default" onClick={askKey}>
              {t('sealing.editing.otherKey')}
            </Button>
          )}
        </div>
        {share !== null && <Progress value={share * 100} aria-label={t('sealedReading.deriving')} />}
      </form>
    </Panel>
  )
}
