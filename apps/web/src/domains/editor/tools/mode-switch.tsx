import { IconColumns2, IconEye, IconPencil, IconTypography } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { EDITOR_MODES, type EditorMode } from '../editor-mode.ts'
import styles from './editor-tools.module.css'

const ICONS = { source: IconPencil, split: IconColumns2, preview: IconEye, rich: IconTypography }

interface ModeSwitchProps {
  mode: EditorMode
  isNarrow: boolean
  onMode: (mode: EditorMode) => void
}

/** Switches the mode. Narrow windows do not offer the split mode. */
export function ModeSwitch({ mode, isNarrow, onMode }: ModeSwitchProps) {
  const { t } = useT()
  const modes = EDITOR_MODES.filter((candidate) => !(isNarrow && candidate === 'split'))
  return (
    <fieldset className={styles.modes} aria-label={t('home.view')}>
      {modes.map((candidate) => {
        const Icon = ICONS[candidate]
        const label = t(`editor.modes.${candidate}`)
        return (
          <button
            key={candidate}
            type="button"
            className={styles.mode}
            aria-pressed={candidate === mode}
            aria-label={label}
            title={label}
            onClick={() => onMode(candidate)}
          >
            <Icon size={20} aria-hidden />
          </button>
        )
      })}
    </fieldset>
  )
}
