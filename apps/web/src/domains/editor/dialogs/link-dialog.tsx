import { Button, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { useFieldError } from '../../../ui/forms/use-field-error.tsx'
import styles from './dialogs.module.css'

interface LinkDialogProps {
  kind: 'link' | 'image'
  selected: string
  onInsert: (link: { address: string; text: string }) => void
  onClose: () => void
  /** Uploads the chosen files; `null` if the user is not allowed to upload. */
  onFiles: ((files: readonly File[]) => void) | null
}

const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|\/|#)\S+$/i
/** Adds `https://` to a URL such as `example.com/page`. */
const complete = (address: string) =>
  /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(address) ? `https://${address}` : address

export default function LinkDialog({ kind, selected, onInsert, onClose, onFiles }: LinkDialogProps) {
  const { t } = useT()
  const isAddress = ADDRESS.test(selected.trim())
  const [text, setText] = useState(isAddress ? '' : selected.replaceAll(/\s+/g, ' ').trim())
  const [address, setAddress] = useState(isAddress ? selected.trim() : '')
  const { field, said, refuse, clear } = useFieldError()
  const [isLeft, setLeft] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const whole = complete(address.trim())
  const isWrong = !ADDRESS.test(whole)
  const insert = () => {
    if (isWrong) refuse(t('editor.link.wrong'))
    else onInsert({ address: whole, text: text.trim() || (kind === 'link' ? whole : '') })
  }
  return (
    <Dialog
      title={t(kind === 'link' ? 'editor.link.title' : 'editor.image.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button onClick={insert}>{t('editor.insert')}</Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          insert()
        }}
      >
        <TextInput
          ref={field}
          label={t('editor.link.address')}
          placeholder="https://"
          inputMode="url"
          value={address}
          {...said}
          error={said.error ?? (isLeft && isWrong ? t('editor.link.wrong') : null)}
          onChange={(event) => {
            setAddress(event.currentTarget.value)
            clear()
          }}
          onBlur={() => setLeft(address !== '')}
        />
        <TextInput
          label={t(kind === 'link' ? 'editor.link.text' : 'editor.image.text')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {onFiles && (
          <div>
            <Button variant="light" onClick={() => picker.current?.click()}>
              {t('editor.image.upload')}
            </Button>
            <input
              ref={picker}
              type="file"
              hidden
              multiple
              accept={kind === 'image' ? 'image/*' : undefined}
              aria-label={t('editor.image.upload')}
              onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
            />
          </div>
        )}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
