import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import type { Check } from '../models/test-verdict.ts'
import styles from './storages.module.css'

const ICONS = { done: IconCircleCheck, failed: IconCircleX, untried: IconCircleDashed } as const

interface CheckLineProps {
  state: Check['state']
  label: string
  /** Result of the step. */
  text: string
  /** Duration of the step. */
  took?: string | undefined
}

/** One step of a test. */
export function CheckLine({ state, label, text, took }: CheckLineProps) {
  const { t } = useT()
  const Icon = ICONS[state]
  return (
    <li className={styles.check} data-state={state}>
      <Icon size={20} aria-hidden />
      <span className={styles.label}>
        {/* Screen readers get this text instead of the icon. */}
        <span className="dl-sr">{t(`storages.testing.states.${state}`)}</span> {label}
      </span>
      <span className={styles.took}>{took}</span>
      {text && <span className={styles.what}>{text}</span>}
    </li>
  )
}
