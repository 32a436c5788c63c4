import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconFileOff, IconFolder, IconSettings, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { DropZone } from '../../features/files/components/drop-zone.tsx'
import { notify } from '../../lib/notices.ts'
import { CheckField } from '../../ui/forms/check-field.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { FailedBanner } from '../../ui/feedback/failed-banner.tsx'
import { FormDialog } from '../../domains/session/components/form-dialog.tsx'
import { LinkCards } from '../../ui/layout/link-cards.tsx'
import { Menu } from '../../ui/dialogs/menu.tsx'
import { Banner, PageMessage } from '../../ui/feedback/message.tsx'
import { ModuleHeader } from '../../ui/layout/module-header.tsx'
import { NamesList } from '../../ui/layout/names-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { PasswordStrength } from '../../ui/forms/password-strength.tsx'
import progressStyles from '../../ui/feedback/progress.module.css'
import { QrCode } from '../../ui/dialogs/qr-code.tsx'
import { RadioField } from '../../ui/forms/radio-field.tsx'
import { SegmentedControl } from '../../ui/buttons/segmented-control.tsx'
import { SelectField } from '../../ui/forms/select-field.tsx'
import { ShownName } from '../../ui/layout/display-name.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { ToolButton } from '../../ui/buttons/tool-button.tsx'
import { Tree } from '../../ui/tree/tree.tsx'
import { UnlockForm } from '../../domains/shares/unlock-form.tsx'
import { findFramedScheme, Schemes, useFramedScheme } from './parts-schemes.tsx'
import { States } from './parts-states.tsx'
import styles from './parts.module.css'

/** Every part in every state, in both schemes. In development only; see `docs/design.md`. */
export function PartsPage(): ReactNode {
  const scheme = findFramedScheme()
  return scheme ? <Parts scheme={scheme} /> : <Schemes />
}

function Parts({ scheme }: { scheme: 'light' | 'dark' }) {
  useFramedScheme(scheme)
  return (
    <div className={styles.page}>
      <ModuleHeader title="Parts" text={`What every screen is made of, in every state: ${scheme}.`}>
        <Button variant="default">Second</Button>
        <Button>First</Button>
      </ModuleHeader>
      <States />
      <Colours />
      <Letters />
      <Shapes />
      <Buttons />
      <Fields />
      <Dropping />
      <Messages />
      <Waiting />
      <Tables />
      <Trees />
      <Links />
      <Locked />
      <Overlays />
    </div>
  )
}

const COLOURS = [
  'bg',
  'surface',
  'sunken',
  'line',
  'line-strong',
  'text',
  'muted',
  'accent',
  'accent-soft',
  'danger',
  'danger-soft',
  'warn',
  'warn-soft',
  'mark',
  'paper',
  'stage',
  'on-stage',
  'scrim',
]

