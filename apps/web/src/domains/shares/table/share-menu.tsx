import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { Menu } from '../../../ui/dialogs/menu.tsx'
import styles from './share-table.module.css'

export interface ShareMenuItem {
  readonly label: string
  readonly Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  /** A function, or a URL to open in a new tab. */
  readonly action: (() => void) | string
  readonly isDangerous?: boolean
}

/** Menu with the less frequent actions for a share. */
export function ShareMenu({ label, items }: { label: string; items: readonly ShareMenuItem[] }) {
  return (
    <Menu position="bottom-end" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} title={label}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label: name, Icon, action, isDangerous = false }) => {
          const look = {
            leftSection: <Icon size={18} aria-hidden />,
            ...(isDangerous && { className: styles.dangerous ?? '' }),
          }
          return typeof action === 'string' ? (
            <Menu.Item key={name} {...look} component="a" href={action} target="_blank" rel="noopener">
              {name}
            </Menu.Item>
          ) : (
            <Menu.Item key={name} {...look} onClick={action}>
              {name}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
