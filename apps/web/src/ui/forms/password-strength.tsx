import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import styles from './password-strength.module.css'

interface PasswordStrengthProps {
  password: string
  /** Words that an attacker would try first, such as the user name. */
  known: readonly string[]
}

const LEVELS = ['0', '1', '2', '3', '4'] as const
const STEPS = [1, 2, 3, 4] as const

/**
 * Shows the estimated strength of a new password below its field, with a reason if the password is weak. Only for
 * screens that load the admin panel's texts.
 */
export function PasswordStrength({ password, known }: PasswordStrengthProps) {
  const { t } = useT()
  const settled = useDeferredValue(password)
  // Loads the lists of common passwords on demand. Without these lists, there is no estimate.
  const { data: estimator } = useQuery({
    queryKey: ['password-strength'],
    queryFn: () => import('../../lib/password-strength.ts'),
    enabled: settled !== '',
    staleTime: Infinity,
    structuralSharing: false,
  })
  if (!estimator || settled === '') return null
  const { score, warning } = estimator.estimateStrength(settled, known)
  return (
    <output className={styles.strength} data-score={score}>
      <span className={styles.steps} aria-hidden>
        {STEPS.map((step) => (
          <span key={step} data-on={score >= step || undefined} />
        ))}
      </span>
      <span className={styles.level}>
        {t('strength.label', { level: t(`strength.levels.${LEVELS[score]}`) })}
      </span>
      {warning && <span className={styles.warning}>{t(`strength.warnings.${warning}`)}</span>}
    </output>
  )
}
