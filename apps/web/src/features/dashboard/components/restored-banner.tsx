import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { Banner } from '../../../ui/feedback/message.tsx'
import { confirmRestored, dashboardQueries, type DashboardStats } from '../api/dashboard.queries.ts'

/** Explains that a restored server deletes no objects in buckets until an administrator allows this. */
export function RestoredBanner({ restored }: { restored: NonNullable<DashboardStats['restored']> }) {
  const { t, language } = useT()
  const [isAsking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const confirm = useMutation({
    mutationFn: confirmRestored,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: dashboardQueries.stats().queryKey }),
    onError: (error) => {
      setAsking(false)
      notify('error', errorText(error))
    },
  })
  const count = restored.waitingRemovals
  return (
    <>
      <Banner
        tone="warning"
        actions={
          <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
            {t('dashboard.restored.confirm')}
          </Button>
        }
      >
        {t('dashboard.restored.text', { saved: formatDateTime(restored.savedAt, language), count })}
      </Banner>
      {isAsking && (
        <ConfirmDialog
          title={t('dashboard.restored.title')}
          cancelLabel={t('dashboard.restored.later')}
          confirmLabel={t('dashboard.restored.yes')}
          isDangerous
          isBusy={confirm.isPending}
          onCancel={() => setAsking(false)}
          onConfirm={() => confirm.mutate()}
        >
          <p className={formStyles.text}>{t('dashboard.restored.ask', { count })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