function Colours() {
  return (
    <Panel title="Colours">
      <ul className={styles.swatches}>
        {COLOURS.map((name) => (
          <li key={name}>
            <span className={styles.swatch} style={{ background: `var(--dl-${name})` }} />
            {name}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const SIZES = ['caption', 'small', 'label', 'body', 'reading', 'lead', 'heading', 'title', 'display']

function Letters() {
  return (
    <Panel title="Letters">
      {SIZES.map((name) => (
        <p key={name} className={styles.sample} style={{ fontSize: `var(--dl-type-${name})` }}>
          {name}: Share a text, a file, a folder. <span lang="zh-CN">分享文本、文件和文件夹。</span>{' '}
          0123456789
        </p>
      ))}
      <p className={styles.sample} lang="ar" dir="rtl">
        شارك نصًا أو ملفًا أو مجلدًا.
      </p>
      <p className={styles.sample}>
        <ShownName name={`${'a-very-long-name-'.repeat(12)}.txt`} />
      </p>
      <p className={styles.sample}>
        <ShownName name={`invoice${String.fromCodePoint(0x202e)}fdp.exe`} />
      </p>
    </Panel>
  )
}

const RADII = ['-small', '-medium', '', '-large', '-pill']
const SHADOWS = ['raised', 'floating', 'overlay', 'dialog']

function Shapes() {
  return (
    <Panel title="Corners and shadows">
      <ul className={styles.swatches}>
        {RADII.map((name) => (
          <li key={name}>
            <span className={styles.shape} style={{ borderRadius: `var(--dl-radius${name})` }} />
            radius{name}
          </li>
        ))}
        {SHADOWS.map((name) => (
          <li key={name}>
            <span className={styles.shape} style={{ boxShadow: `var(--dl-shadow-${name})` }} />
            shadow-{name}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const nothing = () => undefined

function Buttons() {
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

function Fields() {
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

function Dropping() {
  return (
    <Panel title="Places to drop files">
      <DropZone isOver={false} limit="100 MB" onFiles={nothing} />
      <DropZone isOver limit="100 MB" onFiles={nothing} />
    </Panel>
  )
}

const TONES = ['info', 'success', 'warning', 'error'] as const
const NOTICES = ['info', 'success', 'error'] as const

function Messages() {
  return (
    <Panel title="Messages">
      {TONES.map((tone) => (
        <Banner
          key={tone}
          tone={tone}
          actions={
            <Button size="compact-sm" variant="default">
              Next step
            </Button>
          }
        >
          {tone}: what has happened, and what to do about it.
        </Banner>
      ))}
      <FailedBanner error={new Error('down')} text="The list did not come." onRetry={nothing} />
      <FailedBanner error={new Error('down')} text="It would not come next time either." onRetry={null} />
      <div className={styles.row}>
        {NOTICES.map((tone) => (
          <Button key={tone} variant="default" onClick={() => notify(tone, `A notice: ${tone}.`)}>
            {tone}
          </Button>
        ))}
      </div>
      <PageMessage
        level={2}
        icon={<IconFileOff size={28} aria-hidden />}
        title="Nothing here yet"
        text="What this is for, and how it begins."
      >
        <Button>Begin</Button>
      </PageMessage>
    </Panel>
  )
}

function Waiting() {
  return (
    <Panel title="Waiting">
      <SkeletonLines label="Loading" />
      <progress className={progressStyles.bar} max={100} value={40} aria-label="40 percent" />
      <progress className={progressStyles.bar} aria-label="Under way" />
    </Panel>
  )
}

const ROWS = [
  { id: '1', name: 'report.pdf', size: '1.2 MB' },
  { id: '2', name: `${'long-'.repeat(40)}name.txt`, size: '0 B' },
  { id: '3', name: '中文文件名.docx', size: '12 GB' },
]

const nameCell = ({ name }: (typeof ROWS)[number]) => <ShownName name={name} />

function Tables() {
  return (
    <Panel title="Tables">
      <DataTable
        label="Files"
        rows={ROWS}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        sorting={{ by: 'name', order: 'asc' }}
        columns={[
          { id: 'name', header: 'Name', sort: 'name', isTitle: true, cell: nameCell },
          { id: 'size', header: 'Size', sort: 'size', isNumber: true, cell: ({ size }) => size },
        ]}
        renderActions={() => (
          <ToolButton label="Delete" isDangerous icon={<IconTrash size={20} />} onClick={nothing} />
        )}
      />
    </Panel>
  )
}

const TOP = { level: 1, siblingCount: 2, isOpen: false, isLeaf: true, isBusy: false }
const INNER = [
  { ...TOP, id: '2030', name: '2030', level: 2, position: 1 },
  {
    ...TOP,
    id: 'late',
    name: 'On its way',
    level: 2,
    position: 2,
    isOpen: true,
    isLeaf: false,
    isBusy: true,
  },
]

function Trees() {
  const [chosenId, setChosen] = useState('photos')
  const [isOpen, setOpen] = useState(true)
  return (
    <Panel title="Trees">
      <Tree
        label="Folders"
        rows={[
          { ...TOP, id: 'photos', name: 'photos', position: 1, isOpen, isLeaf: false },
          ...(isOpen ? INNER : []),
          { ...TOP, id: 'texts', name: '文本', position: 2 },
        ]}
        chosenId={chosenId}
        icon={<IconFolder size={20} aria-hidden />}
        onChoose={setChosen}
        onOpen={(id, wanted) => id === 'photos' && setOpen(wanted)}
      />
    </Panel>
  )
}

function Links() {
  return (
    <Panel title="Links">
      <LinkCards
        cards={[
          { key: 'home', Icon: IconFolder, link: { to: '/' }, title: 'A text', text: 'What is there.' },
          {
            key: 'upload',
            Icon: IconSettings,
            link: { to: '/upload' },
            title: 'A file',
            text: 'What is there.',
          },
        ]}
      />
    </Panel>
  )
}

function Locked() {
  return (
    <Panel title="Locked">
      <UnlockForm
        title="This share is protected"
        text="The password is wrong, whatever it is."
        words={{ password: 'Password', open: 'Open', missing: 'Enter the password.' }}
        unlock={() => Promise.reject(new Error('wrong'))}
        isGone={() => false}
        onGone={nothing}
      />
    </Panel>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'ask' | 'form' | null>(null)
  const [name, setName] = useState('')
  const close = () => setOpen(null)
  return (
    <Panel title="Dialogs">
      <div className={styles.row}>
        <Button variant="default" onClick={() => setOpen('ask')}>
          Ask
        </Button>
        <Button variant="default" onClick={() => setOpen('form')}>
          Form
        </Button>
        <QrCode text="https://share.example.org/file/abc" />
      </div>
      {open === 'ask' && (
        <ConfirmDialog
          title="Delete report.pdf?"
          cancelLabel="Keep it"
          confirmLabel="Delete"
          isDangerous
          onCancel={close}
          onConfirm={close}
        >
          <NamesList names={[`${'long-'.repeat(40)}name.txt`, '中文文件名.docx']} count={12} />
          <p>Its link ends at once. Nobody can bring it back.</p>
        </ConfirmDialog>
      )}
      {open === 'form' && (
        <FormDialog
          title="New folder"
          submitLabel="Create"
          isDisabled={name === ''}
          isBusy={false}
          failure={null}
          onSubmit={close}
          onClose={close}
        >
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        </FormDialog>
      )}
    </Panel>
  )
}
