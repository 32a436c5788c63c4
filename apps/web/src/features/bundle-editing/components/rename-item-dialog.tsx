import { BUNDLE_PATH_MAX_LENGTH } from '@dropleaf/contract'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { type EditedItem, pathProblem } from '../models/edited-items.ts'

interface RenameItemDialogProps {
  items: readonly EditedItem[]
  item: EditedItem
  onRename: (path: string) => void
  onClose: () => void
}

/** Changes the path of an item, and thereby its folder in the bundle. */
export function RenameItemDialog({ items, item, onRename, onClose }: RenameItemDialogProps) {
  const { t } = useT()
  const [typed, setTyped] = useState(item.path)
  const path = typed.trim().normalize('NFC')
  const problem = pathProblem(items, item.key, path)
  return (
    <FormDialog
      title={t('bundleEditing.path.title')}
      submitLabel={t('bundleEditing.path.submit')}
      isWrong={problem !== null}
      isBusy={false}
      failure={null}
      onSubmit={() => problem === null && onRename(path)}
      onClose={onClose}
    >
      <TextInput
        label={t('bundleEditing.path.label')}
        description={t('bundleEditing.path.hint')}
        error={problem && t(`bundleEditing.path.${problem}`)}
        maxLength={BUNDLE_PATH_MAX_LENGTH}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
