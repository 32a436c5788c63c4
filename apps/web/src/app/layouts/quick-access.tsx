import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { loadWords } from '../../i18n/i18n.ts'
import { useT } from '../../i18n/use-translation.ts'
import { keyMap } from '../../lib/keyboard/key-map.ts'
import { isKey } from '../../lib/keyboard/keys.ts'
import { notify } from '../../lib/notices.ts'
import { onSessionEnd, onSessionGone } from '../../domains/session/session.ts'
import { forgetRecent } from '../palette/recent.ts'

export interface PanelProps {
  readonly onClose: () => void
  readonly onShowKeys: () => void
}

type PanelName = 'palette' | 'keys'

/** Panels are loaded on demand, not on a first visit. */
const PANELS: Readonly<Record<PanelName, () => Promise<ComponentType<PanelProps>>>> = {
  palette: async () => {
    const [part] = await Promise.all([import('../palette/palette-dialog.tsx'), loadWords('palette')])
    return part.PaletteDialog
  },
  keys: async () => {
    const [part] = await Promise.all([import('../palette/key-map-dialog.tsx'), loadWords('palette')])
    return part.KeyMapDialog
  },
}

/** Whether a dialog or menu is open. An open dialog or menu handles keys itself. */
const isCovered = () => document.querySelector('dialog[open], [role="menu"]') !== null

const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]',
  ) !== null

/** State of the open panel. A panel is loaded before it opens. */
function usePanels() {
  const { t } = useT()
  const [open, setOpen] = useState<{ readonly Panel: ComponentType<PanelProps> } | null>(null)
  const wanted = useRef<PanelName | null>(null)
  const show = async (name: PanelName) => {
    wanted.current = name
    try {
      const Panel = await PANELS[name]()
      if (wanted.current === name) setOpen({ Panel })
    } catch {
      notify('error', t('shell.paletteFailed'))
    }
  }
  const close = () => {
    wanted.current = null
    setOpen(null)
  }
  return { open, show: (name: PanelName) => void show(name), close }
}

/** The palette and the keyboard map, with their shortcuts on every page. */
export function useQuickAccess(): { readonly openPalette: () => void; readonly panel: ReactNode } {
  const { open, show, close } = usePanels()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || isCovered()) return
    const isPalette = isKey(event, keyMap.anywhere.palette)
    const isMap = isKey(event, keyMap.anywhere.map) && !isTyping(event.target)
    if (!isPalette && !isMap) return
    event.preventDefault()
    show(isPalette ? 'palette' : 'keys')
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // The listener is registered on the window, so that the page's own listeners run first. The explorer and the editor
    // use the same keys.
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  useEffect(
    () =>
      onSessionEnd((reason) => {
        if (reason === 'logout') forgetRecent()
      }),
    [],
  )
  const onGone = useEffectEvent(close)
  useEffect(() => onSessionGone(() => onGone()), [])
  const panel = open && <open.Panel onClose={close} onShowKeys={() => show('keys')} />
  return { openPalette: () => show('palette'), panel }
}
