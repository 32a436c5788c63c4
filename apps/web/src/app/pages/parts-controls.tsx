import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconSettings, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { DropZone } from '../../features/files/components/drop-zone.tsx'
import { CheckField } from '../../ui/forms/check-field.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Menu } from '../../ui/dialogs/menu.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { PasswordStrength } from '../../ui/forms/password-strength.tsx'
import { RadioField } from '../../ui/forms/radio-field.tsx'
import { SegmentedControl } from '../../ui/buttons/segmented-control.tsx'
import { SelectField } from '../../ui/forms/select-field.tsx'
import { ToolButton } from '../../ui/buttons/tool-button.tsx'
import styles from './parts.module.css'

const nothing = () => undefined

export function Buttons() {
  return (
    <Panel title="Buttons">
      <div className={styles.row}>
        <Button>First</Button>
        <Button variant="default">Second</Button>
        <Button variant="subtle" color="gray">
          Third
        </Button>
        <Button color="red">Delete</Button>
        <Button disabled>Nothing to do</Button>
        <Button loading>At work</Button>
        <Button size="compact-sm" variant="default">
          In a line
        </Button>
      </div>
      <div className={styles.row}>
        <ToolButton label="Settings" icon={<IconSettings size={20} />} onClick={nothing} />
        <ToolButton label="Open" isExpanded icon={<IconSettings size={20} />} onClick={nothing} />
        <ToolButton label="At work" isBusy icon={<IconSettings size={20} />} onClick={nothing} />
        <ToolButton label="Nothing to do" isOff icon={<IconSettings size={20} />} onClick={nothing} />
        <ToolButton label="Delete" isDangerous icon={<IconTrash size={20} />} onClick={nothing} />
        <CopyButton text="copied" label="Copy" />
        <Menu>
          <Menu.Target>
            <ActionIcon variant="default" size="lg" aria-label="Menu">
              <IconSettings size={20} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item>One</Menu.Item>
            <Menu.Item disabled>Not now</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red">Delete</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </Panel>
  )
}

const DAYS = [
  { value: 'day', label: 'A day' },
  { value: 'week', label: 'A week' },
] as const

export function Fields() {
  const [password, setPassword] = useState('Tr0ub4dor&3')
  const [days, setDays] = useState<'day' | 'week'>('day')
  const [isChecked, setChecked] = useState(true)
  return (
    <Panel title="Fields">
      <div className={styles.fields}>
        <TextInput label="Name" placeholder="What it is called" description="A word of explanation." />
        <TextInput label="Filled" defaultValue="report.pdf" />
        <TextInput label="Wrong" defaultValue="a/b" error="A name has no slash. Take it out." />
        <TextInput label="Not now" disabled defaultValue="Nobody changes this" />
        <div className={styles.pair}>
          <PasswordField
            label="Password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <PasswordStrength password={password} known={[]} />
        </div>
        <SelectField label="Lasts" value={days} options={DAYS} onChange={setDays} />
        <SelectField label="Wrong" value={days} options={DAYS} error="Choose another." onChange={setDays} />
        <RadioField label="Lasts" value={days} options={DAYS} onChange={setDays} />
        <CheckField label="Public" hint="Anybody may read it." isChecked={isChecked} onChange={setChecked} />
        <div>
          <SegmentedControl label="Lasts" value={days} options={DAYS} onChange={setDays} />
        </div>
      </div>
    </Panel>
  )
}

export function Dropping() {
  return (
    <Panel title="Places to drop files">
      <DropZone isOver={false} limit="100 MB" onFiles={nothing} />
      <DropZone isOver limit="100 MB" onFiles={nothing} />
    </Panel>
  )
}
