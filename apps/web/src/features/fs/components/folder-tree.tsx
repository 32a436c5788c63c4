import { Button } from '@mantine/core'
import { IconFolderFilled } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Tree } from '../../../ui/tree/tree.tsx'
import { fsQueries } from '../api/fs.queries.ts'
import { folderRows, wayTo } from '../models/folder-rows.ts'
import { nameOfPath } from '../models/fs-paths.ts'
import styles from './dialogs/dialogs.module.css'

interface FolderTreeProps {
  /** The root of the tree. */
  base: string
  target: string
  onChoose: (path: string) => void
}

/** A folder picker. Expanding a folder loads its subfolders. Choosing a folder also expands it. */
export function FolderTree({ base, target, onChoose }: FolderTreeProps) {
  const { t } = useT()
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(wayTo(target, base)))
  const asked = [...opened]
  const answers = useQueries({ queries: asked.map((path) => fsQueries.folders(path)) })
  const answerOf = (path: string) => answers[asked.indexOf(path)]
  const rows = folderRows({
    root: { path: base, name: base === '/' ? t('explorer.root') : nameOfPath(base) },
    opened,
    childrenOf: (path) => answerOf(path)?.data,
    isBusy: (path) => answerOf(path)?.isPending === true,
  })
  const open = (path: string, isOpen: boolean) =>
    setOpened((before) => {
      const next = new Set(before)
      if (isOpen) next.add(path)
      else next.delete(path)
      return next
    })
  return (
    <div>
      <Tree
        label={t('explorer.target')}
        rows={rows}
        chosenId={target}
        icon={<IconFolderFilled size={18} color="var(--dl-accent)" aria-hidden />}
        onChoose={(path) => {
          open(path, true)
          onChoose(path)
        }}
        onOpen={open}
      />
      {asked.map((path, index) => {
        const answer = answers[index]
        if (!answer?.isError) return null
        return (
          <p key={path} className={styles.note} role="alert">
            {t('explorer.foldersFailed', {
              name: nameOfPath(path) || t('explorer.root'),
              reason: errorText(answer.error),
            })}{' '}
            <Button size="compact-xs" variant="default" onClick={() => void answer.refetch()}>
              {t('common.retry')}
            </Button>
          </p>
        )
      })}
    </div>
  )
}
