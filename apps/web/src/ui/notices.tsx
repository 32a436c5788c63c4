import { IconX } from '@tabler/icons-react'
import { useT } from '../lib/i18n/use-translation.ts'
import type { NoticeAction } from '../lib/notices.ts'
import { dismissNotice, useNotices } from '../lib/notices.ts'
import styles from './notices.module.css'

export function Notices() {
  const notices = useNotices()
  const { t } = useT()
  return (
    <output className={styles.region} aria-live="polite">
      {notices.map((notice) => (
        <div key={notice.id} className={styles.notice}>
          <span>{notice.text}</span>
          {notice.action && <ActionButton id={notice.id} action={notice.action} />}
          <button
            type="button"
            className={styles.close}
            aria-label={t('common.close')}
            onClick={() => dismissNotice(notice.id)}
          >
            <IconX size={16} aria-hidden />
          </button>
        </div>
      ))}
    </output>
  )
}

function ActionButton({ id, action }: { id: number; action: NoticeAction }) {
  return (
    <button
      type="button"
      className={styles.action}
      onClick={() => {
        dismissNotice(id)
        action.run()
      }}
    >
      {action.label}
    </button>
  )
}
