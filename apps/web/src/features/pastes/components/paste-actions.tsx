import {
  IconClipboardText,
  IconExternalLink,
  IconEye,
  IconLink,
  IconPencil,
  IconQrcode,
  IconRotate2,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { msUntil } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { goOnHere } from '../../../ui/focus/focus.ts'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { useArming } from '../../../domains/shares/opening/use-arming.ts'
import { ShareMenu } from '../../../domains/shares/table/share-menu.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import type { ListedPaste } from '../api/manage-pastes.api.ts'
import { readOwnPaste } from '../api/pastes.queries.ts'
import { isArmable } from '../../../domains/shares/table/opening-facts.tsx'
import { rawAddress, shareAddress } from '../../../domains/shares/share-address.ts'
import { PreviewPasteDialog } from './preview-paste-dialog.tsx'
import { hrefOf } from '../../../lib/browser/base-path.ts'

interface PasteActionsProps {
  paste: ListedPaste
  /** Whether the user has just closed the editor of this text. */
  wasEdited: boolean
  onEdit: () => void
  onDelete: () => void
  /** Called after the share was reset. */
  onChanged: () => void
}

const isOver = ({ expiresAt, views, maxViews }: ListedPaste) =>
  (expiresAt !== null && msUntil(expiresAt) <= 0) || (maxViews !== null && views >= maxViews)

/** Actions for a text. An expired or used-up text cannot be edited. */
export function PasteActions({ paste, wasEdited, onEdit, onDelete, onChanged }: PasteActionsProps) {
  const { t } = useT()
  const { copy } = useCopy()
  const [dialog, setDialog] = useState<'preview' | 'qr' | null>(null)
  const { slug, opening } = paste
  const arm = useArming('paste', onChanged)
  const copyAnd = (text: string) => copy(text, t('shares.actions.copied'))
  /** The link includes the password, because a raw link cannot ask for a password. */
  const copyRaw = async () => {
    try {
      const password = paste.hasPassword ? (await readOwnPaste(paste.id)).plain_password : null
      await copyAnd(rawAddress(slug, password))
    } catch (error) {
      notify('error', errorText(error))
    }
  }
  return (
    <>
      <ToolButton
        label={t('shares.actions.preview', { name: slug })}
        icon={<IconEye size={20} aria-hidden />}
        onClick={() => setDialog('preview')}
      />
      {!isOver(paste) && (
        <ToolButton
          ref={wasEdited ? goOnHere : undefined}
          label={t('shares.actions.edit', { name: slug })}
          icon={<IconPencil size={20} aria-hidden />}
          onClick={onEdit}
        />
      )}
      <ShareMenu
        label={t('shares.actions.of', { name: slug })}
        items={[
          {
            label: t('shares.actions.copyLink'),
            Icon: IconLink,
            action: () => void copyAnd(shareAddress(slug)),
          },
          // The raw link of a share that requires confirmation does not return the text.
          ...(opening.asks
            ? []
            : [
                { label: t('shares.actions.copyRaw'), Icon: IconClipboardText, action: () => void copyRaw() },
              ]),
          { label: t('shares.actions.qr'), Icon: IconQrcode, action: () => setDialog('qr') },
          { label: t('shares.actions.open'), Icon: IconExternalLink, action: hrefOf(paths.paste(slug)) },
          ...(isArmable(opening)
            ? [{ label: t('shares.opening.arm'), Icon: IconRotate2, action: () => void arm(paste.id) }]
            : []),
          { label: t('shares.actions.delete'), Icon: IconTrash, action: onDelete, isDangerous: true },
        ]}
      />
      {dialog === 'preview' && <PreviewPasteDialog paste={paste} onClose={() => setDialog(null)} />}
      {dialog === 'qr' && <QrDialog url={shareAddress(slug)} onClose={() => setDialog(null)} />}
    </>
  )
}
