import type { ReferenceMode } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bundleAddress } from '../../../domains/bundles/bundle-address.ts'
import { BundleCalls, bundleOptionsOf } from '../../../domains/bundles/bundle-calls.ts'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { ShareOptionFields } from '../../../domains/shares/fields/share-fields.tsx'
import { areOptionsValid, NO_OPTIONS, type ShareOptions } from '../../../domains/shares/share-options.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { QrCode } from '../../../ui/dialogs/qr-code.tsx'
import { RadioField } from '../../../ui/forms/radio-field.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { itemsOfPlaces, type SharedPlace } from '../models/place-items.ts'
import styles from './share-places-dialog.module.css'

const NAMES_MAX = 5

interface SharePlacesDialogProps {
  places: readonly SharedPlace[]
  onClose: () => void
}

/** Shares files and folders of mounts with one link, without copying them. */
export function SharePlacesDialog({ places, onClose }: SharePlacesDialogProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [calls] = useState(() => new BundleCalls())
  const [options, setOptions] = useState<ShareOptions>(NO_OPTIONS)
  const [mode, setMode] = useState<ReferenceMode>('follow')
  const { items, renamed } = itemsOfPlaces(places, mode)
  const [only] = places
  const isOne = places.length === 1 && only !== undefined
  const sharing = useMutation({
    mutationFn: async () => {
      const sent = bundleOptionsOf(options)
      if (!sent) return null
      await calls.ensure(sent)
      return calls.publish({
        title: options.remark.trim() || (isOne ? (items[0]?.path ?? null) : null),
        items,
      })
    },
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['shares'] }),
  })
  const leave = () => {
    // If the request fails, the sweep of the server deletes the draft later.
    calls.discard().catch(() => undefined)
    onClose()
  }
  if (sharing.data) return <LinkDialog places={places} slug={sharing.data.slug} onClose={onClose} />
  const isSlugTaken = hasCode(sharing.error, 'bundle.slug_taken')
  return (
    <FormDialog
      title={
        isOne
          ? t('bundling.places.title', { name: only.name })
          : t('bundling.places.titleMany', { count: places.length })
      }
      submitLabel={t('files.shareHere.submit')}
      isWrong={!areOptionsValid(options)}
      isBusy={sharing.isPending}
      failure={isSlugTaken ? null : sharing.error}
      onSubmit={() => areOptionsValid(options) && sharing.mutate()}
      onClose={leave}
    >
      <Explanation places={places} />
      {places.some(({ isFolder }) => !isFolder) && (
        <RadioField<ReferenceMode>
          label={t('bundling.places.mode')}
          value={mode}
          options={[
            { value: 'follow', label: t('bundling.places.follow'), hint: t('bundling.places.followHint') },
            { value: 'pin', label: t('bundling.places.pin'), hint: t('bundling.places.pinHint') },
          ]}
          onChange={setMode}
        />
      )}
      {renamed.length > 0 && (
        <div className={styles.text}>
          {t('bundling.places.renamed', { count: renamed.length })}
          <ul className={styles.names}>
            {renamed.slice(0, NAMES_MAX).map(({ from, to }) => (
              <li key={to}>
                <DisplayName name={t('bundling.places.renamedOne', { from, to })} />
              </li>
            ))}
            {renamed.length > NAMES_MAX && (
              <li>{t('tasks.moreFiles', { count: renamed.length - NAMES_MAX })}</li>
            )}
          </ul>
        </div>
      )}
      <ShareOptionFields
        options={options}
        remarkLabel={t('bundling.places.name')}
        remarkHint={t('bundling.places.remarkHint')}
        slugError={isSlugTaken ? errorText(sharing.error) : null}
        onChange={setOptions}
      />
    </FormDialog>
  )
}

/** Explains what readers see, and which later changes they see. */
function Explanation({ places }: Pick<SharePlacesDialogProps, 'places'>) {
  const { t } = useT()
  const [only] = places
  const hasFolder = places.some(({ isFolder }) => isFolder)
  const seen = () => {
    if (!hasFolder) return t('bundling.places.files', { count: places.length })
    if (places.length === 1) return t('bundling.places.folder', { name: only?.name ?? '' })
    return t('bundling.places.folderAndFiles')
  }
  return (
    <div className={styles.text}>
      <p>{seen()}</p>
      {hasFolder && <p>{t('bundling.places.live')}</p>}
      <p>{t('bundling.places.stays')}</p>
    </div>
  )
}

interface LinkDialogProps extends SharePlacesDialogProps {
  slug: string
}

function LinkDialog({ places, slug, onClose }: LinkDialogProps) {
  const { t } = useT()
  const [only] = places
  const isOne = places.length === 1 && only !== undefined
  const link = bundleAddress(slug)
  return (
    <Dialog
      title={
        isOne
          ? t('bundling.places.done', { name: only.name })
          : t('bundling.places.doneMany', { count: places.length })
      }
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <div className={styles.link}>
        <a href={link} target="_blank" rel="noopener">
          {link}
        </a>
        <CopyButton text={link} label={t('files.copyLink')} />
      </div>
      <QrCode text={link} />
    </Dialog>
  )
}
