import { Button } from '@mantine/core'
import { useT } from '../../../../i18n/use-translation.ts'
import { focusEditor } from './focus-editor.ts'

interface DraftStatusProps {
  isRestored: boolean
  hasRoom: boolean
  onDiscard: () => void
}

/** State of the draft, as short as possible. */
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
          // The button disappears with the draft.
          focusEditor()
        }}
      >
        {t('home.discard')}
      </Button>
    </span>
  )
}
