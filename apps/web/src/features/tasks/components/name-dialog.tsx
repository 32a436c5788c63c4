import { Button } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { type NameQuestion, useNameQuestion } from '../../../domains/transfers/uploads/name-question.ts'
import { type NameConflict, numberedName } from '../../../domains/transfers/uploads/taken-names.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { RadioField } from '../../../ui/forms/radio-field.tsx'
import styles from './tray.module.css'

const NAMED_MAX = 5
const CHOICES = ['rename', 'skip', 'overwrite'] as const

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Asks once about all files of an upload whose names already exist. */
export function NameDialog() {
  const question = useNameQuestion()
  if (!question) return null
  return <Question key={question.taken.join('\n')} question={question} />
}

function Question({ question }: { question: NameQuestion }) {
  const { t } = useT()
  const [choice, setChoice] = useState<NameConflict>('rename')
  const { taken, directory, answer } = question
  const names = taken.map((path) => path.slice(directory === '/' ? 1 : directory.length + 1))
  const [first = ''] = taken
  const hints = {
    rename: t('tasks.names.renameHint', { name: numberedName(nameOf(first), 1) }),
    skip: t('tasks.names.skipHint'),
    overwrite: t('tasks.names.overwriteHint'),
  }
  return (
    <Dialog
      title={t('tasks.names.title')}
      onClose={() => answer(null)}
      actions={
        <>
          <Button variant="default" onClick={() => answer(null)}>
            {t('common.cancel')}
          </Button>
          <Button {...(choice === 'overwrite' && { color: 'red' })} onClick={() => answer(choice)}>
            {t('tasks.names.confirm')}
          </Button>
        </>
      }
    >
      {taken.length === 1 ? (
        <p>{t('tasks.names.one', { folder: directory, name: names[0] })}</p>
      ) : (
        <>
          <p>{t('tasks.names.many', { folder: directory, count: taken.length })}</p>
          <ul className={styles.taken}>
            {names.slice(0, NAMED_MAX).map((name) => (
              <li key={name}>{name}</li>
            ))}
            {names.length > NAMED_MAX && (
              <li>{t('tasks.names.more', { count: names.length - NAMED_MAX })}</li>
            )}
          </ul>
        </>
      )}
      <RadioField
        label={t('tasks.names.ask')}
        value={choice}
        options={CHOICES.map((value) => ({ value, label: t(`tasks.names.${value}`), hint: hints[value] }))}
        onChange={setChoice}
      />
    </Dialog>
  )
}
