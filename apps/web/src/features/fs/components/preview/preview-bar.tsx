import { Button } from '@mantine/core'
import { IconArrowLeft, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { formatNumber } from '../../../../lib/format.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { DisplayName } from '../../../../ui/layout/display-name.tsx'
import { ToolButton } from '../../../../ui/buttons/tool-button.tsx'
import type { Command } from '../../models/commands.ts'
import type { Entry } from '../../models/entries.ts'
import { sizeText, timeText } from '../items/entry-facts.ts'
import { EntryIcon } from '../items/entry-icon.tsx'
import { useFolderScreen } from '../explorer-context.ts'
import { COMMAND_ICONS } from '../items/item-menu.tsx'
import styles from './preview.module.css'

interface Place {
  readonly index: number
  readonly count: number
}

function usePlaceText(place: Place | null): string {
  const { t, language } = useT()
  if (place === null) return ''
  return t('explorer.preview.position', {
    number: formatNumber(place.index + 1, language),
    count: formatNumber(place.count, language),
  })
}

/** Announces the file after a step, because the focus does not move. The dialog's name announces the first file. */
export function SpokenStep({ name, place }: { name: string; place: Place | null }) {
  const { t } = useT()
  const [first, setFirst] = useState<string | null>(name)
  if (first !== null && first !== name) setFirst(null)
  const said = [name, usePlaceText(place)].filter(Boolean).join(t('common.separator'))
  return <output className="dl-sr">{first === null && said}</output>
}

interface PreviewBarProps {
  name: string
  entry: Entry | undefined
  /** Whether the file is being edited. The other commands are then hidden. */
  isEditing: boolean
  place: Place | null
  onClose: () => void
  onEdit: (() => void) | null
}

const IN_BAR: ReadonlySet<Command> = new Set(['download', 'link', 'share', 'rename', 'delete'])

export function PreviewBar({ name, entry, isEditing, place, onClose, onEdit }: PreviewBarProps) {
  const { t, language } = useT()
  const { commandsOf, run } = useFolderScreen()
  const facts = entry ? [sizeText(entry, language), timeText(entry, language)].filter(Boolean) : []
  const placeText = usePlaceText(place)
  return (
    <header className={styles.bar}>
      <ToolButton
        label={t('explorer.preview.close')}
        icon={<IconArrowLeft size={20} aria-hidden />}
        onClick={onClose}
      />
      {entry ? <EntryIcon entry={entry} /> : <span className={styles.noIcon} />}
      <div className={styles.title}>
        <h2>
          <DisplayName name={name} />
        </h2>
        <p className={styles.facts}>
          <span>{facts.join(' · ')}</span>
          {placeText && (
            <span className={styles.place}>
              {facts.length > 0 && <>&nbsp;·&nbsp;</>}
              {placeText}
            </span>
          )}
        </p>
      </div>
      {!isEditing && (
        <div className={styles.tools} role="toolbar" aria-label={t('explorer.actionsOf', { name })}>
          {onEdit && (
            <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={onEdit}>
              {t('explorer.edit.open')}
            </Button>
          )}
          {entry &&
            commandsOf([entry])
              .filter((command) => IN_BAR.has(command))
              .map((command) => {
                const Icon = COMMAND_ICONS[command]
                return (
                  <ToolButton
                    key={command}
                    label={t(`explorer.command.${command}`)}
                    icon={<Icon size={20} aria-hidden />}
                    isDangerous={command === 'delete'}
                    onClick={() => run(command, [entry])}
                  />
                )
              })}
        </div>
      )}
    </header>
  )
}
