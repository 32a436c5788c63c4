import { ADMIN_PASSWORD_MIN_LENGTH } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useId } from 'react'
import { OwnPasswordForm, useOwnPassword } from '../../../features/auth/components/own-password-form.tsx'
import styles from '../../../features/welcome/components/guide.module.css'
import { GuideStepPage } from '../../../features/welcome/components/guide-step.tsx'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { BackButton } from './back-button.tsx'
import type { StepProps } from './welcome.page.tsx'

export function PasswordStep({ facts, hasFocus, onNext, onSkip, onBack }: StepProps) {
  const { t } = useT()
  const formId = useId()
  const { username, password: source } = facts
  const isDone = source === 'own'
  const own = useOwnPassword({
    username,
    onSaved: () => {
      notify('success', t('welcome.password.saved'))
      onNext()
    },
  })
  return (
    <GuideStepPage
      title={t('welcome.password.title')}
      text={t(`welcome.password.text.${source}`)}
      hasFocus={hasFocus}
      actions={
        <>
          <BackButton onBack={onBack} />
          {isDone ? (
            <Button onClick={onNext}>{t('welcome.next')}</Button>
          ) : (
            <>
              <Button variant="default" onClick={onSkip}>
                {t('welcome.skip')}
              </Button>
              <Button type="submit" form={formId} loading={own.saving.isBusy} disabled={!own.hasInput}>
                {t('welcome.password.set')}
              </Button>
            </>
          )}
        </>
      }
    >
      {!isDone && (
        <div className={styles.fields}>
          <p className={styles.account}>
            {t('welcome.password.username')} <bdi>{username}</bdi>
          </p>
          <OwnPasswordForm
            id={formId}
            username={username}
            own={own}
            currentHint={t(`welcome.password.currentHint.${source}`)}
            newHint={t('welcome.password.newHint', { count: ADMIN_PASSWORD_MIN_LENGTH })}
          />
        </div>
      )}
      <p className={styles.hint}>{t('welcome.password.toSettings')}</p>
    </GuideStepPage>
  )
}
