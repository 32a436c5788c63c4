import type { ReactNode } from 'react'
import type { KeptKey } from '../../domains/sealed/keys/key-store.ts'
import { useT } from '../../i18n/use-translation.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'

const NAMES_MAX = 10

export interface KeyLossQuestion {
  readonly keys: readonly Pick<KeptKey, 'bundleId' | 'name'>[]
  readonly answer: (isSure: boolean) => void
}

/** Lists the encrypted shares whose keys the logout deletes from this browser. */
export function KeyLossDialog({ keys, answer }: KeyLossQuestion): ReactNode {
  const { t } = useT()
  const hidden = keys.length - NAMES_MAX
  return (
    <ConfirmDialog
      title={t('sealing.logout.title')}
      cancelLabel={t('common.cancel')}
      confirmLabel={t('sealing.logout.confirm')}
      isDangerous
      onCancel={() => answer(false)}
      onConfirm={() => answer(true)}
    >
      <p>{t('sealing.logout.text', { count: keys.length })}</p>
      <ul>
        {keys.slice(0, NAMES_MAX).map(({ bundleId, name }) => (
          <li key={bundleId}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {hidden > 0 && <li>{t('common.andMore', { count: hidden })}</li>}
      </ul>
    </ConfirmDialog>
  )
}
