import { storageConformance } from '../conformance.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

storageConformance('Local disk [disk]', async () => {
  const disk = await temporaryDisk()
  return {
    driver: disk.driver,
    reopen: disk.reopen,
    leftovers: disk.leftovers,
    leavesPartsOut: true,
    cleanup: disk.remove,
  }
})
