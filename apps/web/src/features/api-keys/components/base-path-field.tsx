import { Button, TextInput } from '@mantine/core'
import { IconFolderSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { TextField } from '../../../ui/forms/live-form.ts'
import styles from './api-keys.module.css'

/** Renders a folder picker. */
export type RenderFolders = (choice: {
  readonly chosen: string
  readonly onChoose: (path: string) => void
}) => ReactNode

interface BasePathFieldProps {
  field: TextField
  renderFolders: RenderFolders
}

/** Field for the base path of an API key, which can be typed or picked. */
export function BasePathField({ field, renderFolders }: BasePathFieldProps) {
  const { t } = useT()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className={styles.path}>
      <TextInput
        label={t('keys.basePath')}
        description={t('keys.basePathHint')}
        spellCheck={false}
        autoComplete="off"
        {...field}
      />
      <Button
        variant="default"
        leftSection={<IconFolderSearch size={18} aria-hidden />}
        onClick={() => setChoosing(true)}
      >
        {t('keys.choosePath')}
      </Button>
      {isChoosing && (
        <PathDialog
          start={field.value}
          renderFolders={renderFolders}
          onChosen={(path) => {
            field.onChange(path)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

interface PathDialogProps {
  start: string
  renderFolders: RenderFolders
  onChosen: (path: string) => void
  onClose: () => void
}

function PathDialog({ start, renderFolders, onChosen, onClose }: PathDialogProps) {
  const { t } = useT()
  const [path, setPath] = useState(start.startsWith('/') ? start : '/')
  return (
    <Dialog
      title={t('keys.choosePathTitle')}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button onClick={() => onChosen(path)}>{t('keys.usePath', { path })}</Button>
        </>
      }
    >
      <div className={styles.folders}>{renderFolders({ chosen: path, onChoose: setPath })}</div>
    </Dialog>
  )
}
