import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { HiddenField } from '../../../domains/transfers/rows/needs-file.tsx'
import { RowFrame } from '../../../domains/transfers/rows/share-row.tsx'
import { TooLargeRow } from '../../../domains/transfers/rows/too-large-row.tsx'
import rows from '../../../domains/transfers/rows/rows.module.css'
import { isSamePick, removePicks, type SharePick } from '../../../domains/transfers/uploads/share-picks.ts'
import type { SizeProblem } from '../../../domains/transfers/uploads/size-limit.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'

interface PickRowProps {
  pick: SharePick
  /** `null` if the chosen storage takes the file. */
  problem: SizeProblem | null
  onFiles: (files: readonly File[]) => void
}

/** A row for a chosen file whose upload has not started. */
export function PickRow({ pick, problem, onFiles }: PickRowProps) {
  const { t } = useT()
  const { name, size } = pick.file
  const remove = () => removePicks([pick.id])
  if (problem)
    return <TooLargeRow id={pick.id} name={name} sizeBytes={size} problem={problem} onRemove={remove} />
  return (
    <RowFrame
      id={pick.id}
      name={name}
      status="pending"
      sizeBytes={size}
      state={t(pick.bytes ? 'files.upload.status.pending' : 'tasks.state.needsFile')}
      tools={
        <ToolButton
          label={t('files.upload.removeOne', { name })}
          icon={<IconX size={20} aria-hidden />}
          onClick={remove}
        />
      }
    >
      {!pick.bytes && <LostFile pick={pick} onFiles={onFiles} />}
    </RowFrame>
  )
}

/** Asks the user to choose a file again that was lost in a reload before its upload started. */
function LostFile({ pick, onFiles }: Omit<PickRowProps, 'problem'>) {
  const { t } = useT()
  const field = useRef<HTMLInputElement>(null)
  const [isOther, setOther] = useState(false)
  const { name } = pick.file
  return (
    <div className={rows.need}>
      <p>{t('files.upload.lost', { name })}</p>
      {isOther && (
        <div className={rows.facts} data-tone="danger" role="alert">
          {t('tasks.errors.source_changed')}
        </div>
      )}
      <Button
        size="compact-md"
        variant="light"
        aria-label={t('tasks.chooseFileFor', { name })}
        onClick={() => field.current?.click()}
      >
        {t('tasks.chooseFile')}
      </Button>
      <HiddenField
        field={field}
        onFiles={([file]) => {
          if (!file) return
          const isSame = isSamePick(pick, file)
          setOther(!isSame)
          if (isSame) onFiles([file])
        }}
      />
    </div>
  )
}
