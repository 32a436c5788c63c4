import { IconSearch } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useT } from '../../i18n/use-translation.ts'
import { keyMap } from '../../lib/keyboard/key-map.ts'
import { readableKey } from '../../lib/keyboard/keys.ts'

/**
 * Button that opens the palette. In the explorer, the button does not show the shortcut, because the same keys open the
 * file search there.
 */
export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useT()
  const isExplorer = useRouterState({
    select: ({ location }) => location.pathname.startsWith('/mount-explorer'),
  })
  const shortcut = isExplorer ? null : readableKey(keyMap.anywhere.palette[0])
  return (
    <button
      type="button"
      className="dl-palette"
      title={
        shortcut === null
          ? t('shell.palette')
          : t('common.nameAndKind', { name: t('shell.palette'), kind: shortcut })
      }
      aria-keyshortcuts={shortcut === null ? undefined : 'Control+K Meta+K'}
      onClick={onOpen}
    >
      <IconSearch size={20} aria-hidden />
      <span>{t('shell.palette')}</span>
      {shortcut !== null && (
        <kbd className="dl-key" aria-hidden>
          {shortcut}
        </kbd>
      )}
    </button>
  )
}
