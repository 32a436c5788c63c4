import { Button } from '@mantine/core'
import { useT } from '../../../../i18n/use-translation.ts'
import { focusEditor } from './focus-editor.ts'

interface DraftStatusProps {
  isRestored: boolean
  hasRoom: boolean
  onDiscard: () => void
}

/** Short text about the state of the draft. */
export function DraftStatus({ isRestored, hasRoom, onDiscard }: DraftStatusProps) {
  const { t } = useT()
  if (!hasRoom) return <span>{t('home.draftTooLarge')}</span>
  if (!isRestored) return null
  return (
    <span>
      {t('home.draftRestored')} ·{' '}
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={() => {
          onDiscard()
          // The button disappears with the draft, so the editor gets the focus.
          focusEditor()
        }}
      >
        {t('home.discard')}
      </Button>
    </span>
  )
}
