// oxlint-disable-next-line no-restricted-imports -- every other menu uses this one
import { Menu as MantineMenu, type MenuProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { rememberFocus } from '../focus/focus-restore.ts'
import { useLayer } from './use-layer.ts'

/** Layer of the menu, which is rendered only while the menu is open. */
function Layer({ onClose }: { onClose: () => void }) {
  const giveBack = useRef<() => void>(undefined)
  useEffect(() => {
    giveBack.current = rememberFocus()
  }, [])
  useLayer(() => {
    giveBack.current?.()
    onClose()
  })
  return null
}

/** A menu that closes on a back step, as on Esc. The back step does not leave the page. */
function LayeredMenu({ children, ...props }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const { opened = isOpen, onClose } = props
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  return (
    <MantineMenu {...props} opened={opened} onChange={setOpen}>
      {opened && <Layer onClose={close} />}
      {children}
    </MantineMenu>
  )
}

const { Target, Dropdown, Item, RadioItem, Label, Divider } = MantineMenu
export const Menu = Object.assign(LayeredMenu, { Target, Dropdown, Item, RadioItem, Label, Divider })
