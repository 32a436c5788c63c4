import { ApiKeysPage as Page } from '../../features/api-keys/pages/api-keys.page.tsx'
import { FolderTree } from '../../features/fs/components/folder-tree.tsx'

/** The API keys page, with a folder picker for base paths. */
export function ApiKeysPage() {
  return (
    <Page
      renderFolders={({ chosen, onChoose }) => <FolderTree base="/" target={chosen} onChoose={onChoose} />}
    />
  )
}
