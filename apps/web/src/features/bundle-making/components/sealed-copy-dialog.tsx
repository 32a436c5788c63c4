import { Button } from '@mantine/core'
import { useState } from 'react'
import { bundleOptionsOf } from '../../../domains/bundles/bundle-calls.ts'
import { findBundle, useBundles } from '../../../domains/bundles/bundle-drafts.ts'
import { BundleRow } from '../../../domains/bundles/rows/bundle-row.tsx'
import { SealedRowLink } from '../../../domains/sealed/link/sealed-links.tsx'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { ShareOptionFields } from '../../../domains/shares/fields/share-fields.tsx'
import { areOptionsValid, NO_OPTIONS, type ShareOptions } from '../../../domains/shares/share-options.ts'
import rows from '../../../domains/transfers/rows/rows.module.css'
import { useT } from '../../../i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { SharedPlace } from '../models/place-items.ts'
import { useSealedCopy } from '../models/use-sealed-copy.ts'
import styles from './share-places-dialog.module.css'

interface SealedCopyDialogProps {
  places: readonly SharedPlace[]
  onClose: () => void
}

/** Downloads files of mounts to this browser, and shares an encrypted copy of them. */
export function SealedCopyDialog({ places, onClose }: SealedCopyDialogProps) {
  const { t } = useT()
  const [options, setOptions] = useState<ShareOptions>(NO_OPTIONS)
  const { copying, loaded, leave } = useSealedCopy(places)
  const isValid = areOptionsValid(options)
  const close = () => {
    leave()
    onClose()
  }
  const start = () => {
    const sent = bundleOptionsOf(options)
    if (sent) copying.mutate({ options: sent, title: options.remark.trim() || null })
  }
  if (copying.data) return <CopyProgress bundleKey={copying.data} onClose={onClose} />
  return (
    <FormDialog
      title={t('sealing.copyDialog.title')}
      submitLabel={t('sealing.copyDialog.start')}
      isWrong={!isValid}
      isBusy={copying.isPending}
      failure={copying.error}
      onSubmit={() => isValid && start()}
      onClose={close}
    >
      <p className={styles.text}>{t('sealing.copyDialog.hint')}</p>
      <output>{loaded !== null && t('sealing.copyDialog.loading', { name: loaded })}</output>
      <ShareOptionFields
        options={options}
        remarkLabel={t('bundling.places.name')}
        remarkHint={t('bundling.places.remarkHint')}
        isSealed
        disabled={copying.isPending}
        onChange={setOptions}
      />
    </FormDialog>
  )
}

/** Shows the progress of the upload, then the link. Closing the dialog does not stop the upload. */
function CopyProgress({ bundleKey, onClose }: { bundleKey: string; onClose: () => void }) {
  const { t } = useT()
  const bundle = useBundles().find(({ key }) => key === bundleKey)
  return (
    <Dialog
      title={t('sealing.copyDialog.title')}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <ul className={rows.list}>
        {bundle && (
          <BundleRow
            bundle={bundle}
            onRetry={() => void findBundle(bundleKey)?.go()}
            SealedLink={SealedRowLink}
          />
        )}
      </ul>
    </Dialog>
  )
}
