import { ChangeAccountForm } from '../../features/auth/components/change-account-form.tsx'
import { SessionsPanel } from '../../features/auth/components/sessions-panel.tsx'
import { BackupPanel } from '../../features/backup/components/backup-panel.tsx'
import { UploadSettings } from '../../features/settings/components/upload-settings.tsx'
import { ReopenGuide } from '../../features/welcome/components/resume-guide.tsx'
import { useT } from '../../i18n/use-translation.ts'
import { ModuleHeader } from '../../ui/layout/module-header.tsx'
import styles from './settings.module.css'

export function SettingsPage() {
  const { t } = useT()
  return (
    <div className={`${styles.page} dl-in-turn`}>
      <ModuleHeader title={t('settings.title')} />
      <UploadSettings />
      <ChangeAccountForm />
      <SessionsPanel />
      <BackupPanel />
      <ReopenGuide />
    </div>
  )
}
