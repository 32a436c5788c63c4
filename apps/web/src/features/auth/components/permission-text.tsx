import { useT } from '../../../i18n/use-translation.ts'
import type { Session } from '../../../domains/session/stored-session.ts'

/** Describes the permissions of a session. */
export function PermissionText({ session }: { session: Exclude<Session, { kind: 'none' }> }) {
  const { t } = useT()
  if (session.kind === 'admin') return t('auth.allPermissions')
  const { text, file, mount, mount_read_only: isReadOnly } = session.permissions
  const names = [
    text && t('auth.text'),
    file && t('auth.file'),
    mount && (isReadOnly ? t('auth.mountReadOnly') : t('auth.mount')),
  ].filter((name) => name !== false)
  return names.length > 0 ? names.join(t('common.separator')) : t('auth.noPermission')
}
