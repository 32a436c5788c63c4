import type { FileListItem } from '@dropleaf/contract'
import {
  IconFileSymlink,
  IconExternalLink,
  IconInfoCircle,
  IconLink,
  IconPencil,
  IconQrcode,
  IconRotate2,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { useArming } from '../../../domains/shares/opening/use-arming.ts'
import { isArmable, openingFactsOf } from '../../../domains/shares/table/opening-facts.tsx'
import { ShareMenu } from '../../../domains/shares/table/share-menu.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { fileShareUrl } from '../../../domains/transfers/uploads/file-share-url.ts'
import { directUrl } from '../api/files.api.ts'
import { EditFileDialog } from './edit-file-dialog.tsx'
import { FileDetailsDialog } from './file-details-dialog.tsx'
import { hrefOf } from '../../../lib/browser/base-path.ts'

interface FileActionsProps {
  file: FileListItem
  onChanged: () => void
  onDelete: () => void
}

export function FileActions({ file, onChanged, onDelete }: FileActionsProps) {
  const { t } = useT()
  const { copy } = useCopy()
  const [dialog, setDialog] = useState<'details' | 'edit' | 'qr' | null>(null)
  const close = () => setDialog(null)
  const copyAnd = (text: string) => copy(text, t('shares.actions.copied'))
  const { slug, filename: name } = file
  const opening = openingFactsOf(file)
  const arm = useArming('file', onChanged)
  const link = {
    label: t('shares.actions.copyLink'),
    Icon: IconLink,
    action: () => void copyAnd(fileShareUrl(slug)),
  }
  const direct = {
    label: t('shares.actions.copyDirect'),
    Icon: IconFileSymlink,
    action: () => void copyAnd(directUrl(slug)),
  }
  return (
    <>
      <ToolButton
        label={t('shares.actions.preview', { name })}
        icon={<IconInfoCircle size={20} aria-hidden />}
        onClick={() => setDialog('details')}
      />
      <ToolButton
        label={t('shares.actions.edit', { name })}
        icon={<IconPencil size={20} aria-hidden />}
        onClick={() => setDialog('edit')}
      />
      <ShareMenu
        label={t('shares.actions.of', { name })}
        items={[
          link,
          // A direct link cannot ask for a password or for confirmation.
          ...(file.has_password || opening.asks ? [] : [direct]),
          { label: t('shares.actions.qr'), Icon: IconQrcode, action: () => setDialog('qr') },
          { label: t('shares.actions.open'), Icon: IconExternalLink, action: hrefOf(paths.file(slug)) },
          ...(isArmable(opening)
            ? [{ label: t('shares.opening.arm'), Icon: IconRotate2, action: () => void arm(file.id) }]
            : []),
          { label: t('shares.actions.delete'), Icon: IconTrash, action: onDelete, isDangerous: true },
        ]}
      />
      {dialog === 'details' && <FileDetailsDialog file={file} onClose={close} />}
      {dialog === 'edit' && <EditFileDialog id={file.id} onSaved={onChanged} onClose={close} />}
      {dialog === 'qr' && <QrDialog url={fileShareUrl(slug)} onClose={close} />}
    </>
  )
}
