import type { BundlePathProblem } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { HiddenField } from '../../../domains/transfers/rows/needs-file.tsx'
import { RowFrame } from '../../../domains/transfers/rows/share-row.tsx'
import { TooLargeRow } from '../../../domains/transfers/rows/too-large-row.tsx'
import rows from '../../../domains/transfers/rows/rows.module.css'
import {
  isSamePick,
  removePicks,
  renamePicks,
  type SharePick,
} from '../../../domains/transfers/uploads/share-picks.ts'
import type { SizeProblem } from '../../../domains/transfers/size-limits/size-limit.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'

/** Why a path is invalid in a bundle, and a valid suggestion. */
export interface PathProblem {
  readonly problem: BundlePathProblem
  readonly suggestion: string
}

interface PickRowProps {
  pick: SharePick
  /** Path in the bundle; `null` if the file gets a separate link. */
  path: string | null
  problem: PathProblem | undefined
  /** `null` if the chosen storage accepts the file. */
  sizeProblem: SizeProblem | null
  onFiles: (files: readonly File[]) => void
}

/** A row for a chosen file whose upload has not started. */
export function PickRow({ pick, path, problem, sizeProblem, onFiles }: PickRowProps) {
  const { t } = useT()
  const { name, size } = pick.file
  const remove = () => removePicks([pick.id])
  if (sizeProblem)
    return (
      <TooLargeRow
        id={pick.id}
        name={path ?? name}
        sizeBytes={size}
        problem={sizeProblem}
        onRemove={remove}
      />
    )
  return (
    <RowFrame
      id={pick.id}
      name={path ?? name}
      status={problem ? 'error' : 'pending'}
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
      {pick.path !== null && path !== null && (
        <div className={rows.facts}>{t('bundling.names.changed', { name })}</div>
      )}
      {problem && <NameProblem id={pick.id} {...problem} />}
      {!pick.bytes && <LostFile pick={pick} onFiles={onFiles} />}
    </RowFrame>
  )
}

/** Explains why a name is invalid, and suggests another one. */
function NameProblem({ id, problem, suggestion }: PathProblem & { id: string }) {
  const { t } = useT()
  return (
    <div className={rows.need}>
      <p className={rows.rowError}>{t(`bundling.names.problem.${problem}`)}</p>
      <Button size="compact-md" variant="light" onClick={() => renamePicks(new Map([[id, suggestion]]))}>
        {t('bundling.names.use', { name: suggestion })}
      </Button>
    </div>
  )
}

/** Asks the user to choose a file again. The page lost the file in a reload before the upload had started. */
function LostFile({ pick, onFiles }: Pick<PickRowProps, 'pick' | 'onFiles'>) {
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
