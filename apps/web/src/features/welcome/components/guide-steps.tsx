import type { GuideStep } from '@dropleaf/contract'
import { IconCheck } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { WORK_STEPS } from '../models/guide.ts'
import styles from './guide.module.css'

interface GuideStepsProps {
  step: GuideStep
  /** Finished steps; postponed steps are not included. */
  done: ReadonlySet<GuideStep>
  onStep: (step: GuideStep) => void
}

/** Navigation of the guide. The user can open each step. */
export function GuideSteps({ step, done, onStep }: GuideStepsProps) {
  const { t } = useT()
  const at = step === 'done' ? WORK_STEPS.length : WORK_STEPS.indexOf(step)
  return (
    <nav className={styles.nav} aria-label={t('welcome.steps.label')}>
      {at < WORK_STEPS.length && (
        <p className={styles.position} aria-hidden>
          {t('welcome.steps.position', { step: at + 1, steps: WORK_STEPS.length })}
        </p>
      )}
      <ol className={styles.steps}>
        {WORK_STEPS.map((one, index) => (
          <li key={one} className={styles.step} data-done={done.has(one) || undefined}>
            <button
              type="button"
              className={styles.stepButton}
              aria-current={index === at ? 'step' : undefined}
              aria-label={
                done.has(one) ? t('welcome.steps.passed', { step: t(`welcome.steps.${one}`) }) : undefined
              }
              onClick={() => onStep(one)}
            >
              <span className={styles.mark} aria-hidden>
                {done.has(one) ? <IconCheck size={16} stroke={3} /> : index + 1}
              </span>
              <span className={styles.stepName}>{t(`welcome.steps.${one}`)}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
