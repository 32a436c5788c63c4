import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import styles from './tray.module.css'

interface CardProps {
  /** Id of the card. Must be unique in the tray. */
  id: string
  title: string
  /** Lines below the title. */
  children: ReactNode
  /** Progress from 0 to 1; `null` if unknown; absent if there is no progress to show. */
  share?: number | null
  tools: ReactNode
  /** Content that the user can expand. */
  details?: ReactNode
}

/** An entry of the tray: title, progress and actions. */
export function Card({ id, title, children, share, tools, details }: CardProps) {
  const { t } = useT()
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? IconChevronUp : IconChevronDown
  return (
    <li className={styles.card} {...focusItem(id)}>
      <div className={styles.cardHead}>
        <div className={styles.cardText}>
          <div className={styles.cardTitle}>
            <DisplayName name={title} />
          </div>
          {share !== undefined && (
            <progress
              className={styles.progress}
              aria-label={title}
              max={1}
              {...(share !== null && { value: share })}
            />
          )}
          {children}
        </div>
        <div className={styles.tools}>
          {tools}
          {details !== undefined && (
            <ToolButton
              label={t('tasks.details', { name: title })}
              icon={<Chevron size={20} aria-hidden />}
              isExpanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            />
          )}
        </div>
      </div>
      {isOpen && details}
    </li>
  )
}
