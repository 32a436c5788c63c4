import type { OpeningKind } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconHandClick } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Failure } from '../../session/components/failure.tsx'
import { useSession } from '../../session/session.ts'
import { askForLimited } from '../opening/owner.api.ts'
import styles from './share-table.module.css'

/**
 * Makes all shares of a kind with a view limit require confirmation. An API key changes only its own shares; an
 * administrator changes those of all users.
 */
export function AskLimited({ kind, onChanged }: { kind: OpeningKind; onChanged: () => void }) {
  const { t } = useT()
  const isAdmin = useSession().kind === 'admin'
  const [isOpen, setOpen] = useState(false)
  const asking = useMutation({
    mutationFn: () => askForLimited(kind),
    onSuccess: (count) => {
      notify('success', t('shares.opening.limitedDone', { count }))
      setOpen(false)
      onChanged()
    },
  })
  return (
    <>
      <Button
        className={styles.wrapping ?? ''}
        variant="default"
        leftSection={<IconHandClick size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('shares.opening.limited')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t('shares.opening.limitedTitle')}
          cancelLabel={t('common.cancel')}
          confirmLabel={t('common.opening.ask')}
          isBusy={asking.isPending}
          onCancel={() => setOpen(false)}
          onConfirm={() => asking.mutate()}
        >
          <p>{t(isAdmin ? 'shares.opening.limitedEveryone' : 'shares.opening.limitedOwn')}</p>
          <p>{t('shares.opening.limitedText')}</p>
          {asking.isError && <Failure error={asking.error} />}
        </ConfirmDialog>
      )}
    </>
  )
}
