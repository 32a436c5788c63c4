import type { ListedShare, OpeningKind, ShareKind } from '@dropleaf/contract'
import {
  IconExternalLink,
  IconKey,
  IconLink,
  IconPencil,
  IconQrcode,
  IconRotate2,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { useArming } from '../../../domains/shares/opening/use-arming.ts'
import { isArmable, openingFactsOf } from '../../../domains/shares/table/opening-facts.tsx'
import { ShareMenu, type ShareMenuItem } from '../../../domains/shares/table/share-menu.tsx'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { msUntil } from '../../../lib/format.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { goOnHere } from '../../../ui/focus/focus.ts'
import { addressOf } from './share-link.ts'
import { useLinked } from './use-linked.ts'

const OPENING_KIND: Readonly<Record<ShareKind, OpeningKind>> = {
  text: 'paste',
  file: 'file',
  bundle: 'bundle',
}

interface ShareActionsProps {
  share: ListedShare
  /** Whether the user has just closed the editor of this share. */
  wasEdited: boolean
  onEdit: () => void
  onDelete: () => void
  /** Called after the share was reset. */
  onChanged: () => void
}

/** Returns menu items that copy the link of an encrypted share and its key separately. */
function useSealedItems(share: ListedShare, linkKey: string | null): readonly ShareMenuItem[] {
  const { t } = useT()
  const { copy } = useCopy()
  if (linkKey === null) return []
  return [
    {
      label: t('sealing.copyBare'),
      Icon: IconLink,
      action: () => void copy(addressOf(share), t('sealing.bareCopied')),
    },
    {
      label: t('sealing.copyKey'),
      Icon: IconKey,
      action: () => void copy(linkKey, t('sealing.keyCopied')),
    },
  ]
}

const isOver = ({ expires_at: expiresAt, views, max_views: maxViews }: ListedShare) =>
  (expiresAt !== null && msUntil(expiresAt) <= 0) || (maxViews !== null && views >= maxViews)

/** Actions for a share of any kind. An expired or used-up text cannot be edited. */
export function ShareActions({ share, wasEdited, onEdit, onDelete, onChanged }: ShareActionsProps) {
  const { t } = useT()
  const { copy } = useCopy()
  const [isQrShown, setQrShown] = useState(false)
  const arm = useArming(OPENING_KIND[share.kind], onChanged)
  const linked = useLinked(share)
  const name = showInvisible(linked.name)
  const { address, path, linkKey } = linked
  const sealedItems = useSealedItems(share, linkKey)
  const isBare = share.sealed !== null && linkKey === null
  return (
    <>
      <ToolButton
        label={t('shares.actions.copyLinkOf', { slug: share.slug })}
        icon={<IconLink size={20} aria-hidden />}
        onClick={() => void copy(address, t(isBare ? 'sealing.bareCopied' : 'shares.actions.copied'))}
      />
      {!(share.kind === 'text' && isOver(share)) && (
        <ToolButton
          ref={wasEdited ? goOnHere : undefined}
          label={t('shares.actions.edit', { name })}
          icon={<IconPencil size={20} aria-hidden />}
          onClick={onEdit}
        />
      )}
      <ShareMenu
        label={t('shares.actions.of', { name })}
        items={[
          { label: t('shares.actions.qr'), Icon: IconQrcode, action: () => setQrShown(true) },
          { label: t('shares.actions.open'), Icon: IconExternalLink, action: hrefOf(path) },
          ...sealedItems,
          ...(isArmable(openingFactsOf(share))
            ? [{ label: t('shares.opening.arm'), Icon: IconRotate2, action: () => void arm(share.id) }]
            : []),
          { label: t('shares.actions.delete'), Icon: IconTrash, action: onDelete, isDangerous: true },
        ]}
      />
      {isQrShown && <QrDialog url={address} onClose={() => setQrShown(false)} />}
    </>
  )
}
