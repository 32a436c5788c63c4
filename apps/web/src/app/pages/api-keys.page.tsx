import { ApiKeysPage as Page } from '../../features/api-keys/pages/api-keys.page.tsx'
import { FolderTree } from '../../features/fs/components/folder-tree.tsx'

/** API keys, with folders of the explorer for base paths. */
export function ApiKeysPage() {
  return (
    <Page
      renderFolders={({ chosen, onChoose }) => <FolderTree base="/" target={chosen} onChoose={onChoose} />}
    />
  )
}
