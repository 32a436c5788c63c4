import { storageConformance } from '../conformance.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

storageConformance('Local disk', async () => {
  const disk = await temporaryDisk()
  return { driver: disk.driver, reopen: disk.reopen, leftovers: disk.leftovers, cleanup: disk.remove }
})
