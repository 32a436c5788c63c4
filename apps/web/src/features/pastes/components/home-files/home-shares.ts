/** Modules that the home page needs once it has a file. They are in one chunk. */
export { itemPathOf, suggestItemPaths } from '../../../../domains/bundles/item-paths.ts'
export { plainPlace } from '../../../../domains/transfers/uploads/share-file.ts'
export {
  addShares,
  canStartAgain,
  startSharesAgain,
} from '../../../../domains/transfers/uploads/share-uploads.ts'
export { addRefusedFiles } from '../../../../domains/transfers/size-limits/refused-files.ts'
export { findSizeProblem, readMaxUploadBytes } from '../../../../domains/transfers/size-limits/size-limit.ts'
export { uploads } from '../../../../domains/transfers/uploads/uploads.ts'
export { HomeFilesList } from './home-files-list.tsx'
