import type { QueueEntry } from '@dropleaf/sync-queue'
import { Button, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { formatDateTime } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import {
  again,
  asNewText,
  fromNowOn,
  textOf,
  underSuffix,
} from '../../../domains/offline/queue/resolve-conflict.ts'
import { SECRET_LOST } from '../../../domains/offline/queue/sync.ts'
import { randomId } from '../../../lib/random-id.ts'
import { slugProblem } from '../../../domains/shares/share-options.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { accessibleName } from '../../../ui/buttons/accessible-name.ts'
import styles from './queue.module.css'
import { useDropEntry } from './use-drop-entry.ts'

type Changes = Partial<Omit<QueueEntry, 'id'>>

type Named = (button: string) => ReturnType<typeof accessibleName>

interface QueueEntryProps {
  entry: QueueEntry
  /** Changes the entry and starts a sync. */
  onChange: (changes: Changes) => void
  onCompare: () => void
}

/** Returns the label of an entry: the remark or first line of its text, or else its target. */
function useSubject(entry: QueueEntry): string {
  const { t } = useT()
  const text = textOf(entry)
  if (text) return text.remark || (text.content.trim().split('\n')[0] ?? '')
  if (entry.type === 'batch_delete_pastes') return t('queue.texts', { count: entry.subjects.length })
  if (entry.type === 'update_settings') return ''
  return entry.subjects.map((subject) => subject.replace(/^\w+:/, '')).join(', ')
}

/** Whether the password cannot be decrypted. Every attempt would then fail. */
const isSecretLost = ({ status, failure }: QueueEntry) => status === 'failed' && failure?.code === SECRET_LOST

/** Returns the state of an entry as text. */
function useStateWords(entry: QueueEntry): string {
  const { t } = useT()
  const { status, conflict, failure } = entry
  if (status === 'conflict' && conflict) return t(`queue.conflict.${conflict}`)
  if (status === 'failed' && failure?.status === 0) return t('queue.status.unreachable')
  if (isSecretLost(entry)) return t('queue.status.secretLost')
  const words = t(`queue.status.${status}`)
  return status === 'failed' && failure?.message ? `${words}: ${failure.message}` : words
}

export function QueueEntryRow({ entry, onChange, onCompare }: QueueEntryProps) {
  const { t, language } = useT()
  const id = useId()
  const named: Named = (button) => accessibleName(`${id}${button}`, `${id}type ${id}what ${id}time`)
  const [isTextShown, setTextShown] = useState(false)
  const [isDropping, setDropping] = useState(false)
  const dropEntry = useDropEntry()
  const subject = useSubject(entry)
  const state = useStateWords(entry)
  const text = textOf(entry)
  const time = formatDateTime(entry.timestamp, language)
  const isStuck = entry.status === 'conflict' || entry.status === 'failed' || entry.status === 'login'
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <h2 id={`${id}type`} className={styles.type}>
          {t(`queue.type.${entry.type}`)}
        </h2>
        <span id={`${id}what`} className={styles.what} title={subject}>
          {subject}
        </span>
        <time id={`${id}time`} className={styles.time} title={t('queue.askedAt', { time })}>
          {time}
        </time>
      </div>
      <p className={styles.state} data-stuck={isStuck || undefined}>
        {isStuck && <IconAlertTriangle size={16} aria-hidden />}
        {state}
      </p>
      {isTextShown && text && <pre className={styles.text}>{text.content}</pre>}
      <div className={styles.actions}>
        <Choices entry={entry} named={named} onChange={onChange} onCompare={onCompare} />
        {text && (
          <Button
            {...named('text')}
            size="compact-md"
            variant="subtle"
            color="gray"
            aria-expanded={isTextShown}
            onClick={() => setTextShown(!isTextShown)}
          >
            {t('queue.showText')}
          </Button>
        )}
        <Button
          {...named('drop')}
          size="compact-md"
          variant="subtle"
          color="gray"
          onClick={() => setDropping(true)}
        >
          {t('queue.drop')}
        </Button>
      </div>
      {isDropping && (
        <ConfirmDialog
          title={t('queue.dropTitle')}
          cancelLabel={t('common.cancel')}
          confirmLabel={t('queue.drop')}
          isDangerous
          onCancel={() => setDropping(false)}
          onConfirm={() => dropEntry(entry)}
        >
          <p className={formStyles.text}>{t(text ? 'queue.dropKeeps' : 'queue.dropText')}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

/** Actions for an entry that needs a decision by the user. */
function Choices({ entry, named, onChange, onCompare }: QueueEntryProps & { named: Named }): ReactNode {
  const { t } = useT()
  // A protected text cannot become a new share, because it would have no password. When the user discards the entry,
  // the text becomes a draft.
  const asNew = entry.isProtected ? null : (
    <Button
      {...named('new')}
      size="compact-md"
      variant="default"
      onClick={() => onChange(asNewText(entry, randomId()))}
    >
      {t('queue.asNew')}
    </Button>
  )
  if (entry.status === 'login')
    return (
      <Button
        {...named('login')}
        size="compact-md"
        renderRoot={(props) => <Link to="/admin" search={{ from: '/offline' }} {...props} />}
      >
        {t('queue.logIn')}
      </Button>
    )
  if (isSecretLost(entry)) return null
  if (entry.status === 'failed')
    return (
      <Button
        {...named('again')}
        size="compact-md"
        variant="default"
        onClick={() => onChange(again(entry, randomId()))}
      >
        {t('queue.retry')}
      </Button>
    )
  switch (entry.conflict) {
    case 'changed':
      return (
        <>
          <Button {...named('compare')} size="compact-md" onClick={onCompare}>
            {t('queue.compare')}
          </Button>
          {asNew}
        </>
      )
    case 'gone':
      return asNew
    case 'overdue':
      return (
        <Button
          {...named('now')}
          size="compact-md"
          onClick={() => onChange(fromNowOn(entry, randomId(), Date.now()))}
        >
          {t('queue.fromNowOn')}
        </Button>
      )
    case 'slug_taken':
      return <SuffixForm entry={entry} onChange={onChange} />
    case null:
      return null
  }
}

function SuffixForm({ entry, onChange }: Pick<QueueEntryProps, 'entry' | 'onChange'>) {
  const { t } = useT()
  const [suffix, setSuffix] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const problem = suffix === '' ? null : slugProblem(suffix)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem !== null) field.current?.focus()
    else if (suffix !== '') onChange(underSuffix(entry, suffix.trim(), randomId()))
  }
  return (
    <form className={styles.actions} onSubmit={submit} noValidate>
      <TextInput
        ref={field}
        className={styles.suffix ?? ''}
        label={t('queue.suffix')}
        value={suffix}
        maxLength={50}
        error={problem ? t(`common.slug.${problem}`) : undefined}
        onChange={(event) => setSuffix(event.currentTarget.value)}
      />
      <Button type="submit" size="compact-md" disabled={suffix === ''}>
        {t('queue.useSuffix')}
      </Button>
      <Button
        size="compact-md"
        variant="default"
        onClick={() => onChange(underSuffix(entry, null, randomId()))}
      >
        {t('queue.randomSuffix')}
      </Button>
    </form>
  )
}
