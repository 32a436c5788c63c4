import { useT } from '../../../lib/i18n/use-translation.ts'
import { Dialog } from '../../dialog.tsx'
import styles from './dialogs.module.css'
import { readableKey } from './shortcuts.ts'

const ROWS = [
  ['bold', 'Mod-b'],
  ['italic', 'Mod-i'],
  ['strike', 'Mod-Shift-x'],
  ['code', 'Mod-e'],
  ['highlight', 'Mod-Shift-h'],
  ['heading', 'Mod-Alt-1'],
  ['numbers', 'Mod-Shift-7'],
  ['bullets', 'Mod-Shift-8'],
  ['tasks', 'Mod-Shift-9'],
  ['quote', 'Mod-Shift-.'],
  ['link.title', 'Mod-k'],
] as const

const COMMON = [
  ['undo', 'Mod-z'],
  ['redo', 'Mod-Shift-z'],
  ['help.find', 'Mod-f'],
  ['help.pastePlain', 'Mod-Shift-v'],
  ['help.submit', 'Mod-Enter'],
  ['help.indent', 'Tab'],
] as const

/** The keys of the editor, and how it is left without a mouse. */
export default function HelpDialog({ isMarkdown, onClose }: { isMarkdown: boolean; onClose: () => void }) {
  const { t } = useT()
  const rows = isMarkdown ? [...ROWS, ...COMMON] : COMMON
  return (
    <Dialog title={t('editor.help.title')} onClose={onClose}>
      <dl className={styles.keys}>
        {rows.map(([name, key]) => (
          <div key={name}>
            <dt>{t(`editor.${name}`)}</dt>
            <dd>
              <kbd>{name === 'heading' ? `${readableKey(key)}…6` : readableKey(key)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{t('editor.help.leave')}</p>
      {isMarkdown && <p className={styles.note}>{t('editor.help.emoji')}</p>}
    </Dialog>
  )
}
