import { ActionIcon } from '@mantine/core'
import { IconDownload, IconKey, IconLinkOff, IconShieldLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { DecryptedFiles, ShownBundle } from '../../../../features/bundle-reading/sealed/shown-bundle.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { paths } from '../../../../lib/paths.ts'
import { serverAddress } from '../../../../lib/server-address.ts'
import { useCopy } from '../../../../ui/buttons/copy-button.tsx'
import { Menu } from '../../../../ui/dialogs/menu.tsx'

/** Shows that the bundle is encrypted, with a link to the explanation. */
export function SealedBadge() {
  const { t } = useT()
  return (
    <p className="dl-bundle-badge">
      <IconShieldLock size={16} aria-hidden />
      <span>
        <strong>{t('sealedReading.badge')}</strong> {t('sealedReading.badgeText')}{' '}
        <Link to={paths.encryption}>{t('sealedReading.about')}</Link>
      </span>
    </p>
  )
}

/** Menu of an encrypted bundle: copies the link and its key separately, and saves the bundle without decrypting it. */
export function SealedTools({ bundle, decrypted }: { bundle: ShownBundle; decrypted: DecryptedFiles }) {
  const { t } = useT()
  const { copy } = useCopy()
  const label = t('sealedReading.moreActions')
  const link = serverAddress() + paths.bundle(bundle.slug)
  return (
    <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={40} aria-label={label} title={label}>
          <IconShieldLock size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconLinkOff size={18} aria-hidden />}
          onClick={() => void copy(link, t('sealedReading.withoutKeyCopied'))}
        >
          {t('sealedReading.copyWithoutKey')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKey size={18} aria-hidden />}
          onClick={() => void copy(decrypted.linkKey, t('sealedReading.keyCopied'))}
        >
          {t('sealedReading.copyKey')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => void decrypted.saveEncrypted()}
        >
          {t('sealedReading.saveEncrypted')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
