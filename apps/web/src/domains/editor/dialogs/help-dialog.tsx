import { useT } from '../../../i18n/use-translation.ts'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import { readableKey } from '../../../lib/keyboard/keys.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import styles from './dialogs.module.css'

const { editor } = keyMap

const ROWS = [
  ['bold', editor.bold],
  ['italic', editor.italic],
  ['strike', editor.strike],
  ['code', editor.code],
  ['highlight', editor.highlight],
  ['heading', editor.heading],
  ['numbers', editor.numbers],
  ['bullets', editor.bullets],
  ['tasks', editor.tasks],
  ['quote', editor.quote],
  ['link.title', editor.link],
] as const

const COMMON = [
  ['undo', editor.undo],
  ['redo', editor.redo],
  ['help.find', editor.find],
  ['help.pastePlain', editor.pastePlain],
  ['help.submit', editor.submit],
  ['help.indent', editor.indent],
] as const

/** Lists the editor's keyboard shortcuts, including how to leave the editor with the keyboard. */
export default function HelpDialog({ isMarkdown, onClose }: { isMarkdown: boolean; onClose: () => void }) {
  const { t } = useT()
  const rows = isMarkdown ? [...ROWS, ...COMMON] : COMMON
  return (
    <Dialog title={t('editor.help.title')} onClose={onClose}>
      <dl className={styles.keys}>
        {rows.map(([name, [key]]) => (
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
