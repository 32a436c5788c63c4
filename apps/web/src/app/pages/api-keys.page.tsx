import { ApiKeysPage as Page } from '../../features/api-keys/pages/api-keys.page.tsx'
import { FolderTree } from '../../features/fs/components/folder-tree.tsx'

/** API keys, whose base paths are chosen among the folders of the explorer. */
export function ApiKeysPage() {
  return (
    <Page
      renderFolders={({ chosen, onChoose }) => <FolderTree base="/" target={chosen} onChoose={onChoose} />}
    />
  )
}
