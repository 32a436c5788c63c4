import { Button, TextInput } from '@mantine/core'
import { IconFileOff, IconFolder, IconSettings, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../lib/notices.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { FailedBanner } from '../../ui/feedback/failed-banner.tsx'
import { FormDialog } from '../../domains/session/components/form-dialog.tsx'
import { LinkCards } from '../../ui/layout/link-cards.tsx'
import { Banner, PageMessage } from '../../ui/feedback/message.tsx'
import { NamesList } from '../../ui/layout/names-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import progressStyles from '../../ui/feedback/progress.module.css'
import { QrCode } from '../../ui/dialogs/qr-code.tsx'
import { DisplayName } from '../../ui/layout/display-name.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { ToolButton } from '../../ui/buttons/tool-button.tsx'
import { Tree } from '../../ui/tree/tree.tsx'
import { UnlockForm } from '../../domains/shares/unlock-form.tsx'
import styles from './parts.module.css'

const nothing = () => undefined

const TONES = ['info', 'success', 'warning', 'error'] as const
const NOTICES = ['info', 'success', 'error'] as const

export function Messages() {
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

export function Waiting() {
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

const nameCell = ({ name }: (typeof ROWS)[number]) => <DisplayName name={name} />

export function Tables() {
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

export function Trees() {
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

export function Links() {
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

export function Locked() {
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

export function Overlays() {
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
