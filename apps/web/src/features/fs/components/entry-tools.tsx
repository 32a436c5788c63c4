import { IconDots } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import styles from './entry-tools.module.css'

/** Checkbox of an entry. `ItemCanvas` handles the click. */
export function MarkBox({ name, isMarked }: { name: string; isMarked: boolean }) {
  const { t } = useT()
  return (
    <label className={styles.check} data-role="check">
      <input
        type="checkbox"
        tabIndex={-1}
        checked={isMarked}
        readOnly
        aria-label={t('explorer.selectOne', { name })}
      />
    </label>
  )
}

export function MenuButton({ name }: { name: string }) {
  const { t } = useT()
  const label = t('explorer.actionsOf', { name })
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.menu}
      data-role="menu"
      aria-label={label}
      aria-haspopup="menu"
      title={t('explorer.more')}
    >
      <IconDots size={20} aria-hidden />
    </button>
  )
}
