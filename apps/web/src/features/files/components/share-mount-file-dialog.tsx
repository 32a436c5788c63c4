import { fsShareRoutes } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../domains/api/api-client.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { openingBody } from '../../../domains/api/opening-body.ts'
import {
  areOptionsValid,
  NO_OPTIONS,
  openingOf,
  parseMaxViews,
  type ShareOptions,
} from '../../../domains/shares/share-options.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { QrCode } from '../../../ui/dialogs/qr-code.tsx'
import { ShareOptionFields } from '../../../domains/shares/fields/share-fields.tsx'
import { afterFileShareChange } from '../api/files.queries.ts'
import { fileShareUrl } from '../../../domains/transfers/uploads/file-share-url.ts'
import styles from './file-view.module.css'

interface ShareMountFileDialogProps {
  path: string
  name: string
  onClose: () => void
}

/** Shares a file of a mount without copying it, and shows the link. */
export function ShareMountFileDialog({ path, name, onClose }: ShareMountFileDialogProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [options, setOptions] = useState<ShareOptions>(NO_OPTIONS)
  const sharing = useMutation({
    mutationFn: () =>
      api(fsShareRoutes.share, {
        body: {
          path,
          slug: options.slug.trim(),
          remark: options.remark,
          password: options.password,
          expires_in: options.expiryHours,
          max_views: parseMaxViews(options.maxViews),
          ...openingBody({ opening: openingOf(options), pin: options.pin }),
        },
      }),
    onSuccess: () => afterFileShareChange(queryClient),
  })
  const slug = sharing.data?.data.slug ?? knownSlug(sharing.error)
  if (slug !== null) {
    return <LinkDialog name={name} slug={slug} isOld={sharing.isError} onClose={onClose} />
  }
  const isSlugTaken = hasCode(sharing.error, 'file.slug_taken')
  return (
    <FormDialog
      title={t('files.shareHere.title', { name })}
      submitLabel={t('files.shareHere.submit')}
      isWrong={!areOptionsValid(options)}
      isBusy={sharing.isPending}
      failure={isSlugTaken ? null : sharing.error}
      onSubmit={() => areOptionsValid(options) && sharing.mutate()}
      onClose={onClose}
    >
      <p className={styles.question}>{t('files.shareHere.hint')}</p>
      <ShareOptionFields
        options={options}
        remarkHint={t('files.upload.remarkHint')}
        slugError={isSlugTaken ? errorText(sharing.error) : null}
        onChange={setOptions}
      />
    </FormDialog>
  )
}

/** Returns the link suffix of an existing share of the file, if the server has sent it. */
function knownSlug(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'file.already_shared') return null
  return error.details.find((detail) => detail.path === 'slug')?.message ?? null
}

interface LinkDialogProps {
  name: string
  slug: string
  /** Whether the share already existed. */
  isOld: boolean
  onClose: () => void
}

function LinkDialog({ name, slug, isOld, onClose }: LinkDialogProps) {
  const { t } = useT()
  const link = fileShareUrl(slug)
  return (
    <Dialog
      title={t(isOld ? 'files.shareHere.oldTitle' : 'files.shareHere.doneTitle', { name })}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      {isOld && <Banner tone="info">{t('files.shareHere.oldHint')}</Banner>}
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
