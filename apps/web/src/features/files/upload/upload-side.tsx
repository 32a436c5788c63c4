import { Button } from '@mantine/core'
import { type Ref, useId } from 'react'
import type { BundleSnapshot } from '../../../domains/bundles/bundle-snapshot.ts'
import { hasHalted } from '../../../domains/bundles/bundle-snapshot.ts'
import { SealSwitch } from '../../../domains/sealed/policy/seal-switch.tsx'
import { SealingNotice } from '../../../domains/sealed/policy/sealing-notice.tsx'
import type { SealingChoice } from '../../../domains/sealed/policy/use-sealing.ts'
import { OptionsFold } from '../../../domains/shares/fields/options-fold.tsx'
import { setOptionsOpen, useOptionsOpen } from '../../../domains/shares/fields/options-open.ts'
import { rowStatusOf } from '../../../domains/transfers/rows/row-status.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { type useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'
import { cancelBundles } from './start-bundle.ts'
import { StoragesFailed } from '../components/storages-failed.tsx'
import { UploadOptionsFields } from '../components/upload-options.tsx'
import styles from '../components/upload.module.css'
import { keysOf, type Waiting } from './use-start.ts'
import type { UploadForm } from '../components/use-upload-form.ts'

interface UploadSideProps {
  ref: Ref<HTMLFormElement>
  id: string
  form: UploadForm
  linkCount: number
  wrong: ReturnType<typeof useWrongFields>
  waiting: Waiting
  entries: readonly UploadEntry[]
  bundles: readonly BundleSnapshot[]
  sealing: SealingChoice
  onSubmit: () => void
}

/** Shows the button that starts the uploads, and the options of the shares in one line, which unfolds them. */
export function UploadSide({ ref, id, form, linkCount, wrong, sealing, onSubmit, ...rest }: UploadSideProps) {
  const { t } = useT()
  const fieldsId = useId()
  const refused = rest.bundles.find(({ error }) => hasCode(error, 'bundle.slug_taken'))
  // A field with an error must be visible.
  const isOpen = useOptionsOpen() || wrong.isRefused || refused !== undefined
  return (
    <form
      ref={ref}
      id={id}
      className={styles.side}
      tabIndex={-1}
      aria-label={t('files.upload.options')}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <StoragesFailed />
      {sealing.isBlocked && <SealingNotice />}
      <SubmitButton {...rest} isAllowed={form.configId !== null && !sealing.isBlocked} />
      <WrongFieldsBanner refusals={wrong.refusals} />
      <OptionsFold
        options={form.options}
        isSealed={sealing.isOn}
        isOpen={isOpen}
        controls={fieldsId}
        onToggle={() => setOptionsOpen(!isOpen)}
      />
      {isOpen && (
        <div id={fieldsId} className={styles.fields}>
          <UploadOptionsFields
            form={form}
            linkCount={linkCount}
            isOne={rest.waiting.isOne}
            isRefused={wrong.isRefused}
            isSealed={sealing.isOn}
            slugError={refused ? errorText(refused.error) : null}
          />
          <SealSwitch sealing={sealing} />
        </div>
      )}
    </form>
  )
}

interface SubmitButtonProps extends Pick<UploadSideProps, 'waiting' | 'entries' | 'bundles'> {
  isAllowed: boolean
}

function SubmitButton({ waiting, entries, bundles, isAllowed }: SubmitButtonProps) {
  const { t } = useT()
  const { ready, failed, stuck } = waiting
  const isOnlyRetry = failed.length + stuck.length > 0 && ready.length === 0
  const running = entries.filter((entry) => rowStatusOf(entry) === 'uploading')
  const making = bundles.filter((bundle) => !hasHalted(bundle))
  const isRunning = running.length + making.length > 0
  const isWaiting = ready.length + failed.length + stuck.length > 0
  return (
    <div
      className={styles.submit}
      data-waiting={isWaiting || isRunning || undefined}
      {...focusItem('submit')}
    >
      {(isWaiting || !isRunning) && (
        <Button type="submit" fullWidth disabled={!isWaiting || !isAllowed}>
          {isOnlyRetry ? t('files.upload.startAgain') : t('files.upload.start')}
        </Button>
      )}
      {isRunning && (
        <Button
          variant="default"
          fullWidth
          onClick={() => {
            uploads.cancel(keysOf(running))
            cancelBundles(making)
          }}
        >
          {t('files.upload.cancelAll')}
        </Button>
      )}
    </div>
  )
}
