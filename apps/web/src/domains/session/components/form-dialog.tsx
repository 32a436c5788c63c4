import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { useWork } from '../use-work.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { Failure } from './failure.tsx'
import { UnsavedDialog } from '../../../ui/dialogs/unsaved-dialog.tsx'
import { useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'

interface FormDialogProps {
  title: string
  submitLabel: string
  /** Whether the form cannot be submitted. */
  isDisabled?: boolean
  /** Whether a field is invalid. Submitting the form is still possible and marks the invalid field. */
  isWrong?: boolean
  /** Whether values differ from the stored ones. If absent, the form counts as changed when any field was changed. */
  isChanged?: boolean
  /** Whether a save is in progress. */
  isBusy: boolean
  /** Error of a save that is not shown at a field, or `null`. */
  failure: unknown
  isWide?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Lets the browser ask for confirmation before it closes a tab with changes. */
function useAskedByBrowser(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])
}

/**
 * A dialog with a form. Keeps the values until they are saved or discarded. Asks for confirmation before it closes a
 * changed form.
 */
export function FormDialog(props: FormDialogProps) {
  const { t } = useT()
  const formId = useId()
  const [wasTouched, setTouched] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { isWrong = false, isChanged = wasTouched } = props
  const wrong = useWrongFields(formId, isWrong)
  useWork()
  useAskedByBrowser(isChanged)
  const leave = () => (isChanged ? setAsking(true) : props.onClose())
  return (
    <Dialog
      title={props.title}
      isWide={props.isWide ?? false}
      onClose={leave}
      actions={
        <>
          <Button variant="default" onClick={leave}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={formId} loading={props.isBusy} disabled={props.isDisabled ?? false}>
            {props.submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={formStyles.fields}
        noValidate
        onChange={() => setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault()
          if (isWrong) wrong.refuse()
          props.onSubmit()
        }}
      >
        {props.children}
        <WrongFieldsBanner refusals={wrong.refusals} />
        {props.failure !== null && <Failure error={props.failure} />}
      </form>
      {isAsking && <UnsavedDialog onStay={() => setAsking(false)} onLeave={props.onClose} />}
    </Dialog>
  )
}
