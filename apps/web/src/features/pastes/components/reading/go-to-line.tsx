import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { formatNumber } from '../../../../lib/format.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { focusOnMount } from '../../../../ui/focus/focus.ts'
import { type LineRange, parseLines } from '../../../../ui/text-lines/line-range.ts'
import formStyles from '../../../../ui/forms/form.module.css'
import { useFieldError } from '../../../../ui/forms/use-field-error.tsx'

interface GoToLineProps {
  lineCount: number
  onGo: (range: LineRange) => void
  onClose: () => void
}

/** Parses line numbers in the forms of a URL fragment, with or without `L`. */
function findLines(typed: string, lineCount: number): LineRange | null {
  const numbers = typed.replaceAll(/[\sL#]/gi, '').replace(/[–—]/, '-')
  const range = parseLines(`#L${numbers}`)
  if (!range || range.first > lineCount) return null
  return { first: range.first, last: Math.min(range.last, lineCount) }
}

export function GoToLine({ lineCount, onGo, onClose }: GoToLineProps) {
  const { t, language } = useT()
  const [typed, setTyped] = useState('')
  const { field, said, refuse, clear } = useFieldError()
  useEffect(() => focusOnMount(field.current), [field])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const range = findLines(typed, lineCount)
    if (range) onGo(range)
    else refuse(t('textView.noSuchLine', { count: formatNumber(lineCount, language) }))
  }
  return (
    <Dialog title={t('textView.goToLine')} onClose={onClose}>
      <form className={formStyles.fields} noValidate onSubmit={submit}>
        <TextInput
          ref={field}
          label={t('textView.goToLineHint')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={24}
          value={typed}
          {...said}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            clear()
          }}
        />
        <div className={formStyles.row}>
          <Button type="submit">{t('textView.go')}</Button>
        </div>
      </form>
    </Dialog>
  )
}
